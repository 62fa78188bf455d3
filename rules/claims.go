package rules

import (
	"fmt"
	"regexp"
	"strings"
)

// Claim is one message that a page says JAX prints.
type Claim struct {
	Exception string // class of the exception or warning; abort when the process dies
	Stage     string // tracing, lowering or compiling
	Text      string // a part of the message, with {holes} that stand for anything
}

var claimForm = regexp.MustCompile(`^(\w+) at (\w+), "(.*)"$`)

// Claims are the messages that the page names; none when JAX says nothing.
func (m *PageMeta) Claims() []Claim { return readClaims(m.Raises) }

// Messages are Claims, and what else JAX says of the same mistake.
func (m *PageMeta) Messages() []Claim { return append(m.Claims(), readClaims(m.Also)...) }

func readClaims(text string) []Claim {
	var out []Claim
	for _, line := range strings.Split(text, "\n") {
		if f := claimForm.FindStringSubmatch(line); f != nil {
			out = append(out, Claim{f[1], f[2], f[3]})
		}
	}
	return out
}

// String is the claim as a sentence shows it.
func (c Claim) String() string { return fmt.Sprintf("%s: %s (at %s)", c.Exception, c.Text, c.Stage) }
