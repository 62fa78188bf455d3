package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

var whole = span{position{}, position{1000, 0}}

func TestDiagnosticFields(t *testing.T) {
	withRules(t, siteRule())
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	d := c.diagnostics(uri1, 1)[0]
	if d.Severity != 2 || d.Source != "pallas-lsp" || d.Message != "a site of pallas_call" || !strings.HasSuffix(d.CodeDescription.Href, "#test-site") {
		t.Errorf("%+v", d)
	}
	if len(d.Related) != 1 || d.Related[0].Message != "the kernel" || d.Related[0].Location.URI != uri1 || d.Related[0].Location.Range.Start != find(text("8"), "kernel(") {
		t.Errorf("related: %+v", d.Related)
	}
	if string(d.Data) != `{"version":1,"fixes":["Rename it","Drop it"]}` {
		t.Errorf("data: %s", d.Data)
	}
	poor := open(t, object{}, "")
	poor.didOpen(uri1, text("8"))
	d = poor.diagnostics(uri1, 1)[0]
	if d.Message != "a site of pallas_call\nline 7: the kernel" || d.Related != nil || d.Data != nil || d.CodeDescription.Href != "" {
		t.Errorf("for a client that can do nothing: %+v", d)
	}
}

func TestClose(t *testing.T) {
	withRules(t, siteRule())
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	c.diagnostics(uri1, 1)
	c.notify("textDocument/didClose", object{"textDocument": object{"uri": uri1}})
	c.until("the end of the diagnostics", func() bool {
		all := c.publications(uri1)
		last := all[len(all)-1]
		return len(last.Diagnostics) == 0
	})
	if got := c.hover(uri1, find(text("8"), "buf")); got != "" {
		t.Errorf("hover in a closed document: %q", got)
	}
	c.didOpen(uri1, text("8"))
	if got := c.diagnostics(uri1, 1); len(got) != 1 {
		t.Errorf("opened again: %v", got)
	}
}

