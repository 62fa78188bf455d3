package inspect

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
)

// The bounds of what is worked out of a grid: steps that are run through, and steps that are shown.
const (
	maxSteps   = 1 << 14
	shownSteps = 6
)

// Windows is what the index map of an operand makes of the grid, as far as it is known.
type Windows struct {
	Name    string
	At      string   // the block's indices in terms of the grid's: "(i, 0)"
	First   []string // the indices at the first steps; nil: not known
	Steps   int64    // of the grid; 0: not known
	Touched int64    // different blocks; 0: not known
	Blocks  int64    // that the array has; 0: not known
	Again   int64    // times that a block comes back after another one was there
	Stays   int64    // steps at which it is the block of the step before
}

// Steps describes how a kernel's grid runs, one line for the grid and one for each operand with an index map; nil: there is none.
// What the runs disagree on is left out.
func (k *Kernel) Steps() []string {
	if k.Ran == nil || len(k.Ran.Grid) == 0 {
		return nil
	}
	var out []string
	describe, same := WindowsOf, k.sameGrid()
	if same {
		if line := gridLine(k.Ran); strings.Trim(line, "grid (?,)") != "" {
			out = append(out, line)
		}
	} else {
		describe = func(_ *infer.Site, o *infer.Operand) *Windows { w, _ := windowsAt(o); return w }
	}
	for _, o := range k.Ran.Blocks() {
		if w := describe(k.Ran, o); w != nil && k.sameWindows(o) {
			out = append(out, w.String())
		}
	}
	return out
}

func gridLine(s *infer.Site) string {
	line := "grid " + infer.Shape{Dims: s.Grid}.String()
	if n, ok := (infer.Shape{Dims: s.Grid}).Size(); ok {
		line += fmt.Sprintf(": %s", count(n, "step"))
		if len(s.Grid) > 1 {
			line += ", the last axis runs fastest"
		}
	}
	return line
}

// sameGrid: every run has the grid that is shown.
func (k *Kernel) sameGrid() bool {
	first := infer.Shape{Dims: k.Ran.Grid}.String()
	for _, s := range k.runs {
		if s == nil || len(s.Grid) != len(k.Ran.Grid) || (infer.Shape{Dims: s.Grid}).String() != first {
			return false
		}
	}
	return true
}

// sameWindows: every run that has the operand has the windows that are shown.
func (k *Kernel) sameWindows(shown *infer.Operand) bool {
	first, _ := windowsAt(shown)
	for _, s := range k.runs {
		for _, o := range s.Blocks() {
			if o.Title() != shown.Title() {
				continue
			}
			if w, _ := windowsAt(o); w == nil || w.At != first.At || w.Blocks != first.Blocks {
				return false
			}
		}
	}
	return true
}

// WindowsOf runs an operand's index map over the grid; nil: it has none, or nothing is known of what it gives.
func WindowsOf(s *infer.Site, o *infer.Operand) *Windows {
	if len(s.Grid) == 0 {
		return nil
	}
	w, exprs := windowsAt(o)
	if exprs != nil {
		w.run(s, exprs)
	}
	return w
}

// windowsAt is what an operand's index map says, and its indices where all of them are known.
func windowsAt(o *infer.Operand) (*Windows, []*infer.Int) {
	if o.Map == nil || o.Map.Func == nil || len(o.Map.Faults) > 0 {
		return nil, nil
	}
	values := o.Map.Values()
	if values == nil {
		return nil, nil
	}
	exprs := make([]*infer.Int, len(values))
	parts := make([]string, len(values))
	known := true
	for i, v := range values {
		exprs[i] = indexOf(v)
		if parts[i] = axisNames(exprs[i], o); parts[i] == "?" {
			parts[i] = written(o.Map, i, len(values))
		}
		known = known && exprs[i] != nil
	}
	w := &Windows{Name: strings.Trim(o.Title(), "`"), At: tupleText(parts), Blocks: blocksOf(o)}
	if !known {
		return w, nil
	}
	return w, exprs
}

// indexOf is an index as a linear form of the grid's; nil: not known.
func indexOf(v infer.Value) *infer.Int {
	switch v := v.(type) {
	case *infer.Int:
		return v
	case *infer.Array:
		return v.Lin
	}
	return nil
}

const axisAtom = "grid index "

// axisNames writes a linear form with the names that the index map has for the grid's indices.
func axisNames(n *infer.Int, o *infer.Operand) string {
	if n == nil {
		return "?"
	}
	text := n.String()
	params, given := o.Map.Func.Params, bound(o.Spec.IndexMap)
	for i := len(o.Map.Args) - 1; i >= 0; i-- {
		text = strings.ReplaceAll(text, fmt.Sprint(axisAtom, i), paramName(params, given+i))
	}
	if strings.Contains(text, axisAtom) {
		return "?"
	}
	return text
}

// written is how the code says component i of n of an index map's result, such as `table[i]`; "?" where it is a name for something else.
func written(m *infer.MapRun, i, n int) string {
	x := returned(m)
	if t, ok := x.(*parse.Tuple); ok && n > 1 {
		if x = nil; len(t.Elems) == n {
			x = t.Elems[i]
		}
	} else if n > 1 {
		x = nil
	}
	if x == nil || !ofParams(m.Func, x) {
		return "?"
	}
	text := parse.Loc{Chunk: m.Func.Chunk, Span: x.Span()}.Text()
	if len(text) > 40 || strings.Contains(text, "\n") {
		return "?"
	}
	return text
}

