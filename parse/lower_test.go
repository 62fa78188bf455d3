package parse

import (
	"strings"
	"testing"
)

func TestLower(t *testing.T) {
	tests := []struct{ src, want string }{
		// imports
		{"import a.b as c, d", "(import a.b:c d)"},
		{"import a . b", "(import a.b)"},
		{"from . import q", "(from . q)"},
		{"from ..pkg.sub import (r as s, t,)", "(from ..pkg.sub r:s t)"},
		{"from ... import x", "(from ... x)"},
		{"from m import *", "(from m *)"},
		{"from __future__ import annotations", "(from __future__ annotations)"},
		// assignments
		{"x = 1; y = 2", "(= x 1) (= y 2)"},
		{"a = b, *c = f()", "(= a (tuple b *c) (call f))"},
		{"n: int = 3", "(ann n int value:3)"},
		{"n: int", "(ann n int)"},
		{"m: list[int] | None", "(ann m (| (index list int) None))"},
		{"m: list[int] | str | None", "(ann m (| (| (index list int) str) None))"},
		{"m: a | b[c] | d | e[f] | None", "(ann m (| (| (| (| a (index b c)) d) (index e f)) None))"},
		{"x: Callable[[int], str] = 3", "(ann x (index, Callable (list int) str) value:3)"},
		{"x: a.B[c] = d", "(ann x (index (. a B) c) value:d)"},
		{"x += 1 // 2", "(+= x (// 1 2))"},
		{"x >>= y", "(>>= x y)"},
		{"x @= y", "(@= x y)"},
		{"x[0] **= 2", "(**= (index x 0) 2)"},
		{"a.b, c[0] = d", "(= (tuple (. a b) (index c 0)) d)"},
		{"[a, b] = c", "(= (list a b) c)"},
		{"(a) = b", "(= a b)"},
		{"(a.b): c", "(ann (. a b) c)"},
		{"(a, b) = c", "(= (tuple() a b) c)"},
		{"x = yield", "(?stmt (= x (yield)))"},
		{"x = yield from y", "(?stmt (= x (yield-from y)))"},
		// subscripts
		{"x[0]", "(index x 0)"},
		{"x[0,]", "(index, x 0)"},
		{"x[1:2, ..., ::3, *r]", "(index, x (: 1 2 _) ... (: _ _ 3) *r)"},
		{"x[:, None]", "(index, x (: _ _ _) None)"},
		{"x[a:=1]", "(index x (:= a 1))"},
		{"x[(0, 1)]", "(index x (tuple() 0 1))"},
		{"x[0, *a[1:], *b.c, *d()]", "(index, x 0 *(index a (: 1 _ _)) *(. b c) *(call d))"},
		{"x.at[*idx]", "(index (. x at) *idx)"},
		{"x[\n  0, # first\n  1,\n]", "(index, x 0 1)"},
		// calls
		{"f(1, *args, k=2, **kw)", "(call f 1 *args k=2 **kw)"},
		{"f(i for i in x)", "(call f (gen i (for i x)))"},
		{"f(*(a), **(b))", "(call f *a **b)"},
		{"f((yield))", "(?stmt (call f (yield)))"},
		{"f(x := 1)", "(call f (:= x 1))"},
		{"f(a, # why\n  b)", "(call f a b)"},
		{"a.b.c(d)[e].f", "(. (index (call (. (. a b) c) d) e) f)"},
		{"f()()", "(call (call f))"},
		{"print(x)", "(call print x)"},
		{"f(match=1, type=2)", "(call f match=1 type=2)"},
		// operators
		{"not a and -b or ~c", "(or (and (not a) (- b)) (~ c))"},
		{"a @ b ** -c", "(@ a (** b (- c)))"},
		{"a if b else c", "(ifexp b a c)"},
		{"a < b <= c != d", "(cmp a < b <= c != d)"},
		{"a not  in b is not c", "(cmp a not in b is not c)"},
		{"a | b & c ^ d << e", "(| a (^ (& b c) (<< d e)))"},
		{"a ^ b & c, a & (b ^ c)", "(tuple (^ a (& b c)) (& a (^ b c)))"},
		{"(a + b) * c", "(* (+ a b) c)"},
		{"a + \\\n  b", "(+ a b)"},
		{"lambda x, *y, z=1, **k: (w := x)", "(lambda [x, *y, kw z=1, **k] (:= w x))"},
		{"lambda: 0", "(lambda [] 0)"},
		{"await_ = await x", "(= await_ (await x))"},
		// displays and comprehensions
		{"()", "(tuple())"},
		{"(a,)", "(tuple() a)"},
		{"a,", "(tuple a)"},
		{"[]", "(list)"},
		{"[*a, b]", "(list *a b)"},
		{"{}", "(dict)"},
		{"{**a, 1: 2}", "(dict **a 1:2)"},
		{"{1, 2}", "(set 1 2)"},
		{"{k: v for k, v in x}", "(dictcomp k v (for (tuple k v) x))"},
		{"{i for i in (1, 2)}", "(setcomp i (for i (tuple() 1 2)))"},
		{"[i for i in x if i if j for k in i]", "(listcomp i (for i x) (if i) (if j) (for k i))"},
		{"(i async for i in x)", "(gen i (async for i x))"},
		// literals
		{"0x1F + 0o17 + 0b101 + 1_000", "(+ (+ (+ 31 15) 5) 1000)"},
		{"9223372036854775807, 9223372036854775808", "(tuple 9223372036854775807 big)"},
		{"0xFFFF_FFFF_FFFF_FFFF_F", "big"},
		{"00, 012", "(tuple 0 (?))"},
		{"1.5e3, .5, 1., 1e-2, 1_0.0_1", "(tuple 1500f 0.5f 1f 0.01f 10.01f)"},
		{"2j, 1.5J", "(tuple 2j 1.5j)"},
		{"0x1e", "30"},
		{"None, True, False, ...", "(tuple None True False ...)"},
		{`"a" 'b\n' r"\d"`, `"ab\n\\d"`},
		{`b"\x00\377\u0041"`, `b"\x00\xff\\u0041"`},
		{`"\u00e9\U0001F600\t\\\'\q\N{DASH}"`, `"é😀\t\\'\\q\\N{DASH}"`},
		{"'''a\r\nb\\\nc'''", `"a\nbc"`},
		{`f"{x!r:>{w}} {{}} {y=}"`, "(f x w y)"},
		{`f"{x["a"]}" "z"`, `(f (index x "a"))`},
		{`f"{f"{a}"}{[i for i in b]}"`, "(f (f a) (listcomp i (for i b)))"},
		{"f'''{\n  a\n}'''", "(f a)"},
		{`r'\\', r"""\\""", r'a\'b\\', '\\'`, `(tuple "\\\\" "\\\\" "a\\'b\\\\" "\\")`},
		{"x = ('a'\n     'b')", `(= x "ab")`},
		{`rb"\d", Rb'x', u"y"`, `(tuple b"\\d" b"x" "y")`},
		// simple statements
		{"return", "(?stmt (return))"},
		{"return 1, 2", "(?stmt (return (tuple 1 2)))"},
		{"return (yield)", "(?stmt (return (yield)))"},
		{"raise", "(raise)"},
		{"raise X from e", "(raise X from:e)"},
		{"assert x, 'msg'", `(assert x "msg")`},
		{"del a, b[0]", "(del a (index b 0))"},
		{"del (a)", "(del a)"},
		{"global a, b", "(global a b)"},
		{"nonlocal a", "(?stmt (nonlocal a))"},
		{"pass; break; continue", "pass (?stmt break) (?stmt continue)"},
		{"type X = int", "(type X int)"},
		{"type X[T] = list[T]", "(type X <T> (index list T))"},
		{"type = match = case = 3", "(= type match case 3)"},
		{"match.foo(1)", "(call (. match foo) 1)"},
		// compound statements
		{"if a: b\nelif c: d\nelif e:\n  f\nelse: g", "(if a (then b) (else (if c (then d) (else (if e (then f) (else g))))))"},
		{"for i, j in x: pass\nelse: y", "(for (tuple i j) x (do pass) (else y))"},
		{"for x in *a, b: pass", "(for x (tuple *a b) (do pass))"},
		{"async for i in b: pass", "(async for i b (do pass))"},
		{"while a: b\nelse: c", "(while a (do b) (else c))"},
		{"with a as b, c(d) as (e, g): pass", "(with (a as:b) ((call c d) as:(tuple() e g)) (do pass))"},
		{"with (open(x) as y, z): pass", "(with ((call open x) as:y) (z) (do pass))"},
		{"with (a): pass", "(with (a) (do pass))"},
		{"with (a, b): pass", "(with (a) (b) (do pass))"},
		{"async with a as x.y: pass", "(async with (a as:(. x y)) (do pass))"},
		{"try: a\nexcept E as e: b\nexcept (A, B): c\nexcept: d\nelse: e\nfinally: f",
			"(try (do a) (except E e (do b)) (except (tuple() A B) (do c)) (except (do d)) (else e) (finally f))"},
		{"try: a\nexcept *E: b", "(try (do a) (except E (do b)))"},
		{"try: a\nexcept* E as e: b", "(try (do a) (except E e (do b)))"},
		// definitions
		{"def f(a, /, b: int = 2, *args, c=3, d: str, **kw) -> int: pass",
			"(def f [/a, b:int=2, *args, kw c=3, kw d:str, **kw] ->:int pass)"},
		{"def f(*, a, **k: str): ...", "(def f [kw a, **k:str] ...)"},
		{"def f(x: 'a', *args: int): ...", `(def f [x:"a", *args:int] ...)`},
		{"def g[T: int, *Ts, **P](x: T): pass", "(def g <T Ts P> [x:T] pass)"},
		{"async def f(self): await g()", "(async def f [self] (await (call g)))"},
		{"@a.b(c)\n# why\n@d\ndef f(): pass", "(def f [] @(call (. a b) c) @d pass)"},
		{"@(yes if a else no)\nclass C: pass", "(class C [] @(ifexp a yes no) pass)"},
		{"class A[T](B, metaclass=M, *c):\n  x: int\n  def f(self): pass", "(class A <T> [B metaclass=M *c] (ann x int) (def f [self] pass))"},
		{"def f():\n\tif a:\n\t\tb\n\tc", "(def f [] (if a (then b)) c)"},
		// match
		{"match x:\n  case 1 | -2 | 'a': pass", `(match x (case (| 1 (- 2) "a") (do pass)))`},
		{"match x:\n  case [a, *rest] if a: pass", "(match x (case (seq $a *rest) if:a (do pass)))"},
		{"match x:\n  case {'k': v, -1: w, **r}: pass", `(match x (case (map "k":$v (- 1):$w **r) (do pass)))`},
		{"match x:\n  case P(1, q=w): pass", "(match x (case (cls P 1 q=$w) (do pass)))"},
		{"match x:\n  case P(A() as y, x=B() as z, w=1 | 2): pass", "(match x (case (cls P (as (cls A) y) x=(as (cls B) z) w=(| 1 2)) (do pass)))"},
		{"match x:\n  case a.P(x=-1): pass", "(match x (case (cls (. a P) x=(- 1)) (do pass)))"},
		{"match x:\n  case a.b.c: pass", "(match x (case (. (. a b) c) (do pass)))"},
		{"match x:\n  case (x, y) as z: pass", "(match x (case (as (seq $x $y) z) (do pass)))"},
		{"match x:\n  case -1-2j: pass", "(match x (case (- (- 1) 2j) (do pass)))"},
		{"match x:\n  case None | True: pass\n  case _: pass", "(match x (case (| None True) (do pass)) (case _ (do pass)))"},
		{"match a, b:\n  case *_, c: pass", "(match (tuple a b) (case (seq * $c) (do pass)))"},
		{"match x:\n  case (a,): pass\n  case (a): pass", "(match x (case (seq $a) (do pass)) (case $a (do pass)))"},
		// what the grammar does not know
		{"x.at[*((0,) * n)].set(1)", "(call (. (index (. x at) *(* (tuple() 0) n)) set) 1)"},
		{"x[*(f(i) for i in y), 0]", "(index, x *(gen (call f i) (for i y)) 0)"},
		{"t'{x} {y}'", "(? x y)"},
		{"class A[T = int, U = dict[str, int]](B): pass", "(class A <T U> [B] pass)"},
		{"def f[T: int = bool](x): pass", "(def f <T> [x] pass)"},
		{"type(self).x = y", "(= (. (call type self) x) y)"},
		{"def f():\n  type (a).b.c = d\n  x", "(def f [] (= (. (. (call type a) b) c) d) x)"},
		{"print >> sys.stderr, 'a'", `(tuple (>> print (. sys stderr)) "a")`},
		// Python 2
		{"print x", "(?stmt x)"},
		{"exec 'x'", `(?stmt "x")`},
	}
	for _, test := range tests {
		f := Parse("a.py", []byte(test.src))
		if got := sexpr(allStmts(f)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.src, got, test.want)
		}
		checkTree(t, f)
	}
}

