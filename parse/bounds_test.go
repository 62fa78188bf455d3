//go:build unix

package parse

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestBounds checks that text made to hurt neither overflows a stack nor takes long, in processor time of all threads.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	rep := strings.Repeat
	nest := func(n int, line, indent string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(rep(indent, i) + line + "\n")
		}
		b.WriteString(rep(indent, n) + "pass\n")
		return b.String()
	}
	tests := []struct{ name, src string }{
		{"nested parentheses", rep("(", 60_000) + rep(")", 60_000)},
		{"open parentheses", rep("(", 60_000)},
		{"open brackets on lines", rep("x = [\n", 20_000)},
		{"open calls in a function", "def f():\n" + rep("  foo(a,\n", 3_000)},
		{"nested functions", nest(800, "def f():", " ")},
		{"nested functions, broken", nest(800, "def f(:", " ")},
		{"nested ifs", nest(99, "if x:", "\t")},
		{"long line", "x = " + rep("a + ", 1_500_000) + "a"},
		{"long string", "x = '" + rep("a", 6_000_000) + "'"},
		{"long broken line", "x = " + rep("a ", 3_000_000)},
		{"many terms in a call", "f(" + rep("a, ", 500_000) + ")"},
		{"unary operators", "x = " + rep("-", 50_000) + "1"},
		{"not", "x = " + rep("not ", 50_000) + "1"},
		{"attributes", "x" + rep(".a", 50_000)},
		{"calls", "x" + rep("()", 50_000)},
		{"lambdas", rep("lambda: ", 20_000) + "0"},
		{"conditionals", rep("a if b else ", 20_000) + "0"},
		{"elifs", "if a: pass\n" + rep("elif b: pass\n", 20_000)},
		{"strings", "x = " + rep("'a' ", 100_000)},
		{"nested f-strings", rep("f'{", 5_000) + rep("}'", 5_000)},
		{"nested format specs", "f'" + rep("{a:", 5_000) + rep("}", 5_000) + "'"},
		{"and xor", rep("a & b ^ ", 50_000) + "c"},
		{"assignments", rep("a = ", 50_000) + "b"},
		{"decorators", rep("@d\n", 50_000) + "def f(): pass\n"},
		{"quotes", rep("\"\"\"\n'''\n", 20_001)},
		{"backslashes", rep("\\\n", 100_000)},
		{"backslashes in a string", `x = """` + rep(`\`, 1_000_001) + `"""`},
		{"short lines", rep("x\n", 50_000)},
		{"empty lines", rep("\n", 3_000_000)},
		{"comments", rep("#\n", 500_000)},
		{"carriage returns", rep("x = 1\r", 20_000)},
		{"zeros", rep("\x00", 1_000_000)},
		{"bytes", rep("\xff", 1_000_000)},
		{"patterns", "match x:\n  case " + rep("[", 900) + rep("]", 900) + ": pass\n"},
		{"broken lines in a function", "def f():\n" + rep("  x = a.\n", 5_000)},
		{"broken lines in nested blocks", nest(60, "if x.:", " ")},
		{"big integer", "x = " + rep("9", 1_000_000)},
	}
	for _, test := range tests {
		start := processorTime()
		f := Parse("a.py", []byte(test.src))
		took := processorTime() - start
		if limit := 10 * time.Second; took > limit {
			t.Errorf("%s: %v", test.name, took)
		}
		if testing.Verbose() {
			t.Logf("%-32s %8d bytes %5d chunks %v", test.name, len(test.src), len(f.Chunks), took.Round(time.Millisecond))
		}
		checkTree(t, f)
		f.Imports()
		f.Comments()
	}
}