func TestPull(t *testing.T) {
	withRules(t, siteRule())
	can := everything("utf-16")
	can["textDocument"].(object)["diagnostic"] = object{"relatedInformation": true}
	can["workspace"].(object)["diagnostics"] = object{"refreshSupport": true}
	c := open(t, can, "")
	c.didOpen(uri1, text("8"))
	var r struct {
		Kind     string
		ResultID string `json:"resultId"`
		Items    []diagnostic
	}
	ask := func(previous string) {
		t.Helper()
		p := object{"textDocument": object{"uri": uri1}}
		if previous != "" {
			p["previousResultId"] = previous
		}
		r.Items = nil
		c.must("textDocument/diagnostic", p, &r)
	}
	ask("")
	if r.Kind != "full" || len(r.Items) != 1 || r.ResultID == "" {
		t.Fatalf("%+v", r)
	}
	id := r.ResultID
	ask(id)
	if r.Kind != "unchanged" || r.ResultID != id {
		t.Errorf("asked again: %+v", r)
	}
	c.didChange(uri1, 2, object{"text": "x = 1\n"})
	ask(id)
	if r.Kind != "full" || len(r.Items) != 0 {
		t.Errorf("after a change: %+v", r)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if got := c.publications(uri1); len(got) > 0 {
		t.Errorf("pushed as well: %v", got)
	}
}

// TestPullWithoutRefresh: a client that can't be told to pull again would show stale findings after a setting, so it is pushed to.
func TestPullWithoutRefresh(t *testing.T) {
	withRules(t, siteRule())
	can := everything("utf-16")
	can["textDocument"].(object)["diagnostic"] = object{}
	c := start(t)
	var r struct {
		Capabilities struct{ DiagnosticProvider any }
	}
	c.must("initialize", object{"processId": nil, "rootUri": nil, "capabilities": can}, &r)
	if r.Capabilities.DiagnosticProvider != nil {
		t.Error("told to pull")
	}
	c.notify("initialized", object{})
	c.didOpen(uri1, text("8"))
	c.diagnostics(uri1, 1)
	c.notify("workspace/didChangeConfiguration", object{"settings": object{"ignore": []string{"test-site"}}})
	c.until("the end of the finding", func() bool {
		all := c.publications(uri1)
		return len(all[len(all)-1].Diagnostics) == 0
	})
}

// TestOneActionForOneEdit: two findings that the same edit mends offer it once, about both.
func TestOneActionForOneEdit(t *testing.T) {
	other := siteRule()
	other.Name, other.Page = "test-other", strings.ReplaceAll(other.Page, "test-site", "test-other")
	withRules(t, siteRule(), other)
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	d := c.diagnostics(uri1, 1)[0]
	var titles []string
	for _, a := range c.actions(uri1, d.Range, "quickfix") {
		titles = append(titles, a.Title)
		if a.Title == "Rename it" && len(a.Diagnostics) != 2 {
			t.Errorf("about %v", a.Diagnostics)
		}
	}
	if want := []string{"Rename it", "Drop it", "Ignore test-site here", "Ignore test-other here"}; !slices.Equal(titles, want) {
		t.Errorf("actions %q", titles)
	}
}

func TestCodeActions(t *testing.T) {
	withRules(t, siteRule())
	c := open(t, everything("utf-16"), "")
	body := text("8")
	c.didOpen(uri1, body)
	d := c.diagnostics(uri1, 1)[0]
	got := c.actions(uri1, d.Range)
	var titles []string
	for _, a := range got {
		titles = append(titles, a.Title)
		if preferred := a.IsPreferred != nil && *a.IsPreferred; preferred != (a.Title == "Rename it") {
			t.Errorf("%s: preferred %v", a.Title, preferred)
		}
	}
	if want := []string{"Rename it", "Drop it", "Ignore test-site here", "pallas-lsp: apply all safe fixes"}; !slices.Equal(titles, want) {
		t.Fatalf("actions %q", titles)
	}
	change := got[0].Edit.DocumentChanges[0]
	if *change.TextDocument.Version != 1 || change.Edits[0].NewText != "pl.pallas_cool" || change.Edits[0].Range != d.Range || got[0].Diagnostics[0].Code != "test-site" {
		t.Errorf("%+v", change)
	}
	ignore := got[2].Edit.DocumentChanges[0].Edits[0]
	if ignore.NewText != "  # pallas: ignore[test-site]" || ignore.Range.Start != find(body, "(\n        kernel").plus(1) {
		t.Errorf("ignore: %+v", ignore)
	}
	if got[3].Kind != "source.fixAll.pallas-lsp" || got[3].Edit != nil {
		t.Errorf("fix all: %+v", got[3])
	}
	var resolved action
	c.must("codeAction/resolve", object{"title": got[3].Title, "kind": got[3].Kind, "data": got[3].Data}, &resolved)
	if e := resolved.Edit.DocumentChanges[0].Edits; len(e) != 1 || e[0].NewText != "    return pl.pallas_cool(\n" {
		t.Errorf("resolved: %+v", e)
	}
}

func (p position) plus(n int) position { return position{p.Line, p.Character + n} }

func TestCodeActionKinds(t *testing.T) {
	withRules(t, siteRule())
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	for _, x := range []struct {
		only string
		want int
	}{{"quickfix", 3}, {"source.fixAll", 1}, {"source.fixAll.pallas-lsp", 1}, {"source", 1}, {"refactor", 0}, {"source.fixAll.ruff", 0}, {"quickfix.other", 0}} {
		if got := c.actions(uri1, whole, x.only); len(got) != x.want {
			t.Errorf("only %s: %d actions", x.only, len(got))
		}
	}
	if got := c.actions(uri1, span{}, "quickfix"); len(got) != 0 {
		t.Errorf("where nothing is found: %v", got)
	}
}

// TestRewriteKinds: a fix that has a kind of its own comes under it where a client asks for that, and under quickfix else.
func TestRewriteKinds(t *testing.T) {
	r := siteRule()
	site := r.Site
	r.Site = func(p *rule.Pass, s *infer.Site) {
		var d *rule.Diagnostic
		inner := *p
		inner.Emit = func(x *rule.Diagnostic) { d = x }
		site(&inner, s)
		d.Fixes[1].Kind = "stage.asyncCopy"
		p.Emit(d)
	}
	withRules(t, r)
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, text("8"))
	c.diagnostics(uri1, 1)
	for _, x := range []struct {
		only string
		want []string
	}{{"refactor", []string{"refactor.rewrite.stage.asyncCopy"}}, {"refactor.rewrite.stage", []string{"refactor.rewrite.stage.asyncCopy"}},
		{"refactor.rewrite.stage.asyncCopy", []string{"refactor.rewrite.stage.asyncCopy"}}, {"refactor.rewrite.stage.async", nil},
		{"refactor.inline", nil}, {"quickfix", []string{"quickfix", "quickfix", "quickfix"}}} {
		var got []string
		for _, a := range c.actions(uri1, whole, x.only) {
			got = append(got, a.Kind)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("only %s: %v", x.only, got)
		}
	}
}

