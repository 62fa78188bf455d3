package parse

import (
	"slices"
	"strings"
	"sync"
)

// Lowering turns the records of a Tree-sitter tree into our own syntax tree.

// maxDepth bounds the nesting of the syntax tree, and with it the recursion here and in every reader of the tree.
const maxDepth = 400

// lowerer lowers one parsed text, which is a chunk or a part of one.
type lowerer struct {
	chunk string   // the text of the chunk, which the spans count from
	text  string   // what was parsed: a part of the chunk, perhaps between a prefix and a suffix that we made up
	shift int32    // chunk offset = text offset + shift
	limit uint32   // text at and after this offset was made up
	tail  int32    // chunk offset that made-up text maps to
	recs  []record // of text
	depth int
	ends  []uint32 // where the logical lines of text end, if known

	holes  []uint32         // offsets in the text of names that we made up in the middle of it, sorted
	patch  map[uint32]byte  // bytes of the source that the text does not show, by offset in the text; see patch.go
	bodies map[int32][]Stmt // what stands for the block whose first statement is at this chunk offset; see recover.go
}

func (l *lowerer) kind(n int) kind {
	if s := l.recs[n].symbol; int(s) < len(symbolKinds) {
		return symbolKinds[s]
	}
	return kError
}

func (l *lowerer) field(n int) field {
	if f := l.recs[n].field; int(f) < len(fieldIDs) {
		return fieldIDs[f]
	}
	return fNone
}

func (l *lowerer) missing(n int) bool { return l.recs[n].missing != 0 }

// next returns the index of the node after n and all that n holds.
func (l *lowerer) next(n int) int { return int(l.recs[n].next) }

// pos maps an offset of the parsed text to one of the chunk.
func (l *lowerer) pos(off uint32) int32 {
	if off > l.limit {
		return l.tail
	}
	before, _ := slices.BinarySearch(l.holes, off) // each hole is one byte
	return max(int32(off)-int32(before)+l.shift, 0)
}

func (l *lowerer) span(n int) Span {
	r := &l.recs[n]
	return Span{l.pos(r.start), l.pos(r.end)}
}

// insideSpan is span without the brackets around. They are taken off the parsed text: a closing one that was made up is not in the chunk.
func (l *lowerer) insideSpan(n int) Span {
	r := &l.recs[n]
	start, end := l.pos(r.start+1), r.end-1
	for c, next := n+1, l.next(n); c < next; c = l.next(c) {
		if l.missing(c) && l.next(c) == next {
			end = r.end // the closing one, which Tree-sitter made up
		}
	}
	return Span{start, max(l.pos(end), start)}
}

// codeSpan is span without the comments at the end, which the grammar puts into the block before them.
func (l *lowerer) codeSpan(n int) Span {
	last := l.next(n) - 1
	for last > n && l.skip(last) {
		last--
	}
	return Span{l.pos(l.recs[n].start), l.pos(max(l.recs[last].end, l.recs[n].start))}
}

// made reports whether a node is nothing but text that we made up.
func (l *lowerer) made(n int) bool {
	start := l.recs[n].start
	return start >= l.limit || len(l.holes) > 0 && slices.Contains(l.holes, start)
}

// str returns the text of a node, out of the chunk where possible so that it holds no other text in memory.
func (l *lowerer) str(n int) string {
	r := &l.recs[n]
	text := l.text[r.start:r.end]
	if r.end > l.limit {
		return text
	}
	source := l.chunk[l.pos(r.start):l.pos(r.end)]
	if source == text || l.patch != nil && len(source) == len(text) {
		return source
	}
	return text
}

// skip reports whether a node means nothing to the syntax.
func (l *lowerer) skip(n int) bool {
	k := l.kind(n)
	return k == kComment || k == kLineContinuation
}

// child returns the first child with the given field, or -1.
func (l *lowerer) child(n int, f field) int {
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.field(c) == f && !l.skip(c) {
			return c
		}
	}
	return -1
}

// childOfKind returns the first child of the given kind, or -1.
func (l *lowerer) childOfKind(n int, k kind) int {
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.kind(c) == k {
			return c
		}
	}
	return -1
}

// hasErrors reports whether there is an ERROR or MISSING node among n and its descendants.
func (l *lowerer) hasErrors(n int) bool {
	for c, end := n, l.next(n); c < end; c++ {
		if l.missing(c) || l.kind(c) == kError {
			return true
		}
	}
	return false
}

