package parse

import (
	"slices"
	"strings"
)

// A chunk that Tree-sitter cannot parse as a whole is read line by line here: its logical lines are grouped into
// statements by their indentation, each statement that parses alone is taken as it is, and only the lines that do not
// become UnknownStmt. So a half-typed line costs itself, and neither the statements around it nor the ones it holds.

// rescuer reads one broken chunk.
type rescuer struct {
	parser   *parser
	chunk    string // the text of the chunk
	text     string // the same with plain line ends
	comments []Comment
	depth    int
	budget   int // bytes that may still be parsed; a part of the text is parsed once for each block around it

	before, now items
}

// items holds the records of texts without errors, so that the parts of a broken chunk that an edit does not touch are
// not parsed again. Each reading makes a new one from what it used of the one before.
type items map[string][]record

// logical is a logical line: text[start:end], with its indentation before it.
type logical struct {
	start, end, indent int
	word               string // the first word
}

// wrapper makes an indented text parse on its own.
const wrapper = "if 1:\n"

func (r *rescuer) chunkStmts() []Stmt {
	lines := r.lines()
	if len(lines) == 0 || tooManyIndents(lines) {
		return []Stmt{&UnknownStmt{stmtNode: stmtAt(Span{0, int32(len(r.chunk))})}}
	}
	return r.block(lines, true)
}

func tooManyIndents(lines []logical) bool {
	var indents []int
	for _, line := range lines {
		if indents = nested(indents, line.indent); len(indents) > maxIndents {
			return true
		}
	}
	return false
}

// lines finds the logical lines of the chunk, and its comments.
func (r *rescuer) lines() []logical {
	s := scanner{src: r.text, comments: &[]piece{}}
	out := r.linesBy(&s)
	if s.openTriple {
		s = scanner{src: r.text, comments: &[]piece{}, strict: true}
		out = r.linesBy(&s)
	}
	for _, c := range *s.comments {
		span := Span{int32(c.start), int32(c.end)}
		r.comments = append(r.comments, Comment{Span: span, Text: r.chunk[c.start:c.end]})
	}
	return out
}

func (r *rescuer) linesBy(s *scanner) []logical {
	var out []logical
	for pos := 0; pos < len(r.text); {
		start := skipBlank(r.text, pos)
		if start >= len(r.text) {
			break
		}
		switch r.text[start] {
		case '\n':
			pos = start + 1
			continue
		case '#':
			end := lineEnd(r.text, start)
			*s.comments = append(*s.comments, piece{start, trimEnd(r.text, start, end)})
			pos = end + 1
			continue
		}
		line := logical{start: start, indent: indentWidth(r.text[pos:start]), word: firstWord(r.text[start:])}
		end := min(r.lineAt(s, line, start-pos), len(r.text))
		line.end = trimEnd(r.text, start, end)
		out = append(out, line)
		pos = end + 1
	}
	return out
}

// lineAt returns where a logical line ends. A header whose brackets are never closed ends early, or it would take its body
// for a part of itself.
func (r *rescuer) lineAt(s *scanner, line logical, indent int) int {
	if !isHeader[line.word] {
		return s.logicalLine(line.start, indent)
	}
	seen := len(*s.comments)
	if line.start >= s.softUntil {
		if end := s.logicalLine(line.start, indent); !s.unclosed {
			return end
		}
		*s.comments = (*s.comments)[:seen]
	}
	// Only the header is scanned here: a scan to the end for each of many nested headers would be quadratic.
	head := scanner{src: r.text[:headerEnd(r.text, line.start)], comments: s.comments}
	end, _ := head.scanLine(line.start, indent, true)
	return end
}

// indentWidth measures indentation as Python does: a tab goes to the next multiple of eight.
func indentWidth(s string) int {
	n := 0
	for i := range len(s) {
		switch s[i] {
		case '\t':
			n = n/8*8 + 8
		case '\f', '\r':
			n = 0
		default:
			n++
		}
	}
	return n
}

// headerEnd guesses where the header of a compound statement ends when its brackets are never closed: at the first line
// that does not look as if it went on.
func headerEnd(text string, pos int) int {
	for {
		end := lineEnd(text, pos)
		last := end
		if i := strings.IndexByte(text[pos:end], '#'); i >= 0 {
			last = pos + i // a comment, or a string with a # in it: no matter, this is a guess
		}
		last = trimEnd(text, pos, last)
		if end >= len(text) || last == pos || strings.IndexByte(",([{\\", text[last-1]) < 0 {
			return end
		}
		pos = end + 1
	}
}

