package parse

import "strings"

// block lowers the statements among the children of n (a module, a block, or an ERROR node) and appends them to out.
func (l *lowerer) block(n int, out []Stmt) []Stmt {
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.skip(c) || l.kind(c) == kOther && !l.missing(c) || l.kind(c) == kSemi {
			continue
		}
		if stand, ok := l.bodies[l.pos(l.recs[c].start)]; ok {
			return append(out, stand...)
		}
		if l.made(c) {
			continue
		}
		out = append(out, l.stmt(c))
	}
	return out
}

// body lowers the block in the given field of n. A one-line body such as `if x: a; b` is a block too.
func (l *lowerer) body(n int, f field) []Stmt {
	b := l.child(n, f)
	if b < 0 {
		return nil
	}
	if l.kind(b) != kBlock {
		return []Stmt{l.stmt(b)}
	}
	return l.block(b, nil)
}

func (l *lowerer) stmt(n int) Stmt {
	node := stmtAt(l.codeSpan(n))
	if l.depth >= maxDepth {
		return &UnknownStmt{stmtNode: node}
	}
	l.depth++
	defer func() { l.depth-- }()
	switch l.kind(n) {
	case kExprStmt:
		return l.exprStmt(n, node)
	case kImport:
		return &Import{stmtNode: node, Names: l.aliases(n)}
	case kImportFrom:
		return l.importFrom(n, node)
	case kImportFuture:
		return &ImportFrom{stmtNode: node, Module: "__future__", ModuleSpan: l.futureSpan(node), Names: l.aliases(n)}
	case kAssert:
		x := l.exprs(n)
		return &Assert{stmtNode: node, Cond: at(x, 0), Msg: at(x, 1)}
	case kReturn:
		return &Return{stmtNode: node, X: at(l.exprs(n), 0)}
	case kDelete:
		return &Delete{stmtNode: node, Targets: l.deleted(n)}
	case kRaise:
		return l.raise(n, node)
	case kPass:
		return &Simple{stmtNode: node, Kind: Pass}
	case kBreak:
		return &Simple{stmtNode: node, Kind: Break}
	case kContinue:
		return &Simple{stmtNode: node, Kind: Continue}
	case kGlobal:
		return &Global{stmtNode: node, Names: l.names(n)}
	case kNonlocal:
		return &Global{stmtNode: node, Names: l.names(n), Nonlocal: true}
	case kIf:
		return l.ifStmt(n, node)
	case kFor:
		return l.forStmt(n, node)
	case kWhile:
		return &While{stmtNode: node, Cond: l.exprIn(n, fCondition), Body: l.body(n, fBody), Else: l.orElse(n)}
	case kTry:
		return l.try(n, node)
	case kWith:
		return l.with(n, node)
	case kMatch:
		return l.match(n, node)
	case kFuncDef:
		return l.funcDef(n, node, nil)
	case kClassDef:
		return l.classDef(n, node, nil)
	case kDecorated:
		return l.decorated(n, node)
	case kTypeAlias:
		return l.typeAlias(n, node)
	case kError, kPrint, kExec, kBlock:
		return l.unknownStmt(n, node)
	}
	if isExpr(l.kind(n)) {
		return &ExprStmt{stmtNode: node, X: l.expr(n)}
	}
	return l.unknownStmt(n, node)
}

// unknownStmt keeps what can be read inside text that is no statement.
func (l *lowerer) unknownStmt(n int, node stmtNode) Stmt {
	u := &UnknownStmt{stmtNode: node}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		k := l.kind(c)
		switch {
		case l.skip(c) || l.made(c) || l.missing(c) || k == kIdentifier && isKeyword(l.str(c)):
		case isStmt(k) || k == kError:
			u.Body = append(u.Body, l.stmt(c))
		case isExpr(k):
			u.Body = append(u.Body, &ExprStmt{stmtNode: stmtAt(l.span(c)), X: l.expr(c)})
		}
	}
	return u
}

func isStmt(k kind) bool { return k >= kBlock && k <= kTypeAlias }

// exprStmt lowers an expression statement, which the grammar also uses for assignments and bare tuples.
func (l *lowerer) exprStmt(n int, node stmtNode) Stmt {
	var elems []Expr
	comma := false
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); {
		case l.skip(c) || k == kOther:
		case k == kComma:
			comma = true
		case k == kAssignment:
			return l.assignment(c, node)
		case k == kAugAssignment:
			return l.augAssignment(c, node)
		default:
			elems = append(elems, l.expr(c))
		}
	}
	if len(elems) == 1 && !comma {
		return &ExprStmt{stmtNode: node, X: elems[0]}
	}
	return &ExprStmt{stmtNode: node, X: &Tuple{exprNode: exprAt(node.span), Elems: elems}}
}

