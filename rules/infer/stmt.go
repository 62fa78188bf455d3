package infer

import (
	"strings"

	"pallas-lsp/parse"
)

// flow says how a statement ended.
type flow uint8

const (
	goOn flow = iota
	returned
	raised
	broke
	continued
)

// loopCtx collects the states in which an iteration was left under a condition that is not known.
type loopCtx struct {
	mark   int
	exits  []delta
	broken bool // one of the exits is a break
}

func (ip *interp) block(fr *frame, stmts []parse.Stmt) flow {
	for _, s := range stmts {
		if f := ip.stmt(fr, s); f != goOn {
			return f
		}
	}
	return goOn
}

func (ip *interp) stmt(fr *frame, s parse.Stmt) flow {
	if !ip.step() {
		ip.blind()
		return raised
	}
	switch s := s.(type) {
	case *parse.ExprStmt:
		from := ip.mark()
		ip.eval(fr, s.X)
		ip.unusedLoads(fr, s.X, from)
	case *parse.Assign:
		from := ip.mark()
		v := ip.eval(fr, s.Value)
		if ip.unread(fr, s.Targets) {
			ip.unusedLoads(fr, s.Value, from)
		}
		for _, t := range s.Targets {
			ip.assign(fr, t, v)
		}
	case *parse.AugAssign:
		ip.augAssign(fr, s)
	case *parse.AnnAssign:
		if s.Value != nil {
			ip.assign(fr, s.Target, ip.eval(fr, s.Value))
		}
	case *parse.FuncDef:
		ip.bind(fr.env, s.Name, ip.funcDef(fr, s))
	case *parse.ClassDef:
		ip.bind(fr.env, s.Name, ip.classDef(fr, s))
	case *parse.Return:
		fr.ret(ip.evalOrNone(fr, s.X))
		ip.returned(fr, s)
		return returned
	case *parse.If:
		return ip.ifStmt(fr, s)
	case *parse.For:
		return ip.forStmt(fr, s)
	case *parse.While:
		return ip.whileStmt(fr, s)
	case *parse.With:
		return ip.withStmt(fr, s)
	case *parse.Try:
		return ip.tryStmt(fr, s)
	case *parse.Import:
		ip.importStmt(fr, s)
	case *parse.ImportFrom:
		ip.importFrom(fr, s)
	case *parse.Raise:
		if s.X != nil {
			ip.eval(fr, s.X)
		}
		return raised
	case *parse.Assert:
		return ip.assertStmt(fr, s)
	case *parse.Match:
		return ip.matchStmt(fr, s, ip.eval(fr, s.Subject), s.Cases)
	case *parse.Simple:
		switch s.Kind {
		case parse.Break:
			return broke
		case parse.Continue:
			return continued
		}
	case *parse.Delete:
		for _, t := range s.Targets {
			if n, ok := t.(*parse.Name); ok {
				if r, isRef := ip.lookup(fr.env, n.ID).(*Ref); isRef {
					r.Alloc.Dropped = true
				}
				ip.bind(fr.env, n.ID, Unknown)
			}
		}
	case *parse.TypeAlias:
		ip.bind(fr.env, s.Name, Unknown)
	case *parse.UnknownStmt:
		return ip.guess(fr, s)
	}
	return goOn
}

// guess runs what could be made of a statement with a syntax error, for hover and completion inside it. What it gives to names is known to
// nobody else, but for functions and modules: those are what they are called, whatever is missing.
func (ip *interp) guess(fr *frame, s *parse.UnknownStmt) flow {
	ip.blind()
	mark := len(ip.journal)
	end := ip.block(fr, s.Body)
	first := ip.firstSeen()
	for _, u := range ip.journal[mark:] {
		if !first(u.cell) || u.cell.v == u.old {
			continue
		}
		switch u.cell.v.(type) {
		case *Func, *Class, *Module, *API:
		default:
			ip.set(u.cell, Unknown)
		}
	}
	if fr.fn == nil && end == returned { // a return that stands in no function ends nothing
		return goOn
	}
	return end
}