// isHeader holds the words that start a line which a body may follow.
var isHeader = map[string]bool{
	"def": true, "class": true, "if": true, "for": true, "while": true, "with": true, "try": true, "async": true,
	"match": true, "case": true, "else": true, "elif": true, "except": true, "finally": true,
}

// block reads the statements of a block. known says that they are one statement which is known not to parse.
func (r *rescuer) block(lines []logical, known bool) []Stmt {
	var out []Stmt
	for i := 0; i < len(lines); {
		j := i + 1
		for j < len(lines) && sameStmt(lines[i:j], lines[j]) {
			j++
		}
		out = append(out, r.item(lines[i:j], known && j-i == len(lines))...)
		i = j
	}
	return out
}

// sameStmt reports whether a line belongs to the statement that the lines before it began.
func sameStmt(lines []logical, next logical) bool {
	first, last := lines[0], lines[len(lines)-1]
	if next.indent != first.indent {
		return next.indent > first.indent
	}
	if last.word == "@" && last.indent == first.indent {
		return next.word == "@" || next.word == "def" || next.word == "class" || next.word == "async"
	}
	return isClause[next.word] && takesClauses[first.word]
}

// item reads one statement.
func (r *rescuer) item(lines []logical, known bool) []Stmt {
	first, last := lines[0], lines[len(lines)-1]
	span := Span{int32(first.start), int32(last.end)}
	if r.depth >= maxDepth/4 {
		return []Stmt{&UnknownStmt{stmtNode: stmtAt(span)}}
	}
	r.depth++
	defer func() { r.depth-- }()
	if !known {
		if l, ok := r.parse(first, last.end, change{}); ok {
			return r.lower(l, first)
		}
	}
	if len(lines) == 1 {
		return []Stmt{r.leaf(first)}
	}
	if !isHeader[first.word] && first.word != "@" {
		// Over-indented lines after a simple statement; after what can't be read and ends with a colon, its body.
		head, more := r.item(lines[:1], false), r.block(lines[1:], false)
		if len(head) == 0 { // a backslash alone
			return more
		}
		if u, ok := head[0].(*UnknownStmt); ok && r.text[first.end-1] == ':' {
			return []Stmt{&UnknownStmt{stmtNode: stmtAt(span), Body: append(u.Body, more...)}}
		}
		return append(head, more...)
	}
	return r.compound(lines)
}

// change is what parse does to a text before it parses it.
type change struct {
	edit   func([]byte) // changes bytes, not the length
	holes  []int        // offsets in the chunk at which a name is put in
	suffix string       // put at the end
}

// parse parses the text from the line of first up to end. It is not ok when there is an error in it.
func (r *rescuer) parse(first logical, end int, c change) (l *lowerer, ok bool) {
	start, prefix := first.start, ""
	if first.indent > 0 {
		start, prefix = r.lineStart(first), wrapper
	}
	source := []byte(r.text[start:end])
	if c.edit != nil {
		c.edit(source)
	}
	l = &lowerer{chunk: r.chunk, shift: int32(start - len(prefix)), tail: int32(end)}
	b := make([]byte, 0, len(prefix)+len(source)+len(c.holes)+len(c.suffix))
	b = append(b, prefix...)
	done := 0
	for _, hole := range c.holes {
		b = append(b, source[done:hole-start]...)
		l.holes = append(l.holes, uint32(len(b)))
		b = append(b, '_')
		done = hole - start
	}
	b = append(b, source[done:]...)
	l.limit = uint32(len(b))
	l.text = string(append(b, c.suffix...))
	return l, r.read(l)
}

// read fills in l.recs, from memory if it can.
func (r *rescuer) read(l *lowerer) bool {
	if recs, ok := r.before[l.text]; ok {
		l.recs = recs
		r.now[l.text] = recs
		return true
	}
	if r.budget -= len(l.text); r.budget < 0 {
		l.recs = nil
		return false
	}
	t, ok := r.parser.read(l, nil)
	if t == nil {
		r.budget = 0 // the parser gave up: this is no text that anybody types
	}
	t.close()
	if ok {
		r.now[l.text] = slices.Clone(l.recs)
		return true
	}
	return t != nil && r.parser.readPatched(l)
}

// newRescuer returns a rescuer for a chunk. before, if any, is what an earlier version left.
func newRescuer(p *parser, chunk, text string, before items) *rescuer {
	return &rescuer{parser: p, chunk: chunk, text: text, before: before, now: items{}, budget: 1<<20 + 4*len(text)}
}

