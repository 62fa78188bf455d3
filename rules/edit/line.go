package edit

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/rule"
)

// lineStart is the offset at which the line of at begins.
func lineStart(text string, at int32) int32 {
	return int32(strings.LastIndexByte(text[:at], '\n') + 1)
}

// lineEnd is the offset of the line's end, before its line feed.
func lineEnd(text string, at int32) int32 {
	i := strings.IndexByte(text[at:], '\n')
	if i < 0 {
		return int32(len(text))
	}
	end := at + int32(i)
	if end > at && text[end-1] == '\r' {
		end--
	}
	return end
}

// Indent is the blank text at the start of the line that holds the offset.
func Indent(c *parse.Chunk, at int32) string {
	start := lineStart(c.Text, at)
	i := start
	for int(i) < len(c.Text) && (c.Text[i] == ' ' || c.Text[i] == '\t') {
		i++
	}
	return c.Text[start:i]
}

// startsLine: nothing but blanks stands before the offset on its line.
func startsLine(c *parse.Chunk, at int32) bool {
	return strings.TrimSpace(c.Text[lineStart(c.Text, at):at]) == ""
}

// Before puts statements before the one that holds the spot: on lines of their own, or before it on its line where it shares that
// with others.
func (s *Spot) Before(lines ...string) rule.Edit {
	st, _ := s.Stmt()
	at := st.Span().Start
	if !startsLine(s.Chunk, at) {
		return Insert(s.Chunk, at, strings.Join(lines, "; ")+"; ")
	}
	indent := Indent(s.Chunk, at)
	return Insert(s.Chunk, at, strings.Join(lines, "\n"+indent)+"\n"+indent)
}

// After puts statements after the simple statement that holds the spot.
func (s *Spot) After(lines ...string) rule.Edit {
	st, _ := s.Stmt()
	end := st.Span().End
	rest := s.Chunk.Text[end:lineEnd(s.Chunk.Text, end)]
	rest = strings.TrimSpace(rest)
	alone := rest == "" || strings.HasPrefix(rest, "#") || rest == ";"
	if !alone || !startsLine(s.Chunk, st.Span().Start) {
		return Insert(s.Chunk, end, "; "+strings.Join(lines, "; "))
	}
	indent := "\n" + Indent(s.Chunk, st.Span().Start)
	return Insert(s.Chunk, lineEnd(s.Chunk.Text, end), indent+strings.Join(lines, indent))
}