func (fr *frame) ret(v Value) { fr.result = v }

func (ip *interp) evalOrNone(fr *frame, x parse.Expr) Value {
	if x == nil {
		return None{}
	}
	return ip.eval(fr, x)
}

// snapshot is the state of all cells changed since mark, without taking it back.
func (ip *interp) snapshot(mark int) delta {
	var d delta
	first := ip.firstSeen()
	for i := mark; i < len(ip.journal); i++ {
		if c := ip.journal[i].cell; first(c) {
			d = append(d, undo{c, c.v})
		}
	}
	return d
}

// arm runs one side of an undecided branch from the current state and takes its changes back.
func (ip *interp) arm(fr *frame, body func() flow) (flow, Value, delta) {
	mark, saved, yields := len(ip.journal), fr.result, fr.yields.len()
	f := body()
	v := fr.result
	fr.perhaps = fr.perhaps || f != goOn || fr.yields.len() > yields
	fr.result = saved
	switch f {
	case returned:
		fr.exits = append(fr.exits, exit{value: v, delta: ip.snapshot(fr.mark)})
	case broke, continued:
		if n := len(fr.loops); n > 0 {
			l := fr.loops[n-1]
			l.exits = append(l.exits, ip.snapshot(l.mark))
			l.broken = l.broken || f == broke
		}
	}
	return f, v, ip.collect(mark)
}

// branch runs both sides of a condition that is not known and joins what they leave.
func (ip *interp) branch(fr *frame, t *test, then, els func() flow) flow {
	nExits := len(fr.exits)
	restore := ip.assume(t, true)
	f1, _, d1 := ip.arm(fr, then)
	restore()
	restore = ip.assume(t, false)
	f2, _, d2 := ip.arm(fr, els)
	restore()
	for i := nExits; i < len(fr.exits) && t != nil; i++ {
		fr.exits[i].tests = append(fr.exits[i].tests, t)
	}
	switch {
	case f1 == goOn && f2 == goOn:
		if ip.merge(d1, d2) && t != nil && ip.kernel == nil {
			t.lossy = true
		}
		return goOn
	case f1 == goOn:
		ip.apply(d1)
		fr.assumed = append(fr.assumed, ip.assume(t, true))
		return goOn
	case f2 == goOn:
		ip.apply(d2)
		fr.assumed = append(fr.assumed, ip.assume(t, false))
		return goOn
	case f1 == returned || f2 == returned:
		return ip.bothLeft(fr, nExits, f1, f2)
	case f1 == raised:
		ip.apply(d2)
		return f2
	case f2 == raised:
		ip.apply(d1)
		return f1
	}
	ip.merge(d1, d2)
	return continued
}

// bothLeft ends a branch of which at least one side returned and none goes on: the exits hold the states.
func (ip *interp) bothLeft(fr *frame, nExits int, f1, f2 flow) flow {
	if len(fr.exits) > nExits && (f1 == broke || f1 == continued || f2 == broke || f2 == continued) {
		return continued
	}
	fr.result = nil
	fr.leftByExits = true
	return returned
}

func (ip *interp) ifStmt(fr *frame, s *parse.If) flow {
	known, value, t := ip.cond(fr, s.Cond)
	if known {
		if value {
			ip.skipped(fr, s.Else)
			return ip.block(fr, s.Then)
		}
		ip.skipped(fr, s.Then)
		return ip.block(fr, s.Else)
	}
	loc := fr.loc(s.Cond)
	side := func(kind string, body []parse.Stmt) func() flow {
		return func() (f flow) {
			ip.under(Cond{Kind: kind, Loc: loc, Test: t.identity()}, func() { f = ip.block(fr, body) })
			return f
		}
	}
	return ip.branch(fr, t, side("if", s.Then), side("else", s.Else))
}

func (ip *interp) assertStmt(fr *frame, s *parse.Assert) flow {
	known, value, t := ip.cond(fr, s.Cond)
	if known {
		if !value {
			return raised
		}
		return goOn
	}
	fr.assumed = append(fr.assumed, ip.assume(t, true))
	return goOn
}