func (r *rescuer) lineStart(line logical) int {
	return strings.LastIndexByte(r.text[:line.start], '\n') + 1
}

// lower lowers what parse has parsed, without the wrapper.
func (r *rescuer) lower(l *lowerer, first logical) []Stmt {
	if len(l.recs) == 0 {
		return nil
	}
	if first.indent == 0 {
		return l.block(0, nil)
	}
	if n := l.childOfKind(0, kIf); n >= 0 {
		if b := l.child(n, fConsequence); b >= 0 {
			return l.block(b, nil)
		}
	}
	return l.block(0, nil)
}

// clause is a header of a compound statement and the lines of its body.
type clause struct {
	head []logical // decorators and the header; for a match, its first case too
	body []logical
}

// clauses divides the lines of a compound statement.
func clauses(lines []logical) []clause {
	var out []clause
	first := lines[0]
	caseIndent := -1
	if first.word == "match" && len(lines) > 1 {
		caseIndent = lines[1].indent
	}
	for _, line := range lines {
		isCase := line.indent == caseIndent && line.word == "case"
		if line.indent > first.indent && !isCase {
			c := &out[len(out)-1]
			c.body = append(c.body, line)
			continue
		}
		if len(out) > 0 && len(out[len(out)-1].body) == 0 {
			last := out[len(out)-1].head
			if w := last[len(last)-1].word; w == "@" || w == "match" {
				out[len(out)-1].head = append(last, line)
				continue
			}
		}
		out = append(out, clause{head: []logical{line}})
	}
	return out
}

// compound reads a statement that has a body but does not parse: its headers are parsed with a number for each body,
// the bodies are read on their own.
func (r *rescuer) compound(lines []logical) []Stmt {
	parts := clauses(lines)
	first, last := lines[0], lines[len(lines)-1]
	start := first.start
	if first.indent > 0 {
		start = r.lineStart(first)
	}
	l, ok := r.parse(first, last.end, change{edit: func(b []byte) {
		for _, c := range parts {
			blankBody(b, c.body, start)
		}
	}})
	if !ok {
		return r.brokenCompound(parts, Span{int32(first.start), int32(last.end)})
	}
	l.recs = slices.Clone(l.recs) // the buffer is used again for the bodies
	l.bodies = map[int32][]Stmt{}
	for _, c := range parts {
		if len(c.body) > 0 {
			l.bodies[int32(c.body[0].start)] = r.block(c.body, false)
		}
	}
	return r.lower(l, first)
}

// blankBody replaces a body by one number of the same length. b is the text from offset start.
func blankBody(b []byte, body []logical, start int) {
	if len(body) == 0 {
		return
	}
	for i := body[0].start - start; i < body[len(body)-1].end-start; i++ {
		b[i] = '0'
	}
}

// brokenCompound reads a statement with an error in a header. The first header is repaired if possible, so that a
// half-typed `def f(a` is still a function; the bodies are read in any case.
func (r *rescuer) brokenCompound(parts []clause, span Span) []Stmt {
	out := &UnknownStmt{stmtNode: stmtAt(span)}
	for i, c := range parts {
		var body []Stmt
		if len(c.body) > 0 {
			body = r.block(c.body, false)
		}
		if i == 0 {
			if head := r.repairHeader(c, body); head != nil {
				out.Body = append(out.Body, head...)
				continue
			}
		}
		for _, line := range c.head {
			out.Body = append(out.Body, r.leaf(line).Body...)
		}
		out.Body = append(out.Body, body...)
	}
	return []Stmt{out}
}

// repairHeader reads a header with some ending that makes it parse, and gives it the body. When that does not help, the
// decorators may be what is broken: they are then read on their own.
func (r *rescuer) repairHeader(c clause, body []Stmt) []Stmt {
	first, last := c.head[0], c.head[len(c.head)-1]
	end, tail := last.end, last.end
	if len(c.body) > 0 {
		tail = c.body[len(c.body)-1].end
	}
	for _, change := range r.repairs(first.start, end, last.word) {
		if !strings.HasSuffix(change.suffix, "0") {
			continue
		}
		if l, ok := r.parse(first, end, change); ok {
			l.tail = int32(tail)
			l.bodies = map[int32][]Stmt{int32(tail): body}
			return r.lower(l, first)
		}
	}
	if first.word != "@" || last.word == "@" {
		return nil
	}
	def := r.repairHeader(clause{head: c.head[len(c.head)-1:], body: c.body}, body)
	if def == nil {
		return nil
	}
	var out []Stmt
	for _, line := range c.head[:len(c.head)-1] {
		out = append(out, r.leaf(line).Body...)
	}
	return append(out, def...)
}