func TestHover(t *testing.T) {
	withRules(t, siteRule())
	c := open(t, everything("utf-16"), "")
	body := text("8")
	c.didOpen(uri1, body)
	got := c.hover(uri1, find(body, "buf[...] = x_ref"))
	for _, want := range []string{"**buf**: Ref in VMEM, `float32[8, 128]` (4 KiB)", "(line 19)", "TensorCore: load ✓  store ✓  DMA ✓", "used: store line 8, load line 9"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if got := c.hover(uri1, find(body, "x_ref, o_ref")); !strings.Contains(got, "**x_ref**: Ref in VMEM") {
		t.Errorf("on a parameter: %q", got)
	}
	got = c.hover(uri1, find(body, "pallas_call("))
	if !strings.Contains(got, "**test-site**: a site") || !strings.Contains(got, "Why.") || !strings.Contains(got, "```python\nx = 1\n```") || strings.Contains(got, "rest") {
		t.Errorf("on a finding: %q", got)
	}
	for _, nothing := range []string{"import jax\n", "x):\n", "return pl", "jnp.float32)],"} {
		if got := c.hover(uri1, find(body, nothing)); got != "" {
			t.Errorf("on %q: %q", nothing, got)
		}
	}
	if got := c.hover(uri1, find(body, "VMEM(").plus(1)); !strings.Contains(got, "vector memory") {
		t.Errorf("on a memory space: %q", got)
	}
	if got := c.hover(uri1, find(body, "BlockSpec(").plus(1)); !strings.Contains(got, "of `x_ref`") {
		t.Errorf("on a spec: %q", got)
	}
}

func TestInlayHints(t *testing.T) {
	c := open(t, everything("utf-16"), "")
	body := text("8")
	c.didOpen(uri1, body)
	var hints []struct {
		Position position
		Label    string
	}
	ask := func(r span) {
		hints = nil
		c.must("textDocument/inlayHint", object{"textDocument": object{"uri": uri1}, "range": r.json()}, &hints)
	}
	ask(whole)
	if len(hints) != 3 || hints[2].Label != ": VMEM f32[8, 128]" || hints[2].Position != find(body, "):\n    buf") {
		t.Errorf("%+v", hints)
	}
	ask(span{position{8, 0}, position{10, 0}})
	if len(hints) != 0 {
		t.Errorf("outside the range: %+v", hints)
	}
	c.notify("workspace/didChangeConfiguration", object{"settings": object{"pallas-lsp": object{"hints": object{"refs": false}}}})
	c.until("settings", func() bool { return len(c.publications(uri1)) > 1 })
	ask(whole)
	if len(hints) != 0 {
		t.Errorf("switched off: %+v", hints)
	}
}

func TestDefinition(t *testing.T) {
	c := open(t, everything("utf-16"), "")
	body := text("8")
	c.didOpen(uri1, body)
	type location struct {
		URI   string
		Range span
	}
	ask := func(at position) (out []location) {
		t.Helper()
		c.must("textDocument/definition", object{"textDocument": object{"uri": uri1}, "position": at.json()}, &out)
		return out
	}
	if got := ask(find(body, "x_ref, o_ref")); len(got) != 2 || got[0].Range.Start != find(body, "pl.BlockSpec((8, 128), lambda i: (0, 0))]") || got[1].Range.Start.Line != 19 {
		t.Errorf("of an input: %+v", got)
	}
	if got := ask(find(body, "buf):")); len(got) != 1 || got[0].Range.Start != find(body, "pltpu.VMEM((") {
		t.Errorf("of scratch: %+v", got)
	}
	if got := ask(find(body, "kernel,")); got != nil {
		t.Errorf("elsewhere: %+v", got)
	}
}

func TestUntitled(t *testing.T) {
	withRules(t, siteRule())
	c := open(t, everything("utf-16"), "")
	for _, uri := range []string{"untitled:Untitled-1", "vscode-notebook-cell:/nowhere/n.ipynb#W0sZmlsZQ%3D%3D", "git:/nowhere/a.py?x%3D1"} {
		c.didOpen(uri, text("8"))
		if got := c.diagnostics(uri, 1); len(got) != 1 || got[0].Related[0].Location.URI != uri {
			t.Errorf("%s: %+v", uri, got)
		}
	}
	c.notify("textDocument/didOpen", object{"textDocument": object{"uri": "file:///nowhere/a.toml", "languageId": "toml", "version": 1, "text": "pallas"}})
	if got := c.hover("file:///nowhere/a.toml", position{}); got != "" {
		t.Error("a document in another language was kept")
	}
}

// folder makes a workspace with the given files, by name and text.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(root, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestConfiguration(t *testing.T) {
	withRules(t, siteRule())
	root := folder(t, "pyproject.toml", "[tool.pallas-lsp]\nignore = [\"test-site\"]\nchop = \"v5e\"\n", "sub/a.py", text("8"))
	can := everything("utf-16")
	can["workspace"] = object{"configuration": true, "didChangeWatchedFiles": object{"dynamicRegistration": true}}
	c := open(t, can, root)
	c.until("the question for settings", func() bool {
		return slices.ContainsFunc(c.asked, func(m message) bool { return m.Method == "workspace/configuration" })
	})
	uri, config := "file://"+root+"/sub/a.py", "file://"+root+"/pyproject.toml"
	c.didOpen(uri, text("8"))
	if got := c.diagnostics(uri, 1); len(got) != 0 {
		t.Errorf("the ignored rule: %v", got)
	}
	c.until("the problem in pyproject.toml", func() bool {
		all := c.publications(config)
		return len(all) > 0 && len(all[0].Diagnostics) == 1 && all[0].Diagnostics[0].Range.Start.Line == 2 &&
			strings.Contains(all[0].Diagnostics[0].Message, "did you mean `chip`")
	})
	if err := os.WriteFile(filepath.Join(root, "pyproject.toml"), []byte("[tool.pallas-lsp]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": config, "type": 2}}})
	c.until("the finding, and no problem", func() bool {
		all, problems := c.publications(uri), c.publications(config)
		return len(all[len(all)-1].Diagnostics) == 1 && len(problems[len(problems)-1].Diagnostics) == 0
	})
	c.mu.Lock()
	c.settings = object{"severity": object{"test-site": "hint"}}
	c.mu.Unlock()
	c.notify("workspace/didChangeConfiguration", object{"settings": nil})
	c.until("the severity of the settings", func() bool {
		all := c.publications(uri)
		last := all[len(all)-1].Diagnostics
		return len(last) == 1 && last[0].Severity == 4
	})
}

