package parse

import "strings"

// Splitting a file into chunks is textual, not the parser's: Tree-sitter's error recovery may swallow the functions
// that follow a half-typed line, while the line on which the next top-level statement begins is nearly always plain to
// see. Each chunk is then parsed alone, so an error cannot leave it, and an edit costs the parse of one chunk.

// piece is the text of one chunk: src[start:end], without the line end.
type piece struct{ start, end int }

// splitter cuts a file into pieces.
type splitter struct {
	scan     scanner
	pieces   []piece
	comments []piece // outside all pieces
	pending  []piece // comments that may turn out to be inside the current piece
	open     bool    // there is a current piece, which more lines may join
	clauses  bool    // the current piece may go on with else, elif, except, finally
	decor    bool    // the current piece has only decorators yet
}

// split returns the chunks of src and the comments between them.
func split(src string) (pieces, comments []piece) {
	s := splitter{scan: scanner{src: src}}
	s.run()
	if s.scan.openTriple {
		// An unterminated triple quote turned every later string inside out. Try again, ending a string where a line
		// in column 0 begins like a top-level statement.
		s = splitter{scan: scanner{src: src, strict: true}}
		s.run()
	}
	return s.pieces, s.comments
}

func (s *splitter) run() {
	src := s.scan.src
	pos := 0
	if strings.HasPrefix(src, "\ufeff") {
		pos = 3
	}
	for pos < len(src) {
		start := skipBlank(src, pos)
		if start >= len(src) {
			break
		}
		switch src[start] {
		case '\n':
			pos = start + 1
		case '#':
			end := lineEnd(src, start)
			s.pending = append(s.pending, piece{start, trimEnd(src, start, end)})
			pos = end + 1
		default:
			pos = s.line(pos, start)
		}
	}
	s.comments = append(s.comments, s.pending...)
	s.pending = nil
}

// line takes the logical line whose first line starts at pos and whose first character is at start.
func (s *splitter) line(pos, start int) int {
	src := s.scan.src
	end := s.scan.logicalLine(start, start-pos)
	if s.joins(src[start:], start > pos) {
		s.pieces[len(s.pieces)-1].end = trimEnd(src, start, end)
		s.pending = s.pending[:0]
	} else {
		s.comments = append(s.comments, s.pending...)
		s.pending = s.pending[:0]
		s.pieces = append(s.pieces, piece{start, trimEnd(src, start, end)})
		s.open = true
	}
	if start == pos {
		word := firstWord(src[start:])
		s.decor = word == "@"
		s.clauses = takesClauses[word] || s.clauses && isClause[word]
	}
	return end + 1
}

// joins reports whether a line continues the current piece.
func (s *splitter) joins(line string, indented bool) bool {
	if !s.open {
		return false
	}
	if indented {
		return true
	}
	word := firstWord(line)
	if s.decor {
		return word == "@" || word == "def" || word == "class" || word == "async"
	}
	return s.clauses && isClause[word]
}

var (
	takesClauses = map[string]bool{"if": true, "for": true, "while": true, "try": true, "async": true}
	isClause     = map[string]bool{"else": true, "elif": true, "except": true, "finally": true}

	// statementWords start a statement and cannot start a line inside brackets.
	statementWords = map[string]bool{
		"def": true, "class": true, "import": true, "with": true, "while": true, "try": true, "return": true,
		"raise": true, "assert": true, "del": true, "global": true, "nonlocal": true, "pass": true, "break": true,
		"continue": true, "finally": true, "except": true, "elif": true,
	}
)

// scanner finds the ends of logical lines: it knows strings, comments, brackets and continued lines, no grammar.
type scanner struct {
	src        string
	strict     bool // end a triple-quoted string before a top-level def, class, decorator or import
	openTriple bool // a triple-quoted string ran to the end of the text
	softUntil  int  // lines that start before this offset are known to be in a region of unbalanced brackets
	maxDepth   int  // deepest nesting of brackets seen
	unclosed   bool // the last logical line left a bracket open

	comments *[]piece // if set, collects the comments inside logical lines
	stack    *[]byte  // if set, holds the brackets that are open
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
	depth := 0
	for pos < len(src) {
		switch c := src[pos]; c {
		case '\n':
			if depth == 0 {
				return pos, false
			}
			if s.endsBracket(pos+1, indent, soft) {
				return pos, true
			}
			pos++
		case '#':
			start := pos
			pos = lineEnd(src, pos)
			if s.comments != nil {
				*s.comments = append(*s.comments, piece{start, trimEnd(src, start, pos)})
			}
		case '\\':
			pos++
			if pos < len(src) && src[pos] == '\r' {
				pos++
			}
			pos++
		case '(', '[', '{':
			depth++
			s.maxDepth = max(s.maxDepth, depth)
			if s.stack != nil {
				*s.stack = append(*s.stack, c)
			}
			pos++
		case ')', ']', '}':
			depth = max(depth-1, 0)
			if s.stack != nil && len(*s.stack) > 0 {
				*s.stack = (*s.stack)[:len(*s.stack)-1]
			}
			pos++
		case '"', '\'':
			pos = s.scanString(pos, false, 0)
		default:
			if !isIdentByte(c) {
				pos++
				continue
			}
			start := pos
			for pos < len(src) && isIdentByte(src[pos]) {
				pos++
			}
			if pos < len(src) && (src[pos] == '"' || src[pos] == '\'') && pos-start <= 3 {
				pos = s.scanString(pos, isFormatPrefix(src[start:pos]), 0)
			}
		}
	}
	return len(src), depth > 0
}

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
	src := s.src
	q := src[pos]
	triple := strings.HasPrefix(src[pos+1:], string([]byte{q, q}))
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
		case c == '\n' && (!triple || s.strict && startsTopLevel(src[pos+1:])):
			return pos
		case c == q && !triple:
			return pos + 1
		case c == q && strings.HasPrefix(src[pos+1:], string([]byte{q, q})):
			return pos + 3
		case c == '{' && format:
			if pos+1 < len(src) && src[pos+1] == '{' {
				pos += 2
				continue
			}
			pos = s.scanReplacement(pos+1, q, triple, nested)
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
		if strings.HasPrefix(src[at+1:], string([]byte{q, q})) {
			return at + 3
		}
		pos = at + 1
	}
}

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
	depth := 0
	spec := false // in the format specifier, after the colon
	for pos < len(src) {
		switch c := src[pos]; {
		case c == '\n' && !triple:
			return pos
		case c == '\n' && s.strict && startsTopLevel(src[pos+1:]):
			return pos
		case c == '}' && depth == 0:
			return pos + 1
		case spec && c == q:
			return pos // the string ends; its own scan sees the quote
		case spec && c == '{':
			if nested >= maxNestedStrings {
				return pos + 1
			}
			pos = s.scanReplacement(pos+1, q, triple, nested+1)
		case spec:
			pos++
		case c == '"' || c == '\'':
			if nested >= maxNestedStrings || triple && c == q && strings.HasPrefix(src[pos:], string([]byte{q, q, q})) {
				return pos
			}
			pos = s.scanString(pos, isFormatPrefix(wordBefore(src, pos)), nested+1)
		case c == '(' || c == '[' || c == '{':
			depth++
			pos++
		case c == ')' || c == ']' || c == '}':
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

// startsTopLevel reports whether a line looks like the start of a definition or an import in column 0.
func startsTopLevel(line string) bool {
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
	if len(prefix) > 2 {
		return false
	}
	return strings.ContainsAny(prefix, "fFtT")
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

func isIdentByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

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
