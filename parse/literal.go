package parse

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number decodes an integer, float or imaginary literal.
func number(node exprNode, text string) Expr {
	plain := strings.ReplaceAll(text, "_", "")
	lower := strings.ToLower(plain)
	hex := strings.HasPrefix(lower, "0x")
	if strings.HasSuffix(lower, "j") && !hex {
		v, err := strconv.ParseFloat(lower[:len(lower)-1], 64)
		if err != nil && v == 0 {
			return &UnknownExpr{exprNode: node}
		}
		return &Float{exprNode: node, Value: v, Imaginary: true}
	}
	if !hex && strings.ContainsAny(lower, ".e") {
		v, err := strconv.ParseFloat(lower, 64)
		if err != nil && v == 0 {
			return &UnknownExpr{exprNode: node}
		}
		return &Float{exprNode: node, Value: v}
	}
	return integer(node, lower)
}

// integer decodes an integer without underscores, in lower case.
func integer(node exprNode, text string) Expr {
	base, digits := 10, text
	switch {
	case strings.HasPrefix(text, "0x"):
		base, digits = 16, text[2:]
	case strings.HasPrefix(text, "0o"):
		base, digits = 8, text[2:]
	case strings.HasPrefix(text, "0b"):
		base, digits = 2, text[2:]
	case len(text) > 1 && text[0] == '0' && strings.Trim(text, "0") != "":
		return &UnknownExpr{exprNode: node} // 012 is an error in Python 3
	}
	v, err := strconv.ParseInt(digits, base, 64)
	if err == nil {
		return &Int{exprNode: node, Value: v}
	}
	const longest = 100_000 // digits; big.Int takes quadratic time
	if len(digits) > longest {
		return &UnknownExpr{exprNode: node}
	}
	if _, ok := new(big.Int).SetString(digits, base); ok {
		return &Int{exprNode: node, Big: true}
	}
	return &UnknownExpr{exprNode: node}
}

// str1 lowers one string literal.
func (l *lowerer) str1(n int, node exprNode) Expr {
	start, end := l.childOfKind(n, kStringStart), l.childOfKind(n, kStringEnd)
	if start < 0 || end < 0 || l.missing(end) || l.made(end) {
		return l.unknown(n)
	}
	if l.isTemplate(start) {
		return &UnknownExpr{exprNode: node, Parts: l.interpolations(n, nil)}
	}
	opener := l.str(start)
	prefix := strings.ToLower(strings.TrimRight(opener, `"'`))
	out := &Str{exprNode: node, Bytes: strings.Contains(prefix, "b"), F: strings.Contains(prefix, "f")}
	if out.F {
		out.Parts = l.interpolations(n, nil)
		return out
	}
	// Where the closing quotes start is not where string_end does: in r'\\' it holds the whole content.
	from := l.recs[start].end
	raw := l.text[from:max(l.recs[end].end-uint32(len(opener)-len(prefix)), from)]
	switch {
	case strings.Contains(prefix, "r"):
		out.Value = plainNewlines(raw)
	default:
		out.Value = unescape(plainNewlines(raw), out.Bytes)
	}
	return out
}

// interpolations appends the interpolated expressions inside n, those of format specifiers included.
func (l *lowerer) interpolations(n int, out []Expr) []Expr {
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		switch l.kind(c) {
		case kInterpolation, kFormatExpression:
			out = append(out, l.exprIn(c, fExpression))
			if spec := l.childOfKind(c, kFormatSpecifier); spec >= 0 {
				out = l.nested(spec, out)
			}
		case kStringContent, kFormatSpecifier:
			out = l.nested(c, out)
		}
	}
	return out
}

// nested guards the recursion of interpolations.
func (l *lowerer) nested(n int, out []Expr) []Expr {
	if l.depth >= maxDepth {
		return out
	}
	l.depth++
	out = l.interpolations(n, out)
	l.depth--
	return out
}

// concatenated lowers adjacent string literals, which Python joins.
func (l *lowerer) concatenated(n int, node exprNode) Expr {
	out := &Str{exprNode: node}
	var value strings.Builder
	for c, end := n+1, l.next(n); c < end; c = l.next(c) {
		if l.kind(c) != kString {
			continue
		}
		x := l.str1(c, exprAt(l.span(c)))
		s, ok := x.(*Str)
		if !ok {
			return &UnknownExpr{exprNode: node, Parts: append(out.Parts, x)}
		}
		out.Bytes = out.Bytes || s.Bytes
		out.F = out.F || s.F
		out.Parts = append(out.Parts, s.Parts...)
		value.WriteString(s.Value)
	}
	if !out.F {
		out.Value = value.String()
	}
	return out
}

// plainNewlines turns the line ends inside a string into line feeds, as Python does when it reads a file.
func plainNewlines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// unescape decodes the escapes of a string that is not raw. An escape that Python does not know stays as written;
// \N{...} does too, since the names of Unicode are not worth their size here.
func unescape(s string, isBytes bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		s = s[i+escape(&b, s[i:], isBytes):]
	}
	return b.String()
}

var simpleEscapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

// escape decodes the escape at the start of s, which has two characters or more, and returns its length.
func escape(b *strings.Builder, s string, isBytes bool) int {
	c := s[1]
	if c == '\n' {
		return 2
	}
	if plain, ok := simpleEscapes[c]; ok {
		b.WriteByte(plain)
		return 2
	}
	digits, base, skip := 0, 16, 2
	switch {
	case '0' <= c && c <= '7':
		skip, base = 1, 8
		for digits = 1; digits < 3 && skip+digits < len(s) && '0' <= s[skip+digits] && s[skip+digits] <= '7'; digits++ {
		}
	case c == 'x':
		digits = 2
	case c == 'u' && !isBytes:
		digits = 4
	case c == 'U' && !isBytes:
		digits = 8
	}
	if digits == 0 || skip+digits > len(s) {
		b.WriteString(s[:2])
		return 2
	}
	v, err := strconv.ParseUint(s[skip:skip+digits], base, 32)
	if err != nil {
		b.WriteString(s[:2])
		return 2
	}
	if isBytes {
		b.WriteByte(byte(v))
	} else if v > utf8.MaxRune {
		b.WriteRune(utf8.RuneError)
	} else {
		b.WriteRune(rune(v))
	}
	return skip + digits
}
