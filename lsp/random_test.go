package lsp

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRandomEdits types nonsense into kernels and asks everything of every version: nothing may fail.
func TestRandomEdits(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "cases", "golden", "*.py"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels to edit: %v", err)
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"(", ")", "[", "]", "\n", "    ", "x", ":", ",", "\"\"\"", "#", "\\", "def ", "é😀", "pl.", "=", "*", "\r\n"}
	c := open(t, everything("utf-16"), "")
	for i := range 8 {
		source, err := os.ReadFile(files[rnd.IntN(len(files))])
		if err != nil {
			t.Fatal(err)
		}
		uri := "file:///nowhere/" + string(rune('a'+i)) + ".py"
		lines := strings.Count(string(source), "\n")
		c.didOpen(uri, string(source))
		for version := 2; version < 25; version++ {
			at := position{rnd.IntN(lines + 1), rnd.IntN(60)}
			end := at
			if rnd.IntN(2) == 0 {
				end.Character += rnd.IntN(30)
			}
			c.didChange(uri, version, object{"range": span{at, end}.json(), "text": pieces[rnd.IntN(len(pieces))]})
			c.askAll(uri, at)
		}
		c.diagnostics(uri, 24)
	}
	if log := c.log.String(); log != "" {
		t.Errorf("the log says\n%s", log)
	}
}

func (c *testClient) askAll(uri string, at position) {
	c.t.Helper()
	doc := object{"uri": uri}
	for method, params := range map[string]object{
		"textDocument/hover":      {"textDocument": doc, "position": at.json()},
		"textDocument/definition": {"textDocument": doc, "position": at.json()},
		"textDocument/inlayHint":  {"textDocument": doc, "range": whole.json()},
		"textDocument/codeAction": {"textDocument": doc, "range": whole.json(), "context": object{"diagnostics": []any{}}},
	} {
		m := c.answer(c.request(method, params))
		if m.Error != nil || !json.Valid(m.Result) {
			c.t.Fatalf("%s at %v: %+v", method, at, m)
		}
	}
}
