package lsp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"pallas-lsp/testdata/seeds"
)

// frame is a message with its header.
func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`

// FuzzFrames sends bytes that may be no frames: the session ends when they end, with nothing but frames of JSON on the other side and no
// fault of ours in the log.
func FuzzFrames(f *testing.F) {
	seeds.Add([]string{
		frame(hello) + frame(`{"jsonrpc":"2.0","method":"initialized","params":{}}`) + frame(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + frame(`{"jsonrpc":"2.0","method":"exit"}`),
		frame(hello) + frame(`{`) + frame(`[]`) + frame(`[1,{"jsonrpc":"2.0","id":3,"method":"shutdown"}]`) + frame(`null`) + frame(`""`) + frame(`{"id":{},"method":[]}`),
		frame(hello) + frame(`{"jsonrpc":"2.0","id":1.5,"method":"textDocument/hover","params":{"textDocument":{"uri":"\ud800"},"position":{"line":-1,"character":1e99}}}`),
		frame(hello) + "Content-Length: 5\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "content-length:2\n\n{}", "\r\n\r\n", "X: y\r\n\r\n{}",
		frame(hello) + frame(`{"jsonrpc":"2.0","id":"a","result":null}`) + frame(`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`) + frame(hello),
		frame(hello) + frame(strings.Repeat("[", 5000)) + frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":`+strings.Repeat(`{"a":`, 5000)+`1`),
		frame(hello) + frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.py","languageId":"python","version":1,"text":"import pallas\n\ud800\udc00\ud800"}}}`) +
			frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.py","version":0},"contentChanges":[{"range":{"start":{"line":1,"character":1},"end":{"line":0,"character":9}},"text":"\u0000"}]}}`),
	}, func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := start(t)
		_, _ = c.in.Write(raw)
		c.in.Close()
		c.ends()
	})
}

// ends waits for the end of the session.
func (c *testClient) ends() {
	c.t.Helper()
	select {
	case code := <-c.exit:
		if code != 0 && code != 1 {
			c.t.Errorf("exit code %d", code)
		}
	case <-time.After(time.Minute):
		c.t.Fatal("the session does not end")
	}
	if log := c.log.String(); strings.Contains(log, "panic") || strings.Contains(log, "goroutine") || strings.Contains(log, "failed") {
		c.t.Fatalf("the log says\n%s", log)
	}
}

// FuzzSession plays any sequence of messages: unknown ones, malformed ones, doubled ones, out of order, after the end. Every request is
// answered, and nothing in the log is a fault of ours.
func FuzzSession(f *testing.F) {
	f.Add([]byte{0, 1, 2, 0, 0, 5, 0, 3, 6, 0, 3, 7, 0, 8, 0, 9, 0, 12, 13})
	f.Add([]byte{0, 1, 2, 0, 1, 3, 0, 1, 2, 3, 4, 4, 0, 2, 0, 2, 5, 0, 1, 10, 3, 11, 1, 12, 5, 0, 1, 13, 2, 0, 0})
	f.Add([]byte{5, 0, 0, 2, 0, 0, 0, 0, 0, 14, 15, 16, 1, 17, 2, 18, 0, 19, 12, 12, 13, 13, 0})
	f.Add([]byte{0, 0, 1, 2, 0, 0, 20, 0, 0, 9, 0, 19, 0, 0, 2, 19, 0, 1, 3, 20, 0, 1, 19, 7, 2, 0, 20, 2, 0, 20, 2, 1, 9, 0})
	f.Add([]byte{0, 0, 1, 1, 2, 2, 1, 2, 2, 3, 3, 2, 9, 9, 0, 2, 8, 2, 7, 2, 18, 2, 4, 2, 5, 2, 0, 19, 1, 17, 17, 16, 16, 15, 14})
	f.Add([]byte{0, 0, 22, 0, 4, 0, 0, 2, 0, 1, 0, 0, 0, 1, 1, 1, 0, 22, 0, 4, 0, 0, 2, 0, 1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 5, 4, 1, 8, 4, 0, 4, 22, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 5, 0, 2, 9, 4, 3, 0, 1, 1, 11, 0})
	for moves := range seeds.More() {
		r := rand.New(rand.NewPCG(moves, 3))
		script := []byte{0, byte(r.IntN(4)), 1}
		for range r.IntN(150) {
			script = append(script, byte(r.IntN(256)))
		}
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 200 {
			return
		}
		p := &player{c: start(t), script: script, asked: map[string]int{}}
		for len(p.script) > 0 && !p.over {
			p.step()
		}
		p.finish()
	})
}

