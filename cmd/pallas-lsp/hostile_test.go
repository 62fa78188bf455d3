//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostile is a text made to hurt.
type hostile struct{ name, text string }

// preface is what every kernel needs.
const preface = `import functools, itertools, math
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

`

// call runs a kernel of one operand.
const call = `

def run(x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), grid=(4,))(x)
`

var rep = strings.Repeat

// body makes a kernel of lines, each indented once.
func body(lines string) string {
	return preface + "def kernel(x_ref, o_ref):\n    " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n    ") +
		"\n    o_ref[...] = x_ref[...]\n" + call
}

// host makes a module that runs lines before a kernel is called, with v among its shapes.
func host(lines string) string {
	return preface + lines + "\n\ndef kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n\n" +
		"def run(x):\n    return pl.pallas_call(kernel, grid=(v,), in_specs=[pl.BlockSpec((v, 128), lambda i: (i, 0))],\n" +
		"        out_specs=pl.BlockSpec(v, lambda i: (i, 0)), out_shape=jax.ShapeDtypeStruct((8, v), jnp.float32), scratch_shapes=[v])(x)\n"
}

// lines makes n lines of a format that takes the number of the line, any number of times.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("%i", fmt.Sprint(i), "%j", fmt.Sprint(i+1)).Replace(format))
		b.WriteByte('\n')
	}
	return b.String()
}

// nested makes n lines, each deeper than the one before.
func nested(n int, line, last string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(rep(" ", i) + strings.ReplaceAll(line, "%i", fmt.Sprint(i)) + "\n")
	}
	return b.String() + rep(" ", n) + last + "\n"
}

// both puts a statement that sets v into a kernel and before its call.
func both(name, text string) []hostile {
	return []hostile{{name + " in a kernel", body(text + "\nx_ref[v]\nx_ref[pl.ds(0, v)] = v")}, {name + " around a call", host(text)}}
}