// comments returns the comments of the parsed text.
func (l *lowerer) comments() []Comment {
	var out []Comment
	for n := range l.recs {
		if l.kind(n) != kComment || l.made(n) {
			continue
		}
		span := l.span(n)
		text := strings.TrimRight(l.chunk[span.Start:span.End], "\r")
		span.End = span.Start + int32(len(text))
		out = append(out, Comment{Span: span, Text: text})
	}
	return out
}

// lowerChunk reads the text of one chunk. warm, if any, is used and updated.
func lowerChunk(p *parser, path, text string, warm *warmth) *Chunk {
	c := &Chunk{Path: path, Text: text}
	c.read(p, plainLineEnds(text), warm)
	c.Broken = refuse(c.Text, c.Stmts) || c.Broken
	c.scope = bindScopes(c.Stmts)
	c.words, c.imports, c.guesses = sync.OnceValue(c.allWords), sync.OnceValue(c.allImports), sync.OnceValue(c.allGuesses)
	return c
}

// read fills the chunk from text, which is its Text with plain line ends.
func (c *Chunk) read(p *parser, text string, warm *warmth) {
	s := survey(text)
	if len(text) > maxChunk || s.brackets > maxBrackets || s.indents > maxIndents {
		c.Broken = true
		c.Stmts = []Stmt{&UnknownStmt{stmtNode: stmtAt(Span{0, int32(len(text))})}}
		return
	}
	l := &lowerer{chunk: c.Text, text: text, limit: uint32(len(text)), tail: int32(len(text)), ends: s.ends}
	if s.balanced && c.parse(p, l, warm) {
		c.Stmts = l.block(0, nil)
		c.Comments = l.comments()
		return
	}
	c.Broken = true
	var before items
	if warm != nil {
		before = warm.items
	}
	r := newRescuer(p, c.Text, text, before)
	c.Stmts = r.chunkStmts()
	c.Comments = r.comments
	if warm != nil {
		warm.items = r.now // the last good tree stays: it is the best start for the next edit
	}
}

// parse fills in l.recs. It is false when there is an error in the text.
func (c *Chunk) parse(p *parser, l *lowerer, warm *warmth) bool {
	if start := warm.start(l.text); start != nil {
		t, ok := p.read(l, start)
		start.close()
		if ok {
			warm.keep(t, l.text)
			return true
		}
		broken := t == nil || t.broken
		t.close()
		if !broken {
			return p.readPatched(l)
		}
		// An incremental parse may find an error where a fresh one does not.
	}
	t, ok := p.read(l, nil)
	if ok {
		warm.keep(t, l.text)
		return true
	}
	t.close()
	return p.readPatched(l)
}

// The sizes beyond which a chunk is not read. The parser's time grows faster than the nesting does, and nothing below
// maxDepth is lowered anyway; Python itself reads 200 brackets and 100 levels of indentation.
const (
	maxBrackets = 1000
	maxIndents  = 101
	maxChunk    = 4 << 20 // bytes
)

// read parses l.text and fills in l.recs. It is not ok when the text has an error.
func (p *parser) read(l *lowerer, old *tree) (t *tree, ok bool) {
	t = p.parse(l.text, old)
	if t == nil {
		l.recs = nil
		return nil, false
	}
	p.buf = t.records(p.buf)
	l.recs = p.buf
	return t, !t.broken && l.wellFormed()
}

// readPatched parses l.text with a few bytes changed, where the grammar does not know valid syntax.
func (p *parser) readPatched(l *lowerer) bool {
	text, patch := patched(l.text)
	if text == l.text {
		return false
	}
	plain := l.text
	l.text, l.patch = text, patch // the lines end where they did
	t, ok := p.read(l, nil)
	t.close()
	if !ok {
		l.text, l.patch = plain, nil
	}
	return ok
}

// plainLineEnds replaces carriage returns that are line ends on their own by line feeds, which is what Python reads;
// offsets stay as they are.
func plainLineEnds(text string) string {
	i := loneReturn(text, 0)
	if i < 0 {
		return text
	}
	b := []byte(text)
	for ; i >= 0; i = loneReturn(text, i+1) {
		b[i] = '\n'
	}
	return string(b)
}

func loneReturn(text string, from int) int {
	for {
		i := strings.IndexByte(text[from:], '\r')
		if i < 0 {
			return -1
		}
		from += i
		if from+1 >= len(text) || text[from+1] != '\n' {
			return from
		}
		from++
	}
}

func nodeAt(s Span) node                    { return node{s} }
func exprAt(s Span) exprNode                { return exprNode{node{s}} }
func stmtAt(s Span) stmtNode                { return stmtNode{node{s}} }
func unknownPattern(s Span) *PatternUnknown { return &PatternUnknown{node{s}} }