// player turns bytes into messages.
type player struct {
	c       *testClient
	script  []byte
	version int
	asked   map[string]int // how often an id was used
	over    bool           // exit was sent
}

// next is a number below n.
func (p *player) next(n int) int {
	if len(p.script) == 0 {
		return 0
	}
	b := int(p.script[0])
	p.script = p.script[1:]
	return b % n
}

var (
	fuzzURIs  = []string{"file:///nowhere/a.py", "untitled:Untitled-1", "file:///nowhere/b%20%C3%A9.py", "", "vscode-notebook-cell:/x.ipynb#W0", "file://", "\xed\xa0\x80", "http://a/b.py"}
	fuzzTexts = []string{text("8"), "", "import pallas\n", "def f(:\n  '''\U0001F600", text("(")[:300], "\r\r\n\x00", "x_ref[9]", text("10**10**10") + text("[0]*10**12"), "pl.pallas_call(", "😀"}
	places    = []position{{0, 0}, {6, 5}, {7, 14}, {13, 11}, {1 << 30, 1 << 30}, {3, 1}, {17, 30}, {19, 500}, {2147483647, 2147483647}}
	fuzzRaw   = []string{`{`, `[]`, `[{}]`, `null`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","method":1}`, `{"jsonrpc":"2.0","method":"textDocument/hover"}`, `{"jsonrpc":"2.0","id":{"a":1},"method":"x"}`,
		`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///nowhere/a.py"},"contentChanges":[{"range":null,"text":3}]}}`, `{"jsonrpc":"2.0","id":7777,"result":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///nowhere/a.py","version":1},"contentChanges":[{"text":"import pallas\nx = '\ud800'\udc00\n"}]}}`}
	strange = []any{nil, 5, "x", []int{1}, object{}, object{"textDocument": 5}, object{"textDocument": object{"uri": nil}}, object{"position": object{"line": -1, "character": 0.5}}}
)

func (p *player) doc() object { return object{"uri": fuzzURIs[p.next(len(fuzzURIs))]} }

func (p *player) at() object { return places[p.next(len(places))].json() }

func (p *player) span() object { return object{"start": p.at(), "end": p.at()} }

func (p *player) text() string { return fuzzTexts[p.next(len(fuzzTexts))] }

// ask sends a request, now and then with an id that was used before.
func (p *player) ask(method string, params any) {
	p.c.nextID++
	id := p.c.nextID
	p.asked[strconv.Itoa(id)]++
	p.c.send(object{"id": id, "method": method, "params": params})
}

