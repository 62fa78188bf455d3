package parse

import (
	"sort"
	"sync"
	"sync/atomic"
)

// File is one version of a source file. It never changes, so any number of goroutines may read it, and nobody needs to
// close it. Edit makes the next version.
type File struct {
	Path   string
	Src    []byte
	Chunks []*Chunk // in the order of the source

	bases []int   // where each chunk starts in Src
	outer []piece // the comments outside all chunks

	// Derived from the above when first asked for.
	index    func() map[*Chunk]int
	lines    func() []int
	scope    func() *Scope
	comments func() []Comment
	imports  func() []Binding

	// warm is the tree of the chunk that was edited last, for the next edit of the same chunk. Whoever takes it owns it.
	// It is the only C memory that a File holds, and it is freed when Edit takes it, or with the File.
	warm atomic.Pointer[warmTree]
}

// warmTree is a tree without errors, and the text that it is the tree of.
type warmTree struct {
	tree *tree
	text string
}

// Parse reads a file. It never fails: what cannot be read is UnknownStmt or UnknownExpr. It keeps src, which must not
// change afterwards.
func Parse(path string, src []byte) *File { return update(nil, path, src) }

// Edit returns the version of the file that has src as its text. Chunks whose text is the same are shared with f, and
// f stays as it is. It keeps src, which must not change afterwards. Editing f several times is allowed, but only the
// first time is fast.
func (f *File) Edit(src []byte) *File { return update(f, f.Path, src) }

func update(old *File, path string, src []byte) *File {
	pieces, outer := split(plainLineEnds(string(src)))
	f := &File{Path: path, Src: src, Chunks: make([]*Chunk, len(pieces)), bases: make([]int, len(pieces)), outer: outer}
	for i, p := range pieces {
		f.bases[i] = p.start
	}
	f.setDerived()
	var warm *warmTree
	head, tail := 0, 0
	if old != nil {
		head, tail = f.share(old, pieces)
		warm = old.warm.Swap(nil)
	}
	f.fill(pieces[:len(pieces)-tail], head, warm)
	return f
}

// share takes over the chunks at the start and at the end of the old version whose text is the same.
func (f *File) share(old *File, pieces []piece) (head, tail int) {
	n := min(len(pieces), len(old.Chunks))
	same := func(c *Chunk, p piece) bool {
		return len(c.Text) == p.end-p.start && c.Text == string(f.Src[p.start:p.end])
	}
	for head < n && same(old.Chunks[head], pieces[head]) {
		f.Chunks[head] = old.Chunks[head]
		head++
	}
	for tail < n-head && same(old.Chunks[len(old.Chunks)-1-tail], pieces[len(pieces)-1-tail]) {
		tail++
		f.Chunks[len(pieces)-tail] = old.Chunks[len(old.Chunks)-tail]
	}
	return head, tail
}

// fill reads the chunks from index from on. When it is a single one, warm may make that faster, and the tree is kept.
func (f *File) fill(pieces []piece, from int, warm *warmTree) {
	if len(pieces)-from == 1 {
		f.fillOne(pieces[from], from, warm)
		return
	}
	if from == len(pieces) {
		f.warm.Store(warm)
		return
	}
	if warm != nil {
		warm.tree.close()
	}
	p := getParser()
	defer p.put()
	for i := from; i < len(pieces); i++ {
		c, t := lowerChunk(p, f.Path, string(f.Src[pieces[i].start:pieces[i].end]), nil)
		t.close()
		f.Chunks[i] = c
	}
}

func (f *File) fillOne(at piece, i int, warm *warmTree) {
	p := getParser()
	defer p.put()
	text := string(f.Src[at.start:at.end])
	var start *tree
	if warm != nil {
		start = warm.forText(text)
	}
	c, t := lowerChunk(p, f.Path, text, start)
	start.close()
	f.Chunks[i] = c
	if t == nil {
		f.warm.Store(warm) // the chunk is broken now; the last good tree is the best start for the next edit
		return
	}
	if warm != nil {
		warm.tree.close()
	}
	f.warm.Store(&warmTree{t, text})
}

// forText returns a copy of the tree, edited for another text, or nil when the texts have too little in common.
func (w *warmTree) forText(text string) *tree {
	n := min(len(w.text), len(text))
	head := 0
	for head < n && w.text[head] == text[head] {
		head++
	}
	tail := 0
	for tail < n-head && w.text[len(w.text)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	if head+tail < len(text)/2 {
		return nil
	}
	t := w.tree.copy()
	t.edit(treeEdit{head, len(w.text) - tail, len(text) - tail}, w.text, text)
	return t
}

// setDerived prepares what is computed when it is first asked for.
func (f *File) setDerived() {
	f.index = sync.OnceValue(func() map[*Chunk]int {
		m := make(map[*Chunk]int, len(f.Chunks))
		for i, c := range f.Chunks {
			m[c] = f.bases[i]
		}
		return m
	})
	f.lines = sync.OnceValue(func() []int { return lineStarts(f.Src) })
	f.scope = sync.OnceValue(f.moduleScope)
	f.comments = sync.OnceValue(f.allComments)
	f.imports = sync.OnceValue(f.allImports)
}

// Base returns the offset at which the chunk starts in this version; false when the chunk is not part of it.
func (f *File) Base(c *Chunk) (int, bool) {
	base, ok := f.index()[c]
	return base, ok
}

// Range returns the offsets of a location in this version; false when its chunk is not part of it.
func (f *File) Range(l Loc) (start, end int, ok bool) {
	base, ok := f.Base(l.Chunk)
	if !ok {
		return 0, 0, false
	}
	return base + int(l.Start), base + int(l.End), true
}

// ChunkAt returns the chunk that holds the byte at off and the offset in it. An offset just behind the last byte of a
// chunk belongs to it, so that a cursor at the end of a line finds the line. Between chunks, it returns nil.
func (f *File) ChunkAt(off int) (*Chunk, int32) {
	i := sort.SearchInts(f.bases, off+1) - 1
	if i < 0 || off > f.bases[i]+len(f.Chunks[i].Text) {
		return nil, 0
	}
	return f.Chunks[i], int32(off - f.bases[i])
}

// LocAt returns the empty location at an offset; it is not Valid when the offset is between chunks.
func (f *File) LocAt(off int) Loc {
	c, at := f.ChunkAt(off)
	return Loc{Chunk: c, Span: Span{at, at}}
}

// Comments returns all comments in the order of the source; their spans count from the start of the file.
func (f *File) Comments() []Comment { return f.comments() }

func (f *File) allComments() []Comment {
	var out []Comment
	for _, c := range f.outer {
		out = append(out, Comment{Span: Span{int32(c.start), int32(c.end)}, Text: string(f.Src[c.start:c.end])})
	}
	for i, c := range f.Chunks {
		base := int32(f.bases[i])
		for _, comment := range c.Comments {
			comment.Start += base
			comment.End += base
			out = append(out, comment)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	return out
}

// ModuleScope returns the names that the module binds at its top level. Do not change it.
func (f *File) ModuleScope() *Scope { return f.scope() }

func (f *File) moduleScope() *Scope {
	all := newScope()
	for _, c := range f.Chunks {
		for name := range c.scope.Locals {
			all.Locals[name] = true
		}
		for name := range c.scope.Globals { // `global x` at the top level is allowed and means x
			all.Locals[name] = true
		}
	}
	return all
}

// Scope returns the names that the chunk's statements bind in the module. Do not change it.
func (c *Chunk) Scope() *Scope { return c.scope }