// assume makes a condition decided until the returned function is called.
func (ip *interp) assume(t *test, value bool) func() {
	if t == nil || t.key == "" {
		return func() {}
	}
	old, had := ip.decide[t.key]
	ip.decide[t.key] = value
	undoEqual := func() {}
	if t.assign != nil && value {
		k, before := t.assign.key, ip.equals[t.assign.key]
		ip.equals[k] = t.assign.value
		undoEqual = func() {
			if before == nil {
				delete(ip.equals, k)
			} else {
				ip.equals[k] = before
			}
		}
	}
	return func() {
		undoEqual()
		if had {
			ip.decide[t.key] = old
		} else {
			delete(ip.decide, t.key)
		}
	}
}

func (ip *interp) forStmt(fr *frame, s *parse.For) flow {
	loc := fr.loc(s.Iter)
	seq := ip.iterate(ip.notRef(ip.eval(fr, s.Iter), loc))
	each := false
	body := func(v Value) (f flow) {
		ip.assign(fr, s.Target, v)
		ip.under(Cond{Kind: "for", Loc: loc, Each: each}, func() { f = ip.block(fr, s.Body) })
		return f
	}
	if t, ok := seq.(*Tuple); ok && t.Rest == nil && ip.mayUnroll(len(t.Head)+len(t.Tail)) {
		each = true
		return ip.unrolled(fr, elems(t), body, s.Else)
	}
	broken := ip.abstractLoop(fr, func() flow { return body(ip.element(seq)) })
	return ip.loopElse(fr, s.Else, broken)
}

// loopElse runs what follows a loop that was not left by break.
func (ip *interp) loopElse(fr *frame, els []parse.Stmt, broken bool) flow {
	if len(els) == 0 || !broken {
		return ip.block(fr, els)
	}
	return ip.branch(fr, nil, func() flow { return ip.block(fr, els) }, func() flow { return goOn })
}

// notRef notes that a ref is taken for a sequence: refs can't be iterated over (a view can, without an end).
func (ip *interp) notRef(v Value, loc parse.Loc) Value {
	if r, ok := v.(*Ref); ok && len(r.Steps) == 0 {
		ip.fault("ref-iterated", loc, "", r)
	}
	return v
}

func elems(t *Tuple) []Value {
	if len(t.Tail) == 0 {
		return t.Head
	}
	return append(append([]Value(nil), t.Head...), t.Tail...)
}

// mayUnroll bounds the product of nested unrolled loops.
func (ip *interp) mayUnroll(n int) bool { return n <= 1 || n*max(ip.unrolling, 1) <= 2*maxUnroll }

func (ip *interp) unrolled(fr *frame, items []Value, body func(Value) flow, els []parse.Stmt) flow {
	saved := ip.unrolling
	ip.unrolling = max(saved, 1) * max(len(items), 1)
	defer func() { ip.unrolling = saved }()
	var left []delta
	outer := len(ip.journal)
	for _, v := range items {
		l := &loopCtx{mark: outer}
		fr.loops = append(fr.loops, l)
		f := body(v)
		fr.loops = fr.loops[:len(fr.loops)-1]
		left = append(left, l.exits...)
		if f == broke {
			ip.joinExits(outer, left)
			return goOn
		}
		if f == returned || f == raised {
			return f
		}
	}
	ip.joinExits(outer, left)
	return ip.block(fr, els)
}

// joinExits joins the current state with states that left a loop early.
func (ip *interp) joinExits(mark int, exits []delta) {
	for _, e := range exits {
		ip.merge(ip.collect(mark), e)
	}
}

