package edit_test

import (
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/rule"
)

func apply(t *testing.T, f *parse.File, edits []rule.Edit) string {
	t.Helper()
	var out []parse.Edit
	for _, e := range edits {
		start, end, ok := f.Range(e.Loc)
		if !ok {
			t.Fatal("an edit of another file")
		}
		out = append(out, parse.Edit{Start: start, End: end, New: e.New})
	}
	text, err := parse.Apply(f.Src, out)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range parse.Parse("a.py", text).Chunks {
		if c.Broken {
			t.Errorf("broken:\n%s", text)
		}
	}
	return string(text)
}

// spot finds the last node of a kind for which is holds.
func spot[T parse.Node](t *testing.T, f *parse.File, is func(T) bool) (*edit.Spot, T) {
	t.Helper()
	var found T
	var chunk *parse.Chunk
	for _, c := range f.Chunks {
		for _, s := range c.Stmts {
			parse.Walk(s, func(n parse.Node) bool {
				if x, ok := n.(T); ok && is(x) {
					found, chunk = x, c
				}
				return true
			})
		}
	}
	s, ok := edit.Find(f, chunk, found)
	if !ok {
		t.Fatalf("nothing found in\n%s", f.Src)
	}
	return s, found
}

func any_[T parse.Node](T) bool { return true }

func named(name string) func(*parse.Name) bool {
	return func(n *parse.Name) bool { return n.ID == name }
}

func TestExtend(t *testing.T) {
	for in, want := range map[string]string{
		"x = []\n":                   "x = [A, B]\n",
		"x = ()\n":                   "x = (A, B)\n",
		"x = [a]\n":                  "x = [a, A, B]\n",
		"x = (a,)\n":                 "x = (a, A, B)\n",
		"x = (a, b)\n":               "x = (a, b, A, B)\n",
		"x = a, b\n":                 "x = a, b, A, B\n",
		"x = [(a)]\n":                "x = [(a), A, B]\n",
		"x = [a, b, ]\n":             "x = [a, b, A, B, ]\n",
		"x = {a, b}\n":               "x = {a, b, A, B}\n",
		"x = [\n    a,\n    b,\n]\n": "x = [\n    a,\n    b,\n    A,\n    B,\n]\n",
		"x = [\n    a,\n    b\n]\n":  "x = [\n    a,\n    b,\n    A,\n    B\n]\n",
		"x = [\n    a,  # one\n    b,  # two\n]\n":  "x = [\n    a,  # one\n    b,  # two\n    A,\n    B,\n]\n",
		"x = [\n    a,  # one,\n    b  # two\n]\n":  "x = [\n    a,  # one,\n    b,  # two\n    A,\n    B\n]\n",
		"x = [a,\n     b]\n":                        "x = [a,\n     b,\n     A,\n     B]\n",
		"x = [\n    a, b,\n]\n":                     "x = [\n    a, b, A, B,\n]\n",
		"x = {\n\t'k': v,\n}\n":                     "x = {\n\t'k': v,\n\tA,\n\tB,\n}\n",
		"x = [\n    f(\n        a,\n    ),\n]\n":    "x = [\n    f(\n        a,\n    ),\n    A,\n    B,\n]\n",
		"x = [  # nothing yet\n]\n":                 "x = [A, B,   # nothing yet\n]\n",
		"x = [\n    # a comment, with a comma\n]\n": "x = [A, B, \n    # a comment, with a comma\n]\n",
	} {
		f := parse.Parse("a.py", []byte(in))
		display := f.Chunks[0].Stmts[0].(*parse.Assign).Value
		items := []string{"A", "B"}
		if _, dict := display.(*parse.Dict); dict {
			items = []string{"A: 1", "B: 2"}
			want = strings.ReplaceAll(strings.ReplaceAll(want, "A,", "A: 1,"), "B,", "B: 2,")
		}
		edits, ok := edit.Extend(f.Chunks[0], display, items...)
		if got := apply(t, f, edits); !ok || got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
	f := parse.Parse("a.py", []byte("x = [f for f in g]\n"))
	if _, ok := edit.Extend(f.Chunks[0], f.Chunks[0].Stmts[0].(*parse.Assign).Value, "A"); ok {
		t.Error("a comprehension is extended")
	}
	f = parse.Parse("a.py", []byte("x = ()\n"))
	edits, _ := edit.Extend(f.Chunks[0], f.Chunks[0].Stmts[0].(*parse.Assign).Value, "A")
	if got := apply(t, f, edits); got != "x = (A,)\n" {
		t.Errorf("a tuple of one becomes %q", got)
	}
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		"f()\n":                                   "f(k=1)\n",
		"f(a)\n":                                  "f(a, k=1)\n",
		"f(a, b=2,)\n":                            "f(a, b=2, k=1,)\n",
		"f(\n    a,\n    b=2,\n)\n":               "f(\n    a,\n    b=2,\n    k=1,\n)\n",
		"f(\n    a,\n    b=2)(x)\n":               "f(\n    a,\n    b=2,\n    k=1)(x)\n",
		"f(a,\n  *b,  # rest\n  )\n":              "f(a,\n  *b,  # rest\n  k=1,\n  )\n",
		"@f(\n    a=1,\n)\ndef g(): pass\n":       "@f(\n    a=1,\n    k=1,\n)\ndef g(): pass\n",
		"f(a, lambda: (b, c))\n":                  "f(a, lambda: (b, c), k=1)\n",
		"f(a, key='x,)')\n":                       "f(a, key='x,)', k=1)\n",
		"f(a,  # one\n  b=(2)  # two, three\n  )": "f(a,  # one\n  b=(2),  # two, three\n  k=1\n  )",
	} {
		f := parse.Parse("a.py", []byte(in))
		s, call := spot(t, f, func(c *parse.Call) bool { n, ok := c.Func.(*parse.Name); return ok && n.ID == "f" })
		edits, ok := edit.AddArgs(s.Chunk, call, "k=1")
		if got := apply(t, f, edits); !ok || got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"f(a)\n": "f()\n", "f(a,)\n": "f()\n", "f(a, b)\n": "f(b)\n", "f(x, a)\n": "f(x)\n", "f(x, a=1, y=2)\n": "f(x, y=2)\n",
		"f(\n    x,\n    a=1,\n)\n": "f(\n    x,\n)\n", "f(\n    a=1,\n    x=2,\n)\n": "f(\n    x=2,\n)\n", "f(x, a=(1))\n": "f(x)\n",
	} {
		f := parse.Parse("a.py", []byte(in))
		s, call := spot(t, f, any_[*parse.Call])
		for i, a := range call.Args {
			if n, ok := a.Value.(*parse.Name); a.Name == "a" || ok && n.ID == "a" {
				if got := apply(t, f, []rule.Edit{edit.RemoveArg(s.Chunk, call, i)}); got != want {
					t.Errorf("%q becomes %q, not %q", in, got, want)
				}
			}
		}
	}
}

