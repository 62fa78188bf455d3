package infer

import (
	"fmt"
	"strings"
	"testing"

	"pallas-lsp/parse"
)

// TestFileBudget: functions that each take what one may take do not take it as often as there are functions, and what was left out is counted.
// What is kept of the version before does not let more of them through.
func TestFileBudget(t *testing.T) {
	var b strings.Builder
	b.WriteString("import jax\nfrom jax.experimental import pallas as pl\n\ndef f0(r):\n    return r[...]\n")
	for i := range 60 {
		fmt.Fprintf(&b, "def f%d(r):\n    return f%d(r) + f%d(r) + f%d(r)\n", i+1, i, i, i)
	}
	const kernels = 40
	for i := range kernels {
		fmt.Fprintf(&b, "def k%d(x_ref, o_ref):\n    o_ref[...] = f60(x_ref)\ndef run%d(x):\n    return pl.pallas_call(k%d, out_shape=x)(x)\n", i, i, i)
	}
	var reuse Reuse
	f := parse.Parse("a.py", []byte(b.String()))
	first := reuse.Analyze(f, Options{})
	spent := 0
	for _, e := range first.Entries {
		spent += e.cost()
	}
	if spent > maxFile+2*maxEntry || first.LeftOut == 0 || first.LeftOut+len(first.Entries)-1 < kernels {
		t.Errorf("%d steps in %d entries, %d left out", spent, len(first.Entries), first.LeftOut)
	}
	next := f.Edit([]byte(b.String() + "x = 1\n"))
	if again := reuse.Analyze(next, Options{}); again.LeftOut != first.LeftOut {
		t.Errorf("%d left out, then %d", first.LeftOut, again.LeftOut)
	}
}
