package parse

// Annotations have nodes of their own in the grammar; here they become the expressions that they are in Python.

// genericType lowers X[A, B] of an annotation, which the grammar keeps apart from a subscript.
func (l *lowerer) genericType(n int, node exprNode) Expr {
	out := &Index{exprNode: node, X: &UnknownExpr{exprNode: node}, ItemsSpan: Span{node.span.End, node.span.End}}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); k {
		case kTypeParameter:
			out.ItemsSpan = l.insideSpan(c)
			out.Items = l.exprs(c)
			out.Tuple = l.childOfKind(c, kComma) >= 0
		default:
			if isExpr(k) {
				out.X = l.expr(c)
			}
		}
	}
	return out
}

// unionType lowers A | B | C of an annotation, which the grammar reads from right to left.
func (l *lowerer) unionType(n int, node exprNode) Expr {
	x := l.unionMembers(n, nil, 0)
	if len(x) == 0 {
		return &UnknownExpr{exprNode: node}
	}
	out := x[0]
	for _, right := range x[1:] {
		out = &Binary{exprNode: exprAt(Span{node.span.Start, right.Span().End}), Op: "|", L: out, R: right}
	}
	return out
}

func (l *lowerer) unionMembers(n int, out []Expr, depth int) []Expr {
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		inner := c
		for l.kind(inner) == kType && l.next(inner) > inner+1 && l.next(inner+1) == l.next(inner) {
			inner++ // a type that is nothing but its one child
		}
		switch {
		case l.kind(inner) == kUnionType && depth < maxDepth/4:
			out = l.unionMembers(inner, out, depth+1)
		case l.kind(inner) == kBinary && l.op(inner) == "|" && depth < maxDepth/4:
			out = l.orMembers(inner, out, depth+1)
		case isExpr(l.kind(c)) && len(out) < maxDepth/2:
			out = append(out, l.expr(c))
		}
	}
	return out
}

// orMembers is unionMembers for a chain of | that the grammar reads as an expression.
func (l *lowerer) orMembers(n int, out []Expr, depth int) []Expr {
	left, right := l.child(n, fLeft), l.child(n, fRight)
	if l.kind(n) != kBinary || l.op(n) != "|" || left < 0 || right < 0 || depth > maxDepth/4 || len(out) > maxDepth/2 {
		return append(out, l.expr(n))
	}
	return append(l.orMembers(left, out, depth+1), l.expr(right))
}

// memberType lowers X.Y of an annotation.
func (l *lowerer) memberType(n int, node exprNode) Expr {
	x := l.exprs(n)
	if len(x) != 2 {
		return &UnknownExpr{exprNode: node, Parts: x}
	}
	name, ok := x[1].(*Name)
	if !ok {
		return &UnknownExpr{exprNode: node, Parts: x}
	}
	return &Attr{exprNode: node, X: x[0], Name: name.ID, NameSpan: name.span}
}
