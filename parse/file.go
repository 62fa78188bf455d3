// Package parse turns bytes into a syntax tree and back into positions and edits. It knows Python, not JAX, and no
// editor protocol: every position that leaves it is a byte offset or a Loc.
package parse

import "slices"

// A Chunk is one top-level statement as it was written (a run of text that could not be read is a chunk too). It is
// immutable and position-independent: spans inside count from its first byte, so that a chunk whose text an edit did
// not touch is shared by the versions before and after, wherever it has moved to.
type Chunk struct {
	Path     string // of the file it belongs to
	Text     string
	Stmts    []Stmt // one statement, or a few where several share a line
	Comments []Comment
	Broken   bool // there is a syntax error inside: somewhere in Stmts is an UnknownStmt, or Stmts are incomplete

	scope   *Scope // the names that the chunk binds in the module
	words   func() map[string]bool
	imports func() []Binding
	guesses func() []Span
}

// Guessed reports whether the span lies in a statement with a syntax error: what was made of that is a guess.
func (c *Chunk) Guessed(at Span) bool {
	if !c.Broken {
		return false
	}
	return slices.ContainsFunc(c.guesses(), func(s Span) bool { return s.Start <= at.Start && at.End <= s.End })
}

func (c *Chunk) allGuesses() (out []Span) {
	for _, s := range c.Stmts {
		Walk(s, func(n Node) bool {
			u, unknown := n.(*UnknownStmt)
			if unknown {
				out = append(out, u.Span())
			}
			return !unknown
		})
	}
	return out
}

// Mentions are the names and attributes that stand in the chunk's code, those that it binds included.
func (c *Chunk) Mentions() map[string]bool { return c.words() }

func (c *Chunk) allWords() map[string]bool {
	out := map[string]bool{}
	for _, s := range c.Stmts {
		Walk(s, func(n Node) bool {
			switch n := n.(type) {
			case *Name:
				out[n.ID] = true
			case *Attr:
				out[n.Name] = true
			}
			return true
		})
	}
	return out
}

// Comment is a comment with its # and without its line end.
type Comment struct {
	Span
	Text string
}

// Loc is a span of text in a chunk: a position that survives edits elsewhere in the file.
// File.Range turns it into offsets of one version.
type Loc struct {
	Chunk *Chunk
	Span
}

// Text returns the source text at the location.
func (l Loc) Text() string {
	if l.Chunk == nil {
		return ""
	}
	return l.Chunk.Text[l.Start:l.End]
}

// Valid reports whether the location names a place at all.
func (l Loc) Valid() bool { return l.Chunk != nil }

// Guessed reports whether the place lies in a statement with a syntax error.
func (l Loc) Guessed() bool { return l.Chunk != nil && l.Chunk.Guessed(l.Span) }
