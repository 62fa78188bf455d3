package infer

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// opRow is one expression with what JAX makes of it; testdata/array_ops.py writes them.
type opRow struct {
	expr  string
	want  any
	prims []string
}

func (r *opRow) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&r.expr, &r.want, &r.prims})
}

type opTable struct {
	Inputs map[string]string
	Rows   []opRow
}

// readOps reads the answers of a release: those of the newest, and where an older one differs, its own.
func readOps(t *testing.T, release string) *opTable {
	t.Helper()
	table := readTable(t, "testdata/array_ops.json")
	if release == jax.Newest().Version {
		return table
	}
	other := map[string]opRow{}
	for _, r := range readTable(t, "testdata/array_ops_"+release+".json").Rows {
		other[r.expr] = r
	}
	for i, r := range table.Rows {
		if o, ok := other[r.expr]; ok {
			table.Rows[i] = o
		}
	}
	return table
}

func readTable(t *testing.T, file string) *opTable {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table := &opTable{}
	if err := json.Unmarshal(b, table); err != nil {
		t.Fatal(err)
	}
	return table
}

// parseArray reads "float32[8,128]*".
func parseArray(text string) *Array {
	text, weak := strings.CutSuffix(text, "*")
	d, rest, _ := strings.Cut(text, "[")
	a := &Array{Shape: Shape{Dims: []*Int{}}, DType: jax.DType(d), Weak: weak, Traced: true}
	for _, n := range strings.Split(strings.TrimSuffix(rest, "]"), ",") {
		if k, err := strconv.ParseInt(n, 10, 64); err == nil {
			a.Shape.Dims = append(a.Shape.Dims, N(k))
		}
	}
	return a
}

const opsHeader = `import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc
`

// evaluator evaluates expressions over inputs, as in a kernel.
type evaluator struct {
	ip     *interp
	fr     *frame
	inputs map[string]Value
}

func newEvaluator(release string, exprs []string) *evaluator {
	var b strings.Builder
	b.WriteString(opsHeader)
	for _, e := range exprs {
		fmt.Fprintf(&b, "(%s)\n", e)
	}
	f := parse.Parse("ops.py", []byte(b.String()))
	ip := newInterp(f, Options{Release: jax.For(release)})
	ip.world = newWorld()
	ip.decide, ip.equals, ip.equalities = map[string]bool{}, map[string]Value{}, map[string]*equality{}
	ip.tests, ip.ranks = map[string]*test{}, map[string]int{}
	return &evaluator{ip: ip, fr: &frame{env: ip.main.env}}
}

// run evaluates every expression statement of the file and calls each with its value, the calls recorded and the faults noted.
func (ev *evaluator) run(each func(i int, v Value, calls []*Call, faults []*Fault)) {
	i := 0
	for _, c := range ev.ip.main.file.Chunks {
		ev.fr.chunk = c
		for _, s := range c.Stmts {
			x, ok := s.(*parse.ExprStmt)
			if !ok {
				ev.ip.stmt(ev.fr, s)
				continue
			}
			for name, v := range ev.inputs {
				ev.ip.main.env.cell(name).v = v
			}
			ev.ip.steps = 0
			ev.ip.kernel = &Kernel{}
			ev.ip.world.Faults = nil
			v := ev.ip.eval(ev.fr, x.X)
			each(i, v, ev.ip.kernel.Calls, ev.ip.world.Faults)
			i++
		}
	}
}

// showKnown writes a value as the table does, "?" for what is not known.
func showKnown(v Value) any {
	switch v := v.(type) {
	case *Array:
		s := "?"
		if v.DType != "" && v.Shape.Dims != nil {
			dims := make([]string, len(v.Shape.Dims))
			for i, d := range v.Shape.Dims {
				dims[i] = d.String()
			}
			s = string(v.DType) + "[" + strings.Join(dims, ",") + "]"
		}
		if v.NumPy {
			return "numpy " + s
		}
		if v.Weak && v.DType != jax.Bool {
			s += "*"
		}
		return s
	case *List:
		return showKnown(v.Content())
	case *Tuple:
		out := []any{}
		for _, e := range elems(v) {
			out = append(out, showKnown(e))
		}
		return out
	case DTypeVal:
		return "dtype " + string(v.DType)
	case *Int, Bool, None:
		return "value " + pythonRepr(v)
	}
	return "?"
}

func pythonRepr(v Value) string {
	switch v := v.(type) {
	case *Int:
		return v.String()
	case Bool:
		return valueKey(v)
	}
	return "None"
}

