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

// Call writes a call, on several lines where one would be longer than the lines of the file are, at the indentation of the spot's statement.
func (s *Spot) Call(before, fn string, args ...string) string {
	line := before + fn + "(" + strings.Join(args, ", ") + ")"
	st, _ := s.Stmt()
	indent := Indent(s.Chunk, st.Span().Start)
	if !startsLine(s.Chunk, st.Span().Start) || len(indent)+len(line) <= s.width() {
		return line
	}
	inner := indent + s.Unit()
	out := before + fn + "(\n" + inner + strings.Join(args, ", ") + "\n" + indent + ")"
	if len(inner)+len(strings.Join(args, ", ")) > s.width() {
		out = before + fn + "(\n" + inner + strings.Join(args, ",\n"+inner) + ",\n" + indent + ")"
	}
	return out
}

// width is the length of the longest line of the file, between what formatters default to and what fits a screen.
func (s *Spot) width() int {
	longest := 0
	for _, line := range strings.Split(string(s.File.Src), "\n") {
		longest = max(longest, len(strings.TrimRight(line, "\r")))
	}
	return min(max(longest, 88), 120)
}

// Unit is one step of indentation, as the function around the spot has it.
func (s *Spot) Unit() string {
	for _, f := range s.Funcs() {
		def, ok := f.(*parse.FuncDef)
		if !ok || len(def.Body) == 0 {
			continue
		}
		outer, inner := Indent(s.Chunk, def.DefSpan.Start), Indent(s.Chunk, def.Body[0].Span().Start)
		if unit, ok := strings.CutPrefix(inner, outer); ok && unit != "" {
			return unit
		}
	}
	return "    "
}

// Append puts text such as ".astype(...)" behind an expression of the chunk, in parentheses where it would bind to a part of it.
func Append(c *parse.Chunk, x parse.Expr, text string) []rule.Edit {
	start := parse.Loc{Chunk: c, Span: x.Span()}
	end := start
	start.End, end.Start = start.Start, end.End
	switch x.(type) {
	case *parse.Name, *parse.Call, *parse.Attr, *parse.Index:
		return []rule.Edit{{Loc: end, New: text}}
	}
	return []rule.Edit{{Loc: start, New: "("}, {Loc: end, New: ")" + text}}
}

// Delete takes out the statement at the spot, with its line where it has that for itself.
func (s *Spot) Delete() rule.Edit {
	st, _ := s.Stmt()
	text := s.Chunk.Text
	start, end := st.Span().Start, st.Span().End
	rest := strings.TrimSpace(text[end:lineEnd(text, end)])
	if !startsLine(s.Chunk, start) || rest != "" && rest[0] != '#' {
		return rule.Edit{Loc: parse.Loc{Chunk: s.Chunk, Span: st.Span()}, New: "pass"}
	}
	start, end = lineStart(text, start), lineEnd(text, end)
	if int(end) < len(text) && text[end] == '\r' {
		end++
	}
	if int(end) < len(text) {
		end++
	} else if start > 0 {
		start-- // the last line of a chunk
	}
	return rule.Edit{Loc: parse.Loc{Chunk: s.Chunk, Span: parse.Span{Start: start, End: end}}}
}

// OwnLine: the statement at the spot begins its line.
func (s *Spot) OwnLine() bool {
	st, _ := s.Stmt()
	return st != nil && startsLine(s.Chunk, st.Span().Start)
}
