package parse

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestScopes(t *testing.T) {
	tests := []struct {
		body                      string
		locals, globals, nonlocal string
		yields                    bool
	}{
		{"x = y", "p x", "", "", false},
		{"x, (y, *z) = w", "p x y z", "", "", false},
		{"x.a = y[0] = 1", "p", "", "", false},
		{"x += 1", "p x", "", "", false},
		{"x: int", "p x", "", "", false},
		{"x.y: int = 1", "p", "", "", false},
		{"for x, y in z: w = 1", "p w x y", "", "", false},
		{"with a as x, b as (y, z): pass", "p x y z", "", "", false},
		{"try: pass\n  except E as e: x = 1", "e p x", "", "", false},
		{"import a.b, c.d as e", "a e p", "", "", false},
		{"from a import b, c as d", "b d p", "", "", false},
		{"from a import *", "p", "", "", false},
		{"def g(q): r = 1", "g p", "", "", false},
		{"class C: r = 1", "C p", "", "", false},
		{"global x\n  x = y = 1", "p y", "x", "", false},
		{"x = 1\n  global x", "p", "x", "", false},
		{"nonlocal x\n  x = 1", "p", "", "x", false},
		{"[x for x in y]", "p", "", "", false},
		{"[(z := x) for x in y]", "p z", "", "", false},
		{"[w for x in y if (z := x)]", "p z", "", "", false},
		{"{k: (z := v) for k, v in y}", "p z", "", "", false},
		{"f(x := 1, lambda: (y := 2))", "p x", "", "", false},
		{"yield", "p", "", "", true},
		{"x = yield from y", "p x", "", "", true},
		{"g = lambda: (yield)", "g p", "", "", false},
		{"[(yield x) for x in y]", "p", "", "", true},
		{"del x", "p x", "", "", false},
		{"match x:\n    case [a, *b]: c = 1\n    case {'k': d, **e}: pass\n    case P(f, g=h) as i: pass\n    case j | k: pass\n    case A.B: pass", "a b c d e f h i j k p", "", "", false},
		{"if (x := 1): y = 1\n  elif z: w = 1\n  else: v = 1", "p v w x y", "", "", false},
		{"while x: y = 1", "p y", "", "", false},
		{"type X = int", "X p", "", "", false},
		{"def g(a=(x := 1)): pass", "g p x", "", "", false},
		{"x = (\n  y = 1", "p x y", "", "", false},
	}
	for _, test := range tests {
		f := Parse("a.py", []byte("def f(p):\n  "+test.body+"\n"))
		s := f.Chunks[0].Stmts[0].(*FuncDef).Scope
		if setOf(s.Locals) != test.locals || setOf(s.Globals) != test.globals || setOf(s.Nonlocal) != test.nonlocal || s.Yields != test.yields {
			t.Errorf("%s\ngot %s; global %s; nonlocal %s; yields %v", test.body, setOf(s.Locals), setOf(s.Globals), setOf(s.Nonlocal), s.Yields)
		}
	}
}

func TestOtherScopes(t *testing.T) {
	f := Parse("a.py", []byte("import a\nclass C[T](B):\n  x = 1\n  def f(self): y = 1\nz = lambda q, *r: (w := q)\ndef g[U](): global v\nif z:\n  t = 1\n"))
	if got := setOf(f.ModuleScope().Locals); got != "C a g t z" {
		t.Errorf("module: %s", got)
	}
	if got := setOf(f.Chunks[1].Stmts[0].(*ClassDef).Scope.Locals); got != "T f x" {
		t.Errorf("class: %s", got)
	}
	if got := setOf(f.Chunks[2].Stmts[0].(*Assign).Value.(*Lambda).Locals); got != "q r w" {
		t.Errorf("lambda: %s", got)
	}
	if got := setOf(f.Chunks[3].Stmts[0].(*FuncDef).Scope.Locals); got != "U" {
		t.Errorf("generic function: %s", got)
	}
	if got := setOf(f.Chunks[4].Scope().Locals); got != "t" {
		t.Errorf("chunk: %s", got)
	}
}

