package parse

import (
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"unsafe"
)

// File is one version of a source file. It never changes, so any number of goroutines may read it, and nobody needs to
// close it. Edit makes the next version.
type File struct {
	Path   string
	Src    []byte
	Chunks []*Chunk // in the order of the source

	Notebook *Notebook // the cells that Src was made of; nil for a file of Python

	layout layout // where the chunks are in Src

	// Derived from the above when first asked for.
	index    func() map[*Chunk]int
	lines    func() []int
	scope    func() *Scope
	comments func() []Comment
	imports  func() []Binding

	// warm is what the parser knows of the chunk that was edited last, for the next edit of the same chunk. Whoever takes
	// it owns it.
	warm atomic.Pointer[warmth]
}

// warmth is what makes the next edit of a chunk fast. Its tree is the only C memory that a File holds; it is freed when
// Edit takes it, or with the File.
type warmth struct {
	tree  *tree  // the last tree without errors, or nil
	text  string // what it is the tree of
	items items  // the parts of the chunk, when it is broken
}

// Parse reads a file. It never fails: what cannot be read is UnknownStmt or UnknownExpr. It keeps src, which must not
// change afterwards.
func Parse(path string, src []byte) *File { return update(nil, path, src) }

// Edit returns the version of the file that has src as its text. Chunks whose text is the same are shared with f, and
// f stays as it is. It keeps src, which must not change afterwards. Editing f several times is allowed, but only the
// first time is fast.
func (f *File) Edit(src []byte) *File { return update(f, f.Path, src) }

func update(old *File, path string, src []byte) *File {
	f := &File{Path: path, Src: src}
	text := plainLineEnds(unsafe.String(unsafe.SliceData(src), len(src)))
	var warm *warmth
	if old == nil {
		f.layout = split(text)
	} else {
		head, tail := common(old.Src, src)
		f.layout = resplit(old.layout, len(old.Src), text, head, tail)
		warm = old.warm.Swap(nil)
	}
	f.Chunks = make([]*Chunk, len(f.layout.pieces))
	f.setDerived()
	from, to := f.share(old)
	f.fill(from, to, warm)
	return f
}

// common returns how many bytes two texts have in common at their start and at their end; the two do not overlap.
func common[T []byte | string](a, b T) (head, tail int) {
	const block = 256
	n := min(len(a), len(b))
	for head+block <= n && string(a[head:head+block]) == string(b[head:head+block]) {
		head += block
	}
	for head < n && a[head] == b[head] {
		head++
	}
	a, b, n = a[head:], b[head:], n-head
	for tail+block <= n && string(a[len(a)-tail-block:len(a)-tail]) == string(b[len(b)-tail-block:len(b)-tail]) {
		tail += block
	}
	for tail < n && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// share takes over the chunks at the start and at the end of the old version whose text is the same, and returns which
// are left to read.
func (f *File) share(old *File) (from, to int) {
	pieces := f.layout.pieces
	to = len(pieces)
	if old == nil {
		return from, to
	}
	same := func(c *Chunk, p piece) bool {
		return len(c.Text) == p.end-p.start && c.Text == string(f.Src[p.start:p.end])
	}
	for from < min(to, len(old.Chunks)) && same(old.Chunks[from], pieces[from]) {
		f.Chunks[from] = old.Chunks[from]
		from++
	}
	for i := len(old.Chunks) - 1; i >= from && to > from && same(old.Chunks[i], pieces[to-1]); i-- {
		to--
		f.Chunks[to] = old.Chunks[i]
	}
	return from, to
}

// text returns a copy of the text of chunk i: a chunk outlives the version that it was first read in.
func (f *File) text(i int) string {
	p := f.layout.pieces[i]
	return string(f.Src[p.start:p.end])
}

// fill reads the chunks from one index to another. When it is a single one, warm may make that faster, and what it
// leaves is kept for the next edit.
func (f *File) fill(from, to int, warm *warmth) {
	switch {
	case from == to:
		f.warm.Store(warm)
	case from+1 == to:
		f.fillOne(from, warm)
	default:
		if warm != nil {
			warm.tree.close()
		}
		f.fillMany(from, to)
	}
}

func (f *File) fillOne(i int, warm *warmth) {
	if warm == nil {
		warm = &warmth{}
	}
	p := getParser()
	defer p.put()
	f.Chunks[i] = lowerChunk(p, f.Path, f.text(i), warm)
	f.warm.Store(warm)
}

// maxWorkers bounds the goroutines that read one file.
const maxWorkers = 4

// fillMany reads many chunks, which do not depend on each other, on a few goroutines.
func (f *File) fillMany(from, to int) {
	const worthwhile = 1 << 14 // bytes of text for each worker
	size := f.layout.pieces[to-1].end - f.layout.pieces[from].start
	workers := min(maxWorkers, runtime.GOMAXPROCS(0), 1+size/worthwhile)
	var next atomic.Int64
	next.Store(int64(from))
	work := func() {
		p := getParser()
		defer p.put()
		for i := int(next.Add(1)) - 1; i < to; i = int(next.Add(1)) - 1 {
			f.Chunks[i] = lowerChunk(p, f.Path, f.text(i), nil)
		}
	}
	if workers == 1 {
		work()
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	wg.Wait()
}

// start returns a copy of the tree, edited for another text, or nil when there is none or the texts have too little in
// common.
func (w *warmth) start(text string) *tree {
	if w == nil || w.tree == nil {
		return nil
	}
	head, tail := common(w.text, text)
	if head+tail < len(text)/2 {
		return nil
	}
	t := w.tree.copy()
	t.edit(treeEdit{head, len(w.text) - tail, len(text) - tail}, w.text, text)
	return t
}

// keep replaces the tree.
func (w *warmth) keep(t *tree, text string) {
	if w == nil {
		t.close()
		return
	}
	w.tree.close()
	t.guard()
	w.tree, w.text, w.items = t, text, nil
}

// setDerived prepares what is computed when it is first asked for.
func (f *File) setDerived() {
	f.index = sync.OnceValue(func() map[*Chunk]int {
		m := make(map[*Chunk]int, len(f.Chunks))
		for i, c := range f.Chunks {
			m[c] = f.layout.pieces[i].start
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
	pieces := f.layout.pieces
	i := sort.Search(len(pieces), func(i int) bool { return pieces[i].start > off }) - 1
	if i < 0 || off > pieces[i].end {
		return nil, 0
	}
	return f.Chunks[i], int32(off - pieces[i].start)
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
	for _, c := range f.layout.comments {
		out = append(out, Comment{Span: Span{int32(c.start), int32(c.end)}, Text: string(f.Src[c.start:c.end])})
	}
	for i, c := range f.Chunks {
		base := int32(f.layout.pieces[i].start)
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
