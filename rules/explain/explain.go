// Package explain finds the page for an error that JAX printed: it reads pasted tracebacks and compares their messages with
// what the pages say that JAX raises, then with all messages that JAX is known to have.
package explain

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"pallas-lsp/rules"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// Answer is what is known of a pasted error.
type Answer struct {
	Rule    *rule.Rule   // whose page explains it; nil: none
	Error   *Error       // the one of the chain that it was found by; the last one when nothing was found
	Frame   *Frame       // the author's line; nil: not shown
	Message *jax.Message // where JAX raises it; nil: not known
	Release *jax.Release // of Message
}

// Read finds the page for a pasted text. It never fails; an answer may be empty.
func Read(text string, release *jax.Release) Answer {
	trace := ReadTrace(text)
	a := Answer{Error: trace.Errors[len(trace.Errors)-1], Frame: trace.UserFrame(), Release: release}
	best := 0
	for _, e := range trace.Errors {
		dense := squeeze(e.Message)
		if r, weight := findPage(e, dense); weight > best {
			a.Rule, a.Error, best = r, e, weight
		}
	}
	if a.Rule == nil {
		dense := squeeze(text)
		a.Rule, _ = findPage(&Error{}, dense)
	}
	a.Message = findMessage(release, a.Error)
	versions := jax.Versions()
	for i := len(versions) - 1; i >= 0 && a.Message == nil; i-- { // the words of another release
		a.Release = jax.For(versions[i])
		a.Message = findMessage(a.Release, a.Error)
	}
	return a
}

// template is a message with holes, white space taken out, since terminals and mail break lines anywhere.
type template struct {
	parts  []string
	weight int // letters that are not in holes
}

var hole = regexp.MustCompile(`\{[^{}]*\}`)

func makeTemplate(text string) template {
	var t template
	for _, part := range hole.Split(text, -1) {
		if part = squeeze(part); part != "" {
			t.parts = append(t.parts, part)
			t.weight += len(part)
		}
	}
	return t
}

func squeeze(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, text)
}

// match wants a squeezed text; the parts must occur in order.
func (t template) match(text string) bool {
	for _, p := range t.parts {
		i := strings.Index(text, p)
		if i < 0 {
			return false
		}
		text = text[i+len(p):]
	}
	return len(t.parts) > 0
}

// distinct is the number of letters from which a template means one message, whatever the exception's class is.
const distinct = 24

// fits weighs a claim against a squeezed text of a known or unknown exception; 0: it is another message. The longest text counts
// first, then the exception's class, then whether the rule also finds the mistake, then where it happened.
func (p page) fits(e *Error, dense string) int {
	same := p.exception == e.Type
	if e.Type != "" && !same && p.template.weight < distinct || !p.template.match(dense) {
		return 0
	}
	w := p.place(e, dense)
	if !rules.Meta(p.rule).General {
		w += 16 * p.template.weight
	}
	if same {
		w += 8
	}
	if p.rule.Kernel != nil || p.rule.Site != nil || p.rule.Call != nil || p.rule.World != nil {
		w += 4
	}
	return w
}

// place is 3 when the page names a place and it is in the traceback, 2 when it is in the message only, 0 when it is in neither,
// and 1 when the page names none.
func (p page) place(e *Error, dense string) int {
	words := strings.Fields(rules.Meta(p.rule).Within)
	if len(words) == 0 {
		return 1
	}
	best := 0
	for _, w := range words {
		in := func(f Frame) bool {
			return strings.Contains(f.Function, w) || strings.Contains(f.Path, w) || strings.Contains(f.Code, w)
		}
		switch {
		case slices.ContainsFunc(e.Frames, in):
			return 3
		case strings.Contains(dense, w):
			best = 2
		}
	}
	return best
}

// minWeight is the number of letters below which a template says nothing.
const minWeight = 8

// page is one message that a rule's page names.
type page struct {
	rule      *rule.Rule
	exception string // empty: the page names none
	template  template
}

// pages are the messages of all pages.
func pages() []page {
	var out []page
	for _, r := range rules.All() {
		for _, c := range rules.Meta(r).Messages() {
			if t := makeTemplate(c.Text); t.weight >= minWeight {
				out = append(out, page{r, c.Exception, t})
			}
		}
	}
	return out
}

// findPage returns the rule whose message says most of what the text says.
func findPage(e *Error, dense string) (*rule.Rule, int) {
	var best *rule.Rule
	weight := 0
	for _, p := range pages() {
		if w := p.fits(e, dense); w > weight {
			best, weight = p.rule, w
		}
	}
	return best, weight
}

// templates caches the templates of a release's messages: *jax.Release -> []template, in the order of the messages.
var templates sync.Map

func templatesOf(release *jax.Release) []template {
	if t, ok := templates.Load(release); ok {
		return t.([]template)
	}
	all := release.Messages()
	out := make([]template, len(all))
	for i := range all {
		out[i] = makeTemplate(all[i].Template)
	}
	templates.Store(release, out)
	return out
}

// findMessage finds the place in JAX's source that printed an error: of the templates that match, the one that says most.
func findMessage(release *jax.Release, e *Error) *jax.Message {
	dense := squeeze(e.Message)
	var best *jax.Message
	weight := 0
	all := release.Messages()
	for i, t := range templatesOf(release) {
		w := 2 * t.weight
		if all[i].Exception == e.Type {
			w++
		}
		if t.weight >= minWeight && w > weight && t.match(dense) {
			best, weight = &all[i], w
		}
	}
	return best
}

// Names are the rules whose pages a search for word finds: in the name first, then in the summary.
func Names(word string) []string {
	var byName, bySummary []string
	for _, r := range rules.All() {
		switch {
		case strings.Contains(r.Name, word):
			byName = append(byName, r.Name)
		case strings.Contains(strings.ToLower(rules.Meta(r).Summary), strings.ToLower(word)):
			bySummary = append(bySummary, r.Name)
		}
	}
	return slices.Concat(byName, bySummary)
}
