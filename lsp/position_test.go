package lsp

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
)

// units counts text in an encoding.
func unitsOf(text, encoding string) int {
	switch encoding {
	case "utf-8":
		return len(text)
	case "utf-32":
		return len([]rune(text))
	}
	return len(utf16.Encode([]rune(text)))
}

// findIn is the position of a part of a text in an encoding.
func findIn(text, part, encoding string) position {
	before, _, ok := strings.Cut(text, part)
	if !ok {
		panic("not in the text: " + part)
	}
	return position{strings.Count(before, "\n"), unitsOf(before[strings.LastIndexByte(before, '\n')+1:], encoding)}
}

// TestEncodings puts wide characters before what is asked for, reported and changed.
func TestEncodings(t *testing.T) {
	withRules(t, siteRule())
	body := strings.Replace(text("8"), "return pl.", `return "é漢😀" and pl.`, 1)
	for _, e := range []struct {
		offered []string
		chosen  string
	}{{nil, "utf-16"}, {[]string{"utf-16"}, "utf-16"}, {[]string{"utf-8", "utf-16"}, "utf-8"}, {[]string{"utf-16", "utf-8"}, "utf-8"},
		{[]string{"utf-32", "utf-16"}, "utf-32"}, {[]string{"utf-7"}, "utf-16"}} {
		c := start(t)
		var r struct {
			Capabilities struct{ PositionEncoding string }
		}
		c.must("initialize", object{"processId": nil, "rootUri": nil, "capabilities": everything(e.offered...)}, &r)
		if r.Capabilities.PositionEncoding != e.chosen {
			t.Errorf("of %v chose %s", e.offered, r.Capabilities.PositionEncoding)
		}
		c.didOpen(uri1, body)
		want := span{findIn(body, "pl.pallas_call", e.chosen), findIn(body, "(\n        kernel", e.chosen)}
		if got := c.diagnostics(uri1, 1); len(got) != 1 || got[0].Range != want {
			t.Errorf("%s: %+v, want %v", e.chosen, got, want)
		}
		at := findIn(body, "and pl.", e.chosen)
		c.didChange(uri1, 2, object{"range": span{at, at}.json(), "text": "😀é + "})
		changed := strings.Replace(body, "and pl.", "😀é + and pl.", 1)
		want = span{findIn(changed, "pl.pallas_call", e.chosen), findIn(changed, "(\n        kernel", e.chosen)}
		if got := c.diagnostics(uri1, 2); len(got) == 1 && got[0].Range != want {
			t.Errorf("%s after the change: %+v, want %v", e.chosen, got[0].Range, want)
		}
	}
}

// TestCRLF opens a document with the line ends of Windows, changes it and takes its fixes.
func TestCRLF(t *testing.T) {
	withRules(t, siteRule())
	c := open(t, everything("utf-16"), "")
	body := strings.ReplaceAll(text("8"), "\n", "\r\n")
	c.didOpen(uri1, body)
	want := find(text("8"), "pl.pallas_call(")
	if got := c.diagnostics(uri1, 1); len(got) != 1 || got[0].Range.Start != want {
		t.Fatalf("%+v", got)
	}
	c.didChange(uri1, 2, object{"range": span{position{0, 0}, position{0, 0}}.json(), "text": "# one\r\n"})
	want.Line++
	got := c.diagnostics(uri1, 2)
	if len(got) != 1 || got[0].Range.Start != want {
		t.Fatalf("after a change: %+v", got)
	}
	actions := c.actions(uri1, got[0].Range)
	var drop string
	for _, a := range actions {
		if a.Title == "Drop it" {
			drop = a.Edit.DocumentChanges[0].Edits[0].NewText
		}
	}
	if drop != "(\r\n    drop)" {
		t.Errorf("new text %q", drop)
	}
}

type action struct {
	Title       string
	Kind        string
	IsPreferred *bool
	Diagnostics []diagnostic
	Data        json.RawMessage
	Edit        *struct {
		Changes         map[string][]textEdit
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []textEdit
		}
	}
}

type textEdit struct {
	Range   span
	NewText string
}

func (c *testClient) actions(uri string, r span, only ...string) []action {
	c.t.Helper()
	ctx := object{"diagnostics": []any{}}
	if len(only) > 0 {
		ctx["only"] = only
	}
	var out []action
	c.must("textDocument/codeAction", object{"textDocument": object{"uri": uri}, "range": r.json(), "context": ctx}, &out)
	return out
}

// TestOffsets compares the offsets that changes are applied at with those of the parsed file.
func TestOffsets(t *testing.T) {
	pieces := []string{"a", "é", "漢", "😀", "\n", "\r\n", "\r", "xyz", "\xff", "\t", ""}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b bytes.Buffer
		for range rnd.IntN(12) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		f := parse.Parse("x.py", b.Bytes())
		for _, enc := range []parse.Encoding{parse.UTF8, parse.UTF16, parse.UTF32} {
			for line := range 8 {
				for column := range 8 {
					got := offsetIn(b.Bytes(), protocol.Position{Line: uint32(line), Character: uint32(column)}, enc)
					if want := f.Offset(line, column, enc); got != want {
						t.Fatalf("%q line %d column %d encoding %d: %d, want %d", b.String(), line, column, enc, got, want)
					}
				}
			}
		}
	}
}
