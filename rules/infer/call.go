package infer

import (
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

func (ip *interp) callExpr(fr *frame, x *parse.Call) Value {
	loc := fr.loc(x)
	ip.reach(loc)
	callee := ip.eval(fr, x.Func)
	args := ip.args(fr, x.Args)
	if callee == Value(Unknown) && ip.kernel != nil && !ip.ofArray(x.Func) {
		ip.hide() // it may be a method of a handle, or a function that has refs
	}
	if n, ok := x.Func.(*parse.Name); ok && n.ID == "super" && isOpaque(callee) {
		return ip.super(fr, args)
	}
	return ip.call(fr, callee, args, &callSite{loc: loc, fn: fr.loc(x.Func), node: x})
}

// callSite is where a call stands.
type callSite struct {
	loc, fn parse.Loc
	node    *parse.Call
}

func (ip *interp) args(fr *frame, in []parse.Arg) Args {
	out := make(Args, 0, len(in))
	for _, a := range in {
		v := ip.eval(fr, a.Value)
		loc := parse.Loc{Chunk: fr.chunk, Span: a.Value.Span()}
		switch a.Star {
		case 1:
			out = append(out, ip.spreadArgs(v, loc, a.Value)...)
		case 2:
			out = append(out, ip.spreadKeywords(v, loc, a.Value)...)
		default:
			out = append(out, Arg{Name: a.Name, Value: v, Loc: loc, Node: a.Value})
		}
	}
	return out
}

func (ip *interp) spreadArgs(v Value, loc parse.Loc, node parse.Expr) Args {
	t, ok := ip.iterate(v).(*Tuple)
	if !ok {
		return Args{{Star: 1, Value: Unknown, Loc: loc, Node: node}}
	}
	var out Args
	for i, e := range t.Head {
		at := loc
		if i < len(t.passed) {
			at = t.passed[i]
		}
		out = append(out, Arg{Value: e, Loc: at})
	}
	if t.Rest != nil {
		out = append(out, Arg{Star: 1, Value: t.Rest, Loc: loc, Node: node})
	}
	for _, e := range t.Tail {
		out = append(out, Arg{Value: e, Loc: loc})
	}
	return out
}

func (ip *interp) spreadKeywords(v Value, loc parse.Loc, node parse.Expr) Args {
	d, ok := v.(*Dict)
	if !ok {
		return Args{{Star: 2, Value: Unknown, Loc: loc, Node: node}}
	}
	keys, vals, open := d.Items()
	var out Args
	for i, k := range keys {
		s, ok := k.(Str)
		if !ok {
			open = true
			continue
		}
		at := loc
		if l, ok := d.passed(string(s)); ok {
			at = l
		}
		out = append(out, Arg{Name: string(s), Value: vals[i], Loc: at})
	}
	if open {
		out = append(out, Arg{Star: 2, Value: Unknown, Loc: loc, Node: node})
	}
	return out
}

// passed is where the call that filled a **kwargs parameter wrote the argument.
func (d *Dict) passed(name string) (parse.Loc, bool) {
	c, ok := d.cell.v.(*dictContent)
	if !ok {
		return parse.Loc{}, false
	}
	l, ok := c.passed[name]
	return l, ok
}

// call calls any value.
func (ip *interp) call(fr *frame, callee Value, args Args, at *callSite) Value {
	if !ip.step() {
		ip.blind()
		return Unknown
	}
	switch f := callee.(type) {
	case *Func:
		return ip.callFunc(f, args, at)
	case *Bound:
		return ip.call(fr, f.Fn, append(Args{{Value: f.Self}}, args...), at)
	case *Partial:
		return ip.call(fr, f.Fn, f.Arg.with(args), at)
	case *API:
		return ip.callAPI(fr, f, args, at)
	case *Class:
		return ip.instantiate(fr, f, args, at)
	case *Method:
		return ip.callMethod(fr, f, args, at)
	case *SpaceVal:
		return ip.memSpec(f, args, at)
	case DTypeVal:
		return untold(ip.callDType(fr, f, args, at), ip.libraryOf(fr, at))
	case *Wrapped:
		return ip.callWrapped(fr, f, args, at)
	case *PallasFn:
		return ip.callPallas(fr, f, args, at)
	case *decorator:
		if len(args) == 1 && args[0].Star == 0 {
			return f.run(ip, fr, args[0].Value, at)
		}
	case *kernelDecorator:
		if len(args) == 1 && args[0].Star == 0 {
			f.site.Kernel = args[0].Value
			return ip.newPallasFn(f.site)
		}
	case *coreMapDecorator:
		if len(args) == 1 && args[0].Star == 0 {
			f.site.Kernel, f.site.Called = args[0].Value, true
			ip.runCoreMap(fr, f.site)
			return None{}
		}
	case *scopedDecorator:
		if len(args) == 1 && args[0].Star == 0 {
			return &scopedFn{f.call, args[0].Value}
		}
	case *scopedFn:
		return ip.callScoped(fr, f, args, at)
	case *treeMethod:
		if f.name == "unflatten" && len(args) == 1 {
			return ip.unflatten(f.def, args[0].Value)
		}
	case *Instance:
		if m := f.Class.lookup("__call__"); m != nil {
			return ip.call(fr, m, append(Args{{Value: f}}, args...), at)
		}
	case *Union:
		return each(f, func(v Value) Value { return ip.call(fr, v, args, at) })
	}
	return ip.callUnknown(callee, args)
}

// callUnknown is a call of something that is not known: what it is given may be changed, called or kept.
func (ip *interp) callUnknown(callee Value, args Args) Value {
	if a, ok := callee.(*API); !ok || !strings.HasPrefix(a.Name, "jax.") {
		for k := ip.kernel; k != nil; k = k.Outer {
			k.Strange = true
		}
	}
	for _, a := range args {
		ip.escape(a.Value, 0)
	}
	return Unknown
}

// escape gives a value away to code that can't be followed.
func (ip *interp) escape(v Value, depth int) {
	if depth > 4 {
		return
	}
	switch v := v.(type) {
	case *Ref:
		if v.Spaces.Known() && !v.Spaces.Has(jax.Semaphore) {
			ip.blur() // without a semaphore, no copy is waited for
			return
		}
		ip.blind()
	case *Homogeneous:
		ip.blind()
	case *Desc:
		v.Escaped = true
		ip.blind()
	case *List:
		for _, e := range elemsOf(v.cell.v) {
			ip.escape(e, depth+1)
		}
		ip.set(v.cell, &Tuple{Rest: Unknown})
	case *Dict:
		_, vals, _ := v.Items()
		for _, e := range vals {
			ip.escape(e, depth+1)
		}
	case *Tuple:
		for _, e := range elems(v) {
			ip.escape(e, depth+1)
		}
	case *Func:
		ip.world.escaped[v.node()] = true
		ip.pending = append(ip.pending, putOff[*Func]{v, ip.now()})
		if ip.reachesRefs(v, 0) {
			ip.hide()
		}
	case *Partial:
		ip.escape(v.Fn, depth+1)
		for _, a := range v.Arg {
			ip.escape(a.Value, depth+1)
		}
	case *Bound:
		ip.escape(v.Fn, depth+1)
		ip.escape(v.Self, depth+1)
	case *Method:
		ip.escape(v.Self, depth+1)
	case *Wrapped:
		ip.escape(v.Fn, depth+1)
	case *Instance, *PallasFn, *decorator, *Iter:
		if ip.reachesRefs(v, 0) {
			ip.hide()
		}
	case *Union:
		for _, a := range v.Alts {
			ip.escape(a, depth+1)
		}
	}
}

func elemsOf(v Value) []Value {
	if t, ok := v.(*Tuple); ok {
		return elems(t)
	}
	return nil
}

// with adds the arguments of the call to those of a partial; later keywords win.
func (a Args) with(more Args) Args {
	out := make(Args, 0, len(a)+len(more))
	for _, x := range a {
		if x.Name == "" && x.Star != 2 {
			out = append(out, x)
		}
	}
	for _, x := range more {
		if x.Name == "" && x.Star != 2 {
			out = append(out, x)
		}
	}
	for _, x := range a {
		if x.Name != "" && more.named(x.Name) == nil || x.Star == 2 {
			out = append(out, x)
		}
	}
	for _, x := range more {
		if x.Name != "" || x.Star == 2 {
			out = append(out, x)
		}
	}
	return out
}

func (a Args) named(name string) *Arg {
	for i := range a {
		if a[i].Name == name && name != "" {
			return &a[i]
		}
	}
	return nil
}

// byName are the first arguments of each name; nil when none has one.
func (a Args) byName() map[string]*Arg {
	var out map[string]*Arg
	for i := range a {
		if a[i].Name == "" || out[a[i].Name] != nil {
			continue
		}
		if out == nil {
			out = map[string]*Arg{}
		}
		out[a[i].Name] = &a[i]
	}
	return out
}

// positional returns the arguments given by position and whether one of unknown length is among them.
func (a Args) positional() (out []*Arg, open bool) {
	for i := range a {
		switch {
		case a[i].Star == 1:
			open = true
			out = append(out, &a[i])
		case a[i].Star == 0 && a[i].Name == "":
			out = append(out, &a[i])
		}
	}
	return out, open
}

func (a Args) open() bool {
	for i := range a {
		if a[i].Star != 0 {
			return true
		}
	}
	return false
}

// callFunc runs a Python function with the arguments bound to its parameters.
func (ip *interp) callFunc(f *Func, args Args, at *callSite) Value {
	var node parse.Node = f.Lambda
	if f.Def != nil {
		node = f.Def
	}
	ip.calledHere[node], ip.log.called[node] = true, true
	if at != nil {
		ip.world.calledFrom(node, at.loc)
	}
	if f.Def != nil && f.Def.Scope != nil && f.Def.Scope.Yields {
		return ip.callGenerator(f, args, at)
	}
	if ip.depth >= maxDepth || !ip.mayRecur(f, args) {
		ip.blind()
		return Unknown
	}
	fr := &frame{env: newEnv(f.env, f.env.mod, nil), chunk: f.Chunk, fn: f, mark: len(ip.journal), key: f.Name}
	if f.Def != nil {
		fr.env.scope = f.Def.Scope
	}
	ip.bindParams(fr, f, ip.fitStar(f, args), at)
	v := ip.run(fr, f, args)
	if f.Guessed() {
		return Unknown
	}
	return v
}

func (ip *interp) run(fr *frame, f *Func, args Args) Value {
	ip.depth++
	defer func() { ip.depth-- }()
	if f.Lambda != nil {
		return ip.eval(fr, f.Lambda.Body)
	}
	outer := ip.active[f.Def]
	ip.active[f.Def] = append(outer, args)
	defer func() { ip.active[f.Def] = outer }()
	unrolling := ip.unrolling
	end := ip.block(fr, f.Def.Body)
	ip.unrolling = unrolling
	for i := len(fr.assumed) - 1; i >= 0; i-- {
		fr.assumed[i]()
	}
	return ip.leave(fr, end)
}

func (w *World) calledFrom(f parse.Node, at parse.Loc) {
	if w.callers[f] == nil {
		w.callers[f] = map[parse.Loc]bool{}
	}
	w.callers[f][at] = true
}

// leave joins all the ways out of a function.
func (ip *interp) leave(fr *frame, end flow) Value {
	result := fr.result
	if end == goOn || result == nil {
		result = None{}
	}
	if len(fr.exits) == 0 {
		if end == raised {
			return Unknown
		}
		return result
	}
	exits := fr.exits
	if end != raised && !fr.leftByExits {
		exits = append(exits, exit{value: result, delta: ip.snapshot(fr.mark)})
	}
	ip.lossyExits(exits)
	ip.collect(fr.mark)
	var v Value
	for i, e := range exits {
		v = join(v, e.value)
		if i == 0 {
			ip.apply(e.delta)
			continue
		}
		ip.merge(ip.collect(fr.mark), e.delta)
	}
	return v
}

// lossyExits marks the conditions by which a function outside kernels returns sequences of different lengths.
func (ip *interp) lossyExits(exits []exit) {
	if ip.kernel != nil {
		return
	}
	for _, e := range exits[1:] {
		if !differInLength(exits[0].value, e.value) {
			continue
		}
		for _, x := range exits {
			for _, t := range x.tests {
				t.lossy = true
			}
		}
		return
	}
}

func differInLength(a, b Value) bool {
	x, y := contentOf(a), contentOf(b)
	return x != nil && y != nil && !sameForm(x, y)
}

// contentOf is the content of a tuple or list, nil for anything else.
func contentOf(v Value) *Tuple {
	if l, ok := v.(*List); ok {
		v = l.cell.v
	}
	t, _ := v.(*Tuple)
	return t
}

// bindParams binds arguments to parameters as Python does, noting what does not fit.
func (ip *interp) bindParams(fr *frame, f *Func, args Args, at *callSite) {
	pos, _ := args.positional()
	names := args.byName()
	keywords := args.openKeywords()
	used := map[*Arg]bool{}
	i := 0
	open := false // a *args of unknown length was met: later positions are not known
	for _, p := range f.Params {
		switch p.Kind {
		case parse.PositionalOnly, parse.Positional:
			v, ok := ip.takePositional(pos, &i, &open, p, names, used)
			if ok {
				f.name(p, v)
				ip.bind(fr.env, p.Name, v)
				continue
			}
			ip.bindDefault(fr, f, p, open || keywords, at)
		case parse.VarArgs:
			ip.bind(fr.env, p.Name, rest(pos[min(i, len(pos)):], used))
			i = len(pos)
		case parse.KeywordOnly:
			if a := names[p.Name]; a != nil {
				used[a] = true
				f.name(p, a.Value)
				ip.bind(fr.env, p.Name, a.Value)
				continue
			}
			ip.bindDefault(fr, f, p, keywords, at)
		case parse.VarKwargs:
			ip.bindKeywords(fr, f, p, args, used)
		}
	}
	ip.extraArgs(f, pos, i, open, args, used, at)
}

// rest is what a *args parameter gets.
func rest(pos []*Arg, used map[*Arg]bool) *Tuple {
	b := seqBuilder{}
	var passed []parse.Loc
	for _, a := range pos {
		used[a] = true
		if a.Star == 1 {
			b.spread(&Tuple{Rest: a.Value})
			continue
		}
		b.add(a.Value)
		passed = append(passed, a.Loc)
	}
	t := b.tuple()
	if len(passed) == len(t.Head) && t.Rest == nil {
		t.passed = passed
	}
	return t
}

// fitStar replaces one *args of unknown length by as many arguments as the parameters leave room for.
func (ip *interp) fitStar(f *Func, args Args) Args {
	pos, open := args.positional()
	if !open {
		return args
	}
	room, star := 0, -1
	for _, p := range f.Params {
		switch p.Kind {
		case parse.VarArgs:
			return args
		case parse.PositionalOnly, parse.Positional:
			if args.named(p.Name) != nil {
				continue
			}
			if p.Default != nil {
				return args
			}
			room++
		}
	}
	for i, a := range pos {
		if a.Star == 1 {
			if star >= 0 {
				return args
			}
			star = i
		}
	}
	n := room - (len(pos) - 1)
	if n < 0 {
		return args
	}
	var out Args
	for i := range args {
		if args[i].Star != 1 {
			out = append(out, args[i])
			continue
		}
		for ; n > 0; n-- {
			out = append(out, Arg{Value: ip.copyOf(args[i].Value), Loc: args[i].Loc})
		}
	}
	return out
}

// copyOf gives each element of a run of unknown length a ref of its own.
func (ip *interp) copyOf(v Value) Value {
	r, ok := v.(*Ref)
	if !ok || !r.Alloc.Many {
		return v
	}
	a := *r.Alloc
	a.Many, a.of = false, []*Alloc{r.Alloc}
	if a.Operand != nil {
		o := *a.Operand
		a.Operand = &o
	}
	out := *r
	out.Alloc = &a
	if a.Operand != nil {
		a.Operand.Ref = &out
	}
	if ip.kernel != nil {
		a.Kernel = ip.kernel
		ip.kernel.Refs = append(ip.kernel.Refs, &out)
	}
	return &out
}

func (ip *interp) takePositional(pos []*Arg, i *int, open *bool, p *parse.Param, names map[string]*Arg, used map[*Arg]bool) (Value, bool) {
	if a := names[p.Name]; a != nil && p.Kind != parse.PositionalOnly {
		used[a] = true
		return a.Value, true
	}
	if *i >= len(pos) {
		return nil, false
	}
	a := pos[*i]
	if a.Star == 1 { // covers this and possibly all later parameters
		*open = true
		used[a] = true
		if rest := len(pos) - *i - 1; rest > 0 {
			return Unknown, true
		}
		return a.Value, true
	}
	used[a] = true
	*i++
	return a.Value, true
}

func (ip *interp) bindDefault(fr *frame, f *Func, p *parse.Param, open bool, at *callSite) {
	if open {
		ip.bind(fr.env, p.Name, Unknown)
		return
	}
	if v, ok := f.defaults[p.Name]; ok {
		ip.bind(fr.env, p.Name, v)
		return
	}
	if at != nil && !f.Guessed() {
		ip.fault("missing-argument", at.loc, p.Name, f)
	}
	ip.bind(fr.env, p.Name, Unknown)
}

func (a Args) openKeywords() bool {
	for i := range a {
		if a[i].Star == 2 {
			return true
		}
	}
	return false
}

func (ip *interp) bindKeywords(fr *frame, f *Func, p *parse.Param, args Args, used map[*Arg]bool) {
	c := &dictContent{passed: map[string]parse.Loc{}}
	for i := range args {
		a := &args[i]
		switch {
		case a.Star == 2:
			c.open = true
		case a.Name != "" && !used[a] && !f.takes(a.Name):
			used[a] = true
			c.put(Str(a.Name), a.Value)
			c.passed[a.Name] = a.Loc
		}
	}
	ip.bind(fr.env, p.Name, &Dict{cell: &Cell{v: c}})
}

// name gives a ref the name and place of the first parameter that it is bound to.
func (f *Func) name(p *parse.Param, v Value) {
	loc := parse.Loc{Chunk: f.Chunk, Span: p.NameSpan}
	switch v := v.(type) {
	case *Ref:
		v.Alloc.named(p.Name, loc)
	case *Union:
		for _, a := range v.Alts {
			f.name(p, a)
		}
	case *Tuple:
		for i, e := range v.Head {
			if r, ok := e.(*Ref); ok && v.Rest == nil {
				n := p.Name + "[" + itoa(i) + "]"
				if i < len(v.Names) {
					n = p.Name + "." + v.Names[i]
				}
				r.Alloc.hinted(n, loc)
			}
		}
	}
}

// named names memory once and for all; hinted names it until a variable of its own does.
func (a *Alloc) named(name string, loc parse.Loc) {
	if a.Name != "" && !a.hint {
		return
	}
	a.Name, a.hint = name, false
	if a.Role != Captured {
		a.Param = loc
		if a.Operand != nil {
			a.Operand.Param, a.Operand.ParamLoc = name, loc
		}
	}
}

func (a *Alloc) hinted(name string, loc parse.Loc) {
	if a.Name == "" {
		a.Name, a.hint = name, true
		a.Param = loc
	}
}

func (f *Func) takes(name string) bool {
	for _, p := range f.Params {
		if p.Name == name && (p.Kind == parse.Positional || p.Kind == parse.KeywordOnly) {
			return true
		}
	}
	return false
}

func (ip *interp) extraArgs(f *Func, pos []*Arg, i int, open bool, args Args, used map[*Arg]bool, at *callSite) {
	if at == nil || f.Guessed() {
		return
	}
	if !open && i < len(pos) && pos[i].Star == 0 {
		ip.fault("too-many-arguments", at.loc, strconv.Itoa(len(pos)), f)
		return
	}
	for k := range args {
		a := &args[k]
		if a.Name != "" && !used[a] {
			ip.fault("unknown-argument", at.loc, a.Name, f)
		}
	}
}

func (ip *interp) funcDef(fr *frame, s *parse.FuncDef) Value {
	f := &Func{Name: s.Name, Params: s.Params, Def: s, Chunk: fr.chunk, env: fr.env, defaults: ip.defaults(fr, s.Params)}
	ip.pending = append(ip.pending, putOff[*Func]{f, ip.now()})
	return ip.decorate(fr, s.Decorators, f)
}

// decorate applies decorators, the last first.
func (ip *interp) decorate(fr *frame, decorators []parse.Expr, v Value) Value {
	given := v
	deco := make([]Value, len(decorators))
	for i, d := range decorators {
		deco[i] = ip.eval(fr, d)
	}
	for i := len(decorators) - 1; i >= 0; i-- {
		loc := fr.loc(decorators[i])
		ip.reach(loc)
		at := &callSite{loc: loc, fn: loc}
		if c, ok := decorators[i].(*parse.Call); ok {
			at.fn = fr.loc(c.Func)
		}
		v = ip.call(fr, deco[i], Args{{Value: v, Loc: loc}}, at)
	}
	if f, ok := given.(*Func); ok && kernelFunc(v) == nil && (fr.env.class || fr.env == fr.env.mod.env) {
		ip.hidden = append(ip.hidden, f)
	}
	return v
}

// callGenerator runs a generator function for its effects and gives what it yields.
func (ip *interp) callGenerator(f *Func, args Args, at *callSite) Value {
	if ip.depth >= maxDepth || !ip.mayRecur(f, args) {
		ip.blind()
		return Unknown
	}
	fr := &frame{env: newEnv(f.env, f.env.mod, f.Def.Scope), chunk: f.Chunk, fn: f, mark: len(ip.journal), key: f.Name}
	fr.yields = &seqBuilder{}
	seq := ip.seq
	ip.bindParams(fr, f, args, at)
	ip.run(fr, f, args)
	if t := fr.yields.tuple(); !fr.perhaps && ip.seq == seq && t.Rest == nil && len(t.Head) > 0 { // what it does to memory happens between its yields
		return t
	}
	all := fr.yields.rest
	for _, v := range elems(fr.yields.tuple()) {
		all = join(all, v)
	}
	if all == nil {
		return &Tuple{Rest: Unknown}
	}
	return &Tuple{Rest: all}
}

func (ip *interp) yielded(fr *frame, v Value) {
	if fr.yields != nil {
		fr.yields.add(v)
	}
}
