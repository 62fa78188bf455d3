package parse

import (
	"strings"
	"testing"
)

// TestHalfTyped puts a half-typed line between two good ones: whatever it is, they and the next function are read.
func TestHalfTyped(t *testing.T) {
	tests := []struct{ line, want string }{
		{"x = pltpu.", "(?stmt (= x (. pltpu)))"},
		{"y = pltpu.(x)", "(?stmt (= y (call (. pltpu) x)))"},
		{"foo(a, ", "(?stmt (call foo a))"},
		{"foo(a, b", "(?stmt (call foo a b))"},
		{"foo(k=", "(?stmt (call foo k=(?)))"},
		{"foo(a, k=)", "(?stmt (call foo a k=(?)))"},
		{"foo(k=1, *", "(?stmt (call foo k=1 *(?)))"},
		{"foo(a)(", "(?stmt (call (call foo a)))"},
		{"y = f(a, b.)", "(?stmt (= y (call f a (. b))))"},
		{"x[", "(?stmt (index x (?)))"},
		{"x[0, ", "(?stmt (index, x 0))"},
		{"x[0:", "(?stmt (index x (: 0 _ _)))"},
		{"x[0, i + ] = 3", "(?stmt (= (index, x 0 (+ i (?))) 3))"},
		{"x = [1, 2", "(?stmt (= x (list 1 2)))"},
		{"x = {1: ", "(?stmt (= x (dict 1:(?))))"},
		{"y = {1: , 2: 3}", "(?stmt (= y (dict 1:(?) 2:3)))"},
		{"x = ", "(?stmt (= x (?)))"},
		{"x: ", "(?stmt (ann x (?)))"},
		{"y = x +", "(?stmt (= y (+ x (?))))"},
		{"y = lambda x:", "(?stmt (= y (lambda [x] (?))))"},
		{"y = (a if b", "(?stmt (= y (ifexp b a (?))))"},
		{"x = a if b", "(?stmt (= x (ifexp b a (?))))"},
		{"x = await", "(?stmt (= x (await (?))))"},
		{"not", "(?stmt (not (?)))"},
		{"return (", "(?stmt (return (tuple())))"},
		{"del", "(?stmt (del (?)))"},
		{"assert", "(?stmt (assert (?)))"},
		{"global", "(?stmt (global))"},
		{"import", "(?stmt (import))"},
		{"import a.", "(?stmt (import a))"},
		{"from x", "(?stmt (from x))"},
		{"from x import", "(?stmt (from x))"},
		{"if x", "(?stmt (if x))"},
		{"if x ==:", "(?stmt (if (cmp x == (?))))"},
		{"if x:", "(?stmt (if x))"},
		{"while", "(?stmt (while (?)))"},
		{"for i in", "(?stmt (for i (?)))"},
		{"for i in range(3", "(?stmt (for i (call range 3)))"},
		{"for i", "(?stmt (for i (?)))"},
		{"with a as", "(?stmt (with (a as:(?))))"},
		{"try:", "(?stmt)"},
		{"else:", "(?stmt)"},
		{"elif y:", "(?stmt y)"},
		{"def", "(?stmt (def []))"},
		{"def h", "(?stmt (def h []))"},
		{"def h(a, b", "(?stmt (def h [a, b]))"},
		{"def h(a):", "(?stmt (def h [a]))"},
		{"class", "(?stmt (class []))"},
		{"@pl.when(i ==", "(?stmt (call (. pl when) (cmp i == (?))))"},
		{"@pl.when(i == 0)", "(?stmt (call (. pl when) (cmp i == 0)))"},
		{"x = 'abc", "(?stmt (= x (?)))"},
		{"x = f'{a.b", "(?stmt (= x (? (. a b))))"},
		{"a b c", "(?stmt (?stmt a b) c)"},
		{"x = f(a b)", "(?stmt (= x (call f a (? b))))"},
		{"x = )", "(?stmt x)"},
		{"]", "(?stmt)"},
		{"$", "(?stmt (?stmt))"},
		{"print x", "(?stmt x)"},
		{"  over = 1", "(= over 1)"},
		{"whle a:\n    over = 1", "(?stmt whle a (= over 1))"},
	}
	const around = "def f(x_ref):\n  a = 1\n  LINE\n  b = g(2)\n  return b\n\n@jit\ndef g():\n  return 3\n"
	for _, test := range tests {
		f := Parse("a.py", []byte(strings.Replace(around, "LINE", test.line, 1)))
		want := "(def f [x_ref] (= a 1) " + test.want + " (= b (call g 2)) (return b)) (def g [] @jit (return 3))"
		if got := sexpr(allStmts(f)); got != want {
			t.Errorf("%s\n got %s\nwant %s", test.line, got, want)
		}
		checkTree(t, f)
	}
}

