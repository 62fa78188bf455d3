package parse

// match lowers a match statement.
func (l *lowerer) match(n int, node stmtNode) Stmt {
	out := &Match{stmtNode: node}
	var subjects []Expr
	comma := false
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch {
		case l.field(c) == fSubject && isExpr(l.kind(c)):
			subjects = append(subjects, l.expr(c))
		case l.kind(c) == kComma:
			comma = true
		case l.kind(c) == kBlock:
			out.Cases = l.cases(c)
		}
	}
	switch {
	case len(subjects) == 1 && !comma:
		out.Subject = subjects[0]
	case len(subjects) > 0:
		span := Span{subjects[0].Span().Start, subjects[len(subjects)-1].Span().End}
		out.Subject = &Tuple{exprNode: exprAt(span), Elems: subjects}
	default:
		out.Subject = &UnknownExpr{exprNode: exprAt(Span{node.span.Start, node.span.Start})}
	}
	return out
}

func (l *lowerer) cases(n int) []MatchCase {
	var out []MatchCase
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.kind(c) == kCase {
			out = append(out, l.matchCase(c))
		}
	}
	return out
}

func (l *lowerer) matchCase(n int) MatchCase {
	out := MatchCase{node: nodeAt(l.codeSpan(n)), Body: l.body(n, fConsequence)}
	var patterns []Pattern
	comma := false
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); {
		case k == kCasePattern || k == kError:
			patterns = append(patterns, l.pattern(c))
		case k == kComma:
			comma = true
		case k == kIfClause:
			out.Guard = at(l.exprs(c), 0)
		}
	}
	switch {
	case len(patterns) == 1 && !comma:
		out.Pattern = patterns[0]
	case len(patterns) > 0: // case a, b:
		span := Span{patterns[0].Span().Start, patterns[len(patterns)-1].Span().End}
		out.Pattern = &PatternSeq{node: nodeAt(span), Elems: patterns}
	default:
		out.Pattern = unknownPattern(Span{out.span.Start, out.span.Start})
	}
	return out
}

// isPattern reports whether a kind of node can be a pattern inside another.
func isPattern(k kind) bool {
	switch k {
	case kListPattern, kTuplePattern, kAsPattern, kUnderscore, kDottedName:
		return true
	}
	return k >= kCasePattern && k <= kComplexPattern || k >= kIdentifier && k <= kConcatenated || k == kError
}

func (l *lowerer) pattern(n int) Pattern {
	span := l.span(n)
	if l.depth >= maxDepth || l.missing(n) || l.made(n) {
		return unknownPattern(span)
	}
	l.depth++
	defer func() { l.depth-- }()
	switch l.kind(n) {
	case kCasePattern:
		return l.casePattern(n, span)
	case kIdentifier, kUnderscore, kDottedName:
		return l.namePattern(n, span)
	case kAsPattern:
		return l.patternAs(n, span)
	case kUnionPattern:
		return l.patternOr(n, span)
	case kListPattern, kTuplePattern:
		return l.patternSeq(n, span)
	case kSplatPattern:
		return &PatternStar{node: nodeAt(span), Name: l.splatName(n)}
	case kClassPattern:
		return l.patternClass(n, span)
	case kDictPattern:
		return l.patternMapping(n, span)
	case kComplexPattern, kInteger, kFloat, kTrue, kFalse, kNone, kString, kConcatenated:
		return &PatternValue{node: nodeAt(span), X: l.valuePattern(n)}
	}
	return unknownPattern(span)
}

// casePattern lowers a case_pattern, which wraps one pattern or is a number with a sign.
func (l *lowerer) casePattern(n int, span Span) Pattern {
	if ps := l.patterns(n); len(ps) > 0 {
		return ps[0]
	}
	if l.text[l.recs[n].start:l.recs[n].end] == "_" {
		return &PatternCapture{node: nodeAt(span)}
	}
	return unknownPattern(span)
}

// namePattern lowers a name: a capture, the wildcard, or a dotted name to compare with.
func (l *lowerer) namePattern(n int, span Span) Pattern {
	var parts []int
	if l.kind(n) == kDottedName {
		for c, end := n+1, l.next(n); c < end; c = l.next(c) {
			if l.kind(c) == kIdentifier {
				parts = append(parts, c)
			}
		}
	}
	if len(parts) < 2 {
		name := l.str(n)
		if name == "_" {
			name = ""
		}
		return &PatternCapture{node: nodeAt(span), Name: name}
	}
	return &PatternValue{node: nodeAt(span), X: l.dottedExpr(parts)}
}

// dottedExpr builds the Attr chain of a dotted name.
func (l *lowerer) dottedExpr(parts []int) Expr {
	x := l.expr(parts[0])
	for _, c := range parts[1:min(len(parts), maxDepth)] {
		span := l.span(c)
		x = &Attr{exprNode: exprAt(Span{x.Span().Start, span.End}), X: x, Name: l.str(c), NameSpan: span}
	}
	return x
}

func (l *lowerer) valuePattern(n int) Expr {
	if l.kind(n) != kComplexPattern {
		return l.expr(n)
	}
	// A number with a sign, or a complex literal such as 1 - 2j.
	var nums []Expr
	op, sign := "+", false
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); {
		case k == kInteger || k == kFloat:
			nums = append(nums, l.expr(c))
		case k == kDash && len(nums) == 0:
			sign = true
		case k == kDash:
			op = "-"
		}
	}
	node := exprAt(l.span(n))
	if len(nums) == 0 || len(nums) > 2 {
		return &UnknownExpr{exprNode: node, Parts: nums}
	}
	x := nums[0]
	if sign {
		x = &Unary{exprNode: exprAt(Span{node.span.Start, x.Span().End}), Op: "-", X: x}
	}
	if len(nums) == 2 {
		x = &Binary{exprNode: node, Op: op, L: x, R: nums[1]}
	}
	return x
}