// abstractLoop runs a body for any number of times: twice, joining with the state before, so that what one iteration leaves
// is seen by the next. It reports whether an iteration may have been the last because it left the loop.
func (ip *interp) abstractLoop(fr *frame, body func() flow) (broken bool) {
	for pass := 0; pass < 2; pass++ {
		mark := len(ip.journal)
		l := &loopCtx{mark: mark}
		fr.loops = append(fr.loops, l)
		f, _, d := ip.arm(fr, body)
		fr.loops = fr.loops[:len(fr.loops)-1]
		broken = broken || f == broke || l.broken
		if f == raised && len(l.exits) == 0 {
			return broken
		}
		changed := ip.widenInto(d)
		for _, e := range l.exits {
			changed = ip.widenInto(e) || changed
		}
		if !changed {
			return broken
		}
	}
	return broken
}

func (ip *interp) widenInto(d delta) (changed bool) {
	for _, u := range d {
		old := u.cell.v
		if old == nil { // bound inside the loop only
			ip.set(u.cell, u.old)
			changed = true
			continue
		}
		v := widen(old, u.old)
		if !same(v, old) {
			ip.set(u.cell, v)
			changed = true
		}
	}
	return changed
}

// whileStmt runs a loop turn by turn as long as its condition is known, and what is left of it as one that runs any number of times.
func (ip *interp) whileStmt(fr *frame, s *parse.While) flow {
	outer, saved, from := len(ip.journal), ip.unrolling, ip.steps
	defer func() { ip.unrolling = saved }()
	var l loopCtx
	for n := 1; len(l.exits) == 0; n++ {
		known, value, _ := ip.cond(fr, s.Cond)
		if known && !value {
			return ip.block(fr, s.Else)
		}
		if !known || n > maxUnroll || !ip.mayUnroll(n) || ip.steps-from > maxTurns {
			break
		}
		ip.unrolling = max(saved, 1) * n
		l = loopCtx{mark: outer}
		fr.loops = append(fr.loops, &l)
		f := ip.whileBody(fr, s, true)
		fr.loops = fr.loops[:len(fr.loops)-1]
		switch {
		case f == broke:
			ip.joinExits(outer, l.exits)
			return goOn
		case f == raised && len(l.exits) > 0: // where it does not raise, it has left
			ip.collect(outer)
			ip.apply(l.exits[0])
			ip.joinExits(outer, l.exits[1:])
			return goOn
		case f == returned, f == raised:
			return f
		}
	}
	broken := ip.abstractLoop(fr, func() flow { return ip.whileBody(fr, s, false) })
	ip.joinExits(outer, l.exits)
	return ip.loopElse(fr, s.Else, broken || l.broken)
}

func (ip *interp) whileBody(fr *frame, s *parse.While, each bool) (f flow) {
	ip.under(Cond{Kind: "while", Loc: fr.loc(s.Cond), Each: each}, func() { f = ip.block(fr, s.Body) })
	return f
}

func (ip *interp) withStmt(fr *frame, s *parse.With) flow {
	forced := ip.interpret
	defer func() { ip.interpret = forced }()
	for _, it := range s.Items {
		v := ip.enter(fr, it.Context, ip.eval(fr, it.Context))
		if p, ok := v.(*Params); ok && p.API == tpu+"force_tpu_interpret_mode" {
			ip.interpret++
		}
		if c, ok := v.(*x64Context); ok {
			defer ip.enterX64(c)()
		}
		if it.Target != nil {
			ip.assign(fr, it.Target, v)
		}
	}
	return ip.block(fr, s.Body)
}

func (ip *interp) tryStmt(fr *frame, s *parse.Try) flow {
	ip.guarded++
	missing := ip.missing
	mark, saved := len(ip.journal), fr.result
	f := ip.block(fr, s.Body)
	ip.guarded--
	failed := ip.missing != missing
	if !failed && onlyImports(s.Body) {
		f = ip.then(fr, f, s.Else)
		return ip.finish(fr, f, s.Finally)
	}
	if f == returned && len(s.Handlers) > 0 {
		fr.exits = append(fr.exits, exit{value: fr.result, delta: ip.snapshot(fr.mark)})
		fr.result = saved
	}
	var handler delta
	flows := f
	body := ip.collect(mark)
	for i, h := range s.Handlers {
		hf, _, d := ip.arm(fr, func() flow {
			if h.Name != "" {
				ip.bind(fr.env, h.Name, Unknown)
			}
			return ip.block(fr, h.Body)
		})
		if hf == goOn {
			if flows != goOn || failed && i == 0 {
				flows, body = goOn, d
				continue
			}
			handler = d
			ip.merge(body, handler)
			body = ip.collect(mark)
		}
	}
	ip.apply(body)
	if f == returned && flows == returned && len(s.Handlers) > 0 {
		fr.leftByExits = true
	}
	flows = ip.then(fr, flows, s.Else)
	return ip.finish(fr, flows, s.Finally)
}