// assignment lowers a = b = ... = value and a: T = value.
func (l *lowerer) assignment(n int, node stmtNode) Stmt {
	if t := l.child(n, fType); t >= 0 {
		return &AnnAssign{stmtNode: node, Target: l.exprIn(n, fLeft), Ann: l.expr(t), Value: l.optional(n, fRight)}
	}
	out := &Assign{stmtNode: node}
	for {
		out.Targets = append(out.Targets, l.exprIn(n, fLeft))
		right := l.child(n, fRight)
		if right < 0 {
			out.Value = &UnknownExpr{exprNode: exprAt(Span{l.pos(l.recs[n].end), l.pos(l.recs[n].end)})}
			return out
		}
		if l.kind(right) != kAssignment || l.child(right, fType) >= 0 {
			out.Value = l.expr(right)
			return out
		}
		n = right
	}
}

func (l *lowerer) augAssignment(n int, node stmtNode) Stmt {
	out := &AugAssign{stmtNode: node, Target: l.exprIn(n, fLeft), Value: l.exprIn(n, fRight)}
	if op := l.child(n, fOperator); op >= 0 {
		out.Op = strings.TrimSuffix(l.str(op), "=")
	}
	return out
}

func (l *lowerer) deleted(n int) []Expr {
	x := l.exprs(n)
	if len(x) != 1 {
		return x
	}
	if t, ok := x[0].(*Tuple); ok && !t.Parens {
		return t.Elems
	}
	return x
}

func (l *lowerer) raise(n int, node stmtNode) Stmt {
	out := &Raise{stmtNode: node, Cause: l.optional(n, fCause)}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.field(c) != fCause && isExpr(l.kind(c)) {
			out.X = l.expr(c)
			break
		}
	}
	return out
}

func (l *lowerer) names(n int) []string {
	var out []string
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.kind(c) == kIdentifier && !l.missing(c) && !l.made(c) {
			out = append(out, l.str(c))
		}
	}
	return out
}

// aliases lowers the imported names of an import statement of any kind.
func (l *lowerer) aliases(n int) []Alias {
	var out []Alias
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.field(c) != fName || l.made(c) {
			continue
		}
		switch l.kind(c) {
		case kDottedName, kIdentifier:
			out = append(out, Alias{node: nodeAt(l.span(c)), Name: l.dotted(c)})
		case kAliasedImport:
			a := Alias{node: nodeAt(l.span(c))}
			if name := l.child(c, fName); name >= 0 {
				a.Name = l.dotted(name)
			}
			if as := l.child(c, fAlias); as >= 0 {
				a.As = l.str(as)
			}
			out = append(out, a)
		}
	}
	return out
}

// dotted returns a dotted name without the blanks that Python allows around its dots.
func (l *lowerer) dotted(n int) string {
	s := l.str(n)
	if r := l.recs[n]; r.end > l.limit && r.start < l.limit {
		s = strings.TrimRight(l.text[r.start:l.limit], ".") // the name after the last dot is made up
	}
	if !strings.ContainsAny(s, " \t\\\r\n\f") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\\\r\n\f", r) }), "")
}

func (l *lowerer) importFrom(n int, node stmtNode) Stmt {
	out := &ImportFrom{stmtNode: node, Names: l.aliases(n)}
	if star := l.childOfKind(n, kWildcardImport); star >= 0 {
		out.Names = []Alias{{node: nodeAt(l.span(star)), Name: "*"}}
	}
	m := l.child(n, fModuleName)
	if m < 0 {
		return out
	}
	out.ModuleSpan = l.span(m)
	if l.kind(m) != kRelativeImport {
		out.Module = l.dotted(m)
		return out
	}
	if prefix := l.childOfKind(m, kImportPrefix); prefix >= 0 {
		out.Level = strings.Count(l.str(prefix), ".")
	}
	if name := l.childOfKind(m, kDottedName); name >= 0 {
		out.Module = l.dotted(name)
	}
	return out
}

