package lsp

import (
	"fmt"
	"strings"
	"testing"

	"pallas-lsp/rules"
	"pallas-lsp/rules/control"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const (
	uri1 = "file:///nowhere/a.py"

	// kernelText holds one kernel; %s is a scratch shape.
	kernelText = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def kernel(x_ref, o_ref, buf):
    buf[...] = x_ref[...]
    o_ref[...] = buf[...]


def f(x):
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
        in_specs=[pl.BlockSpec((8, 128), lambda i: (0, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i: (0, 0)),
        grid=(1,),
        scratch_shapes=[pltpu.VMEM((%s, 128), jnp.float32)],
    )(x)
`
)

func text(size string) string { return fmt.Sprintf(kernelText, size) }

// withRules runs a test with a catalogue of its own.
func withRules(t *testing.T, list ...*rule.Rule) {
	t.Helper()
	t.Cleanup(rules.Swap(append(list, control.Rules...)))
}

// siteRule reports each pallas_call and offers to rename the first argument's text.
func siteRule() *rule.Rule {
	r := &rule.Rule{Name: "test-site", Page: "---\nname: test-site\nsummary: a site\nseverity: warning\nsilent: nothing\n---\nWhy.\n\n```python good\nx = 1\n```\n\nrest\n"}
	r.Site = func(p *rule.Pass, s *infer.Site) {
		name := s.Call.Func
		p.Report(name, "a site of %s", s.API).Also(s.Kernels[0].Loc, "the kernel").Offer(
			&rule.Fix{Title: "Rename it", Safety: rule.Safe, Edits: []rule.Edit{{Loc: name, New: "pl.pallas_cool"}}},
			&rule.Fix{Title: "Drop it", Safety: rule.Unsafe, Edits: []rule.Edit{{Loc: name, New: "(\n    drop)"}}})
	}
	return r
}

func TestLifecycle(t *testing.T) {
	c := start(t)
	if code := c.code("textDocument/hover", object{}); code != -32002 {
		t.Errorf("before initialize: code %d", code)
	}
	c.notify("textDocument/didOpen", object{})
	var r struct {
		Capabilities struct {
			PositionEncoding   string
			HoverProvider      bool
			DiagnosticProvider any
		}
		ServerInfo struct{ Name, Version string }
	}
	c.must("initialize", object{"processId": nil, "rootUri": nil, "capabilities": object{}}, &r)
	if r.Capabilities.PositionEncoding != "utf-16" || !r.Capabilities.HoverProvider || r.Capabilities.DiagnosticProvider != nil || r.ServerInfo.Version != "test" {
		t.Errorf("offers: %+v", r)
	}
	if code := c.code("initialize", object{"capabilities": object{}}); code != -32600 {
		t.Errorf("initialize twice: code %d", code)
	}
	c.notify("initialized", object{})
	c.must("shutdown", nil, nil)
	if code := c.code("textDocument/hover", object{}); code != -32600 {
		t.Errorf("after shutdown: code %d", code)
	}
	c.notify("exit", nil)
	if code := <-c.exit; code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestExitWithoutShutdown(t *testing.T) {
	c := open(t, object{}, "")
	c.notify("exit", nil)
	if code := <-c.exit; code != 1 {
		t.Errorf("exit code %d", code)
	}
}

func TestEndOfStream(t *testing.T) {
	c := open(t, object{}, "")
	c.in.Close()
	if code := <-c.exit; code != 1 {
		t.Errorf("exit code %d", code)
	}
	c = open(t, object{}, "")
	c.must("shutdown", nil, nil)
	c.in.Close()
	if code := <-c.exit; code != 0 {
		t.Errorf("exit code after shutdown %d", code)
	}
}

// TestOrder types 5,000 changes and hovers between: each hover sees exactly the changes before it, and diagnostics come for
// versions that only grow, the last one included.
func TestOrder(t *testing.T) {
	withRules(t, siteRule())
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("1"))
	at := find(text("1"), "buf):")
	size := find(text("1"), "(1, 128)")
	size.Character++
	digits := 1
	asked := map[string]int{}
	var ids []string
	for v := 2; v <= 5001; v++ {
		end := position{size.Line, size.Character + digits}
		c.didChange(uri1, v, object{"range": span{size, end}.json(), "text": fmt.Sprint(v)})
		digits = len(fmt.Sprint(v))
		if v%50 == 1 {
			id := c.request("textDocument/hover", object{"textDocument": object{"uri": uri1}, "position": at.json()})
			asked[id] = v
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		if got, want := hoverText(t, c.answer(id)), fmt.Sprintf("float32[%d, 128]", asked[id]); !strings.Contains(got, want) {
			t.Fatalf("hover after version %d says %q", asked[id], got)
		}
	}
	if got := c.diagnostics(uri1, 5001); len(got) != 1 {
		t.Errorf("diagnostics of the last version: %v", got)
	}
	last := 0
	for _, p := range c.publications(uri1) {
		if *p.Version <= last {
			t.Fatalf("version %d after %d", *p.Version, last)
		}
		last = *p.Version
	}
}

func TestCancel(t *testing.T) {
	begun, release := make(chan bool, 10), make(chan bool)
	slow := &rule.Rule{Name: "test-slow", Page: "---\nname: test-slow\nsilent: x\n---\n"}
	slow.Site = func(*rule.Pass, *infer.Site) {
		begun <- true
		<-release
	}
	withRules(t, slow)
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	<-begun
	numbered := c.request("textDocument/hover", object{"textDocument": object{"uri": uri1}, "position": object{"line": 0, "character": 0}})
	c.send(object{"id": "named", "method": "textDocument/inlayHint", "params": object{"textDocument": object{"uri": uri1},
		"range": object{"start": object{"line": 0, "character": 0}, "end": object{"line": 9, "character": 0}}}})
	c.send(object{"method": "$/cancelRequest", "params": object{"id": 2}})
	c.send(object{"method": "$/cancelRequest", "params": object{"id": "named"}})
	c.send(object{"method": "$/cancelRequest", "params": object{"id": 99}})
	// The server goes on meanwhile.
	if code := c.code("pallas/none", object{}); code != -32601 {
		t.Errorf("code %d", code)
	}
	close(release)
	for _, id := range []string{numbered, `"named"`} {
		if m := c.answer(id); m.Error == nil || m.Error.Code != -32800 {
			t.Errorf("%s: cancelled request answered %+v", id, m)
		}
	}
}

func TestPanicInRule(t *testing.T) {
	bad := &rule.Rule{Name: "test-panic", Page: "---\nname: test-panic\nsilent: x\n---\n"}
	bad.Site = func(*rule.Pass, *infer.Site) { panic("boom") }
	withRules(t, bad, siteRule())
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	if got := c.diagnostics(uri1, 1); len(got) != 1 || got[0].Code != "test-site" {
		t.Errorf("diagnostics: %v", got)
	}
	c.didChange(uri1, 2, object{"text": text("16")})
	c.diagnostics(uri1, 2)
	if n := strings.Count(c.log.String(), "test-panic"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, c.log.String())
	}
}

// TestPanicInRequest has a finding that the conversion can't bear.
func TestPanicInRequest(t *testing.T) {
	bad := &rule.Rule{Name: "test-broken", Page: "---\nname: test-broken\nsilent: x\n---\n"}
	bad.Site = func(p *rule.Pass, s *infer.Site) {
		d := p.Report(s.Loc, "x")
		d.Fixes = append(d.Fixes, nil)
	}
	withRules(t, bad)
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	all := object{"textDocument": object{"uri": uri1}, "range": span{position{}, position{100, 0}}.json(), "context": object{"diagnostics": []any{}}}
	for range 2 {
		if code := c.code("textDocument/codeAction", all); code != -32603 {
			t.Errorf("code %d", code)
		}
	}
	if got := c.hover(uri1, find(text("8"), "x_ref")); got == "" {
		t.Error("the session did not go on")
	}
	if n := strings.Count(c.log.String(), "panic in textDocument/codeAction"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, c.log.String())
	}
}

func TestUnknownAndMalformed(t *testing.T) {
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	if code := c.code("textDocument/foldingRange", object{"textDocument": object{"uri": uri1}}); code != -32601 {
		t.Errorf("a method that we lack: code %d", code)
	}
	for _, params := range []any{[]int{1}, "x", 7, object{"position": "here"}, object{"textDocument": object{"uri": 5}}} {
		if code := c.code("textDocument/hover", params); code != -32602 {
			t.Errorf("hover with %v: code %d", params, code)
		}
	}
	c.notify("$/unknown", object{"a": 1})
	c.notify("textDocument/didChange", object{"textDocument": 5})
	c.notify("textDocument/didChange", []any{})
	c.notify("textDocument/didOpen", nil)
	c.notify("textDocument/didChange", object{"textDocument": object{"uri": "file:///not/open.py", "version": 1}, "contentChanges": []any{}})
	c.raw([]byte(`{"jsonrpc":"2.0","id":77,"method":"textDocument/hover"}`))
	if m := c.answer("77"); m.Error == nil {
		t.Errorf("hover without params: %s", m.Result)
	}
	if got := c.hover("file:///not/open.py", position{}); got != "" {
		t.Errorf("hover in a document that is not open: %q", got)
	}
	if got := c.hover(uri1, find(text("8"), "buf")); !strings.Contains(got, "VMEM") {
		t.Errorf("the session did not go on: %q", got)
	}
}

func TestPositionsOutside(t *testing.T) {
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	for _, p := range []position{{0, 1 << 30}, {1 << 30, 0}, {1<<31 - 1, 1<<31 - 1}} {
		c.hover(uri1, p)
	}
	c.didChange(uri1, 2, object{"range": span{position{1 << 30, 5}, position{1<<30 + 1, 0}}.json(), "text": "# end\n"})
	c.didChange(uri1, 3, object{"range": span{position{9, 9}, position{2, 1}}.json(), "text": ""})
	if got := c.hover(uri1, find(text("8"), "buf")); !strings.Contains(got, "VMEM") {
		t.Errorf("hover: %q", got)
	}
}
