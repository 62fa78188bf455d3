package parse

import "strings"

// scanner finds the ends of logical lines: it knows strings, comments, brackets and continued lines, no grammar.
type scanner struct {
	src        string
	strict     bool // end a triple-quoted string where a definition around it must have begun; see endsTriple
	indent     int  // of the logical line that is scanned
	openTriple bool // a triple-quoted string ran to the end of the text
	softUntil  int  // lines that start before this offset are known to be in a region of unbalanced brackets
	maxDepth   int  // deepest nesting of brackets seen
	unclosed   bool // the last logical line left a bracket open
	lost       bool // strings nest too deep in f-strings to be followed; the rest of the line is taken as one

	comments *[]piece // if set, collects the comments inside logical lines
	open     *opened  // if set, follows what is open
}

// opened follows the brackets and quotes that are open, for the few who ask.
type opened struct {
	stack []byte // the openers, innermost last: brackets, 's' for the bracket of a subscript, quotes
	wide  []bool // for each, whether it is a triple quote
	stars []int  // where a * starts an item of a subscript and a parenthesis follows
	tmpls []int  // the t of each t-string's prefix
}

func (o *opened) push(c byte, wide bool) {
	if o != nil {
		o.stack = append(o.stack, c)
		o.wide = append(o.wide, wide)
	}
}

func (o *opened) pop() {
	if o != nil && len(o.stack) > 0 {
		o.stack = o.stack[:len(o.stack)-1]
		o.wide = o.wide[:len(o.wide)-1]
	}
}

// star notes the * at pos if the grammar cannot read it: x[*(a)].
func (o *opened) star(src string, pos int) {
	if o == nil || len(o.stack) == 0 || o.stack[len(o.stack)-1] != 's' {
		return
	}
	before := strings.TrimRight(src[:pos], " \t\r\n")
	after := strings.TrimLeft(src[pos+1:], " \t\r\n")
	if (strings.HasSuffix(before, "[") || strings.HasSuffix(before, ",")) && strings.HasPrefix(after, "(") {
		o.stars = append(o.stars, pos)
	}
}

// bracket pushes the bracket at pos.
func (o *opened) bracket(src string, pos int) {
	if o == nil {
		return
	}
	c := src[pos]
	if c == '[' && pos > 0 && (isIdentByte(src[pos-1]) || strings.IndexByte(")]\"'", src[pos-1]) >= 0) {
		c = 's'
	}
	o.push(c, false)
}

// prefix notes a t-string by its prefix, which starts at pos.
func (o *opened) prefix(prefix string, pos int) {
	if o == nil {
		return
	}
	if i := strings.IndexAny(prefix, "tT"); i >= 0 {
		o.tmpls = append(o.tmpls, pos+i)
	}
}