// TestSettingsTakenBack: settings that are gone leave those of the start.
func TestSettingsTakenBack(t *testing.T) {
	withRules(t, siteRule())
	can := everything("utf-16")
	can["workspace"] = object{"configuration": true}
	c := start(t)
	c.settings = object{"severity": object{"test-site": "error"}}
	c.must("initialize", object{"processId": nil, "rootUri": nil, "capabilities": can, "initializationOptions": object{"severity": object{"test-site": "hint"}}}, nil)
	c.notify("initialized", object{})
	c.didOpen(uri1, text("8"))
	severity := func(want int) {
		c.until(fmt.Sprintf("severity %d", want), func() bool {
			all := c.publications(uri1)
			return len(all) > 0 && len(all[len(all)-1].Diagnostics) == 1 && all[len(all)-1].Diagnostics[0].Severity == want
		})
	}
	severity(1)
	c.mu.Lock()
	c.settings = nil
	c.mu.Unlock()
	c.notify("workspace/didChangeConfiguration", object{"settings": nil})
	severity(4)
}

func TestBadSettings(t *testing.T) {
	c := open(t, everything("utf-16"), "")
	for range 2 {
		c.notify("workspace/didChangeConfiguration", object{"settings": object{"pallas-lsp": object{"chip": "v99", "jaxVersion": 7}}})
	}
	c.must("shutdown", nil, nil)
	shown := 0
	c.until("messages", func() bool {
		shown = 0
		for _, n := range c.notes {
			var p struct{ Message string }
			if n.Method == "window/showMessage" && json.Unmarshal(n.Params, &p) == nil {
				shown++
			}
		}
		return shown >= 2
	})
	if shown != 2 {
		t.Errorf("%d messages", shown)
	}
}

