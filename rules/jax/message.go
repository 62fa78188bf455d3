package jax

import (
	"strconv"
	"strings"
)

// Stage is when a message appears.
type Stage string

// The stages, in the order in which a program passes them.
const (
	StageTrace     Stage = "trace"     // while Python runs the kernel to make a jaxpr
	StageLower     Stage = "lower"     // while the jaxpr becomes a Mosaic module
	StageCompile   Stage = "compile"   // in Mosaic's compiler (libtpu)
	StageInterpret Stage = "interpret" // in interpret mode only
)

// Message is one place in JAX's source that raises or warns, on the way of a Pallas kernel for a TPU.
type Message struct {
	File      string // below the package: "_src/pallas/mosaic/lowering.py"
	Line      int    // in that release, from 1
	Function  string // qualified name of the function: "BlockSpec.__post_init__"
	Exception string // class of the exception or warning: "ValueError"; AssertionError for an assert
	Stage     Stage  // guessed from the place
	Template  string // the text, with {} for what varies; empty: it says nothing
}

func readMessages(text string) []Message {
	list := make([]Message, 0, strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		f := [6]string{}
		rest := strings.TrimSuffix(line, "\n")
		for i := range 5 {
			f[i], rest, _ = strings.Cut(rest, "\t")
		}
		number, _ := strconv.Atoi(f[1])
		template, err := strconv.Unquote(rest) // JSON's escapes of text without control characters are Go's
		if err != nil {
			panic("jax: messages.txt: " + rest)
		}
		list = append(list, Message{File: f[0], Line: number, Function: f[2], Exception: f[3], Stage: Stage(f[4]), Template: template})
	}
	return list
}

// Messages is every place in the release's source that raises or warns and that a kernel for a TPU can reach. The caller
// must not change it.
func (r *Release) Messages() []Message { return r.messages() }