// agrees compares what is known with what JAX says: right, wrong, or not known.
func agrees(got, want any) (right, known bool) {
	if list, ok := want.([]any); ok {
		have, ok := got.([]any)
		if !ok {
			return got == "?", false
		}
		if len(have) != len(list) {
			return false, true
		}
		known = true
		for i := range list {
			r, k := agrees(have[i], list[i])
			if !r {
				return false, true
			}
			known = known && k
		}
		return true, known
	}
	g, isText := got.(string)
	if isText && strings.HasPrefix(want.(string), "value (") { // a tuple of ints
		return got == "?", false
	}
	if !isText {
		if strings.HasPrefix(want.(string), "value (") {
			var parts []string
			for _, e := range got.([]any) {
				parts = append(parts, strings.TrimPrefix(fmt.Sprint(e), "value "))
			}
			joined := strings.Join(parts, ", ")
			if len(parts) == 1 {
				joined += ","
			}
			return "value ("+joined+")" == want, true
		}
		return strings.HasPrefix(want.(string), "value ["), false // a list of numpy arrays
	}
	if strings.Contains(g, "?") {
		return true, false
	}
	if strings.HasPrefix(g, "bool[") { // a weak bool is as good as a strong one
		want = strings.TrimSuffix(want.(string), "*")
	}
	return g == want, true
}

// TestArrayOps holds the array models against JAX: never a wrong shape or type, never a fault where JAX raises nothing, and no primitive that
// JAX does not bind.
func TestArrayOps(t *testing.T) {
	for _, release := range jax.Versions() {
		t.Run(release, func(t *testing.T) { testArrayOps(t, release) })
	}
}

func testArrayOps(t *testing.T, release string) {
	table := readOps(t, release)
	exprs := make([]string, len(table.Rows))
	for i, r := range table.Rows {
		exprs[i] = r.expr
	}
	ev := newEvaluator(release, exprs)
	ev.inputs = map[string]Value{}
	for name, text := range table.Inputs {
		ev.inputs[name] = parseArray(text)
	}
	tally := map[string]int{}
	var unknown []string
	ev.run(func(i int, v Value, calls []*Call, faults []*Fault) {
		checkOp(t, table.Rows[i], v, calls, faults, tally, &unknown)
	})
	t.Logf("%v", tally)
	if os.Getenv("OPS_UNKNOWN") != "" {
		sort.Strings(unknown)
		t.Log("\n" + strings.Join(unknown, "\n"))
	}
	if tally["rows"] != len(table.Rows) {
		t.Errorf("%d of %d rows were evaluated", tally["rows"], len(table.Rows))
	}
	if tally["known"]*100 < tally["valid"]*95 {
		t.Errorf("only %d of %d results are known", tally["known"], tally["valid"])
	}
}

func checkOp(t *testing.T, row opRow, v Value, calls []*Call, faults []*Fault, tally map[string]int, unknown *[]string) {
	tally["rows"]++
	got := showKnown(v)
	if text, ok := row.want.(string); ok && strings.HasPrefix(text, "!") {
		tally["errors"]++
		if len(faults) > 0 {
			tally["errors found"]++
		} else {
			*unknown = append(*unknown, "no fault: "+row.expr+" "+text)
		}
		return
	}
	tally["valid"]++
	if len(faults) > 0 {
		t.Errorf("%s: fault %s %s, but JAX gives %v", row.expr, faults[0].Kind, faults[0].Detail, row.want)
	}
	right, known := agrees(got, row.want)
	if !right {
		t.Errorf("%s: %v, but JAX gives %v", row.expr, got, row.want)
	}
	if known {
		tally["known"]++
	} else {
		*unknown = append(*unknown, fmt.Sprintf("unknown: %s %v %v", row.expr, got, row.want))
	}
	checkPrims(t, row, calls, tally, unknown)
}

func checkPrims(t *testing.T, row opRow, calls []*Call, tally map[string]int, unknown *[]string) {
	bound := map[string]bool{}
	for _, p := range row.prims {
		bound[p] = true
	}
	have := map[string]bool{}
	for _, c := range calls {
		for _, p := range c.Prims {
			have[p.Name] = true
			if !bound[p.Name] {
				t.Errorf("%s: binds %s, but JAX binds %v", row.expr, p.Name, row.prims)
				return
			}
		}
	}
	if len(have) == len(bound) {
		tally["prims complete"]++
	} else if os.Getenv("OPS_PRIMS") != "" {
		*unknown = append(*unknown, fmt.Sprintf("prims: %s %v %v", row.expr, have, row.prims))
	}
}