// futureSpan finds the word __future__, for which the grammar has no node of its own.
func (l *lowerer) futureSpan(node stmtNode) Span {
	const word = "__future__"
	i := strings.Index(l.chunk[node.span.Start:node.span.End], word)
	if i < 0 {
		return Span{node.span.Start, node.span.Start}
	}
	start := node.span.Start + int32(i)
	return Span{start, start + int32(len(word))}
}

// ifStmt lowers an if with its elifs, each of which becomes an If alone in the Else of the one before.
func (l *lowerer) ifStmt(n int, node stmtNode) Stmt {
	top := &If{stmtNode: node, Cond: l.exprIn(n, fCondition), Then: l.body(n, fConsequence)}
	last := top
	elifs := 0
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch l.kind(c) {
		case kElif:
			if elifs++; elifs > maxDepth {
				last.Else = []Stmt{&UnknownStmt{stmtNode: stmtAt(Span{l.pos(l.recs[c].start), node.span.End})}}
				return top
			}
			elif := &If{
				stmtNode: stmtAt(Span{l.pos(l.recs[c].start), node.span.End}),
				Cond:     l.exprIn(c, fCondition),
				Then:     l.body(c, fConsequence),
			}
			last.Else = []Stmt{elif}
			last = elif
		case kElse:
			last.Else = l.body(c, fBody)
		}
	}
	return top
}

func (l *lowerer) orElse(n int) []Stmt {
	if c := l.childOfKind(n, kElse); c >= 0 {
		return l.body(c, fBody)
	}
	return nil
}

func (l *lowerer) forStmt(n int, node stmtNode) Stmt {
	return &For{
		stmtNode: node,
		Target:   l.exprIn(n, fLeft),
		Iter:     l.exprIn(n, fRight),
		Body:     l.body(n, fBody),
		Else:     l.orElse(n),
		Async:    l.childOfKind(n, kAsync) >= 0,
	}
}

func (l *lowerer) try(n int, node stmtNode) Stmt {
	out := &Try{stmtNode: node, Body: l.body(n, fBody), Else: l.orElse(n)}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch l.kind(c) {
		case kExcept, kExceptGroup:
			out.Handlers = append(out.Handlers, l.handler(c))
		case kFinally:
			if b := l.childOfKind(c, kBlock); b >= 0 {
				out.Finally = l.block(b, nil)
			}
		}
	}
	return out
}

func (l *lowerer) handler(n int) Handler {
	h := Handler{node: nodeAt(l.codeSpan(n))}
	var types []Expr
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); {
		case k == kBlock:
			h.Body = l.block(c, nil)
		case k == kAsPattern:
			x, target := l.asPattern(c)
			types = append(types, x)
			if name, ok := target.(*Name); ok {
				h.Name = name.ID
			}
		case l.field(c) == fAlias:
			h.Name = l.str(c)
		case isExpr(k):
			types = append(types, l.expr(c))
		}
	}
	switch len(types) {
	case 0:
	case 1:
		h.Type = types[0]
		if star, ok := h.Type.(*Starred); ok { // except *E
			h.Type = star.X
		}
	default:
		span := Span{types[0].Span().Start, types[len(types)-1].Span().End}
		h.Type = &Tuple{exprNode: exprAt(span), Elems: types}
	}
	return h
}

func (l *lowerer) with(n int, node stmtNode) Stmt {
	out := &With{stmtNode: node, Body: l.body(n, fBody), Async: l.childOfKind(n, kAsync) >= 0}
	clause := l.childOfKind(n, kWithClause)
	if clause < 0 {
		return out
	}
	for c, end := clause+1, l.next(clause); c < end; c = l.next(c) {
		if l.kind(c) == kWithItem {
			out.Items = append(out.Items, l.withItems(c)...)
		}
	}
	return out
}

// withItems lowers one with_item. The grammar reads `with (a as b, c):` as one item that is a tuple; those are several
// items, as in Python.
func (l *lowerer) withItems(n int) []WithItem {
	v := l.child(n, fValue)
	if v < 0 {
		return []WithItem{{Context: l.unknown(n)}}
	}
	if l.kind(v) == kTuple && l.childOfKind(v, kAsPattern) >= 0 || l.kind(v) == kParen && l.childOfKind(v, kAsPattern) >= 0 {
		var out []WithItem
		for c, end := v+1, l.next(v); c < end; c = l.next(c) {
			if k := l.kind(c); isExpr(k) || k == kAsPattern {
				out = append(out, l.withItem(c))
			}
		}
		return out
	}
	return []WithItem{l.withItem(v)}
}