func TestParameters(t *testing.T) {
	for _, c := range []struct {
		in   string
		at   int
		want string
	}{
		{"def f(): pass\n", 0, "def f(p, q): pass\n"},
		{"def f(a): pass\n", 1, "def f(a, p, q): pass\n"},
		{"def f(a): pass\n", 0, "def f(p, q, a): pass\n"},
		{"def f(a, b=1): pass\n", 1, "def f(a, p, q, b=1): pass\n"},
		{"def f(a, *, k): pass\n", 1, "def f(a, p, q, *, k): pass\n"},
		{"def f(a, /, b): pass\n", 2, "def f(a, /, b, p, q): pass\n"},
		{"def f(a, *rest): pass\n", 1, "def f(a, p, q, *rest): pass\n"},
		{"def f(*, k): pass\n", 0, "def f(p, q, *, k): pass\n"},
		{"def f(a: int, b: 'x, y' = 1, **kw) -> None: pass\n", 1, "def f(a: int, p, q, b: 'x, y' = 1, **kw) -> None: pass\n"},
		{"def f(\n    a,\n    b,\n):\n    pass\n", 2, "def f(\n    a,\n    b,\n    p,\n    q,\n):\n    pass\n"},
		{"def f(\n    a,\n    b,  # last\n):\n    pass\n", 1, "def f(\n    a,\n    p,\n    q,\n    b,  # last\n):\n    pass\n"},
		{"def f(a,\n      b):\n    pass\n", 2, "def f(a,\n      b,\n      p,\n      q):\n    pass\n"},
	} {
		f := parse.Parse("a.py", []byte(c.in))
		def := f.Chunks[0].Stmts[0].(*parse.FuncDef)
		if got := apply(t, f, edit.AddParams(f.Chunks[0], def, c.at, "p", "q")); got != c.want {
			t.Errorf("%q becomes %q, not %q", c.in, got, c.want)
		}
	}
	for in, want := range map[string]string{"f = lambda: 0\n": "f = lambda p: 0\n", "f = lambda a: 0\n": "f = lambda a, p: 0\n"} {
		f := parse.Parse("a.py", []byte(in))
		s, l := spot(t, f, any_[*parse.Lambda])
		if got := apply(t, f, edit.AddLambdaParams(s.Chunk, l, len(l.Params), "p")); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

func TestStatements(t *testing.T) {
	for in, want := range map[string]string{
		"def f():\n    x = here\n":                        "def f():\n    a\n    b\n    x = here\n    c\n",
		"def f():\n\tx = here  # tail\n\ty\n":             "def f():\n\ta\n\tb\n\tx = here  # tail\n\tc\n\ty\n",
		"def f():\n    y; x = here; z\n":                  "def f():\n    y; a; b; x = here; c; z\n",
		"def f():\n    if y: x = here\n":                  "def f():\n    if y: a; b; x = here; c\n",
		"def f():\n    x = here;\n":                       "def f():\n    a\n    b\n    x = here;\n    c\n",
		"def f():\n    x = (\n        here\n    )  # t\n": "def f():\n    a\n    b\n    x = (\n        here\n    )  # t\n    c\n",
		"def f():\n    # note\n    x = here\n    # end\n": "def f():\n    # note\n    a\n    b\n    x = here\n    c\n    # end\n",
		"x = here": "a\nb\nx = here\nc",
	} {
		f := parse.Parse("a.py", []byte(in))
		s, _ := spot(t, f, named("here"))
		if got := apply(t, f, []rule.Edit{s.Before("a", "b"), s.After("c")}); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

func TestOnce(t *testing.T) {
	for in, want := range map[string]bool{
		"x = here\n": true, "x = f(here)[0]\n": true, "return here\n": true, "if here: pass\n": true, "for i in here: pass\n": true,
		"x = here if c else d\n": false, "x = c if here else d\n": true, "x = c and here\n": false, "x = here or c\n": true,
		"x = [here for y in z]\n": false, "x = lambda: here\n": false, "while here: pass\n": false, "if c:\n    pass\nelif here:\n    pass\n": false,
		"@here\ndef f(): pass\n": true, "def f(a=here): pass\n": true, "assert c, here\n": false, "with a, here: pass\n": false,
		"x = a < here < b\n": true, "x = a < b < here\n": false, "match x:\n    case 1 if here: pass\n": false,
		"try:\n    pass\nexcept here:\n    pass\n": false, "try:\n    x = here\nfinally:\n    pass\n": true, "else_ = (y := here)\n": true,
	} {
		f := parse.Parse("a.py", []byte(in))
		s, _ := spot(t, f, named("here"))
		if got := s.Once(); got != want {
			t.Errorf("%q: once is %v", in, got)
		}
	}
}

func TestImports(t *testing.T) {
	const tpu = "jax.experimental.pallas.tpu"
	for _, c := range []struct{ in, name, want string }{
		{"from jax.experimental.pallas import tpu as pltpu\nhere\n", "pltpu.VMEM", ""},
		{"from jax.experimental.pallas import tpu\nhere\n", "tpu.VMEM", ""},
		{"import jax.experimental.pallas.tpu as p\nhere\n", "p.VMEM", ""},
		{"from jax.experimental.pallas.tpu import VMEM as V\nhere\n", "V", ""},
		{"import jax\nhere\n", "pltpu.VMEM", "import jax\nfrom jax.experimental.pallas import tpu as pltpu\nhere\n"},
		{"here\n", "pltpu.VMEM", "from jax.experimental.pallas import tpu as pltpu\nhere\n"},
		{"\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n\nhere\n", "pltpu.VMEM",
			"\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n\nfrom jax.experimental.pallas import tpu as pltpu\nhere\n"},
		{"import jax  # noqa\nimport os\n\npltpu = 3\nhere\n", "pltpu_2.VMEM",
			"import jax  # noqa\nimport os\nfrom jax.experimental.pallas import tpu as pltpu_2\n\npltpu = 3\nhere\n"},
		{"import os\nos.f()\nimport jax\nhere\n", "pltpu.VMEM", "import os\nos.f()\nimport jax\nfrom jax.experimental.pallas import tpu as pltpu\nhere\n"},
		{"from jax.experimental.pallas import tpu as pltpu\ndef f(pltpu):\n    here\n", "pltpu_2.VMEM",
			"from jax.experimental.pallas import tpu as pltpu\nfrom jax.experimental.pallas import tpu as pltpu_2\ndef f(pltpu):\n    here\n"},
		{"def f():\n    from jax.experimental.pallas import tpu as t\n    here\n", "t.VMEM", ""},
		{"def g():\n    from jax.experimental.pallas import tpu as t\ndef f():\n    here\n", "pltpu.VMEM",
			"from jax.experimental.pallas import tpu as pltpu\ndef g():\n    from jax.experimental.pallas import tpu as t\ndef f():\n    here\n"},
		{"from .jax.experimental.pallas import tpu as mine\nhere\n", "pltpu.VMEM",
			"from .jax.experimental.pallas import tpu as mine\nfrom jax.experimental.pallas import tpu as pltpu\nhere\n"},
	} {
		f := parse.Parse("a.py", []byte(c.in))
		s, _ := spot(t, f, named("here"))
		n := &edit.Names{Spot: s}
		if got := n.Name(tpu, "VMEM"); got != c.name {
			t.Errorf("%q: written %s, not %s", c.in, got, c.name)
		}
		if got := apply(t, f, n.Edits); c.want != "" && got != c.want || c.want == "" && got != c.in {
			t.Errorf("%q becomes %q", c.in, got)
		}
		if n.Name(tpu, "SMEM"); len(n.Edits) > 1 {
			t.Errorf("%q: imported twice", c.in)
		}
	}
}

func TestRename(t *testing.T) {
	for _, c := range []struct {
		in, want string
		ok       bool
	}{
		{"def f(a, b):\n    return a + g(a=a) + x.a\n", "def f(new, b):\n    return new + g(a=new) + x.a\n", true},
		{"def f(a):\n    def g():\n        return a\n    def h(a):\n        return a\n    return lambda a: a\n",
			"def f(new):\n    def g():\n        return new\n    def h(a):\n        return a\n    return lambda a: a\n", true},
		{"def f(a):\n    new = a\n", "", false},
		{"def f(b):\n    return a\n", "", false},
		{"def f(b):\n    global a\n    a = b\n", "", false},
		{"def f(a):\n    return [a for a in b]\n", "", false},
	} {
		f := parse.Parse("a.py", []byte(c.in))
		edits, ok := edit.Rename(f.Chunks[0], f.Chunks[0].Stmts[0].(*parse.FuncDef), "a", "new")
		if ok != c.ok {
			t.Errorf("%q: %v", c.in, ok)
		}
		if got := apply(t, f, edits); ok && got != c.want {
			t.Errorf("%q becomes %q, not %q", c.in, got, c.want)
		}
	}
}

func TestFree(t *testing.T) {
	f := parse.Parse("a.py", []byte("def f(x, *x_2, k=x_3):\n    import x_4.y\n    for x_5 in z:\n        x_6.x_7 = 0\n"))
	taken := edit.Mentions(f.Chunks[0].Stmts[0])
	if got := edit.Free(taken, "x"); got != "x_7" { // an attribute takes no name
		t.Error(got)
	}
	if got := edit.Free(taken, "x"); got != "x_8" {
		t.Error(got)
	}
	if got := edit.Free(taken, "in"); got != "in_2" {
		t.Error(got)
	}
}

func TestCall(t *testing.T) {
	f := parse.Parse("a.py", []byte("def f():\n  x = here\n"))
	s, _ := spot(t, f, named("here"))
	long := strings.Repeat("a", 50)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"1", "b=2"}, "y = g(1, b=2)"},
		{[]string{long, "b=" + long[:20]}, "y = g(" + long + ", b=" + long[:20] + ")"},
		{[]string{long, "b=" + long[:30]}, "y = g(\n    " + long + ", b=" + long[:30] + "\n  )"},
		{[]string{long, "b=" + long}, "y = g(\n    " + long + ",\n    b=" + long + ",\n  )"},
	} {
		if got := s.Call("y = ", "g", c.args...); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

func TestRemove(t *testing.T) {
	for _, c := range []struct {
		in    string
		which []int
		want  string
	}{
		{"x = [a, b, c]\n", []int{0}, "x = [b, c]\n"},
		{"x = [a, b, c]\n", []int{1, 2}, "x = [a]\n"},
		{"x = [a, b, c,]\n", []int{2, 0}, "x = [b,]\n"},
		{"x = [a, b]\n", []int{0, 1}, "x = []\n"},
		{"x = (a, b)\n", []int{1}, "x = (a,)\n"},
		{"x = (a, b, c)\n", []int{0}, "x = (b, c)\n"},
		{"x = a, b\n", []int{0}, "x = b,\n"},
		{"x = [\n    a,\n    b,  # two\n    c,\n]\n", []int{0, 2}, "x = [\n    b,\n]\n"},
		{"x = f(y, k=[a])\n", []int{0}, "x = f(y)\n"},
	} {
		f := parse.Parse("a.py", []byte(c.in))
		value := f.Chunks[0].Stmts[0].(*parse.Assign).Value
		if call, ok := value.(*parse.Call); ok {
			value = call.Args[1].Value
		}
		display, _ := edit.Find(f, f.Chunks[0], value)
		if got := apply(t, f, edit.RemoveElems(display, c.which...)); got != c.want {
			t.Errorf("%q becomes %q, not %q", c.in, got, c.want)
		}
	}
	f := parse.Parse("a.py", []byte("def f(a, b, *, c): pass\n"))
	if got := apply(t, f, edit.RemoveParams(f.Chunks[0], f.Chunks[0].Stmts[0].(*parse.FuncDef), 1)); got != "def f(a, *, c): pass\n" && got != "def f(a, c): pass\n" {
		t.Error(got)
	}
}