// closers returns what would close all that is open.
func (o *opened) closers() string {
	var b strings.Builder
	for i := len(o.stack) - 1; i >= 0; i-- {
		switch c := o.stack[i]; c {
		case '(':
			b.WriteByte(')')
		case '[', 's':
			b.WriteByte(']')
		case '{':
			b.WriteByte('}')
		default:
			b.WriteByte(c)
			if o.wide[i] {
				b.WriteByte(c)
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// logicalLine returns the offset of the line end (or the end of the text) that ends the logical line whose first
// character is at pos and which is indented by indent bytes.
func (s *scanner) logicalLine(pos, indent int) (end int) {
	if pos < s.softUntil {
		end, s.unclosed = s.scanLine(pos, indent, true)
		return end
	}
	seen := 0
	if s.comments != nil {
		seen = len(*s.comments)
	}
	end, s.unclosed = s.scanLine(pos, indent, false)
	if !s.unclosed {
		return end
	}
	if s.comments != nil {
		*s.comments = (*s.comments)[:seen]
	}
	s.softUntil = end
	end, s.unclosed = s.scanLine(pos, indent, true)
	return end
}

// scanLine scans one logical line. In a soft scan, an unclosed bracket ends at a line that is indented no deeper than
// the first one and does not start with a closing bracket; else at a line that starts with a statement's keyword, and
// the line is then reported broken.
func (s *scanner) scanLine(pos, indent int, soft bool) (end int, broken bool) {
	src := s.src
	s.indent = indent
	depth := 0
	for pos < len(src) {
		switch byteClass[src[pos]] {
		case plainByte:
			pos++
		case identByte:
			start := pos
			for pos++; pos < len(src) && byteClass[src[pos]] == identByte; pos++ {
			}
			if pos < len(src) && byteClass[src[pos]] == quoteByte && pos-start <= 2 {
				s.open.prefix(src[start:pos], start)
				pos = s.scanString(pos, isFormatPrefix(src[start:pos]), 0)
			}
		case starByte:
			s.open.star(src, pos)
			pos++
		case quoteByte:
			pos = s.scanString(pos, false, 0)
		case newlineByte:
			if depth == 0 {
				return pos, false
			}
			if s.endsBracket(pos+1, indent, soft) {
				return pos, true
			}
			pos++
		case hashByte:
			start := pos
			pos = lineEnd(src, pos)
			if s.comments != nil {
				*s.comments = append(*s.comments, piece{start, trimEnd(src, start, pos)})
			}
		case backslashByte:
			pos++
			if pos < len(src) && src[pos] == '\r' {
				pos++
			}
			pos++
		case openByte:
			depth++
			s.maxDepth = max(s.maxDepth, depth)
			s.open.bracket(src, pos)
			pos++
		case closeByte:
			depth = max(depth-1, 0)
			s.open.pop()
			pos++
		}
	}
	return len(src), depth > 0
}

// The classes of bytes that a scan of code tells apart.
const (
	plainByte = iota
	identByte
	quoteByte
	newlineByte
	hashByte
	backslashByte
	openByte
	closeByte
	starByte
)

var byteClass = func() (out [256]uint8) {
	for i := range out {
		if c := byte(i); c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80 {
			out[i] = identByte
		}
	}
	out['"'], out['\''], out['\n'], out['#'], out['\\'] = quoteByte, quoteByte, newlineByte, hashByte, backslashByte
	out['*'] = starByte
	for _, c := range "([{" {
		out[c] = openByte
	}
	for _, c := range ")]}" {
		out[c] = closeByte
	}
	return out
}()

// endsBracket reports whether the line at pos, inside brackets, shows that the brackets were never closed.
func (s *scanner) endsBracket(pos, indent int, soft bool) bool {
	start := skipBlank(s.src, pos)
	if start >= len(s.src) || start-pos > indent {
		return false
	}
	switch s.src[start] {
	case '\n', '#', ')', ']', '}', '\\':
		return false
	}
	return soft || statementWords[firstWord(s.src[start:])]
}

// scanString returns the offset after the string whose opening quote is at pos.
func (s *scanner) scanString(pos int, format bool, nested int) int {
	if nested > 0 {
		return s.scanNested(pos, format, nested)
	}
	start := pos
	pos = s.scanNested(pos, format, 0)
	if s.lost {
		s.lost = false
		return max(lineEnd(s.src, start), pos)
	}
	return pos
}

// scanNested is scanString at some depth of strings in f-strings.
func (s *scanner) scanNested(pos int, format bool, nested int) int {
	src := s.src
	q := src[pos]
	triple := twice(src, pos+1, q)
	s.open.push(q, triple)
	if triple && !format && !s.strict {
		return s.scanTriple(pos+3, q)
	}
	pos++
	if triple {
		pos += 2
	}
	for pos < len(src) {
		switch c := src[pos]; {
		case c == '\\':
			if pos+1 < len(src) && src[pos+1] == '\r' {
				pos++
			}
			pos += 2
			if format && pos <= len(src) && src[pos-1] == '{' {
				pos--
			}
		case c == '\n' && (!triple || s.strict && s.endsTriple(pos+1)):
			return pos
		case c == q && !triple:
			s.open.pop()
			return pos + 1
		case c == q && twice(src, pos+1, q):
			s.open.pop()
			return pos + 3
		case c == '{' && format:
			if pos+1 < len(src) && src[pos+1] == '{' {
				pos += 2
				continue
			}
			if pos = s.scanReplacement(pos+1, q, triple, nested); s.lost {
				return pos
			}
		default:
			pos++
		}
	}
	s.openTriple = s.openTriple || triple
	return len(src)
}

// scanTriple is the common case of scanString: a triple-quoted string that is not an f-string.
func (s *scanner) scanTriple(pos int, q byte) int {
	src := s.src
	for {
		i := strings.IndexByte(src[pos:], q)
		if i < 0 {
			s.openTriple = true
			return len(src)
		}
		at := pos + i
		if backslashes(src[pos:at])%2 == 1 {
			pos = at + 1
			continue
		}
		if twice(src, at+1, q) {
			s.open.pop()
			return at + 3
		}
		pos = at + 1
	}
}

// twice reports whether src has the byte q at i and at i+1.
func twice(src string, i int, q byte) bool { return i+1 < len(src) && src[i] == q && src[i+1] == q }

// backslashes counts the backslashes at the end of s.
func backslashes(s string) int {
	n := 0
	for n < len(s) && s[len(s)-1-n] == '\\' {
		n++
	}
	return n
}

// maxNestedStrings bounds the recursion into f-strings inside f-strings.
const maxNestedStrings = 50

// scanReplacement returns the offset after the } that closes the replacement field whose text starts at pos, or the
// offset at which the string around it ends.
func (s *scanner) scanReplacement(pos int, q byte, triple bool, nested int) int {
	src := s.src
	s.open.push('{', false)
	depth := 0
	spec := false // in the format specifier, after the colon
	for pos < len(src) {
		switch c := src[pos]; {
		case c == '\n' && !triple:
			return pos
		case c == '\n' && s.strict && s.endsTriple(pos+1):
			return pos
		case c == '}' && depth == 0:
			s.open.pop()
			return pos + 1
		case spec && c == q:
			s.open.pop()
			return pos // the string ends; its own scan sees the quote
		case spec && c == '{':
			if nested >= maxNestedStrings {
				s.lost = true
				return pos
			}
			if pos = s.scanReplacement(pos+1, q, triple, nested+1); s.lost {
				return pos
			}
		case spec:
			pos++
		case c == '"' || c == '\'':
			if triple && c == q && twice(src, pos+1, q) {
				return pos
			}
			if nested >= maxNestedStrings {
				s.lost = true
				return pos
			}
			if pos = s.scanNested(pos, isFormatPrefix(wordBefore(src, pos)), nested+1); s.lost {
				return pos
			}
		case c == '(' || c == '[' || c == '{':
			s.open.bracket(src, pos)
			depth++
			pos++
		case c == ')' || c == ']' || c == '}':
			s.open.pop()
			depth--
			pos++
		case c == ':' && depth == 0:
			spec = true
			pos++
		default:
			pos++
		}
	}
	s.openTriple = s.openTriple || triple
	return len(src)
}

// endsTriple reports whether the line at pos, inside a triple-quoted string, looks like the start of a definition or an
// import in column 0, or no further in than the line of the string.
func (s *scanner) endsTriple(pos int) bool {
	start := skipBlank(s.src, pos)
	return start-pos <= s.indent && startsDefinition(s.src[start:])
}

func startsDefinition(line string) bool {
	switch word := firstWord(line); word {
	case "def", "class":
		return strings.HasPrefix(line[len(word):], " ")
	case "async":
		return strings.HasPrefix(line, "async def ")
	case "import":
		return strings.HasPrefix(line, "import ")
	case "from":
		return strings.Contains(line[:lineEnd(line, 0)], " import ")
	case "@":
		return len(line) > 1 && isIdentByte(line[1])
	}
	return false
}

// isFormatPrefix reports whether a string prefix makes the string an f-string (or a t-string).
func isFormatPrefix(prefix string) bool {
	if prefix == "" || len(prefix) > 2 {
		return false
	}
	c := prefix[0] | 0x20
	if c != 'f' && c != 't' && len(prefix) == 2 {
		c = prefix[1] | 0x20
	}
	return c == 'f' || c == 't'
}

func wordBefore(src string, pos int) string {
	start := pos
	for start > 0 && isIdentByte(src[start-1]) {
		start--
	}
	return src[start:pos]
}

// firstWord returns the identifier at the start of a line, or "@".
func firstWord(line string) string {
	if strings.HasPrefix(line, "@") {
		return "@"
	}
	i := 0
	for i < len(line) && isIdentByte(line[i]) {
		i++
	}
	return line[:i]
}

func isIdentByte(c byte) bool { return byteClass[c] == identByte }

// skipBlank returns the offset of the first character at or after pos that is not blank; a line end is not blank,
// the carriage return before it is.
func skipBlank(src string, pos int) int {
	for pos < len(src) {
		switch src[pos] {
		case ' ', '\t', '\f':
			pos++
		case '\r':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// lineEnd returns the offset of the next line feed at or after pos, or the end of the text.
func lineEnd(src string, pos int) int {
	if i := strings.IndexByte(src[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(src)
}

// trimEnd moves end back over blanks, no further than start.
func trimEnd(src string, start, end int) int {
	end = min(end, len(src))
	for end > start && strings.IndexByte(" \t\r\f", src[end-1]) >= 0 {
		end--
	}
	return end
}

// surveyed is what a scan of a text finds.
type surveyed struct {
	ends     []uint32 // where its logical lines end
	brackets int      // how deep its brackets nest
	indents  int      // how deep its blocks nest
	balanced bool     // its brackets and triple quotes are closed
}

func survey(text string) surveyed {
	s := scanner{src: text}
	out := surveyed{ends: make([]uint32, 0, 1+len(text)/32), balanced: true}
	var indents []int
	for pos := 0; pos < len(text); {
		start := skipBlank(text, pos)
		end, unclosed := s.scanLine(start, 0, false)
		if start < end && text[start] != '#' {
			indents = nested(indents, indentWidth(text[pos:start]))
			out.indents = max(out.indents, len(indents))
		}
		out.ends = append(out.ends, uint32(min(end, len(text))))
		out.balanced = out.balanced && !unclosed
		pos = end + 1
	}
	out.brackets = s.maxDepth
	out.balanced = out.balanced && !s.openTriple
	return out
}

// nested returns the indentations of the blocks that a line is in, given those of the line before it.
func nested(indents []int, width int) []int {
	for len(indents) > 0 && indents[len(indents)-1] >= width {
		indents = indents[:len(indents)-1]
	}
	return append(indents, width)
}