func hostileTexts() []hostile {
	out := []hostile{
		{"nested functions", preface + nested(800, "def f%i(x_ref, o_ref):", "o_ref[...] = x_ref[...]") + call},
		{"nested functions that are called", preface + nested(90, "def kernel(x_ref=1, o_ref=2):", "o_ref[...] = x_ref[...]") + call},
		{"nested classes", preface + nested(400, "class C%i:", "pass") + call},
		{"nested kernels", preface + "def kernel(x_ref, o_ref):\n" + nested(90, " @pl.when(x_ref[%i] == 0)\n"+rep(" ", 0)+" def _():", "  o_ref[...] = x_ref[...]") + call},
		{"many kernels", preface + lines(20_000, "def k%i(x_ref, o_ref):\n    o_ref[...] = x_ref[...] + 1\ndef f%i(x):\n    return pl.pallas_call(k%i, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x)")},
		{"many kernels with mistakes", preface + lines(20_000, "def k%i(x_ref, o_ref):\n    o_ref[9] = x_ref[...]\ndef f%i(x):\n    return pl.pallas_call(k%i, out_shape=jax.ShapeDtypeStruct((8,), 'f8'), in_specs=[1, 2])(x)")},
		{"many calls of one kernel", preface + "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n" + lines(20_000, "y%i = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(1)")},
		{"many functions that call the next", preface + lines(5_000, "def f%i(x):\n    return f%j(x)") + "def f5000(x):\n    return x\n" + call},
		{"mutual recursion", preface + "def a(r):\n    return b(r) + c(r)\ndef b(r):\n    return a(r) + c(r)\ndef c(r):\n    return a(r) + b(r)\n\ndef kernel(x_ref, o_ref):\n    o_ref[...] = a(x_ref)\n" + call},
		{"inlined calls", preface + "def f0(r):\n    return r[...]\n" + lines(60, "def f%j(r):\n    return f%i(r) + f%i(r) + f%i(r)") + "\ndef kernel(x_ref, o_ref):\n    o_ref[...] = f60(x_ref)\n" + call},
		{"inlined lambdas", preface + "f0 = lambda r: r[...]\n" + lines(60, "f%j = lambda r: f%i(r) + f%i(r) + f%i(r)") + "\ndef kernel(x_ref, o_ref):\n    o_ref[...] = f60(x_ref)\n" + call},
		{"inlined calls in many kernels", preface + "def f0(r):\n    return r[...]\n" + lines(60, "def f%j(r):\n    return f%i(r) + f%i(r) + f%i(r)") + lines(400, "def k%i(x_ref, o_ref):\n    o_ref[...] = f60(x_ref) + %i\ndef run%i(x):\n    return pl.pallas_call(k%i, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x)")},
		{"joined branches", preface + "def kernel(x_ref, o_ref):\n    v = 0\n" + lines(400, "    if x_ref[%i] > 0:\n        v = v + %i\n    else:\n        v = (v, %i)") + "    o_ref[...] = v\n" + call},
		{"joined branches of refs", preface + "def kernel(x_ref, o_ref):\n    r = x_ref\n" + lines(400, "    if c%i:\n        r = o_ref if d%i else r\n        r[...] = 1\n    else:\n        r = r.at[%i]") + "    r[...] = 0\n" + call},
		{"joined returns", preface + "def kernel(x_ref, o_ref):\n" + lines(400, "    if c%i:\n        o_ref[%i] = 1\n        return") + call},
		{"branches around a call", preface + "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n\ndef run(x, a):\n    n = 8\n" + lines(400, "    if a == %i:\n        n = n * 2 + %i") + "    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((n, 128), jnp.float32), grid=(n,))(x)\n"},
		{"branches of one else", preface + "def kernel(x_ref, o_ref):\n    if a: v = 0\n" + lines(400, "    elif x_ref[%i]: v = %i") + "    o_ref[...] = v\n" + call},
		{"cases", preface + "def kernel(x_ref, o_ref):\n    match x_ref[0]:\n" + lines(400, "        case (%i, [*y, {'a': z}]) | %i:\n            v = %i") + "    o_ref[...] = v\n" + call},
		{"conditional expressions", body("v = " + rep("1 if x_ref[0] else ", 400) + "2\no_ref[...] = v")},
		{"a kernel that runs itself", preface + "def kernel(x_ref, o_ref):\n    f = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))\n    return f\n" + call},
		{"a pipeline that runs itself", body("def inner(a, b):\n    pltpu.emit_pipeline(inner, grid=(2,), in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0))])(a)\n    pl.run_scoped(inner, pltpu.VMEM((8,), jnp.float32), pltpu.VMEM((8,), jnp.float32))\ninner(x_ref, o_ref)")},
		{"a class of itself", body("class A(A): pass\nclass B(A, A): pass\nv = B().x")},
		{"diamonds", preface + "class A0: pass\n" + lines(60, "class B%j(A%i): pass\nclass C%j(A%i): pass\nclass A%j(B%j, C%j): pass") + "\ndef kernel(x_ref, o_ref):\n    A60().nothing(A60().none)\n    o_ref[...] = A60.x\n" + call},
		{"a long line", preface + "v = " + rep("a + ", 1_500_000) + "a\n" + call},
		{"a long line in a kernel", body("v = " + rep("a + ", 1_500_000) + "a")},
		{"a long list", preface + "v = [" + rep("0, ", 2_000_000) + "0]\n" + call},
		{"a long string", preface + "v = '" + rep("a", 6_000_000) + "'\n" + call},
		{"a long comment", preface + "#" + rep(" pallas: ignore[a,", 300_000) + "\n" + call},
		{"many comments of ours", preface + call + lines(100_000, "# pallas: ignore[none-%i]")},
		{"many comments of ours in a kernel", body(lines(20_000, "x_ref[%i]  # pallas: ignore[none-%i, b]"))},
		{"many arguments", body("def g(" + rep("a, ", 20_000) + "*b): return a\nv = g(" + rep("1, ", 100_000) + ")")},
		{"many decorators", preface + rep("@functools.partial(f, 1)\n", 20_000) + "def kernel(x_ref, o_ref): pass\n" + call},
		{"many operands", preface + "def kernel(*refs):\n    for r in refs: r[...] = 0\n\npl.pallas_call(kernel, in_specs=[" + rep("pl.BlockSpec((8, 128), lambda i: (i, 0)), ", 20_000) + "], out_shape=1, grid=(2,))(" + rep("1, ", 20_000) + ")\n"},
		{"NUL bytes", preface + rep("\x00", 1_000_000) + call},
		{"NUL bytes in a kernel", body("v = x_ref\x00[...]\x00\n\x00\n\x00v")},
		{"invalid UTF-8", preface + rep("\xff\xfe\xed\xa0\x80", 100_000) + call + "# \xf0\x28\x8c\x28 pallas: ignore[\xff]\n"},
		{"invalid UTF-8 in a kernel", body("v\xff = '\xed\xa0\x80' + x_ref[\xc0\xaf]\nx_ref[9] # \xff")},
		{"CRLF", strings.ReplaceAll(body("v = x_ref[...]"), "\n", "\r\n")},
		{"CR", strings.ReplaceAll(body("v = x_ref[...]"), "\n", "\r")},
		{"line ends mixed", strings.ReplaceAll(body("v = x_ref[...]\r\n\r\r\n\n\r"), "\n    ", "\r    ")},
		{"a byte order mark", "\ufeff" + body("v = x_ref[...]")},
		{"byte order marks", rep("\ufeff", 1000) + body("\ufeffv = x_ref[...]\ufeff")},
		{"a form feed", "\f" + body("\fv = x_ref[...]")},
		{"many cases", preface + "def kernel(x_ref, o_ref):\n    match x_ref[0]:\n" + lines(25_000, "        case %i:\n            v = %i") + "    o_ref[...] = v\n" + call},
		{"many specs of a dict", preface + "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\nspecs = {" + rep("**{'a': pl.BlockSpec((8, 128), lambda i: (i, 0))}, ", 20_000) + "}\npl.pallas_call(kernel, in_specs=[specs['a']] * 20_000, out_shape=1)(1)\n"},
		{"a grid of many axes", preface + "def kernel(*refs): pass\nf = pl.pallas_call(kernel, grid=(10 ** 9,) * 200, in_specs=[pl.BlockSpec((8,) * 200, lambda *a: a)] * 200, out_shape=[jax.ShapeDtypeStruct((8,) * 200, jnp.float32)] * 200)(*[jnp.zeros((8,) * 200)] * 200)\n"},
		{"kernels in kernels", preface + "def k0(x_ref, o_ref): o_ref[...] = x_ref[...]\n" + lines(60, "def k%j(x_ref, o_ref):\n    pl.pallas_call(k%i, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x_ref[...])\n    pl.pallas_call(k%i, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x_ref[...])") + "kernel = k60\n" + call},
		{"many short lines", preface + lines(200_000, "a%i = %i") + call},
		{"headers that are never closed", preface + call + rep("def f(\n", 20_000)},
		{"what Python refuses", body(rep("1 = x\nf(a=1, 2)\nlambda *: 0\n", 10_000))},
		{"what Python refuses outside of functions", preface + call + rep("return 1\n1 = x\nf(a=1, 2)\n", 10_000)},
		{"nothing but pallas", "pallas"},
	}
	for _, x := range []hostile{
		{"nested parentheses", "v = " + rep("(", 60_000) + "1" + rep(")", 60_000)},
		{"open parentheses", "v = " + rep("(", 60_000)},
		{"nested lists", "v = " + rep("[", 60_000) + "1" + rep("]", 60_000)},
		{"nested tuples", "v = " + rep("(", 5_000) + "1" + rep(",)", 5_000)},
		{"nested subscripts", "v = x" + rep("[0", 20_000) + rep("]", 20_000)},
		{"subscripts", "v = x" + rep("[0]", 50_000)},
		{"nested calls", "v = " + rep("f(", 20_000) + rep(")", 20_000)},
		{"calls", "v = f" + rep("()", 50_000)},
		{"attributes", "v = x" + rep(".at", 50_000)},
		{"lambdas", "v = " + rep("lambda: ", 20_000) + "0"},
		{"called lambdas", "v = " + rep("(lambda x: ", 3_000) + "x" + rep(")(1)", 3_000)},
		{"unary operators", "v = " + rep("-", 50_000) + "1"},
		{"negations", "v = " + rep("not ", 50_000) + "1"},
		{"sums", "v = " + rep("1 + ", 50_000) + "1"},
		{"products", "v = " + rep("2 * ", 50_000) + "1"},
		{"powers", "v = " + rep("2 ** ", 20_000) + "2"},
		{"comparisons", "v = " + rep("1 < ", 50_000) + "2"},
		{"conjunctions", "v = " + rep("a and ", 50_000) + "b"},
		{"targets", rep("v = ", 50_000) + "1"},
		{"strings", "v = " + rep("'a' ", 100_000)},
		{"f-strings", "v = " + rep("f'{", 2_000) + rep("}'", 2_000)},
		{"slices", "v = x[" + rep("1:2:3, ", 50_000) + "]"},
		{"a huge power", "v = 10 ** 10 ** 10\nv = -10 ** 10 ** 10 % 7 + v"},
		{"a tower", "v = 9 ** 9 ** 9 ** 9 ** 9"},
		{"huge shifts", "v = 1 << 10 ** 10\nv = (1 << 2 ** 62) >> 2 ** 61"},
		{"squares", "v = 3\n" + lines(64, "v = v * v + %i") + "v = v ** v"},
		{"a huge integer", "v = " + rep("9", 1_000_000)},
		{"an integer of a string", "v = int('9' * 10 ** 7) + int('f' * 10 ** 12, 16)"},
		{"a huge float", "v = int(1e400 * 0) + int(1e308 * 10) + int(float('nan')) + int(10.0 ** 300)"},
		{"division by zero", "v = 1 // 0 + 1 % 0 + divmod(1, 0)[0] + 1 / 0 + pl.cdiv(1, 0) + math.log2(0) + -2 ** 63 // -1"},
		{"a huge list", "v = [0] * 10 ** 12\nw = v + v\nv = len(w) + len(v)"},
		{"a huge list negative", "v = [0] * -10 ** 12 + [0] * (2 ** 63 - 1) * 4"},
		{"a huge tuple", "v = (0,) * 10 ** 12"},
		{"a huge string", "v = 'a' * 10 ** 12 + 'b' * (2 ** 62) * 4"},
		{"huge bytes", "v = bytes(10 ** 12) + bytearray(10 ** 12) + b'a' * 10 ** 12"},
		{"huge formats", "v = f'{1:1000000000}' + '%1000000000d' % 1 + '{:>1000000000}'.format(1) + 'a'.ljust(10 ** 12) + 'a'.zfill(10 ** 12)"},
		{"huge ranges", "v = sum(range(10 ** 18)) + len(list(range(10 ** 12))) + max(range(10 ** 12)) + sorted(range(10 ** 12))[0] + len(tuple(reversed(range(10 ** 12))))"},
		{"huge enumerations", "v = list(zip(range(10 ** 12), enumerate(range(10 ** 12)), map(f, range(10 ** 12)), filter(f, range(10 ** 12))))"},
		{"huge products", "v = list(itertools.product(range(10 ** 3), repeat=1000)) + list(itertools.permutations(range(10 ** 3)))"},
		{"endless iterators", "v = list(itertools.count()) + list(itertools.cycle([1])) + list(itertools.repeat(1))"},
		{"mathematics", "v = math.factorial(10 ** 9) + math.comb(10 ** 9, 10 ** 8) + math.prod(range(1, 10 ** 9)) + pow(3, 10 ** 12, 7) + math.gcd(10 ** 10 ** 8, 3)"},
		{"huge arrays", "v = jnp.zeros((10 ** 12,) * 9)\nv = v + jnp.arange(10 ** 18)\nv = np.ones(10 ** 12).reshape(-1)\nv = jnp.broadcast_to(v, (10 ** 12, 10 ** 12))"},
		{"arrays of many dimensions", "v = jnp.zeros((1,) * 100_000)\nv = v.reshape((1,) * 100_000).transpose()\nv = v[None, ..., None] + v.T"},
		{"doubled lists", "v = [1]\n" + lines(64, "v = v + v")},
		{"doubled by itself", "v = [1]\n" + lines(64, "v += v\nv.extend(v)\nv.append(v)")},
		{"shared structure", "v = [1]\n" + lines(60, "v = [v, v]") + "v = v == [v, v]"},
		{"shared structure under conditions", "v = [1]\n" + lines(60, "if c%i:\n    v = [v, v]\nelse:\n    v = (v, v)") + "print(v)"},
		{"shared structure of dicts", "v = {}\n" + lines(60, "v = {'a': v, 'b': v, **v}") + "v = v | v"},
		{"shared structure flattened", "v = (1, 2)\n" + lines(60, "v = (*v, *v)") + "v = sum(v)"},
		{"shared shapes", "v = 1\n" + lines(60, "v = n%i * v + v * m%i")},
		{"polynomials", "v = n\n" + lines(40, "v = (v + a%i) * (v + b%i) // (v - c%i)")},
		{"shared specs", "v = pl.BlockSpec((8, 128), lambda i: (i, 0))\n" + lines(40, "v = [v, v]")},
		{"shared text", "v = 'ab'\n" + lines(64, "v = v + v\nv = f'{v}{v}'")},
		{"a list that holds itself", "v = []\nv.append(v)\nw = {}\nw['w'] = w\nv = [v, w, v == v, w == w, len(v), str(v)]"},
		{"nested loops", nested(20, "for i%i in range(64):", "v = i0")},
		{"nested loops of unknown length", nested(20, "for i%i in range(n%i):", "v = i0")},
		{"nested loops of while", nested(20, "while c%i:", "v = 1")},
		{"endless loops", "v = 0\nwhile True:\n    v = v + 1\n    while v: v = v * 2"},
		{"nested comprehensions", "v = " + rep("[", 20) + "1" + rep(" for a in range(64)]", 20)},
		{"long comprehensions", "v = [1" + rep(" for a in range(64)", 20) + "]"},
		{"nested withs", nested(90, "with f(%i) as v:", "pass")},
		{"nested tries", nested(90, "try:", "v = 1")},
		{"recursion", "def f(*a, **k):\n    return f(f, *a, *a, k=k, **k)\nv = f(1)"},
		{"recursion of closures", "def f(g): return lambda h: f(lambda: g(h)(g))\nv = f(f)(f)()"},
		{"the Y combinator", "v = (lambda f: (lambda x: f(lambda y: x(x)(y)))(lambda x: f(lambda y: x(x)(y))))(lambda s: lambda n: s(n))(1)"},
		{"generators", "def g(n):\n    yield n\n    yield from g(n + 1)\n    yield from g(n + 2)\nv = list(g(0))"},
		{"partials", "v = f\n" + lines(2_000, "v = functools.partial(v, %i)") + "v = v()"},
		{"wrapped", "v = lambda x: x\n" + lines(500, "v = jax.jit(jax.vmap(v))") + "v = v(1)"},
		{"folds", "v = functools.reduce(lambda a, b: a + b, [[0] * 4000] * 4000)"},
		{"jax loops", "def f(i, c): return lax.fori_loop(0, 64, f, c)\nv = lax.fori_loop(0, 10 ** 9, f, 0, unroll=10 ** 9)"},
		{"jax trees", "v = [1]\n" + lines(60, "v = [v, v]") + "v = jax.tree.map(lambda x: x, v)\nv = jax.tree.leaves(v)"},
		{"calls through a name of itself", "class A:\n    def __call__(self): return self()\n    def __getattr__(self, n): return getattr(self, n + n)\n    @property\n    def p(self): return self.p + self.p\nv = A()().q + A().p"},
		{"many names", lines(20_000, "v%i = %i") + "v = 1"},
		{"globals", "global v\nv = 1\ndel v\nnonlocal v"},
		{"deletions", "v = [1, 2]\ndel v[0], v, v.x, v[10 ** 30]"},
		{"indices", "v = [1, 2][10 ** 30] + (1, 2)[-2 ** 63] + 'ab'[2 ** 63 - 1] + [1, 2][::-2 ** 63] + [1][:: 0]"},
		{"stars", "*v, w = 1, 2\n*a, *b = c\nv = [*v, *[*v]] if v else {**v}\n(v, (w, *v)) = v = w, (v, *w)"},
		{"star imports", lines(5_000, "from m%i import *\nimport m%i.x as y%i") + "v = y1"},
		{"methods of themselves", "class A:\n    def __getattr__(self, n): return getattr(self, n + 'x')\n    def __getitem__(self, i): return self[i + 1] + self[i + 2]\n    def __call__(self, *a): return self(*a, *a)(*a)\n" +
			"    def __iter__(self): return iter(self)\n    def __eq__(self, o): return o == self and self == o\n    def __add__(self, o): return o + self\na = A()\nv = [a.x, a[0], a(1), list(a), a == a, a + a, [*a]]"},
		{"metaclasses", "class M(type):\n    def __new__(m, n, b, d): return type(n, (M('X', b, d),), d)\n    def __call__(c, *a): return c(*a, c)\nclass A(metaclass=M): x = 1\nclass B(A, metaclass=lambda *a: B(*a)): pass\nv = A(1).x + B.y"},
		{"subclasses that make subclasses", "class A:\n    def __init_subclass__(cls, **k):\n        class B(cls): pass\nclass C(A): pass\nv = C"},
		{"records of themselves", "import dataclasses\n@dataclasses.dataclass\nclass D:\n    a: 'D' = dataclasses.field(default_factory=lambda: D())\n    def __post_init__(self): self.b = dataclasses.replace(self, a=D())\nv = D().a.b.a"},
		{"decorators of themselves", "def d(f):\n    @d\n    def g(*a): return f(*a)\n    return g\n@d\ndef h(): return 1\nv = h()"},
		{"text that would be run", "exec('v = ' * 10 ** 9)\nv = eval('(' * 10 ** 9)\ncompile('x' * 10 ** 12, 'a', 'exec')"},
		{"products of loops", "v = [(a, b, c, d) for a in range(10 ** 4) for b in range(a) for c in range(b) for d in range(c)]\nv = {a: {b: {c: 1 for c in range(100)} for b in range(100)} for a in range(100)}"},
		{"walrus", "v = (v := (v := v)) + [v := i for i in (v := [1])]"},
	} {
		out = append(out, both(x.name, x.text)...)
	}
	return out
}

