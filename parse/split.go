package parse

import (
	"sort"
	"strings"
)

// Splitting a file into chunks is textual, not the parser's: Tree-sitter's error recovery may swallow the functions
// that follow a half-typed line, while the line on which the next top-level statement begins is nearly always plain to
// see. Each chunk is then parsed alone, so an error cannot leave it, and an edit costs the parse of one chunk.

// piece is the text of one chunk: src[start:end], without the line end.
type piece struct{ start, end int }

// layout is how a file is cut: its pieces, and the comments between them.
type layout struct {
	pieces   []piece
	comments []piece
	plain    bool // no bracket or string was left open: the cuts depend on nothing far away
}

// splitter cuts a file into pieces.
type splitter struct {
	scan    scanner
	out     layout
	pending []piece // comments that may turn out to be inside the current piece
	open    bool    // there is a current piece, which more lines may join
	clauses bool    // the current piece may go on with else, elif, except, finally
	decor   bool    // the current piece has only decorators yet
}

// split cuts src.
func split(src string) layout {
	s := splitter{scan: scanner{src: src}}
	pos := 0
	if strings.HasPrefix(src, byteOrderMark) {
		pos = len(byteOrderMark)
	}
	s.run(pos, nil)
	if s.scan.openTriple {
		// An unterminated triple quote turned every later string inside out. Try again, ending a string where a line
		// in column 0 begins like a top-level statement.
		s = splitter{scan: scanner{src: src, strict: true}}
		s.run(pos, nil)
		return s.out
	}
	s.out.plain = s.scan.softUntil == 0
	return s.out
}

const byteOrderMark = "\ufeff"

// resplit cuts src, which has its first head and its last tail bytes in common with a text that was cut as old. The
// result is that of split(src), but only what is near the change is read.
func resplit(old layout, oldLen int, src string, head, tail int) layout {
	// The piece of the change and the one before it, which the change may join, are cut anew.
	from := sort.Search(len(old.pieces), func(i int) bool { return old.pieces[i].start > head }) - 2
	if !old.plain || from < 1 {
		return split(src)
	}
	start := old.pieces[from].start
	s := splitter{scan: scanner{src: src}}
	kept := sort.Search(len(old.comments), func(i int) bool { return old.comments[i].start >= start })
	s.out.pieces = append(make([]piece, 0, len(old.pieces)+8), old.pieces[:from]...)
	s.out.comments = append(make([]piece, 0, len(old.comments)+8), old.comments[:kept]...)
	delta := len(src) - oldLen
	same := -1 // the old piece from which on nothing changes
	s.run(start, func(at int) bool {
		if at < len(src)-tail {
			return false
		}
		i := sort.Search(len(old.pieces), func(i int) bool { return old.pieces[i].start >= at-delta })
		if i == len(old.pieces) || old.pieces[i].start != at-delta {
			return false
		}
		same = i
		return true
	})
	if s.scan.openTriple || s.scan.softUntil != 0 {
		return split(src)
	}
	s.out.plain = true
	if same < 0 {
		return s.out
	}
	s.out.comments = append(s.out.comments, s.pending...)
	next := old.pieces[same].start
	for _, p := range old.pieces[same:] {
		s.out.pieces = append(s.out.pieces, piece{p.start + delta, p.end + delta})
	}
	kept = sort.Search(len(old.comments), func(i int) bool { return old.comments[i].start >= next })
	for _, c := range old.comments[kept:] {
		s.out.comments = append(s.out.comments, piece{c.start + delta, c.end + delta})
	}
	return s.out
}

// run cuts the text from pos on. It asks stop at the start of each new piece, and ends there when stop says so.
func (s *splitter) run(pos int, stop func(int) bool) {
	src := s.scan.src
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
			joins := s.joins(src[start:], start > pos)
			if !joins && stop != nil && stop(start) {
				return
			}
			pos = s.line(pos, start, joins)
		}
	}
	s.out.comments = append(s.out.comments, s.pending...)
	s.pending = nil
}

// line takes the logical line whose first line starts at pos and whose first character is at start.
// joins says that it continues the current piece.
func (s *splitter) line(pos, start int, joins bool) int {
	src := s.scan.src
	end := s.scan.logicalLine(start, start-pos)
	if joins {
		s.out.pieces[len(s.out.pieces)-1].end = trimEnd(src, start, end)
	} else {
		s.out.comments = append(s.out.comments, s.pending...)
		s.out.pieces = append(s.out.pieces, piece{start, trimEnd(src, start, end)})
		s.open = true
	}
	s.pending = s.pending[:0]
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
