package workspace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pallas-lsp/parse"
	"pallas-lsp/rules/workspace"
	"pallas-lsp/testdata/seeds"
)

const bookText = `{
 "cells": [
  {"cell_type": "markdown", "source": ["# é <b>\n", "text"]},
  {
   "cell_type": "code",
   "execution_count": 1e0,
   "metadata": {"source": "no"},
   "outputs": [{"source": ["no"]}],
   "source": [
    "import a\n",
    "x = \"<é>\""
   ]
  },
  {"source": "y = 1\nz = 2", "cell_type": "code"},
  {"cell_type": "code", "source": ["w = 3\n", "v = 4"]},
  {"cell_type": "code", "source": []}
 ],
 "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4
}
`

func TestNotebookOnDisk(t *testing.T) {
	n, err := workspace.ReadNotebook([]byte(bookText))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(n.Text), "import a\nx = \"<é>\"\ny = 1\nz = 2\nw = 3\nv = 4\n\n"; got != want {
		t.Fatalf("its text is %q", got)
	}
	if got := n.Numbers; len(got) != 4 || got[0] != 2 || got[3] != 5 {
		t.Errorf("its cells are numbered %v", got)
	}
	if got, err := n.Apply(nil); err != nil || string(got) != bookText {
		t.Errorf("without an edit: %v, %s", err, got)
	}
	var edits []parse.Edit
	for _, c := range []struct{ old, new string }{{"import a\n", "import a\nimport b\n"}, {"y = 1\n", ""}, {"v = 4", "v = \"<\"\nu = 5"}} {
		at := strings.Index(string(n.Text), c.old)
		edits = append(edits, parse.Edit{Start: at, End: at + len(c.old), New: c.new})
	}
	got, err := n.Apply(edits)
	want := strings.NewReplacer(`"import a\n",`+"\n    ", `"import a\n",`+"\n    "+`"import b\n",`+"\n    ", `"y = 1\nz = 2"`, `"z = 2"`, `["w = 3\n", "v = 4"]`, `["w = 3\n", "v = \"<\"\n", "u = 5"]`).Replace(bookText)
	if err != nil || string(got) != want {
		t.Errorf("edited: %v\n%s", err, got)
	}
	if _, err := n.Apply([]parse.Edit{{Start: 0, End: len(n.Text), New: ""}}); err == nil {
		t.Error("an edit over all cells was made")
	}
}

func TestWhatIsNoNotebook(t *testing.T) {
	for text, want := range map[string]string{
		"":               "no notebook",
		"[]":             "no notebook",
		"{}":             "no list of cells",
		`{"cells": {}}`:  "no notebook",
		`{"cells": [3]}`: "no notebook",
		`{"cells": [{"cell_type": "code", "source": [3]}]}`:                "no notebook",
		`{"cells": [], "metadata": {"kernelspec": {"language": "julia"}}}`: "notebook of julia",
	} {
		if _, err := workspace.ReadNotebook([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzNotebook edits one cell of a notebook: its text is then the new one, and that of the other is as it was.
func FuzzNotebook(f *testing.F) {
	f.Add("x = 1\n%time\n", "!ls 'a\ny = 2", "z\n", 3)
	f.Add("", "", "\u2028<>&\x00\"\\", 0)
	f.Add("a\r\nb\r\n", "%%bash\nls", "\r\n", 4)
	at := 0
	seeds.Add([]string{"x = 1\n%time\ny = 'é\n", "!ls 'a\ny = 2\r\n", "\u2028<>&\x00\"\\"}, func(text string) {
		at++
		half := len(text) / 2
		f.Add(text, text[half:], text[:half], at)
	})
	f.Fuzz(func(t *testing.T, one, two, added string, at int) {
		raw, err := json.MarshalIndent(map[string]any{"cells": []any{
			map[string]any{"cell_type": "code", "source": strings.SplitAfter(one, "\n")}, map[string]any{"cell_type": "code", "source": two}}}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		n := read(t, raw)
		old := n.Cells()
		_, end := n.Span(0)
		if end != len(old[0]) {
			t.Fatalf("%q takes %d bytes", old[0], end)
		}
		at = min(max(at, 0), max(0, end-1)) // behind a line end the next cell begins
		out, err := n.Apply([]parse.Edit{{Start: at, End: at, New: added}})
		if err != nil {
			t.Fatal(err)
		}
		now := read(t, out).Cells()
		want := old[0][:at] + added + old[0][at:]
		if now[1] != old[1] || now[0] != want && utf8.ValidString(old[0][:at]) && utf8.ValidString(added) {
			t.Errorf("%q became %q", old, now)
		}
	})
}

func read(t *testing.T, raw []byte) *workspace.Notebook {
	t.Helper()
	n, err := workspace.ReadNotebook(raw)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
