package parse

import "strings"

// exprKinds holds the kinds that expr can lower.
var exprKinds = func() (out [kindCount]bool) {
	for k := kIdentifier; k <= kMemberType; k++ {
		out[k] = true
	}
	for _, k := range []kind{kArgumentList, kKeywordArgument, kFormatSpecifier, kPair, kForIn, kIfClause, kAssignment, kAugAssignment} {
		out[k] = false
	}
	out[kListSplatPattern] = true
	out[kDictSplatPattern] = true
	out[kError] = true
	out[kDottedName] = true
	out[kAsPattern] = true
	return out
}()

func isExpr(k kind) bool { return exprKinds[k] }

// exprs lowers the expressions among the children of n.
func (l *lowerer) exprs(n int) []Expr {
	var out []Expr
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if isExpr(l.kind(c)) {
			out = append(out, l.expr(c))
		}
	}
	return out
}

// exprIn lowers the child with the given field, which should be there.
func (l *lowerer) exprIn(n int, f field) Expr {
	if c := l.child(n, f); c >= 0 {
		return l.expr(c)
	}
	return &UnknownExpr{exprNode: exprAt(l.span(n))}
}

// optional lowers the child with the given field, which may be absent.
func (l *lowerer) optional(n int, f field) Expr {
	if c := l.child(n, f); c >= 0 {
		return l.expr(c)
	}
	return nil
}

// unknown returns an unknown expression that keeps the expressions inside n. Do not call it for a node whose children
// have been lowered already: twice the work at each level of nesting is 2^n times the work.
func (l *lowerer) unknown(n int) Expr {
	u := &UnknownExpr{exprNode: exprAt(l.span(n))}
	if l.depth >= maxDepth {
		return u
	}
	l.depth++
	defer func() { l.depth-- }()
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if isExpr(l.kind(c)) && !l.made(c) && !l.missing(c) {
			u.Parts = append(u.Parts, l.expr(c))
		}
	}
	return u
}

func (l *lowerer) expr(n int) Expr {
	node := exprAt(l.span(n))
	if l.depth >= maxDepth || l.missing(n) || l.made(n) {
		return &UnknownExpr{exprNode: node}
	}
	l.depth++
	defer func() { l.depth-- }()
	switch l.kind(n) {
	case kIdentifier, kDottedName:
		return &Name{exprNode: node, ID: l.str(n)}
	case kTrue:
		return &Const{exprNode: node, Kind: ConstTrue}
	case kFalse:
		return &Const{exprNode: node, Kind: ConstFalse}
	case kNone:
		return &Const{exprNode: node, Kind: ConstNone}
	case kEllipsis:
		return &Const{exprNode: node, Kind: ConstEllipsis}
	case kInteger, kFloat:
		return number(node, l.str(n))
	case kString:
		return l.str1(n, node)
	case kConcatenated:
		return l.concatenated(n, node)
	case kAttribute:
		return outsideStar(l.attribute(n, node))
	case kCall:
		return outsideStar(l.call(n, node))
	case kSubscript:
		return outsideStar(l.index(n, node))
	case kSlice:
		return l.slice(n, node)
	case kTuple, kTuplePattern:
		return l.tuple(n, node, true)
	case kExprList, kPatternList:
		return l.tuple(n, node, false)
	case kList, kListPattern:
		return &List{exprNode: node, Elems: l.exprs(n)}
	case kSet:
		return &Set{exprNode: node, Elems: l.exprs(n)}
	case kDict:
		return l.dict(n, node)
	case kListSplat, kListSplatPattern, kDictSplat, kDictSplatPattern, kSplatType:
		return l.starred(n, node)
	case kParen, kParenListSplat:
		return l.paren(n)
	}
	return l.operator(n, node)
}

