package lsp

import (
	"bytes"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
)

// applyChange returns text after one change of didChange. The old text stays as it is.
func applyChange(text []byte, change protocol.TextDocumentContentChangeEvent, enc parse.Encoding) []byte {
	switch c := change.(type) {
	case *protocol.TextDocumentContentChangeWholeDocument:
		return []byte(c.Text)
	case *protocol.TextDocumentContentChangePartial:
		start := offsetIn(text, c.Range.Start, enc)
		end := max(start, offsetIn(text, c.Range.End, enc))
		out := make([]byte, 0, len(text)-(end-start)+len(c.Text))
		out = append(out, text[:start]...)
		out = append(out, c.Text...)
		return append(out, text[end:]...)
	}
	return text
}

// offsetIn is the byte offset of a position in a text that is not parsed, as parse.File.Offset is in one that is. A burst of
// changes is applied without parsing the versions between.
func offsetIn(text []byte, p protocol.Position, enc parse.Encoding) int {
	start := 0
	for range p.Line {
		n := lineLength(text[start:])
		if start+n == len(text) && !endsLine(text) {
			return len(text)
		}
		start += n
		if start == len(text) {
			break
		}
	}
	line := bytes.TrimRight(text[start:start+lineLength(text[start:])], "\r\n")
	return start + columnIn(line, int(p.Character), enc)
}

// lineLength is the length of the first line with its end, which is \n, \r\n or \r.
func lineLength(text []byte) int {
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		i = len(text)
	} else {
		i++
	}
	r := bytes.IndexByte(text[:i], '\r')
	if r < 0 || r == i-2 && text[i-1] == '\n' {
		return i
	}
	return r + 1
}

func endsLine(text []byte) bool {
	return len(text) > 0 && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r')
}

// columnIn is the byte offset of a column in a line; beyond the line it is its end, inside a character its start.
func columnIn(line []byte, column int, enc parse.Encoding) int {
	off := 0
	for off < len(line) && column > 0 {
		r, size := utf8.DecodeRune(line[off:])
		switch {
		case enc == parse.UTF8:
			column -= size
		case enc == parse.UTF16 && r > 0xffff:
			column -= 2
		default:
			column--
		}
		if column < 0 {
			break
		}
		off += size
	}
	return off
}
