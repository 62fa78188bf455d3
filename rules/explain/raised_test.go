package explain

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/rules/jax"
	"pallas-lsp/testdata/oracle"
)

// thrown is a traceback whose innermost frame is a place in JAX.
func thrown(m jax.Message, line int, says string) string {
	return fmt.Sprintf("Traceback (most recent call last):\n  File \"/home/me/k.py\", line 7, in kernel\n    o_ref[...] = x_ref[...]\n"+
		"  File \"/env/lib/python3.13/site-packages/jax/%s\", line %d, in %s\n    assert it\n%s%s\n", m.File, line, method(&m), m.Exception, says)
}

// method is the last part of a function's name, all that a traceback shows.
func method(m *jax.Message) string { return m.Function[strings.LastIndex(m.Function, ".")+1:] }

// TestWordless: an error that says nothing, or only a value, is known by the line of JAX that raised it.
func TestWordless(t *testing.T) {
	asked := 0
	for _, m := range jax.Newest().Messages() {
		says, ok := map[string]string{"": "", "{}": ": (3, 4)"}[m.Template]
		if !ok || m.Function == "" {
			continue
		}
		if asked++; asked%8 > 0 {
			continue
		}
		a := Read(thrown(m, m.Line, says), jax.Newest(), nil)
		if a.Message == nil || a.Message.File != m.File || a.Message.Line != m.Line {
			t.Fatalf("%+v: found %+v", m, a.Message)
		}
		if a.Rule == nil && !strings.Contains(a.Text(), "  there: assert it\n") {
			t.Fatalf("%+v: %s", m, a.Text())
		}
	}
	if asked < 300 {
		t.Errorf("only %d places without words", asked)
	}
}

// TestWordlessElsewhere: a function of the same name in another file, or another exception, is not the place.
func TestWordlessElsewhere(t *testing.T) {
	all := jax.Newest().Messages()
	m := all[slices.IndexFunc(all, func(m jax.Message) bool { return m.Template == "" && m.Exception == "AssertionError" })]
	for _, change := range []func(*jax.Message){
		func(m *jax.Message) { m.File = "_src/nowhere.py" },
		func(m *jax.Message) { m.Function = "no_such_function" },
		func(m *jax.Message) { m.Exception = "KeyError" },
	} {
		other := m
		change(&other)
		if a := Read(thrown(other, m.Line, ""), jax.Newest(), nil); a.Message != nil {
			t.Errorf("%+v: found %+v", other, a.Message)
		}
	}
}

// TestSamePlace: of places that say the same the one in the traceback is named.
func TestSamePlace(t *testing.T) {
	all := jax.Newest().Messages()
	asked := 0
	for i, m := range all {
		twin := slices.ContainsFunc(all[:i], func(o jax.Message) bool {
			return o.Template == m.Template && o.Exception == m.Exception && o.Function != m.Function
		})
		if !twin || makeTemplate(m.Template).weight < distinct || m.Function == "" {
			continue
		}
		if asked++; asked%4 > 0 {
			continue
		}
		a := Read(thrown(m, m.Line, ": "+strings.ReplaceAll(m.Template, "{}", "x7")), jax.Newest(), nil)
		if a.Message == nil || a.Message.Template == m.Template && (a.Message.File != m.File || method(a.Message) != method(&m)) {
			t.Errorf("%+v: found %+v", m, a.Message)
		}
	}
	if asked == 0 {
		t.Error("nothing asked")
	}
}

// TestBeginning: a message that was cut off is known by how it begins, and not by words in its middle.
func TestBeginning(t *testing.T) {
	const text = "ValueError: The Pallas TPU lowering currently requires that the last two dimensions of your block shape are divisible by 8 and 128 respectively, or be equal"
	if a := Read(text[:120], jax.Newest(), nil); a.Message == nil || a.Message.Function != "_check_block_mappings" {
		t.Errorf("found %+v", a.Message)
	}
	if a := Read("ValueError: x "+text[12:60], jax.Newest(), nil); a.Message != nil {
		t.Errorf("found %+v", a.Message)
	}
}

// TestIndex: what JAX is recorded to have raised itself, it raises where the index says.
func TestIndex(t *testing.T) {
	const known = 97 // percent
	asked, found := map[string]bool{}, 0
	for _, a := range recorded(t) {
		own := slices.Contains([]string{"ValueError", "NotImplementedError", "RuntimeError", "IndexError"}, a.Type)
		if a.Outcome != "error" || a.Message == "" || !own || a.Stage == "compile" || fromPython(a.Message) || asked[a.JAX+a.Message] {
			continue
		}
		asked[a.JAX+a.Message] = true
		e := &Error{Type: a.Type, Message: a.Message}
		if findMessage(jax.For(a.JAX), e) != nil || findBeginning(jax.For(a.JAX), e) != nil {
			found++
		} else {
			t.Logf("JAX %s %s: %q", a.JAX, a.Type, a.Message)
		}
	}
	t.Logf("%d of %d", found, len(asked))
	if len(asked) < 300 || found*100 < known*len(asked) {
		t.Errorf("%d of %d messages are in the index", found, len(asked))
	}
}

// fromPython: what Python and its library say themselves.
func fromPython(message string) bool {
	return slices.ContainsFunc([]string{"values to unpack", "zip() argument", "index out of range", "is not in list", "invalid literal", "must be called with a dataclass"},
		func(part string) bool { return strings.Contains(message, part) })
}

// recorded are the answers to all kernels that JAX was asked about.
func recorded(t *testing.T) []oracle.Answer {
	t.Helper()
	root := filepath.Join("..", "..", "testdata")
	out, err := oracle.Elsewhere(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := oracle.Pages(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		records, err := oracle.ReadRecords(os.DirFS(filepath.Join(root, "oracle", "recorded")), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range records {
			out = append(out, a)
		}
	}
	return out
}