// operator lowers the expressions that expr leaves.
func (l *lowerer) operator(n int, node exprNode) Expr {
	switch l.kind(n) {
	case kBinary:
		if l.mixesAndXor(n) {
			return l.andXor(n)
		}
		return &Binary{exprNode: node, Op: l.op(n), L: l.exprIn(n, fLeft), R: l.exprIn(n, fRight)}
	case kBool:
		return &BoolOp{exprNode: node, Op: l.op(n), L: l.exprIn(n, fLeft), R: l.exprIn(n, fRight)}
	case kUnary:
		return &Unary{exprNode: node, Op: l.op(n), X: l.exprIn(n, fArgument)}
	case kNot:
		return &Unary{exprNode: node, Op: "not", X: l.exprIn(n, fArgument)}
	case kCompare:
		return l.compare(n, node)
	case kLambda:
		return l.lambda(n, node)
	case kIfExp:
		return l.ifExp(n, node)
	case kListComp:
		return l.comp(n, node, CompList)
	case kSetComp:
		return l.comp(n, node, CompSet)
	case kDictComp:
		return l.comp(n, node, CompDict)
	case kGenerator:
		return l.comp(n, node, CompGenerator)
	case kWalrus:
		return l.walrus(n, node)
	case kAwait:
		x := l.exprs(n)
		if len(x) == 1 {
			return &Await{exprNode: node, X: x[0]}
		}
		return &UnknownExpr{exprNode: node, Parts: x}
	case kYield:
		return &Yield{exprNode: node, X: at(l.exprs(n), 0), From: l.childOfKind(n, kFrom) >= 0}
	case kType:
		return l.paren(n)
	case kGenericType:
		return l.genericType(n, node)
	case kUnionType:
		return l.unionType(n, node)
	case kMemberType:
		return l.memberType(n, node)
	case kInterpolation, kFormatExpression:
		return l.exprIn(n, fExpression)
	}
	return l.unknown(n)
}

func (l *lowerer) op(n int) string {
	if op := l.child(n, fOperator); op >= 0 {
		return l.str(op)
	}
	return ""
}

// mixesAndXor reports whether a binary operator is an & with a ^ directly below it, or the other way round.
func (l *lowerer) mixesAndXor(n int) bool {
	op := l.op(n)
	if op != "&" && op != "^" {
		return false
	}
	for _, f := range []field{fLeft, fRight} {
		c := l.child(n, f)
		if c < 0 || l.kind(c) != kBinary {
			continue
		}
		if below := l.op(c); (below == "&" || below == "^") && below != op {
			return true
		}
	}
	return false
}

// andXor lowers a chain of & and ^. In the grammar ^ binds tighter, in Python & does.
func (l *lowerer) andXor(n int) Expr {
	operands, ops := l.chain(n, nil, nil, 0)
	if l.depth+len(operands) > maxDepth {
		return &UnknownExpr{exprNode: exprAt(l.span(n))}
	}
	l.depth += len(operands)
	defer func() { l.depth -= len(operands) }()
	group := 0 // where the current run of & starts
	var xor, and Expr
	join := func(op string, a, b Expr, from, to int) Expr {
		if a == nil {
			return b
		}
		return &Binary{exprNode: exprAt(l.between(operands[from], operands[to])), Op: op, L: a, R: b}
	}
	for i, x := range operands {
		if i > 0 && ops[i-1] == "^" {
			xor = join("^", xor, and, 0, i-1)
			and, group = nil, i
		}
		and = join("&", and, l.expr(x), group, i)
	}
	return join("^", xor, and, 0, len(operands)-1)
}

// chain appends the operands and the operators of a chain of & and ^, from left to right.
func (l *lowerer) chain(n int, operands []int, ops []string, depth int) ([]int, []string) {
	op := ""
	if l.kind(n) == kBinary {
		op = l.op(n)
	}
	left, right := l.child(n, fLeft), l.child(n, fRight)
	if op != "&" && op != "^" || left < 0 || right < 0 || depth > maxDepth {
		return append(operands, n), ops
	}
	operands, ops = l.chain(left, operands, ops, depth+1)
	return l.chain(right, operands, append(ops, op), depth+1)
}

// paren lowers a node that stands for the one expression inside it, as parentheses do.
func (l *lowerer) paren(n int) Expr {
	x := l.exprs(n)
	if len(x) == 1 {
		return x[0]
	}
	return &UnknownExpr{exprNode: exprAt(l.span(n)), Parts: x}
}

