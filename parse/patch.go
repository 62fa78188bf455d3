package parse

import "strings"

// The grammar does not know some valid syntax: x[*(a)], t-strings, defaults of type parameters; and it takes type(x).y = z
// for a type alias and print >> x for Python 2. Where a text does not parse and has such syntax, it is parsed again with
// those bytes changed, and the lowering puts back what they meant.

// patched returns text with such bytes changed, and what they were, by offset; the length does not change.
func patched(text string) (string, map[uint32]byte) {
	var o opened
	s := scanner{src: text, open: &o}
	var b []byte
	patch := map[uint32]byte{}
	set := func(i int, c byte) {
		if b == nil {
			b = []byte(text)
		}
		patch[uint32(i)] = text[i]
		b[i] = c
	}
	for pos := 0; pos < len(text); {
		o.stack, o.wide = o.stack[:0], o.wide[:0]
		start := skipBlank(text, pos)
		end, _ := s.scanLine(pos, 0, false)
		end = min(end, len(text))
		if start < end {
			if i := softWord(text[start:end]); i > 0 {
				set(start+i, '_')
			}
			for _, p := range typeDefaults(text[start:end]) {
				for i := start + p.start; i < start+p.end; i++ {
					if text[i] != '\n' {
						set(i, ' ')
					}
				}
			}
		}
		pos = end + 1
	}
	for _, i := range o.stars {
		set(i, ' ')
	}
	for _, i := range o.tmpls {
		set(i, 'f')
	}
	if b == nil {
		return text, nil
	}
	return string(b), patch
}

// softWord returns the offset of a byte to change in the first word of a line, so that the word is a plain name, or 0.
func softWord(line string) int {
	word := firstWord(line)
	rest := strings.TrimLeft(line[len(word):], " \t")
	if word == "type" && strings.HasPrefix(rest, "(") || word == "print" && strings.HasPrefix(rest, ">>") {
		return len(word) - 1
	}
	return 0
}

// typeDefaults returns where a header has defaults in its type parameters: class A[T = int].
func typeDefaults(line string) []piece {
	rest := line
	for _, word := range []string{"async", "class", "def", "type"} {
		if firstWord(rest) == word {
			rest = strings.TrimLeft(rest[len(word):], " \t")
		}
	}
	name := firstWord(rest)
	at := len(line) - len(rest) + len(name)
	if len(rest) == len(line) || name == "" || at >= len(line) || line[at] != '[' {
		return nil
	}
	var out []piece
	depth, start := 0, -1
	for i := at; i < len(line); i++ {
		switch c := line[i]; {
		case c == '[' || c == '(' || c == '{':
			depth++
		case c == ']' || c == ')' || c == '}' || c == ',' && depth == 1:
			if depth == 1 && start >= 0 {
				out = append(out, piece{start, i})
				start = -1
			}
			if c != ',' {
				depth--
			}
			if depth == 0 {
				return out
			}
		case c == '=' && depth == 1 && start < 0:
			start = i
		}
	}
	return nil
}

// starBefore returns the offset of a * that was patched away before the item at off.
func (l *lowerer) starBefore(off uint32) (uint32, bool) {
	if l.patch == nil {
		return 0, false
	}
	for off > 0 {
		off--
		switch l.text[off] {
		case ' ', '\t', '\n', '\r':
			if l.patch[off] == '*' {
				return off, true
			}
		default:
			return 0, false
		}
	}
	return 0, false
}

// isTemplate reports whether a string_start of the patched text was a t-string's.
func (l *lowerer) isTemplate(n int) bool {
	if l.patch == nil {
		return false
	}
	for i := l.recs[n].start; i < l.recs[n].end; i++ {
		if l.patch[i]|0x20 == 't' {
			return true
		}
	}
	return false
}