var everything = flag.Bool("hostile", false, "try all hostile texts, which takes minutes")

// always are the texts that every run of the tests tries, with every command.
var always = map[string]bool{"nested parentheses in a kernel": true, "nested functions": true, "a long line": true, "many kernels with mistakes": true,
	"mutual recursion": true, "inlined calls": true, "inlined calls in many kernels": true, "joined branches": true, "diamonds": true, "lambdas around a call": true,
	"a huge power around a call": true, "a huge list around a call": true, "NUL bytes": true, "invalid UTF-8": true, "CRLF": true,
	"a byte order mark": true, "a list that holds itself around a call": true, "shared specs around a call": true,
	"a kernel that runs itself": true, "many arguments": true, "a pipeline that runs itself": true}

// TestHostileTexts checks files made to hurt: each is done with within its bounds.
func TestHostileTexts(t *testing.T) {
	dir := t.TempDir()
	for i, h := range hostileTexts() {
		if !*everything && !always[h.name] {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			name := fmt.Sprintf("h%d.py", i)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(h.text), 0o644); err != nil {
				t.Fatal(err)
			}
			commands := []string{"check --output-format concise", "inspect --json", "fix --diff"}
			if raceFactor > 1 { // what runs at the same time is the same in all of them
				commands = commands[:1]
			}
			for _, command := range commands {
				o := runProcess(t, dir, append(strings.Fields(command), name)...)
				o.bounded(t, command)
				if testing.Verbose() {
					t.Logf("%-30s %v %d MiB exit %d, %d bytes out", command, o.cpu, o.peak>>20, o.code, len(o.stdout))
				}
			}
		})
	}
}