func onlyImports(body []parse.Stmt) bool {
	for _, s := range body {
		switch s.(type) {
		case *parse.Import, *parse.ImportFrom, *parse.Assign:
		default:
			return false
		}
	}
	return true
}

func (ip *interp) then(fr *frame, f flow, els []parse.Stmt) flow {
	if f != goOn {
		return f
	}
	return ip.block(fr, els)
}

func (ip *interp) finish(fr *frame, f flow, finally []parse.Stmt) flow {
	if g := ip.block(fr, finally); g != goOn {
		return g
	}
	return f
}

func (ip *interp) augAssign(fr *frame, s *parse.AugAssign) {
	if x, ok := s.Target.(*parse.Index); ok {
		ip.augIndex(fr, s, x)
		return
	}
	old := ip.eval(fr, s.Target)
	v := ip.eval(fr, s.Value)
	if l, ok := old.(*List); ok && s.Op == "+" {
		ip.extend(l, v)
		return
	}
	ip.assign(fr, s.Target, ip.binary(fr, s.Op, old, v, fr.loc(s)))
}

// assign stores a value in a target: a name, a field, an element, or a pattern of those.
func (ip *interp) assign(fr *frame, t parse.Expr, v Value) {
	switch t := t.(type) {
	case *parse.Name:
		ip.rebound(fr, t, v)
		ip.bind(fr.env, t.ID, ip.named(fr, t, v))
	case *parse.Attr:
		ip.setAttr(fr, t, ip.eval(fr, t.X), v)
	case *parse.Index:
		ip.setIndex(fr, t, ip.eval(fr, t.X), v)
	case *parse.Tuple:
		ip.unpack(fr, t, t.Elems, v)
	case *parse.List:
		ip.unpack(fr, t, t.Elems, v)
	case *parse.Starred:
		ip.assign(fr, t.X, v)
	}
}

// named gives memory that was made without a name the name of its first variable.
func (ip *interp) named(fr *frame, t *parse.Name, v Value) Value {
	r, ok := v.(*Ref)
	if !ok {
		return v
	}
	if r.Alloc.Many {
		v = ip.copyOf(v)
		r = v.(*Ref)
	}
	r.Alloc.named(t.ID, fr.loc(t))
	return v
}

func (ip *interp) unpack(fr *frame, node parse.Expr, targets []parse.Expr, v Value) {
	values, ok := ip.unpackValues(fr, node, targets, v)
	for i, t := range targets {
		switch {
		case ok:
			ip.assign(fr, t, values[i])
		case isStarred(t):
			ip.assign(fr, t, &Tuple{Rest: Unknown})
		default:
			ip.assign(fr, t, Unknown)
		}
	}
}

func isStarred(t parse.Expr) bool { _, ok := t.(*parse.Starred); return ok }