func (l *lowerer) starred(n int, node exprNode) Expr {
	x := l.exprs(n)
	if len(x) != 1 || l.kind(n) == kDictSplat || l.kind(n) == kDictSplatPattern {
		return &UnknownExpr{exprNode: node, Parts: x}
	}
	return &Starred{exprNode: node, X: x[0]}
}

// outsideStar moves a star out of the expression that it stands before: *a[0] in a list is (*a)[0] in the grammar.
func outsideStar(x Expr) Expr {
	var inside *Expr
	var at *exprNode
	switch x := x.(type) {
	case *Attr:
		inside, at = &x.X, &x.exprNode
	case *Call:
		inside, at = &x.Func, &x.exprNode
	case *Index:
		inside, at = &x.X, &x.exprNode
	}
	star, ok := (*inside).(*Starred)
	if !ok {
		return x
	}
	whole := *at
	*inside = star.X
	at.span.Start = star.X.Span().Start
	return &Starred{exprNode: whole, X: x}
}

func (l *lowerer) attribute(n int, node exprNode) Expr {
	out := &Attr{exprNode: node, X: l.exprIn(n, fObject), NameSpan: Span{node.span.End, node.span.End}}
	if name := l.child(n, fAttribute); name >= 0 && !l.missing(name) && !l.made(name) {
		out.Name, out.NameSpan = l.str(name), l.span(name)
	}
	return out
}

func (l *lowerer) call(n int, node exprNode) Expr {
	out := &Call{exprNode: node, Func: l.exprIn(n, fFunction), ArgsSpan: Span{node.span.End, node.span.End}}
	a := l.child(n, fArguments)
	if a < 0 {
		return out
	}
	out.ArgsSpan = l.span(a)
	if l.kind(a) != kGenerator {
		out.Args = l.args(a)
		return out
	}
	// f(x for x in y): the parentheses are the call's, as in Python's own tree they would be the generator's too.
	span := l.insideSpan(a)
	out.Args = []Arg{{node: nodeAt(span), Value: l.comp(a, exprAt(span), CompGenerator)}}
	return out
}

// args lowers an argument list, of a call or of a class definition.
func (l *lowerer) args(n int) []Arg {
	var out []Arg
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); k {
		case kKeywordArgument:
			out = append(out, l.keywordArg(c))
		case kListSplat, kDictSplat:
			star := 1
			if k == kDictSplat {
				star = 2
			}
			out = append(out, Arg{node: nodeAt(l.span(c)), Star: star, Value: l.paren(c)})
		case kParenListSplat:
			out = append(out, Arg{node: nodeAt(l.span(c)), Star: 1, Value: l.unknown(c)})
		default:
			if isExpr(k) {
				out = append(out, Arg{node: nodeAt(l.span(c)), Value: l.expr(c)})
			}
		}
	}
	return out
}

func (l *lowerer) keywordArg(n int) Arg {
	out := Arg{node: nodeAt(l.span(n)), Value: l.exprIn(n, fValue)}
	if name := l.child(n, fName); name >= 0 {
		out.Name, out.NameSpan = l.str(name), l.span(name)
	}
	return out
}

func (l *lowerer) index(n int, node exprNode) Expr {
	out := &Index{exprNode: node, X: l.exprIn(n, fValue), ItemsSpan: Span{node.span.End, node.span.End}}
	opened := false
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); {
		case k == kLBracket && !opened:
			opened = true
			out.ItemsSpan.Start = l.pos(l.recs[c].end)
		case k == kRBracket:
			out.ItemsSpan.End = l.pos(l.recs[c].start)
		case k == kComma:
			out.Tuple = true
		case opened && isExpr(k):
			out.Items = append(out.Items, l.item(c))
		}
	}
	return out
}

// item lowers one subscript, which may have lost its star; see patch.go.
func (l *lowerer) item(n int) Expr {
	x := l.expr(n)
	if star, ok := l.starBefore(l.recs[n].start); ok {
		return &Starred{exprNode: exprAt(Span{l.pos(star), l.pos(l.recs[n].end)}), X: x}
	}
	return x
}