func TestImports(t *testing.T) {
	src := `import a.b as c, d.e
from x import y as z, w
from . import q
from ..p.r import s
from m import *
def f():
  import inner
  if a:
    from n import (o,)
`
	var got []string
	f := Parse("a.py", []byte(src))
	for _, b := range f.Imports() {
		start, end, ok := f.Range(b.Loc)
		if !ok {
			t.Fatalf("%s has no place", b.Name)
		}
		got = append(got, fmt.Sprintf("%s=%s%s%s%s at %s", b.Name, strings.Repeat(".", b.Level), b.Target, mark(b.Member, " member"), mark(b.Nested, " nested"), src[start:end]))
	}
	want := []string{
		"c=a.b at a.b as c", "d=d at d.e", "z=x.y member at y as z", "w=x.w member at w", "q=.q member at q",
		"s=..p.r.s member at s", "*=m at *", "inner=inner nested at inner", "o=n.o member nested at o",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func mark(b bool, s string) string {
	if b {
		return s
	}
	return ""
}

func TestResolveRelative(t *testing.T) {
	tests := []struct {
		pkg    string
		level  int
		target string
		want   string // empty: not ok
	}{
		{"a.b", 0, "x.y", "x.y"},
		{"a.b", 1, "x", "a.b.x"},
		{"a.b", 1, "", "a.b"},
		{"a.b", 2, "x.y", "a.x.y"},
		{"a.b", 3, "x", ""},
		{"", 1, "x", ""},
	}
	for _, test := range tests {
		got, ok := ResolveRelative(test.pkg, test.level, test.target)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s, %d, %s: %q, %v", test.pkg, test.level, test.target, got, ok)
		}
	}
}

func TestNodesAt(t *testing.T) {
	src := "def f(x):\n  y = g(x, k=a.b[0])\n  return y\n"
	f := Parse("a.py", []byte(src))
	for _, test := range []struct{ mark, want string }{
		{"b[0]", "FuncDef Assign Call Arg Index Attr"},
		{"a.b", "FuncDef Assign Call Arg Index Attr Name"},
		{"0]", "FuncDef Assign Call Arg Index Int"},
		{"k=", "FuncDef Assign Call Arg"},
		{"g(", "FuncDef Assign Call Name"},
		{"(x, k", "FuncDef Assign Call Name"}, // the cursor is behind g
		{"x):", "FuncDef Param"},
		{"f(x)", "FuncDef"},
	} {
		c, off := f.ChunkAt(strings.Index(src, test.mark))
		if got := kinds(c.NodesAt(off)); got != test.want {
			t.Errorf("at %q: %s, want %s", test.mark, got, test.want)
		}
	}
	c, off := f.ChunkAt(len(src) - 1)
	if got := kinds(c.NodesAt(off)); got != "FuncDef Return Name" {
		t.Errorf("at the end: %s", got)
	}
	if got := c.NodesAt(9999); got != nil {
		t.Errorf("outside: %s", kinds(got))
	}
	if c, _ := f.ChunkAt(len(src) + 5); c != nil {
		t.Error("a chunk outside the file")
	}
	if f.LocAt(len(src)+5).Valid() || !f.LocAt(3).Valid() {
		t.Error("LocAt")
	}
}

func kinds(nodes []Node) string {
	var out []string
	for _, n := range nodes {
		out = append(out, strings.TrimPrefix(fmt.Sprintf("%T", n), "*parse."))
	}
	return strings.Join(out, " ")
}

// TestWalk checks that every name of the source is reached, in order within expressions.
func TestWalk(t *testing.T) {
	f := Parse("a.py", []byte("@d\ndef f(a=b, *c: e) -> g:\n  h[i:j, k], l = {m: n, **o} if p else lambda q=r: s\n  with t as u: assert v, w\n  match x:\n    case y.z if aa: del ab\n"))
	var got []string
	Walk(f.Chunks[0].Stmts[0], func(n Node) bool {
		if name, ok := n.(*Name); ok {
			got = append(got, name.ID)
		}
		return true
	})
	if s := strings.Join(got, " "); s != "d b e g h i j k l m n o p r s t u v w x y aa ab" {
		t.Error(s)
	}
	count := 0
	Walk(f.Chunks[0].Stmts[0], func(Node) bool { count++; return false })
	if count != 1 {
		t.Errorf("%d nodes seen", count)
	}
}

func TestComments(t *testing.T) {
	src := "# a\nx = 1 # b\n\n# c\n\ndef f():\n  # d\n  s = '# no'\n# e\n  y = ( # f\n  1)\n  # g\n# h\n"
	f := Parse("a.py", []byte(src))
	var got []string
	for _, c := range f.Comments() {
		got = append(got, c.Text)
	}
	if s := strings.Join(got, ","); s != "# a,# b,# c,# d,# e,# f,# g,# h" {
		t.Error(s)
	}
	// A broken chunk keeps its comments too.
	g := f.Edit([]byte(strings.Replace(src, "'# no'", "(", 1)))
	if len(g.Comments()) != len(got) {
		t.Errorf("%d comments in the broken version", len(g.Comments()))
	}
}
