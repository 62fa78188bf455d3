package parse

import "testing"

// TestRefuse: what Python refuses to compile is broken, whether the grammar takes it or not; what Python compiles is not. CPython 3.13 says
// of each of these texts what is expected here.
func TestRefuse(t *testing.T) {
	refused := []string{
		"def f(a=1, b): pass",
		"def f(a, *): pass",
		"def f(a, a): pass",
		"lambda *: 0",
		"lambda a, a: 0",
		"lambda a=1, b: 0",
		"f(a=1, 2)",
		"f(**d, 2)",
		"f(**d, *e)",
		"f(a=1, a=2)",
		"1 = x",
		"f() = x",
		"x + 1 = 2",
		"None = 1",
		"True = x",
		"(x, 1) = y",
		"[f()] = y",
		"f() += 1",
		"(x, y) += 1",
		"for 1 in x: pass",
		"with a as 1: pass",
		"del f()",
		"del 1",
		"return 1",
		"yield 1",
		"class A:\n    return 1",
		"break",
		"continue",
		"def f():\n    break",
		"for x in y:\n    def g():\n        continue",
		"def f():\n    await g()",
		"def f():\n    async with a: pass",
		"(x := 1) = 2",
		"[i for 1 in x]",
		"def f(*, **k): pass",
		"import a.b as c.d",
		"if x:",
		"def f():",
		"class A:",
		"\"a\" = 1",
		"x = yield = 1",
		"(a, b): int = 1",
		"*a = b",
	}
	accepted := []string{
		"def f(a, b=1): pass",
		"def f(a, *, b): pass",
		"def f(a, /, b, *c, d=1, **e): pass",
		"def f(*, a=1, b): pass",
		"lambda *a, **k: 0",
		"f(1, a=2)",
		"f(*a, 1)",
		"f(a=1, *b)",
		"f(a=1, **d)",
		"f(**d, a=1)",
		"x, y = y, x",
		"x[0] = 1",
		"x.a = 1",
		"(x) = 1",
		"[x, *y] = z",
		"x = y = z",
		"*a, b = c",
		"x += 1",
		"x[0] += 1",
		"for x.a in y: pass",
		"for x, in y: pass",
		"with a as (b, c): pass",
		"del x[0], y.a, (z, w)",
		"def f():\n    return",
		"def f():\n    yield",
		"async def f():\n    await g()",
		"for x in y:\n    break",
		"for x in y:\n    if x:\n        continue",
		"while x:\n    break\nelse:\n    pass",
		"for x in y: pass\nelse:\n    z",
		"x: int",
		"x.a: int = 1",
		"(x): int = 1",
		"if (y := 1): pass",
		"[i for i in x if (z := i)]",
		"print(x for x in y)",
		"def f(): return (yield)",
		"class A:\n    def f(self): return 1",
		"try:\n    pass\nexcept* E: pass",
		"match x:\n    case [a, *b]: pass",
		"nonlocal_ = 1",
		"async def f():\n    return [x async for x in y]",
		"f(x)(y)[0].z = 1",
		"global_ = 1",
		"class A:\n    x: int = 1",
		"for x in y:\n    try:\n        pass\n    finally:\n        continue",
		"while 1:\n    class A: pass\n    break",
	}
	for _, src := range refused {
		if !anyBroken(src) {
			t.Errorf("taken, and Python refuses it:\n%s", src)
		}
	}
	for _, src := range accepted {
		if anyBroken(src) {
			t.Errorf("refused, and Python takes it:\n%s", src)
		}
	}
}

func anyBroken(src string) bool {
	for _, c := range Parse("a.py", []byte(src+"\n")).Chunks {
		if c.Broken {
			return true
		}
	}
	return false
}