// leaf reads a logical line that does not parse. It tries some endings that the author may be about to type, so that
// the call or the attribute in progress is readable; the result is an UnknownStmt all the same, for it is a guess.
func (r *rescuer) leaf(line logical) *UnknownStmt {
	out := &UnknownStmt{stmtNode: stmtAt(Span{int32(line.start), int32(line.end)})}
	const longest = 1 << 13 // bytes; an error in so long a line is not worth many attempts
	if line.end-line.start > longest {
		return out
	}
	for _, change := range r.repairs(line.start, line.end, line.word) {
		if l, ok := r.parse(line, line.end, change); ok {
			out.Body = r.lower(l, line)
			return out
		}
	}
	if line.word == "@" && line.start+1 < line.end {
		line.start, line.indent, line.word = line.start+1, 0, ""
		if l, ok := r.parse(line, line.end, change{}); ok {
			out.Body = r.lower(l, line)
		} else {
			out.Body = r.leaf(line).Body
		}
		return out
	}
	// Without its indentation and the wrapper, an error has less to spread over.
	flat := line
	flat.indent = 0
	l, _ := r.parse(flat, line.end, change{})
	stmts := r.lower(l, flat)
	if len(stmts) == 1 {
		if u, ok := stmts[0].(*UnknownStmt); ok {
			u.stmtNode = out.stmtNode
			return u
		}
	}
	out.Body = stmts
	return out
}

// repairs returns changes that may turn half-typed text into a statement, the likeliest first. word is the first word of
// the line in question. Made-up names are holes: they are lowered to UnknownExpr, whatever they are called.
func (r *rescuer) repairs(start, end int, word string) []change {
	text := r.text[start:end]
	closers := closersOf(text)
	hole := "_"
	if text != "" && isIdentByte(text[len(text)-1]) {
		hole = " _"
	}
	suffixes := []string{closers, hole + closers, " else _" + closers, ": _" + closers}
	switch {
	case isHeader[word] && closers == "" && strings.HasSuffix(text, ":"):
		suffixes = []string{" 0"}
	case isHeader[word]:
		suffixes = append(suffixes, ": 0", closers+": 0", hole+closers+": 0")
	}
	switch word {
	case "from":
		suffixes = append(suffixes, " import _")
	case "for":
		suffixes = append(suffixes, " in _: 0", " _ in _: 0")
	case "def":
		suffixes = append(suffixes, closers+"(): 0", hole+"(): 0")
	case "async":
		suffixes = append(suffixes, "(): 0", " in _: 0", " def _(): 0")
	}
	var out []change
	for _, s := range suffixes {
		if s != "" {
			out = append(out, change{suffix: s})
		}
	}
	if isHeader[word] && closers != "" && strings.HasSuffix(text, ":") { // def f(a:
		out = append(out, change{suffix: closers + ": 0", edit: func(b []byte) { b[len(b)-1] = ' ' }})
	}
	if holes := emptyPlaces(text, start); len(holes) > 0 {
		for _, s := range suffixes {
			out = append(out, change{suffix: s, holes: holes})
		}
	}
	return out
}

// emptyPlaces returns the offsets, counted from base, where text lacks an operand before a closing bracket, a comma or a
// colon: f(a, k=), x[i + ], if x ==:.
func emptyPlaces(text string, base int) []int {
	var out []int
	s := scanner{src: text}
	last := byte(0) // the last byte of code that is not blank
	for pos := 0; pos < len(text); {
		switch c := text[pos]; {
		case c == '"' || c == '\'':
			pos = max(s.scanString(pos, isFormatPrefix(wordBefore(text, pos)), 0), pos+1)
			last = c
			continue
		case c == '#':
			pos = lineEnd(text, pos)
			continue
		case strings.IndexByte(")]},:", c) >= 0 && strings.IndexByte("=.+-*/%@&|^<>~", last) >= 0 && last != 0:
			out = append(out, base+pos)
			last = c
		case strings.IndexByte(" \t\r\n", c) < 0:
			last = c
		}
		pos++
	}
	return out
}

// closersOf returns what would close the brackets and quotes that text leaves open.
func closersOf(text string) string {
	var o opened
	s := scanner{src: text, open: &o}
	s.scanLine(0, 0, false)
	return o.closers()
}