func (p *player) step() {
	c := p.c
	switch p.next(23) {
	case 0:
		p.ask("initialize", object{"processId": nil, "rootUri": nil, "capabilities": []any{everything("utf-16"), everything("utf-8"), everything("utf-32"), object{}}[p.next(4)]})
	case 1:
		c.notify("initialized", object{})
	case 2:
		d := p.doc()
		d["languageId"], d["version"], d["text"] = "python", p.version, p.text()
		c.notify("textDocument/didOpen", object{"textDocument": d})
	case 3:
		p.version++
		d := p.doc()
		d["version"] = p.version
		c.notify("textDocument/didChange", object{"textDocument": d, "contentChanges": []any{object{"range": p.span(), "text": p.text()}}})
	case 4:
		p.version++
		d := p.doc()
		d["version"] = p.version
		c.notify("textDocument/didChange", object{"textDocument": d, "contentChanges": []any{object{"text": p.text()}, object{"range": p.span(), "text": "x"}}})
	case 5:
		p.ask("textDocument/hover", object{"textDocument": p.doc(), "position": p.at()})
	case 6:
		p.ask("textDocument/definition", object{"textDocument": p.doc(), "position": p.at()})
	case 7:
		p.ask("textDocument/inlayHint", object{"textDocument": p.doc(), "range": p.span()})
	case 8:
		p.ask("textDocument/codeAction", object{"textDocument": p.doc(), "range": p.span(), "context": object{"diagnostics": []any{}}})
	case 9:
		p.ask("textDocument/diagnostic", object{"textDocument": p.doc()})
	case 10:
		c.notify("$/cancelRequest", object{"id": []any{c.nextID, c.nextID - 1, "x", nil, -5}[p.next(5)]})
	case 11:
		c.notify("textDocument/didClose", object{"textDocument": p.doc()})
	case 12:
		p.ask("shutdown", nil)
	case 13:
		c.notify("exit", nil)
		p.over = true
	case 14:
		p.ask("pallas/unknown", object{"a": 1})
	case 15:
		c.notify("$/unknown", []int{})
	case 16:
		c.raw([]byte(fuzzRaw[p.next(len(fuzzRaw))]))
	case 17:
		c.notify("workspace/didChangeConfiguration", object{"settings": []any{nil, 5, object{"chip": "v5e"}, object{"pallas-lsp": object{"chip": 1}}}[p.next(4)]})
	case 18:
		c.notify("workspace/didChangeWatchedFiles", object{"changes": []any{object{"uri": fuzzURIs[p.next(len(fuzzURIs))], "type": 1 + p.next(3)}}})
	case 19:
		uri := fuzzURIs[p.next(len(fuzzURIs))]
		c.notify([]string{"workspace/didRenameFiles", "workspace/didCreateFiles", "workspace/didDeleteFiles"}[p.next(3)],
			object{"files": []object{{"uri": uri, "oldUri": uri, "newUri": fuzzURIs[p.next(len(fuzzURIs))]}}})
	case 20:
		folder := object{"uri": fuzzURIs[p.next(len(fuzzURIs))], "name": "f"}
		c.notify("workspace/didChangeWorkspaceFolders", object{"event": []any{object{"added": []object{folder}, "removed": []any{}}, object{"added": []any{}, "removed": []object{folder, folder}}}[p.next(2)]})
	case 22:
		p.notebook()
	default:
		methods := []string{"textDocument/hover", "textDocument/codeAction", "codeAction/resolve", "textDocument/didChange", "initialize", "workspace/didChangeWorkspaceFolders", "textDocument/didOpen"}
		p.ask(methods[p.next(len(methods))], strange[p.next(len(strange))])
	}
}

// notebook opens, changes or closes one; its cells have the addresses of documents, too.
func (p *player) notebook() {
	p.version++
	d := p.doc()
	d["version"], d["notebookType"] = p.version, "jupyter-notebook"
	one := func() object {
		cell := p.doc()
		cell["languageId"], cell["version"], cell["text"] = []string{"python", "markdown"}[p.next(2)], p.version, p.text()
		return cell
	}
	cells := []object{one(), one(), one()}
	var list []object
	for _, c := range cells {
		list = append(list, object{"kind": 1 + p.next(3), "document": c["uri"]})
	}
	switch p.next(4) {
	case 0:
		d["cells"] = list
		p.c.notify("notebookDocument/didOpen", object{"notebookDocument": d, "cellTextDocuments": cells})
	case 1:
		p.c.notify("notebookDocument/didChange", object{"notebookDocument": d, "change": object{"cells": object{
			"structure": object{"array": object{"start": p.next(5), "deleteCount": p.next(5), "cells": list}, "didOpen": cells[:p.next(4)]}}}})
	case 2:
		p.c.notify("notebookDocument/didChange", object{"notebookDocument": d, "change": object{"cells": object{
			"textContent": []object{{"document": cells[0], "changes": []any{object{"range": p.span(), "text": p.text()}}}}}}})
	case 3:
		p.c.notify("notebookDocument/didClose", object{"notebookDocument": d, "cellTextDocuments": cells})
	}
}

func (p *player) finish() {
	if !p.over {
		for id := range p.asked {
			if m := p.c.answer(id); m.Error == nil && !json.Valid(m.Result) {
				p.c.t.Errorf("answer to %s: %+v", id, m)
			}
		}
	}
	p.c.in.Close()
	p.c.ends()
}