// unpackValues splits a sequence over targets, one of which may be starred.
func (ip *interp) unpackValues(fr *frame, node parse.Expr, targets []parse.Expr, v Value) ([]Value, bool) {
	star := -1
	for i, t := range targets {
		if isStarred(t) {
			star = i
		}
	}
	if u, ok := v.(*Union); ok {
		return ip.unpackUnion(fr, node, targets, u)
	}
	if o, ok := v.(*Opaque); ok {
		return ip.unpackOpaque(o, targets, star), true
	}
	seq, ok := ip.iterate(ip.notRef(v, fr.loc(node))).(*Tuple)
	if !ok {
		return nil, false
	}
	n := len(targets)
	if seq.Rest == nil {
		all := elems(seq)
		if star < 0 {
			if len(all) != n {
				ip.fault("unpack", fr.loc(node), "", N(int64(n)), N(int64(len(all))), v)
				return nil, false
			}
			return all, true
		}
		if len(all) < n-1 {
			ip.fault("unpack", fr.loc(node), "", N(int64(n-1)), N(int64(len(all))), v)
			return nil, false
		}
		mid := all[star : len(all)-(n-1-star)]
		out := append(append([]Value(nil), all[:star]...), ip.newList(mid))
		return append(out, all[len(all)-(n-1-star):]...), true
	}
	return unpackRepeat(ip, seq, n, star), true
}

// unpackRepeat takes elements of a sequence of unknown length by their distance from either end.
func unpackRepeat(ip *interp, seq *Tuple, n, star int) []Value {
	out := make([]Value, n)
	fromStart := func(i int) Value {
		if i < len(seq.Head) {
			return seq.Head[i]
		}
		v := seq.Rest
		for j := 0; j <= i-len(seq.Head) && j < len(seq.Tail); j++ {
			v = join(v, seq.Tail[j])
		}
		return v
	}
	fromEnd := func(i int) Value {
		if i < len(seq.Tail) {
			return seq.Tail[len(seq.Tail)-1-i]
		}
		v := seq.Rest
		for j := 0; j <= i-len(seq.Tail) && j < len(seq.Head); j++ {
			v = join(v, seq.Head[len(seq.Head)-1-j])
		}
		return v
	}
	if star < 0 && n >= len(seq.Head)+len(seq.Tail) { // the length is n after all
		for i := range out {
			switch {
			case i < len(seq.Head):
				out[i] = seq.Head[i]
			case i >= n-len(seq.Tail):
				out[i] = seq.Tail[i-(n-len(seq.Tail))]
			default:
				out[i] = seq.Rest
			}
		}
		return out
	}
	for i := range out {
		switch {
		case star < 0 || i < star:
			out[i] = fromStart(i)
		case i == star:
			mid := &Tuple{Rest: seq.Rest}
			if star < len(seq.Head) {
				mid.Head = seq.Head[star:]
			}
			if k := n - 1 - star; k < len(seq.Tail) {
				mid.Tail = seq.Tail[:len(seq.Tail)-k]
			}
			out[i] = mid
		default:
			out[i] = fromEnd(n - 1 - i)
		}
	}
	return out
}

func (ip *interp) unpackUnion(fr *frame, node parse.Expr, targets []parse.Expr, u *Union) ([]Value, bool) {
	var out []Value
	faults := len(ip.world.Faults)
	for _, a := range u.Alts {
		vs, ok := ip.unpackValues(fr, node, targets, a)
		if !ok {
			continue // an alternative that does not fit is not the one
		}
		if out == nil {
			out = append([]Value(nil), vs...)
			continue
		}
		for i := range out {
			out[i] = join(out[i], vs[i])
		}
	}
	if out != nil {
		ip.world.Faults = ip.world.Faults[:faults]
	}
	return out, out != nil
}

func (ip *interp) unpackOpaque(o *Opaque, targets []parse.Expr, star int) []Value {
	if o.Key != "" && star < 0 {
		ip.ranks[o.Key] = len(targets)
	}
	out := make([]Value, len(targets))
	for i := range targets {
		switch {
		case i == star:
			out[i] = &Tuple{Rest: Unknown}
		case o.Key == "":
			out[i] = Unknown
		case star >= 0 && i > star:
			out[i] = opaque(o.Key + "[-" + itoa(len(targets)-i) + "]")
		default:
			out[i] = opaque(o.Key + "[" + itoa(i) + "]")
		}
	}
	return out
}