// TestSpans prints, for some names of nodes, the text that their spans cover.
func TestSpans(t *testing.T) {
	src := "@a.b(c)\n@d\nasync def  f ( x , y = 1 ) -> z :\n  return x.at[ 0, 1 ].set( v , k = 2 )\n"
	f := Parse("a.py", []byte(src))
	c := f.Chunks[0]
	text := func(s Span) string { return c.Text[s.Start:s.End] }
	def := c.Stmts[0].(*FuncDef)
	ret := def.Body[0].(*Return)
	call := ret.X.(*Call)
	set := call.Func.(*Attr)
	index := set.X.(*Index)
	for _, test := range []struct{ got, want string }{
		{text(def.Span()), strings.TrimSpace(src)},
		{text(def.NameSpan), "f"},
		{text(def.DefSpan), "async def  f ( x , y = 1 ) -> z :"},
		{text(def.ParamsSpan), "( x , y = 1 )"},
		{text(def.Params[1].Span()), "y = 1"},
		{text(def.Params[1].NameSpan), "y"},
		{text(def.Decorators[0].Span()), "a.b(c)"},
		{text(def.Decorators[1].Span()), "d"},
		{text(call.Span()), "x.at[ 0, 1 ].set( v , k = 2 )"},
		{text(call.ArgsSpan), "( v , k = 2 )"},
		{text(call.Args[1].Span()), "k = 2"},
		{text(call.Args[1].NameSpan), "k"},
		{text(set.NameSpan), "set"},
		{text(index.ItemsSpan), " 0, 1 "},
		{text(index.Span()), "x.at[ 0, 1 ]"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// checkTree checks what must hold of every tree: spans lie inside the chunk and inside their parent, scopes are there,
// the nesting is bounded.
func checkTree(t testing.TB, f *File) {
	t.Helper()
	last := 0
	for i, c := range f.Chunks {
		base, ok := f.Base(c)
		if !ok || base < last || base+len(c.Text) > len(f.Src) {
			t.Fatalf("chunk %d at %d, %v", i, base, ok)
		}
		if c.Text != string(f.Src[base:base+len(c.Text)]) {
			t.Fatalf("chunk %d is %q, the file has %q", i, c.Text, f.Src[base:base+len(c.Text)])
		}
		last = base + len(c.Text)
		for _, s := range c.Stmts {
			checkNode(t, c, s, Span{0, int32(len(c.Text))}, 0)
		}
		for _, comment := range c.Comments {
			if c.Text[comment.Start:comment.End] != comment.Text || !strings.HasPrefix(comment.Text, "#") {
				t.Fatalf("comment %q at %v", comment.Text, comment.Span)
			}
		}
	}
	for _, comment := range f.Comments() {
		if string(f.Src[comment.Start:comment.End]) != comment.Text || !strings.HasPrefix(comment.Text, "#") {
			t.Fatalf("comment %q at %v", comment.Text, comment.Span)
		}
	}
}

func checkNode(t testing.TB, c *Chunk, n Node, within Span, depth int) {
	t.Helper()
	s := n.Span()
	if s.Start < within.Start || s.End > within.End || s.Start > s.End {
		t.Fatalf("%T %v is not inside %v in %q", n, s, within, c.Text)
	}
	if depth > 3*maxDepth {
		t.Fatalf("nesting of %d", depth)
	}
	switch n := n.(type) {
	case *FuncDef:
		if n.Scope == nil {
			t.Fatalf("no scope of %s", n.Name)
		}
		checkSpans(t, c, n.NameSpan, n.DefSpan, n.ParamsSpan)
	case *ClassDef:
		if n.Scope == nil {
			t.Fatalf("no scope of %s", n.Name)
		}
		checkSpans(t, c, n.NameSpan)
	case *Lambda:
		if n.Locals == nil {
			t.Fatal("no locals of a lambda")
		}
	case *Attr:
		checkSpans(t, c, n.NameSpan)
	case *Call:
		checkSpans(t, c, n.ArgsSpan)
	case *Index:
		checkSpans(t, c, n.ItemsSpan)
	}
	for _, child := range children(n) {
		if child == nil {
			t.Fatalf("%T has a nil child", n)
		}
		checkNode(t, c, child, s, depth+1)
	}
}

func checkSpans(t testing.TB, c *Chunk, spans ...Span) {
	t.Helper()
	for _, s := range spans {
		if s.Start < 0 || s.Start > s.End || int(s.End) > len(c.Text) {
			t.Fatalf("span %v in a chunk of %d bytes", s, len(c.Text))
		}
	}
}