// TestImports has a kernel whose sizes come from another file: first from disk, then from its buffer, then from the disk again.
func TestImports(t *testing.T) {
	kernel := strings.Replace(text("N"), "import jax\n", "import jax\nfrom sizes import N\n", 1)
	root := folder(t, "a.py", kernel, "sizes.py", "N = 8\n")
	c := open(t, everything("utf-16"), root)
	uri, sizes := "file://"+root+"/a.py", "file://"+root+"/sizes.py"
	c.didOpen(uri, kernel)
	at := find(kernel, "buf):")
	expect := func(what, want string) {
		t.Helper()
		if got := c.hover(uri, at); !strings.Contains(got, want) {
			t.Errorf("%s: %q", what, got)
		}
	}
	expect("from disk", "float32[8, 128]")
	c.didOpen(sizes, "N = 16\n")
	expect("from the buffer", "float32[16, 128]")
	c.didChange(sizes, 2, object{"text": "N = 32\n"})
	expect("after a change", "float32[32, 128]")
	c.notify("textDocument/didClose", object{"textDocument": object{"uri": sizes}})
	expect("closed", "float32[8, 128]")
	if err := os.WriteFile(filepath.Join(root, "sizes.py"), []byte("N = 64 # longer\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": sizes, "type": 2}}})
	for i := 0; i < 1000 && !strings.Contains(c.hover(uri, at), "float32[64, 128]"); i++ { // documents are renewed in the background
		time.Sleep(10 * time.Millisecond)
	}
	expect("changed on disk", "float32[64, 128]")
}

func TestFolders(t *testing.T) {
	kernel := strings.Replace(text("N"), "import jax\n", "import jax\nfrom sizes import N\n", 1)
	root := folder(t, "src/sizes.py", "N = 24\n", "kernels/a.py", kernel)
	c := open(t, everything("utf-16"), "")
	uri := "file://" + root + "/kernels/a.py"
	c.didOpen(uri, kernel)
	at := find(kernel, "buf):")
	if got := c.hover(uri, at); !strings.Contains(got, "[sizes.N, 128]") {
		t.Errorf("outside any folder: %q", got)
	}
	c.diagnostics(uri, 1)
	before := 0
	c.until("", func() bool { before = len(c.publications(uri)); return true })
	c.notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": []object{{"uri": "file://" + root, "name": "r"}}, "removed": []any{}}})
	c.until("new diagnostics", func() bool { return len(c.publications(uri)) > before })
	if got := c.hover(uri, at); !strings.Contains(got, "float32[24, 128]") {
		t.Errorf("inside one: %q", got)
	}
}