func (ip *interp) matchStmt(fr *frame, s *parse.Match, subject Value, cases []parse.MatchCase) flow {
	if len(cases) == 0 {
		return goOn
	}
	c := cases[0]
	mark := len(ip.journal)
	known, ok := ip.matches(fr, c.Pattern, subject)
	if known && ok && c.Guard != nil {
		known, ok, _ = ip.cond(fr, c.Guard)
	}
	if known && !ok {
		ip.collect(mark)
		return ip.matchStmt(fr, s, subject, cases[1:])
	}
	if known {
		return ip.block(fr, c.Body)
	}
	ip.collect(mark)
	return ip.branch(fr, nil, func() flow {
		ip.matches(fr, c.Pattern, subject)
		return ip.block(fr, c.Body)
	}, func() flow { return ip.matchStmt(fr, s, subject, cases[1:]) })
}

// matches tries a pattern, binding its captures; known is false when that can't be decided.
func (ip *interp) matches(fr *frame, p parse.Pattern, v Value) (known, ok bool) {
	switch p := p.(type) {
	case *parse.PatternCapture:
		if p.Name != "" {
			ip.bind(fr.env, p.Name, v)
		}
		return true, true
	case *parse.PatternValue:
		ip.tracedBool(fr, p.X, v)
		return ip.equal(ip.eval(fr, p.X), v)
	case *parse.PatternAs:
		ip.bind(fr.env, p.Name, v)
		if p.Pattern == nil {
			return true, true
		}
		return ip.matches(fr, p.Pattern, v)
	case *parse.PatternOr:
		known = true
		for _, alt := range p.Alternatives {
			k, m := ip.matches(fr, alt, v)
			if k && m {
				return true, true
			}
			known = known && k
		}
		return known, false
	case *parse.PatternSeq:
		return ip.matchSeq(fr, p, v)
	case *parse.PatternClass:
		return ip.matchClass(fr, p, v)
	case *parse.PatternMapping:
		for _, sub := range p.Values {
			ip.matches(fr, sub, Unknown)
		}
		if p.Rest != "" {
			ip.bind(fr.env, p.Rest, Unknown)
		}
	}
	return false, false
}

func (ip *interp) matchSeq(fr *frame, p *parse.PatternSeq, v Value) (known, ok bool) {
	star := -1
	for i, e := range p.Elems {
		if _, is := e.(*parse.PatternStar); is {
			star = i
		}
	}
	t, isSeq := ip.iterate(v).(*Tuple)
	if !isSeq || t.Rest != nil || star >= 0 {
		for _, e := range p.Elems {
			if st, is := e.(*parse.PatternStar); is {
				if st.Name != "" {
					ip.bind(fr.env, st.Name, &Tuple{Rest: Unknown})
				}
				continue
			}
			ip.matches(fr, e, Unknown)
		}
		return false, false
	}
	items := elems(t)
	if len(items) != len(p.Elems) {
		return true, false
	}
	known, ok = true, true
	for i, e := range p.Elems {
		k, m := ip.matches(fr, e, items[i])
		if k && !m {
			return true, false
		}
		known = known && k
	}
	return known, known
}

func (ip *interp) matchClass(fr *frame, p *parse.PatternClass, v Value) (known, ok bool) {
	class := ip.eval(fr, p.Class)
	known, ok = ip.isInstance(v, class)
	for i, a := range p.Args {
		sub := Value(Unknown)
		if inst, is := v.(*Instance); is && i < len(inst.Class.Fields) {
			sub = ip.attr(fr, v, inst.Class.Fields[i].Name, parse.Loc{})
		} else if len(p.Args) == 1 && known && ok {
			sub = v // int(x), str(x): the subject itself
		}
		k, m := ip.matches(fr, a, sub)
		known, ok = known && k, ok && m
	}
	for _, kw := range p.Keywords {
		k, m := ip.matches(fr, kw.Pattern, ip.attr(fr, v, kw.Name, parse.Loc{}))
		known, ok = known && k, ok && m
	}
	return known, ok
}

func itoa(i int) string {
	if i < 10 && i >= 0 {
		return "0123456789"[i : i+1]
	}
	return strings.TrimSpace(N(int64(i)).Key())
}