// patterns lowers the patterns among the children of n.
func (l *lowerer) patterns(n int) []Pattern {
	var out []Pattern
	minus := -1
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); {
		case k == kDash:
			minus = c
			continue
		case minus >= 0 && (k == kInteger || k == kFloat):
			out = append(out, &PatternValue{node: nodeAt(l.between(minus, c)), X: l.negative(minus, c)})
		case isPattern(k):
			out = append(out, l.pattern(c))
		}
		minus = -1
	}
	return out
}

// between returns the span from the start of node a to the end of node b.
func (l *lowerer) between(a, b int) Span {
	return Span{l.pos(l.recs[a].start), l.pos(l.recs[b].end)}
}

// negative lowers a number with the minus before it.
func (l *lowerer) negative(minus, n int) Expr {
	return &Unary{exprNode: exprAt(l.between(minus, n)), Op: "-", X: l.expr(n)}
}

func (l *lowerer) patternAs(n int, span Span) Pattern {
	out := &PatternAs{node: nodeAt(span), Pattern: unknownPattern(span), Name: l.asName(n)}
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if isPattern(l.kind(c)) {
			out.Pattern = l.pattern(c)
			break
		}
	}
	return out
}

func (l *lowerer) patternOr(n int, span Span) Pattern {
	return &PatternOr{node: nodeAt(span), Alternatives: l.patterns(n)}
}

// patternSeq lowers [a, b] and (a, b); parentheses around one pattern without a comma mean nothing.
func (l *lowerer) patternSeq(n int, span Span) Pattern {
	elems := l.patterns(n)
	if l.kind(n) == kTuplePattern && len(elems) == 1 && l.childOfKind(n, kComma) < 0 {
		if _, star := elems[0].(*PatternStar); !star {
			return elems[0]
		}
	}
	return &PatternSeq{node: nodeAt(span), Elems: elems}
}

func (l *lowerer) splatName(n int) string {
	if name := l.childOfKind(n, kIdentifier); name >= 0 {
		if s := l.str(name); s != "_" {
			return s
		}
	}
	return ""
}

func (l *lowerer) patternClass(n int, span Span) Pattern {
	out := &PatternClass{node: nodeAt(span), Class: &UnknownExpr{exprNode: exprAt(span)}}
	named := false
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch k := l.kind(c); {
		case k == kDottedName && !named:
			named = true
			if p, ok := l.namePattern(c, l.span(c)).(*PatternValue); ok {
				out.Class = p.X
			} else {
				out.Class = l.expr(c)
			}
		case l.keywordIn(c) >= 0:
			out.Keywords = append(out.Keywords, l.keywordPattern(c))
		case isPattern(k):
			out.Args = append(out.Args, l.pattern(c))
		}
	}
	return out
}

// keywordIn returns the keyword_pattern that an argument of a class pattern is, or -1. In the grammar, `x=A() as b` is a
// keyword pattern with a name for the whole.
func (l *lowerer) keywordIn(n int) int {
	for k := l.kind(n); k == kCasePattern || k == kAsPattern; k = l.kind(n) {
		if n+1 >= l.next(n) {
			return -1
		}
		n++
	}
	if l.kind(n) == kKeywordPattern {
		return n
	}
	return -1
}

func (l *lowerer) keywordPattern(arg int) PatternKeyword {
	out := l.plainKeyword(l.keywordIn(arg))
	as := arg
	if l.kind(as) == kCasePattern {
		as++
	}
	if l.kind(as) == kAsPattern {
		span := Span{out.Pattern.Span().Start, l.span(as).End}
		out.Pattern = &PatternAs{node: nodeAt(span), Pattern: out.Pattern, Name: l.asName(as)}
	}
	return out
}

// asName returns the name that an as_pattern binds.
func (l *lowerer) asName(n int) string {
	name := ""
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if k := l.kind(c); k == kAsPatternTarget || k == kIdentifier {
			name = l.str(c) // the last one
		}
	}
	return name
}

func (l *lowerer) plainKeyword(n int) PatternKeyword {
	out := PatternKeyword{Pattern: unknownPattern(l.span(n))}
	if name := l.childOfKind(n, kIdentifier); name >= 0 {
		out.Name = l.str(name)
	}
	if ps := l.patterns(n); len(ps) == 2 { // the name is the first
		out.Pattern = ps[1]
	}
	return out
}

func (l *lowerer) patternMapping(n int, span Span) Pattern {
	out := &PatternMapping{node: nodeAt(span)}
	minus := -1
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		k := l.kind(c)
		switch {
		case k == kSplatPattern:
			out.Rest = l.splatName(c)
		case k == kCasePattern && l.childOfKind(c, kSplatPattern) >= 0:
			out.Rest = l.splatName(l.childOfKind(c, kSplatPattern))
		case k == kDash:
			minus = c
		case l.field(c) == fKey && minus >= 0:
			out.Keys = append(out.Keys, l.negative(minus, c))
			minus = -1
		case l.field(c) == fKey:
			out.Keys = append(out.Keys, l.mappingKey(c))
		case l.field(c) == fValue && isPattern(k):
			out.Values = append(out.Values, l.pattern(c))
		}
	}
	if len(out.Keys) != len(out.Values) {
		return unknownPattern(span)
	}
	return out
}

func (l *lowerer) mappingKey(n int) Expr {
	if p, ok := l.pattern(n).(*PatternValue); ok {
		return p.X
	}
	return &UnknownExpr{exprNode: exprAt(l.span(n))}
}
