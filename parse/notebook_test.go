package parse

import (
	"slices"
	"strings"
	"testing"
)

func TestIPythonLinesAreHidden(t *testing.T) {
	for _, c := range []struct{ cell, want string }{
		{"x = 1\n%time f(x)\ny = 2", "x = 1\n0#ime f(x)\ny = 2"},
		{"!pip install 'jax", "0#ip install 'jax"},
		{"for i in s:\n    !ls\nx = 1", "for i in s:\n    0#s\nx = 1"},
		{"x = (a\n     % b)", "x = (a\n     % b)"},
		{"x = a \\\n  % b", "x = a \\\n  % b"},
		{"s = '''\n%time\n'''", "s = '''\n%time\n'''"},
		{"jax.jit??", "jax.jit##"},
		{"?jax.jit", "0#ax.jit"},
		{"%%time\nx = f()\n", "0#time\nx = f()\n"},
		{"\n%%bash\nls 'x\n\n  cat", "\n0#bash\n0# 'x\n\n  0#t"},
		{"!a \\\n  b 'c\nx = 1", "0# \\\n  # 'c\nx = 1"},
		{"%", "#"},
		{"", ""},
	} {
		if got := string(hideIPython(c.cell)); got != c.want {
			t.Errorf("%q became %q, want %q", c.cell, got, c.want)
		}
		if len(c.cell) != len(c.want) {
			t.Errorf("%q: its hidden form has another length", c.cell)
		}
	}
}

func TestCellsOfANotebook(t *testing.T) {
	cells := []string{"import a\n", "", "def f(x):\n    return x", "y = f(1)\n\n"}
	n := JoinCells(cells)
	if want := "import a\n\ndef f(x):\n    return x\ny = f(1)\n\n"; string(n.Text) != want {
		t.Fatalf("the text is %q", n.Text)
	}
	f := Parse("n.ipynb", n.Text)
	for i, text := range cells {
		start, end := n.Span(i)
		if got := string(n.Text[start:end]); got != text {
			t.Errorf("cell %d is %q", i, got)
		}
		if line, column := f.Position(start, UTF8); line != n.Line(i) || column != 0 {
			t.Errorf("cell %d starts at %d:%d, its line is %d", i, line, column, n.Line(i))
		}
		if got := n.Cell(start); got != i {
			t.Errorf("the start of cell %d is in cell %d", i, got)
		}
	}
	if got := n.Cell(len(n.Text)); got != 3 {
		t.Errorf("the end is in cell %d", got)
	}
	if got := JoinCells(nil).Cell(0); got != -1 {
		t.Errorf("a notebook without cells has a cell %d", got)
	}
}

func TestEditsOfANotebookAreCutByCell(t *testing.T) {
	cells := []string{"import a", "def f(x):\n    return x", "y = f(1)"}
	n := JoinCells(cells)
	at := func(what string) int { return strings.Index(string(n.Text), what) }
	after := func(what string) int { return at(what) + len(what) }
	for _, c := range []struct {
		what string
		edit Edit
		want []string
	}{
		{"inside a cell", Edit{at("return"), after("return"), "yield"}, []string{cells[0], "def f(x):\n    yield x", cells[2]}},
		{"a line in front of a cell", Edit{at("def"), at("def"), "import b\n"}, []string{cells[0], "import b\n" + cells[1], cells[2]}},
		{"a line that goes on with a block", Edit{at("y ="), at("y ="), "    pass\n"}, []string{cells[0], cells[1] + "\n    pass", cells[2]}},
		{"behind the last cell", Edit{len(n.Text), len(n.Text), "z = 2\n"}, []string{cells[0], cells[1], cells[2] + "\nz = 2"}},
		{"a whole last line", Edit{at("    return"), after("return x\n"), "    return 2\n"}, []string{cells[0], "def f(x):\n    return 2", cells[2]}},
		{"over two cells", Edit{at("return"), after("y"), "z"}, nil},
	} {
		cut, ok := n.Cut([]Edit{c.edit})
		if !ok {
			if c.want != nil {
				t.Errorf("%s: refused", c.what)
			}
			continue
		}
		got := slices.Clone(cells)
		for i, edits := range cut {
			text, err := Apply([]byte(cells[i]), edits)
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
			}
			got[i] = string(text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