func (l *lowerer) slice(n int, node exprNode) Expr {
	out := &Slice{exprNode: node}
	parts := [...]*Expr{&out.Lo, &out.Hi, &out.Step}
	i := 0
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); {
		case k == kColon:
			i++
		case isExpr(k) && i < len(parts):
			*parts[i] = l.expr(c)
		}
	}
	return out
}

func (l *lowerer) tuple(n int, node exprNode, parens bool) Expr {
	elems := l.exprs(n)
	if l.kind(n) == kTuplePattern && len(elems) == 1 && l.childOfKind(n, kComma) < 0 {
		return elems[0] // (a) = b
	}
	return &Tuple{exprNode: node, Elems: elems, Parens: parens}
}

func (l *lowerer) dict(n int, node exprNode) Expr {
	out := &Dict{exprNode: node}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch l.kind(c) {
		case kPair:
			out.Items = append(out.Items, DictItem{Key: l.exprIn(c, fKey), Value: l.exprIn(c, fValue)})
		case kDictSplat:
			out.Items = append(out.Items, DictItem{Value: l.paren(c)})
		case kError:
			out.Items = append(out.Items, DictItem{Key: &UnknownExpr{exprNode: exprAt(l.span(c))}, Value: l.unknown(c)})
		}
	}
	return out
}

// compare lowers a chain of comparisons. `not in` and `is not` are one operator however they are spaced.
func (l *lowerer) compare(n int, node exprNode) Expr {
	out := &Compare{exprNode: node}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch {
		case l.skip(c):
		case l.field(c) == fOperators:
			out.Ops = append(out.Ops, strings.Join(strings.Fields(l.str(c)), " "))
		case !isExpr(l.kind(c)):
		case out.First == nil:
			out.First = l.expr(c)
		default:
			out.Rest = append(out.Rest, l.expr(c))
		}
	}
	if out.First == nil {
		return &UnknownExpr{exprNode: node}
	}
	if len(out.Ops) != len(out.Rest) {
		return &UnknownExpr{exprNode: node, Parts: append(out.Rest, out.First)}
	}
	return out
}

func (l *lowerer) lambda(n int, node exprNode) Expr {
	out := &Lambda{exprNode: node, Body: l.exprIn(n, fBody)}
	if p := l.child(n, fParameters); p >= 0 {
		out.Params, out.Misfit = l.params(p)
	}
	return out
}

func (l *lowerer) ifExp(n int, node exprNode) Expr {
	x := l.exprs(n)
	if len(x) != 3 {
		return &UnknownExpr{exprNode: node, Parts: x}
	}
	return &IfExp{exprNode: node, Then: x[0], Cond: x[1], Else: x[2]}
}

func (l *lowerer) comp(n int, node exprNode, kind CompKind) Expr {
	out := &Comp{exprNode: node, Kind: kind}
	if b := l.child(n, fBody); b >= 0 {
		if l.kind(b) == kPair {
			out.Key, out.Elt = l.exprIn(b, fKey), l.exprIn(b, fValue)
		} else {
			out.Elt = l.expr(b)
		}
	} else {
		out.Elt = &UnknownExpr{exprNode: exprAt(Span{node.span.Start, node.span.Start})}
	}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch l.kind(c) {
		case kForIn:
			out.Clauses = append(out.Clauses, l.forIn(c))
		case kIfClause:
			if x := l.exprs(c); len(x) > 0 {
				out.Clauses = append(out.Clauses, CompClause{Cond: x[0]})
			}
		}
	}
	return out
}