// returned is the one expression that a function returns.
func returned(m *infer.MapRun) parse.Expr {
	if m.Func.Lambda != nil {
		return m.Func.Lambda.Body
	}
	if m.Func.Def == nil || len(m.Returns) != 1 {
		return nil
	}
	for _, s := range m.Func.Def.Body {
		if r, ok := s.(*parse.Return); ok {
			return r.X
		}
	}
	return nil
}

// ofParams: of the names that the function binds, only parameters occur, so that the text speaks for itself.
func ofParams(f *infer.Func, x parse.Expr) bool {
	ok, params := true, map[string]bool{}
	for _, p := range f.Params {
		params[p.Name] = true
	}
	parse.Walk(x, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Name:
			ok = ok && (params[n.ID] || f.Def == nil || f.Def.Scope == nil || !f.Def.Scope.Locals[n.ID])
		case *parse.Starred, *parse.Comp, *parse.Lambda:
			ok = false
		}
		return ok
	})
	_, name := x.(*parse.Name)
	return ok && !name
}

// paramName is what a function calls its argument i: "j", or "idx[1]" in *idx.
func paramName(params []*parse.Param, i int) string {
	for at, p := range params {
		switch {
		case p.Kind == parse.VarArgs:
			return fmt.Sprintf("%s[%d]", p.Name, i-at)
		case p.Kind == parse.KeywordOnly || p.Kind == parse.VarKwargs:
			return "?"
		case at == i:
			return p.Name
		}
	}
	return "?"
}

// bound is how many of its first parameters a function has been given before it is called.
func bound(v infer.Value) int {
	switch v := v.(type) {
	case *infer.Bound:
		return 1 + bound(v.Fn)
	case *infer.Instance:
		return 1
	case *infer.Wrapped:
		return bound(v.Fn)
	case *infer.Partial:
		n := bound(v.Fn)
		for _, a := range v.Arg {
			if a.Name == "" {
				n++
			}
		}
		return n
	}
	return 0
}

// blocksOf is how many blocks the array of an operand has.
func blocksOf(o *infer.Operand) int64 {
	array, ok1 := o.Array.Known()
	block, ok2 := o.BlockOf().Known()
	if !ok1 || !ok2 || len(array) != len(block) || o.Spec == nil {
		return 0
	}
	n := int64(1)
	for i := range array {
		if block[i] <= 0 || o.Spec.Dims != nil && i < len(o.Spec.Dims) && o.Spec.Dims[i].Kind != "blocked" && o.Spec.Dims[i].Kind != "squeezed" {
			return 0
		}
		n *= (array[i] + block[i] - 1) / block[i]
	}
	return n
}

// run goes through the steps of the grid.
func (w *Windows) run(s *infer.Site, exprs []*infer.Int) {
	total, ok := (infer.Shape{Dims: s.Grid}).Size()
	sizes, _ := (infer.Shape{Dims: s.Grid}).Known()
	if !ok || total <= 0 || total > maxSteps {
		return
	}
	at := make([]int64, len(sizes))
	seen := map[string]bool{}
	before := ""
	for n := int64(0); n < total; n++ {
		block, ok := blockAt(exprs, at)
		if !ok {
			return
		}
		switch {
		case n > 0 && block == before:
			w.Stays++
		case seen[block]:
			w.Again++
		}
		seen[block], before = true, block
		if n < shownSteps {
			w.First = append(w.First, block)
		}
		next(at, sizes)
	}
	w.Steps, w.Touched = total, int64(len(seen))
}

// next is the grid index after at: the last axis runs fastest.
func next(at, sizes []int64) {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]++; at[i] < sizes[i] {
			return
		}
		at[i] = 0
	}
}

func blockAt(exprs []*infer.Int, at []int64) (string, bool) {
	parts := make([]string, len(exprs))
	env := func(atom string) (int64, bool) {
		axis := -1
		if _, err := fmt.Sscanf(atom, axisAtom+"%d", &axis); err != nil || axis < 0 || axis >= len(at) || atom != fmt.Sprint(axisAtom, axis) {
			return 0, false
		}
		return at[axis], true
	}
	for i, e := range exprs {
		n, ok := e.Eval(env)
		if !ok {
			return "", false
		}
		parts[i] = fmt.Sprint(n)
	}
	return tupleText(parts), true
}

func tupleText(parts []string) string {
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// String is "x_ref at (i, 0): (0, 0) (1, 0) (2, 0) …; all 4 blocks".
func (w *Windows) String() string {
	text := w.Name + " at " + w.At
	if w.Steps == 0 {
		return text
	}
	text += ": " + strings.Join(w.First, " ")
	if int64(len(w.First)) < w.Steps {
		text += " …"
	}
	switch {
	case w.Blocks > 0 && w.Touched == w.Blocks:
		text += "; " + map[bool]string{true: "its only block", false: fmt.Sprintf("all %d blocks", w.Blocks)}[w.Blocks == 1]
	case w.Blocks > 0:
		text += fmt.Sprintf("; %d of %s", w.Touched, count(w.Blocks, "block"))
	default:
		text += "; " + count(w.Touched, "block")
	}
	if w.Stays > 0 {
		text += fmt.Sprintf(", stays at %s", count(w.Stays, "step"))
	}
	if w.Again > 0 {
		text += fmt.Sprintf(", comes back %s", count(w.Again, "time"))
	}
	return text
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