// TestElsewhere finds something in a helper that another file has: it is shown there, whether the helper is open or not.
func TestElsewhere(t *testing.T) {
	loads := &rule.Rule{Name: "test-load", Page: "---\nname: test-load\nseverity: warning\nsilent: x\n---\n"}
	loads.Kernel = func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Events {
			if e.Op == infer.OpLoad {
				p.Report(e.Loc, "loaded").Also(k.Loc, "for this kernel")
			}
		}
	}
	withRules(t, loads)
	kernel := strings.Replace(strings.Replace(text("8"), "import jax\n", "import jax\nfrom helper import load\n", 1), "= x_ref[...]", "= load(x_ref)", 1)
	helper := "# é\ndef load(ref):\n    return ref[...]\n"
	root := folder(t, "a.py", kernel, "helper.py", helper)
	uri, uriHelper := "file://"+root+"/a.py", "file://"+root+"/helper.py"
	c := open(t, everything("utf-16"), root)
	c.didOpen(uri, kernel)
	if got := c.diagnostics(uri, 1); len(got) != 1 || got[0].Range.Start.Line != 9 {
		t.Errorf("its own: %+v", got)
	}
	shown := func(what string, n int) {
		t.Helper()
		c.until(what, func() bool {
			all := c.publications(uriHelper)
			return len(all) > 0 && len(all[len(all)-1].Diagnostics) == n
		})
	}
	shown("finding in a helper that is not open", 1)
	c.mu.Lock()
	d := c.publications(uriHelper)[0].Diagnostics[0]
	c.mu.Unlock()
	if d.Range.Start != (position{2, 11}) || len(d.Related) != 1 || d.Related[0].Location.URI != uri {
		t.Errorf("%+v", d)
	}
	c.didOpen(uriHelper, helper)
	if got := c.diagnostics(uriHelper, 1); len(got) != 1 {
		t.Errorf("open: %+v", got)
	}
	c.didChange(uriHelper, 2, object{"text": "def load(ref):\n    return 1\n"})
	shown("end of the finding", 0)
	c.didChange(uriHelper, 3, object{"text": helper})
	shown("finding again", 1)
	c.didChange(uriHelper, 4, object{"text": strings.Replace(helper, "ref[...]", "ref[...]  # pallas: ignore[test-load]", 1)})
	shown("end of the silenced finding", 0)
	c.didChange(uriHelper, 5, object{"text": helper})
	shown("finding once more", 1)
	c.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
	shown("end with the kernel's file", 0)
}

// TestRefactorings: a rule that reports nothing unless it is selected still offers what it can rewrite, under the kind of its own.
func TestRefactorings(t *testing.T) {
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

def kernel(x_hbm, o_ref, buf, sem):
    @pl.loop(0, 4)
    def _(i):
        pltpu.async_copy(x_hbm.at[i], buf, sem).wait()
        o_ref[i] = buf[...]

pl.pallas_call(
    kernel,
    out_shape=jax.ShapeDtypeStruct((4, 8, 128), jnp.float32),
    in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
    scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA],
)(jnp.ones((4, 8, 128), jnp.float32))
`)
	c.diagnostics(uri1, 1)
	for _, x := range []struct {
		only string
		want []string
	}{{"refactor.rewrite", []string{"refactor.rewrite.pallas.double-buffer"}}, {"refactor.rewrite.pallas.double-buffer", []string{"refactor.rewrite.pallas.double-buffer"}},
		{"refactor.rewrite.pallas.hoist-copy", nil}, {"quickfix", nil}, {"", []string{"refactor.rewrite.pallas.double-buffer"}}} {
		var got []string
		for _, a := range c.actions(uri1, whole, x.only) {
			got = append(got, a.Kind)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("only %s: %v", x.only, got)
		}
	}
}
