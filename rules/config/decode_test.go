package config

import (
	"strings"
	"testing"
)

// TestDecodeDeep has text that is nested so deeply that reading it would overflow the stack.
func TestDecodeDeep(t *testing.T) {
	for name, text := range map[string]string{
		"arrays":                  "x = " + strings.Repeat("[", 15_000_000),
		"arrays on lines":         "x = " + strings.Repeat("[\n", 5_000_000),
		"tables":                  "x = " + strings.Repeat("{a=", 4_000_000),
		"a dotted key":            strings.Repeat("a.", 4_000_000) + "b = 1",
		"a dotted header":         "[" + strings.Repeat("a.", 4_000_000) + "b]",
		"a dotted key of a table": "x = {b = 1, " + strings.Repeat("a.", 4_000_000) + "b = 1}",
		"dotted keys of tables":   "x = {b = 1, " + strings.Repeat("a.b = {", 1_000_000) + "b = 1}",
	} {
		var doc map[string]any
		if Decode(text, &doc) == nil {
			t.Errorf("%s: it was read", name)
		}
	}
	var doc map[string]any
	long := "x = '" + strings.Repeat(".", 10_000) + "'\ny = [" + strings.Repeat("['[a]'],", 10_000) + "]\n"
	if err := Decode(long, &doc); err != nil {
		t.Errorf("long, not deep: %v", err)
	}
}
