package infer

import (
	"bytes"
	"strings"

	"pallas-lsp/parse"
)

// pallasWords: a file with a Pallas kernel holds the package's name, or the usual names of its modules where it has them from another file
// of the workspace. `pallas_call` is found by the first.
var pallasWords = [][]byte{[]byte("pallas"), []byte("pltpu"), []byte("plgpu"), []byte("plsc")}

// MentionsPallas tells apart, without parsing, the files that can have to do with Pallas. A file that gets Pallas from another file, under a
// name of its own making, is not found.
func MentionsPallas(text []byte) bool {
	for _, w := range pallasWords {
		if bytes.Contains(text, w) {
			return true
		}
	}
	return false
}

// words counts in how many statements of a file a name stands.
type words struct {
	count  map[string]int
	chunks map[*parse.Chunk]bool
}

// next counts the words of the next version of the file: only statements that are not in both are looked at.
func (w *words) next(f *parse.File) *words {
	if w == nil {
		w = &words{count: map[string]int{}}
	}
	chunks := make(map[*parse.Chunk]bool, len(f.Chunks))
	for _, c := range f.Chunks {
		chunks[c] = true
		if !w.chunks[c] {
			w.add(c, 1)
		}
	}
	for c := range w.chunks {
		if !chunks[c] {
			w.add(c, -1)
		}
	}
	w.chunks = chunks
	return w
}

func (w *words) add(c *parse.Chunk, n int) {
	for name := range c.Mentions() {
		w.count[name] += n
	}
}

// pertinence finds the functions that can have to do with Pallas: those whose text names something of Pallas, or something of the module whose
// text does.
type pertinence struct {
	ip      *interp
	binders map[string][]*parse.Chunk
	chunks  map[*parse.Chunk]bool // decided, or being decided
	foreign bool                  // a file that the module imports mentions Pallas
}

func (ip *interp) pertinence() *pertinence {
	p := &pertinence{ip: ip, binders: map[string][]*parse.Chunk{}, chunks: map[*parse.Chunk]bool{}}
	for _, c := range ip.main.file.Chunks {
		for name := range c.Scope().Locals {
			p.binders[name] = append(p.binders[name], c)
		}
	}
	for _, m := range ip.mods {
		p.foreign = p.foreign || m != ip.main && MentionsPallas(m.file.Src)
	}
	return p
}

// of reports whether the statement that a function stands in can have to do with Pallas.
func (p *pertinence) of(c *parse.Chunk) bool {
	if is, done := p.chunks[c]; done {
		return is
	}
	seen, due := map[*parse.Chunk]bool{c: true}, []*parse.Chunk{c}
	for i := 0; i < len(due); i++ {
		found, more := p.names(due[i])
		if found || p.chunks[due[i]] || len(p.ip.main.stars) > 0 {
			p.chunks[c] = true
			return true
		}
		for _, m := range more {
			if !seen[m] {
				seen[m] = true
				due = append(due, m)
			}
		}
	}
	for s := range seen { // none of them leads to Pallas
		p.chunks[s] = false
	}
	return false
}

// names reports whether a statement names something of Pallas itself, and else the statements that make what it names.
func (p *pertinence) names(c *parse.Chunk) (found bool, others []*parse.Chunk) {
	for name := range c.Mentions() {
		if name == "pallas" || p.isPallas(p.ip.main.env.at(name)) { // jax.experimental.pallas
			return true, nil
		}
		for _, b := range p.binders[name] {
			if p.foreign && imports(b) {
				return true, nil
			}
			others = append(others, b)
		}
	}
	return false, others
}

func (p *pertinence) isPallas(v Value) bool {
	switch v := v.(type) {
	case *API:
		return isPallas(v.Name)
	case *Module:
		return isPallas(v.Name)
	case *SpaceVal, *MemSpec, *PallasFn, *BlockSpec:
		return true
	}
	return false
}

// imports: the statement binds names of other files.
func imports(c *parse.Chunk) bool {
	for _, s := range c.Stmts {
		switch s.(type) {
		case *parse.Import, *parse.ImportFrom:
			return true
		}
	}
	return false
}

func isPallas(name string) bool {
	return name == "jax.experimental.pallas" || strings.HasPrefix(name, "jax.experimental.pallas.")
}