func (l *lowerer) withItem(n int) WithItem {
	if l.kind(n) == kAsPattern {
		x, target := l.asPattern(n)
		return WithItem{Context: x, Target: target}
	}
	return WithItem{Context: l.expr(n)}
}

// asPattern lowers `x as target` of a with or an except.
func (l *lowerer) asPattern(n int) (x, target Expr) {
	x = &UnknownExpr{exprNode: exprAt(l.span(n))}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch {
		case l.kind(c) == kAsPatternTarget:
			target = at(l.exprs(c), 0)
		case isExpr(l.kind(c)):
			x = l.expr(c)
		}
	}
	return x, target
}

func (l *lowerer) decorated(n int, node stmtNode) Stmt {
	def := l.child(n, fDefinition)
	if def < 0 {
		return l.unknownStmt(n, node)
	}
	var decorators []Expr
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.kind(c) == kDecorator {
			if x := l.exprs(c); len(x) > 0 {
				decorators = append(decorators, x[0])
			}
		}
	}
	if l.kind(def) == kClassDef {
		return l.classDef(def, node, decorators)
	}
	return l.funcDef(def, node, decorators)
}

func (l *lowerer) funcDef(n int, node stmtNode, decorators []Expr) Stmt {
	f := &FuncDef{
		stmtNode:   node,
		Decorators: decorators,
		Returns:    l.optional(n, fReturnType),
		Async:      l.childOfKind(n, kAsync) >= 0,
		TypeParams: l.typeParams(n),
		Body:       l.body(n, fBody),
	}
	f.DefSpan = Span{l.pos(l.recs[n].start), l.pos(l.recs[n].end)}
	if colon := l.childOfKind(n, kColon); colon >= 0 {
		f.DefSpan.End = l.pos(l.recs[colon].end)
	}
	if name := l.child(n, fName); name >= 0 && !l.made(name) && !l.missing(name) {
		f.Name, f.NameSpan = l.str(name), l.span(name)
	}
	if p := l.child(n, fParameters); p >= 0 {
		f.Params, f.Misfit = l.params(p)
		f.ParamsSpan = l.span(p)
	}
	return f
}

func (l *lowerer) classDef(n int, node stmtNode, decorators []Expr) Stmt {
	c := &ClassDef{stmtNode: node, Decorators: decorators, TypeParams: l.typeParams(n), Body: l.body(n, fBody)}
	if name := l.child(n, fName); name >= 0 && !l.made(name) && !l.missing(name) {
		c.Name, c.NameSpan = l.str(name), l.span(name)
	}
	if bases := l.child(n, fSuperclasses); bases >= 0 {
		c.Bases = l.args(bases)
	}
	return c
}

// typeParams returns the names of the type parameters of PEP 695.
func (l *lowerer) typeParams(n int) []string {
	p := l.child(n, fTypeParameters)
	if p < 0 {
		return nil
	}
	return l.typeParamNames(p)
}

func (l *lowerer) typeParamNames(p int) []string {
	var out []string
	for c, end := p+1, l.next(p); c < end; c = l.next(c) {
		if l.kind(c) != kType {
			continue
		}
		for d := c + 1; d < l.next(c); d++ { // the first identifier inside, below a splat or a bound
			if l.kind(d) == kIdentifier {
				out = append(out, l.str(d))
				break
			}
		}
	}
	return out
}

// typeAlias lowers type X = Y and type X[T] = Y.
func (l *lowerer) typeAlias(n int, node stmtNode) Stmt {
	out := &TypeAlias{stmtNode: node}
	var types []int
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.kind(c) == kType {
			types = append(types, c)
		}
	}
	if len(types) != 2 {
		return l.unknownStmt(n, node)
	}
	switch left := l.expr(types[0]).(type) {
	case *Name:
		out.Name = left.ID
	case *Index:
		if name, ok := left.X.(*Name); ok {
			out.Name = name.ID
		}
	}
	for d := types[0] + 1; d < l.next(types[0]); d++ {
		if l.kind(d) == kTypeParameter {
			out.TypeParams = l.typeParamNames(d)
			break
		}
	}
	out.Value = l.expr(types[1])
	return out
}

// at returns x[i], or nil.
func at(x []Expr, i int) Expr {
	if i < len(x) {
		return x[i]
	}
	return nil
}
