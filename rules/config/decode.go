package config

import (
	"errors"
	"strings"

	"github.com/BurntSushi/toml"
)

// maxNesting bounds the brackets inside each other, and the parts of a dotted key: the decoder goes as deep as the text does, and a
// stack that overflows can't be caught.
const maxNesting = 2000

// Decode reads TOML.
func Decode(text string, into any) error {
	if nests(text) {
		return errors.New("it is nested too deeply")
	}
	_, err := toml.Decode(text, into)
	return err
}

// nests reports whether the text may be nested deeply. Brackets in strings count too, which only matters when they have no counterpart.
func nests(text string) bool {
	depth := 0
	for line := range strings.Lines(text) {
		if strings.Count(line, ".") > maxNesting && strings.Count(keyOf(line), ".") > maxNesting {
			return true
		}
		for i := range len(line) {
			switch line[i] {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > maxNesting {
				return true
			}
		}
	}
	return false
}

// keyOf is the text of a line before its first value. The keys of an inline table come after it, each behind a bracket or a comma, and
// the longest of them counts.
func keyOf(line string) string {
	longest := ""
	for _, part := range strings.FieldsFunc(line, func(c rune) bool { return c == '{' || c == ',' }) {
		key, _, found := strings.Cut(part, "=")
		if !found && !strings.HasPrefix(strings.TrimSpace(part), "[") {
			continue
		}
		if strings.Count(key, ".") > strings.Count(longest, ".") {
			longest = key
		}
	}
	return longest
}