// forIn lowers one for clause. Its iterable may be a bare tuple in the grammar: for x in a, b.
func (l *lowerer) forIn(n int) CompClause {
	out := CompClause{Target: l.exprIn(n, fLeft), Async: l.childOfKind(n, kAsync) >= 0}
	var right []Expr
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.field(c) == fRight && isExpr(l.kind(c)) {
			right = append(right, l.expr(c))
		}
	}
	switch len(right) {
	case 0:
		out.Iter = &UnknownExpr{exprNode: exprAt(l.span(n))}
	case 1:
		out.Iter = right[0]
	default:
		span := Span{right[0].Span().Start, right[len(right)-1].Span().End}
		out.Iter = &Tuple{exprNode: exprAt(span), Elems: right}
	}
	return out
}

func (l *lowerer) walrus(n int, node exprNode) Expr {
	left, value := l.exprIn(n, fName), l.exprIn(n, fValue)
	if target, ok := left.(*Name); ok {
		return &Walrus{exprNode: node, Target: target, Value: value}
	}
	return &UnknownExpr{exprNode: node, Parts: []Expr{left, value}}
}

// params lowers the parameters of a function or a lambda. misfit says that Python refuses them.
func (l *lowerer) params(n int) (out []*Param, misfit bool) {
	kind := Positional
	separators := 0
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch l.kind(c) {
		case kPositionalSeparator:
			misfit = misfit || len(out) == 0 || out[0].Kind == PositionalOnly || kind == KeywordOnly
			for _, p := range out {
				p.Kind = PositionalOnly
			}
			continue
		case kKeywordSeparator:
			misfit = misfit || kind == KeywordOnly
			kind = KeywordOnly
			separators++
			continue
		}
		p := l.param(c)
		if p == nil {
			misfit = misfit || isExpr(l.kind(c)) || l.kind(c) == kTuplePattern
			continue
		}
		switch p.Kind {
		case VarArgs:
			misfit = misfit || kind == KeywordOnly
			kind = KeywordOnly
		case Positional:
			p.Kind = kind
		}
		out = append(out, p)
	}
	return out, misfit || misordered(out, separators > 0)
}

// misordered reports what Python refuses of parameters beyond their separators. star says that a * stands among them.
func misordered(params []*Param, star bool) bool {
	seen := make(map[string]bool, len(params))
	defaults := false
	for i, p := range params {
		positional := p.Kind == PositionalOnly || p.Kind == Positional
		switch {
		case seen[p.Name], positional && defaults && p.Default == nil, !positional && p.Kind != KeywordOnly && p.Default != nil:
			return true
		case p.Kind == VarKwargs && i < len(params)-1:
			return true
		}
		seen[p.Name] = true
		defaults = defaults || positional && p.Default != nil
		star = star && p.Kind != KeywordOnly
	}
	return star // and nothing that it asks for by name
}

// param lowers one parameter, or returns nil. Its Kind is Positional, VarArgs or VarKwargs.
func (l *lowerer) param(n int) *Param {
	p := &Param{node: nodeAt(l.span(n)), Kind: Positional}
	switch l.kind(n) {
	case kIdentifier, kListSplatPattern, kDictSplatPattern:
		l.paramName(n, p)
	case kDefaultParameter, kTypedDefaultParameter:
		if name := l.child(n, fName); name >= 0 {
			l.paramName(name, p)
		}
		p.Ann = l.optional(n, fType)
		p.Default = l.optional(n, fValue)
	case kTypedParameter:
		for c, end := n+1, l.next(n); c < end; c = l.next(c) {
			switch l.kind(c) {
			case kIdentifier, kListSplatPattern, kDictSplatPattern:
				l.paramName(c, p)
			}
		}
		p.Ann = l.optional(n, fType)
	default:
		return nil
	}
	if p.Name == "" {
		return nil
	}
	return p
}

func (l *lowerer) paramName(n int, p *Param) {
	switch l.kind(n) {
	case kListSplatPattern:
		p.Kind = VarArgs
	case kDictSplatPattern:
		p.Kind = VarKwargs
	case kIdentifier:
		if !l.missing(n) && !l.made(n) {
			p.Name, p.NameSpan = l.str(n), l.span(n)
		}
		return
	}
	if name := l.childOfKind(n, kIdentifier); name >= 0 && !l.missing(name) && !l.made(name) {
		p.Name, p.NameSpan = l.str(name), l.span(name)
	}
}
