package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const (
	bookURI = "file:///w/book.ipynb"
	magics  = "vscode-notebook-cell:/w/book.ipynb#m"
	imports = "vscode-notebook-cell:/w/book.ipynb#i"
	body    = "vscode-notebook-cell:/w/book.ipynb#b"
	call    = "vscode-notebook-cell:/w/book.ipynb#c"
)

// cellTexts are the cells of a notebook with a kernel in one cell and its call in the next.
func cellTexts() map[string]string {
	whole := text("8")
	kernel, site := strings.Index(whole, "def kernel"), strings.Index(whole, "def f(x)")
	return map[string]string{
		magics:  "%pip install jax\n!echo don't",
		imports: strings.TrimSpace(whole[:kernel]),
		body:    strings.TrimSpace(whole[kernel:site]),
		call:    strings.TrimSpace(whole[site:]),
	}
}

func (c *testClient) openBook(uri string, texts map[string]string, order ...string) {
	var cells, items []object
	for _, u := range order {
		cells = append(cells, object{"kind": 2, "document": u})
		items = append(items, object{"uri": u, "languageId": "python", "version": 1, "text": texts[u]})
	}
	c.notify("notebookDocument/didOpen", object{"notebookDocument": object{"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}, "cellTextDocuments": items})
}

func (c *testClient) changeBook(version int, cells object) {
	c.notify("notebookDocument/didChange", object{"notebookDocument": object{"uri": bookURI, "version": version}, "change": object{"cells": cells}})
}

// storeRule reports each store with the place of its ref, and offers to rename both.
func storeRule() *rule.Rule {
	r := &rule.Rule{Name: "test-store", Page: "---\nname: test-store\nsummary: a store\nseverity: warning\nsilent: nothing\n---\nWhy.\n"}
	r.Kernel = func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Events {
			if e.Op == infer.OpStore && e.Refs[0].Alloc.Role == infer.Output {
				p.Report(e.Loc, "a store").Also(k.Site.Call.Func, "the call").Offer(
					&rule.Fix{Title: "Rename", Safety: rule.Safe, Edits: []rule.Edit{{Loc: k.Site.Call.Func, New: "pl.kernel_call"}, {Loc: e.Loc, New: "out[...]"}}})
			}
		}
	}
	return r
}

func TestNotebook(t *testing.T) {
	withRules(t, storeRule())
	c := open(t, everything("utf-16"), "")
	texts := cellTexts()
	c.openBook(bookURI, texts, magics, imports, body, call)
	found := c.diagnostics(body, 1)
	if len(found) != 1 || found[0].Range.Start != find(texts[body], "o_ref[...] =") {
		t.Fatalf("in the cell of the kernel: %+v", found)
	}
	if r := found[0].Related; len(r) != 1 || r[0].Location.URI != call || r[0].Location.Range.Start != find(texts[call], "pl.pallas_call") {
		t.Errorf("related: %+v", r)
	}
	for _, other := range []string{magics, imports, call} {
		if got := c.diagnostics(other, 1); len(got) != 0 {
			t.Errorf("in %s: %+v", other, got)
		}
	}
	if got := c.hover(body, find(texts[body], "o_ref[")); !strings.Contains(got, "VMEM") || !strings.Contains(got, "line 6 of another cell") {
		t.Errorf("hover: %q", got)
	}
	var where []struct{ URI string }
	c.must("textDocument/definition", object{"textDocument": object{"uri": body}, "position": find(texts[body], "o_ref").json()}, &where)
	if len(where) == 0 || where[0].URI != call {
		t.Errorf("definition: %+v", where)
	}
	var hints []struct{ Position position }
	c.must("textDocument/inlayHint", object{"textDocument": object{"uri": body}, "range": whole.json()}, &hints)
	if len(hints) == 0 || hints[0].Position.Line != 0 {
		t.Errorf("hints: %+v", hints)
	}
	var lenses []struct{ Range span }
	c.must("textDocument/codeLens", object{"textDocument": object{"uri": body}}, &lenses)
	if len(lenses) != 0 {
		t.Errorf("lenses of the call in the cell of the kernel: %+v", lenses)
	}
}

func TestCellsArePushedToClientsThatPull(t *testing.T) {
	withRules(t, storeRule())
	can := everything("utf-16")
	can["textDocument"].(object)["diagnostic"] = object{}
	can["workspace"].(object)["diagnostics"] = object{"refreshSupport": true}
	c := open(t, can, "")
	c.openBook(bookURI, cellTexts(), imports, body, call)
	if got := c.diagnostics(body, 1); len(got) != 1 {
		t.Errorf("pushed: %+v", got)
	}
	var report struct {
		Kind  string
		Items []diagnostic
	}
	if c.must("textDocument/diagnostic", object{"textDocument": object{"uri": body}}, &report); report.Kind != "full" || len(report.Items) != 0 {
		t.Errorf("pulled, so that it is there twice: %+v", report)
	}
	c.notify("notebookDocument/didClose", object{"notebookDocument": object{"uri": bookURI}, "cellTextDocuments": []object{}})
	c.until("the end of the diagnostics", func() bool {
		all := c.publications(body)
		return len(all[len(all)-1].Diagnostics) == 0
	})
}

func TestFixInANotebook(t *testing.T) {
	withRules(t, storeRule())
	c := open(t, everything("utf-16"), "")
	texts := cellTexts()
	c.openBook(bookURI, texts, imports, body, call)
	c.diagnostics(body, 1)
	var actions []struct {
		Title string
		Edit  struct {
			DocumentChanges []struct {
				TextDocument struct {
					URI     string
					Version int
				}
				Edits []struct {
					Range   span
					NewText string
				}
			}
		}
	}
	c.must("textDocument/codeAction", object{"textDocument": object{"uri": body}, "range": whole.json(), "context": object{"diagnostics": []any{}}}, &actions)
	if len(actions) == 0 || actions[0].Title != "Rename" {
		t.Fatalf("actions: %+v", actions)
	}
	changes := actions[0].Edit.DocumentChanges
	if len(changes) != 2 || changes[0].TextDocument.URI != body || changes[1].TextDocument.URI != call || changes[0].TextDocument.Version != 1 {
		t.Fatalf("changes: %+v", changes)
	}
	if e := changes[1].Edits; len(e) != 1 || e[0].Range.Start != find(texts[call], "pl.pallas_call") || e[0].NewText != "pl.kernel_call" {
		t.Errorf("in the cell of the call: %+v", e)
	}
}

func TestCellsComeAndGo(t *testing.T) {
	withRules(t, storeRule())
	c := open(t, everything("utf-16"), "")
	texts := cellTexts()
	c.openBook(bookURI, texts, imports, body)
	if got := c.diagnostics(body, 1); len(got) != 0 {
		t.Fatalf("without a call: %+v", got)
	}
	last := func(uri string, want int) func() bool {
		return func() bool {
			all := c.publications(uri)
			return len(all) > 0 && len(all[len(all)-1].Diagnostics) == want
		}
	}
	item := object{"uri": call, "languageId": "python", "version": 1, "text": texts[call]}
	c.changeBook(2, object{"structure": object{"array": object{"start": 2, "deleteCount": 0, "cells": []object{{"kind": 2, "document": call}}}, "didOpen": []object{item}}})
	c.until("the finding", last(body, 1))
	c.changeBook(3, object{"textContent": []object{{"document": object{"uri": body, "version": 2},
		"changes": []object{{"range": span{find(texts[body], "o_ref[...]"), find(texts[body], "o_ref[...]")}.json(), "text": "# "}}}}})
	if got := c.diagnostics(body, 2); len(got) != 0 {
		t.Errorf("without the store: %+v", got)
	}
	c.changeBook(4, object{"textContent": []object{{"document": object{"uri": body, "version": 3}, "changes": []object{{"text": texts[body]}}}}})
	if got := c.diagnostics(body, 3); len(got) != 1 {
		t.Errorf("with the store again: %+v", got)
	}
	c.changeBook(5, object{"structure": object{"array": object{"start": 0, "deleteCount": 2, "cells": []object{{"kind": 2, "document": body}, {"kind": 2, "document": imports}}}}})
	if got := c.hover(body, find(texts[body], "o_ref[")); !strings.Contains(got, "VMEM") {
		t.Errorf("hover in a cell that was moved: %q", got)
	}
	c.changeBook(7, object{"structure": object{"array": object{"start": 1, "deleteCount": 1}, "didClose": []object{{"uri": body}}}})
	c.until("nothing for a cell that is gone", last(body, 0))
	c.changeBook(8, object{"structure": object{"array": object{"start": 7, "deleteCount": 1}}})
	if got := c.hover(imports, position{}); got != "" {
		t.Errorf("after a change that can't be: %q", got)
	}
	c.notify("notebookDocument/didClose", object{"notebookDocument": object{"uri": bookURI}, "cellTextDocuments": []object{{"uri": imports}, {"uri": call}}})
	if got := c.hover(call, find(texts[call], "pallas_call")); got != "" {
		t.Errorf("hover in a closed notebook: %q", got)
	}
}

func TestNotebookIsConfiguredByItsFolder(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "pyproject.toml"), []byte("[tool.pallas-lsp]\nchip = \"v6e\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, everything("utf-16"), root)
	c.openBook("file://"+root+"/book.ipynb", cellTexts(), imports, body, call)
	var got struct{ Chip string }
	c.must("pallas-lsp/status", object{"textDocument": object{"uri": body}}, &got)
	if got.Chip != "v6e" {
		t.Errorf("the chip of a cell is %q", got.Chip)
	}
}