// everyOther makes n modules, each of which takes all names of each.
func everyOther(n int) []string {
	var stars strings.Builder
	for i := range n {
		fmt.Fprintf(&stars, "from m%d import *\n", i)
	}
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("m%d.py", i), stars.String()+fmt.Sprintf("N%d = N%d + M\n", i, (i+1)%n))
	}
	return append(out, "a.py", stars.String()+host("v = N0 + M"))
}

// TestHostileFolders checks files that import each other: in circles, all names of all, themselves, beyond the top.
func TestHostileFolders(t *testing.T) {
	for name, files := range map[string][]string{
		"a circle of stars":   {"a.py", "from b import *\n" + host("v = N"), "b.py", "from c import *\nfrom a import v\nN = N\n", "c.py", "from a import *\nfrom b import *\nN = v\n"},
		"stars of itself":     {"a.py", "from a import *\nimport a\n" + host("v = a.a.a.v")},
		"stars of all":        everyOther(60),
		"a package of itself": {"p/__init__.py", "from . import *\nfrom .p import *\nfrom p import p\n", "p/p.py", "from . import p\nfrom .. import p\nfrom ... import *\n" + host("v = p.p.p")},
		"beyond the top":      {"a.py", "from " + rep(".", 5000) + " import *\nfrom " + rep(".", 5000) + "x" + rep(".x", 5000) + " import v\n" + host("v = v")},
		"a kernel elsewhere":  {"a.py", "from b import kernel, v\n" + call, "b.py", "from a import run, kernel\n" + host("v = run(1)") + "run(2)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newTool(t, files...)
			for _, command := range []string{"check --output-format concise", "inspect --json", "fix --diff"} {
				runProcess(t, x.dir, append(strings.Fields(command), ".")...).bounded(t, command)
			}
		})
	}
}
