package parse

import "strings"

// The grammar is more generous than Python: where a line end cannot be, it is a blank, so that `x = a.` reads on into
// the next line; and where a keyword cannot be, it is a name. No error is reported then, and the reading is wrong.
// wellFormed finds such readings.

// wellFormed reports whether each simple statement and each header keeps to its logical line, and no name is a keyword.
func (l *lowerer) wellFormed() bool {
	ends := l.ends
	if ends == nil {
		ends = survey(l.text).ends
	}
	line := 0
	for n := range l.recs {
		r := &l.recs[n]
		for line < len(ends) && ends[line] < r.start {
			line++
		}
		end := uint32(len(l.text))
		if line < len(ends) {
			end = ends[line]
		}
		switch k := l.kind(n); {
		case k == kIdentifier:
			if isKeyword(l.text[r.start:r.end]) {
				return false
			}
		case k == kTypeAlias && !isTypeAlias(l.text[r.start:r.end]) || k == kPrint:
			return false
		case spansLines[k]:
			if !l.headerWithin(n, end) {
				return false
			}
		case r.end > end && r.end > r.start:
			return false
		}
	}
	return true
}

// isTypeAlias reports whether a statement that starts with the word type is not type(x).y = z.
func isTypeAlias(text string) bool {
	return !strings.HasPrefix(strings.TrimLeft(text[min(len("type"), len(text)):], " \t"), "(")
}

// headerWithin reports whether the parts of a compound statement that make its header start before end.
func (l *lowerer) headerWithin(n int, end uint32) bool {
	k := l.kind(n)
	if k == kModule || k == kBlock || k == kDecorated {
		return true
	}
	for c, last := n+1, l.next(n); c < last; c = l.next(c) {
		if !spansLines[l.kind(c)] && !l.skip(c) && l.recs[c].start > end {
			return false
		}
	}
	return true
}

// spansLines holds the kinds of nodes that may go over several logical lines.
var spansLines = func() (out [kindCount]bool) {
	for _, k := range []kind{
		kModule, kBlock, kDecorated, kFuncDef, kClassDef, kIf, kElif, kElse, kFor, kWhile, kTry, kExcept, kExceptGroup,
		kFinally, kWith, kMatch, kCase,
	} {
		out[k] = true
	}
	return out
}()

func isKeyword(s string) bool {
	return len(s) >= 2 && len(s) <= 8 && keywords[s]
}

var keywords = map[string]bool{
	"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true, "async": true, "await": true,
	"break": true, "class": true, "continue": true, "def": true, "del": true, "elif": true, "else": true,
	"except": true, "finally": true, "for": true, "from": true, "global": true, "if": true, "import": true, "in": true,
	"is": true, "lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true, "return": true,
	"try": true, "while": true, "with": true, "yield": true,
}