func TestBroken(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // one for each chunk
	}{
		{"parameters", "def f(a, b\n  x = 1\n  y = 2\n\ndef g(): pass\n",
			[]string{"(?stmt (def f [a, b] (= x 1) (= y 2)))", "(def g [] pass)"}},
		{"parameters on two lines", "def f(a,\n      b\n  x = 1\n\ndef g(): pass\n",
			[]string{"(?stmt (def f [a, b] (= x 1)))", "(def g [] pass)"}},
		{"parameters with a colon", "async def f(a:\n  await x\n", []string{"(?stmt (async def f [a:(?)] (await x)))"}},
		{"no colon", "if x\n  y = 1\nelse:\n  z = 2\nw = 3\n", []string{"(?stmt (if x (then (= y 1))) (= z 2))", "(= w 3)"}},
		{"elif", "if x:\n  y = 1\nelif \n  z = 2\nw = 3\n", []string{"(?stmt (if x (then (= y 1))) elif (= z 2))", "(= w 3)"}},
		{"nested", "def f():\n  if x:\n    a = \n    b = 2\n  else:\n    c = (\n    d = 3\n  return\n",
			[]string{"(def f [] (if x (then (?stmt (= a (?))) (= b 2)) (else (?stmt (= c (tuple()))) (= d 3))) (return))"}},
		{"triple quote", "def f():\n  \"\"\"doc\n  x = 1\n\ndef g():\n  \"\"\"doc\"\"\"\n  return 1\n\ndef h():\n  '''a'''\n",
			[]string{"(def f [] (?stmt (?)))", `(def g [] "doc" (return 1))`, `(def h [] "a")`}},
		{"triple quote in a method", "class A:\n  def f(self):\n    \"\"\"doc\n    x = 1\n\n  @d\n  def g(self):\n    '''doc'''\n    return 1\n",
			[]string{`(class A [] (def f [self] (?stmt (?))) (def g [self] @d "doc" (return 1)))`}},
		{"bracket before assignments", "x = foo(\nBLOCK = 128\ny = 3\n", []string{"(?stmt (= x (call foo)))", "(= BLOCK 128)", "(= y 3)"}},
		{"bracket before a definition", "x = foo(\ndef f(): pass\n", []string{"(?stmt (= x (call foo)))", "(def f [] pass)"}},
		{"bracket in column 0", "x = foo(\na,\nb=1,\n)\ny = 3\n", []string{"(= x (call foo a b=1))", "(= y 3)"}},
		{"method", "class A:\n  def f(self):\n    x = pltpu.\n  def g(self):\n    return 1\n",
			[]string{"(class A [] (def f [self] (?stmt (= x (. pltpu)))) (def g [self] (return 1)))"}},
		{"class header", "class A(B:\n  x = 1\n  def f(self): pass\n", []string{"(?stmt (class A [B] (= x 1) (def f [self] pass)))"}},
		{"case", "match x:\n  case 1:\n    a = \n    b = 2\n  case 2:\n    c = 3\n",
			[]string{"(match x (case 1 (do (?stmt (= a (?))) (= b 2))) (case 2 (do (= c 3))))"}},
		{"decorator", "@foo(\ndef f(): pass\ndef g(): pass\n", []string{"(?stmt (call foo) (def f [] pass))", "(def g [] pass)"}},
		{"decorator alone", "@foo\nx = 1\n", []string{"(?stmt foo)", "(= x 1)"}},
		{"nested decorator", "def f(x):\n  @pl.when(i == )\n  def _():\n    a = 1\n    b = 2\n  return a\n",
			[]string{"(def f [x] (?stmt (def _ [] @(call (. pl when) (cmp i == (?))) (= a 1) (= b 2))) (return a))"}},
		{"try", "try:\n  x = \nexcept E as e:\n  y = 1\nfinally:\n  z = 2\n",
			[]string{"(try (do (?stmt (= x (?)))) (except E e (do (= y 1))) (finally (= z 2)))"}},
		{"with", "with a as b, \n  x = 1\ny = 2\n", []string{"(?stmt (with (a as:b) (do (= x 1))))", "(= y 2)"}},
		{"one line", "def f(): return (\ndef g(): return 1\n", []string{"(?stmt (def f [] (return (tuple()))))", "(def g [] (return 1))"}},
		{"over-indented", "x = 1\n  y = 2\nz = 3\n", []string{"(= x 1) (= y 2)", "(= z 3)"}},
		{"under-indented", "    a = 1\n  b = 2\ny = 3\n", []string{"(= a 1) (= b 2)", "(= y 3)"}},
		{"tabs and spaces", "def f():\n\treturn 1\n        x = 2\n", []string{"(def f [] (return 1) (= x 2))"}},
		{"backslash alone", "y = 1\n\\\n\n  x = )\n  z = 2\n", []string{"(= y 1)", "(?stmt x) (= z 2)"}},
		{"no body", "def f():\nx = 1\n", []string{"(?stmt (def f []))", "(= x 1)"}},
		{"call before a line of equal indentation", "def f(x):\n  foo(a,\n      b,\n  y = 2\n  z = 3\n",
			[]string{"(def f [x] (?stmt (call foo a b)) (= y 2) (= z 3))"}},
		{"conflict markers", "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\ndef f(): pass\n",
			[]string{"(?stmt (?stmt) HEAD)", "(= x 1)", "(?stmt)", "(= x 2)", "(?stmt (?stmt) other)", "(def f [] pass)"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := Parse("a.py", []byte(test.src))
			var got []string
			for _, c := range f.Chunks {
				got = append(got, sexpr(c.Stmts))
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("%s\n got %s\nwant %s", test.src, strings.Join(got, "\n     "), strings.Join(test.want, "\n     "))
			}
			checkTree(t, f)
		})
	}
}

// TestNoRecoveryNeeded checks that the line-by-line reading gives the same tree as the parser for text without errors.
func TestNoRecoveryNeeded(t *testing.T) {
	for _, src := range samples {
		f := Parse("a.py", []byte(src))
		for _, c := range f.Chunks {
			if c.Broken {
				t.Fatalf("broken: %s", c.Text)
			}
			p := getParser()
			r := newRescuer(p, c.Text, c.Text, nil)
			got := sexpr(r.block(r.lines(), false))
			if want := sexpr(c.Stmts); got != want {
				t.Errorf("%s\n got %s\nwant %s", c.Text, got, want)
			}
			if len(r.comments) != len(c.Comments) {
				t.Errorf("%s\n%d comments, want %d", c.Text, len(r.comments), len(c.Comments))
			}
			p.put()
		}
	}
}
