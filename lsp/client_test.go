package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// client is an editor at the other end of a pipe. It speaks plain JSON, so that the tests see what goes over the wire.
type testClient struct {
	t    *testing.T
	in   io.WriteCloser
	log  lockedBuffer
	exit chan int

	mu       sync.Mutex
	changed  *sync.Cond
	nextID   int
	answers  map[string]message
	notes    []message
	asked    []message // requests of the server
	settings any       // what workspace/configuration is answered with
	ended    bool
}

type object = map[string]any

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

type pipe struct {
	io.Reader
	io.WriteCloser
	close func()
}

func (p pipe) Close() error {
	p.close()
	return p.WriteCloser.Close()
}

// start begins a session that is not initialized yet.
func start(t *testing.T) *testClient {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	c := &testClient{t: t, in: in, exit: make(chan int, 1), answers: map[string]message{}}
	c.changed = sync.NewCond(&c.mu)
	go func() {
		c.exit <- Serve(context.Background(), pipe{toServer, fromServer, func() { toServer.Close() }}, &c.log, "test")
		fromServer.Close()
	}()
	go c.read(out)
	t.Cleanup(func() { in.Close() })
	return c
}

// all is a client that can do everything.
func everything(encodings ...string) object {
	diagnostics := object{"relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true, "dataSupport": true, "tagSupport": object{"valueSet": []int{1, 2}}}
	return object{
		"general": object{"positionEncodings": encodings},
		"textDocument": object{
			"publishDiagnostics": diagnostics,
			"hover":              object{"contentFormat": []string{"markdown", "plaintext"}},
			"codeAction": object{"dataSupport": true, "resolveSupport": object{"properties": []string{"edit"}},
				"codeActionLiteralSupport": object{"codeActionKind": object{"valueSet": []string{"quickfix", "source.fixAll"}}}},
		},
		"workspace": object{"workspaceEdit": object{"documentChanges": true}},
	}
}

// open starts a session with the given capabilities in the given folder; an empty one is none.
func open(t *testing.T, capabilities object, root string) *testClient {
	t.Helper()
	c := start(t)
	p := object{"processId": nil, "rootUri": nil, "capabilities": capabilities}
	if root != "" {
		p["workspaceFolders"] = []object{{"uri": "file://" + root, "name": "root"}}
	}
	c.must("initialize", p, nil)
	c.notify("initialized", object{})
	return c
}

func (c *testClient) read(r io.Reader) {
	in := bufio.NewReader(r)
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			break
		}
		n, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			break
		}
		if bytes.HasPrefix(body, []byte("[")) {
			var batch []message
			if err := json.Unmarshal(body, &batch); err != nil {
				c.t.Errorf("the server sent no JSON: %s", body)
			}
			for _, m := range batch {
				c.take(m)
			}
			continue
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			c.t.Errorf("the server sent no JSON: %s", body)
		}
		c.take(m)
	}
	c.mu.Lock()
	c.ended = true
	c.changed.Broadcast()
	c.mu.Unlock()
}

func (c *testClient) take(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case m.Method == "":
		c.answers[string(m.ID)] = m
	case m.ID == nil:
		c.notes = append(c.notes, m)
	default:
		c.asked = append(c.asked, m)
		var result any
		if m.Method == "workspace/configuration" {
			result = []any{c.settings}
		}
		go c.send(object{"id": m.ID, "result": result})
	}
	c.changed.Broadcast()
}

var sending sync.Mutex

func (c *testClient) send(m object) {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		c.t.Error(err)
	}
	c.raw(body)
}

func (c *testClient) raw(body []byte) {
	sending.Lock()
	defer sending.Unlock()
	_, _ = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body) // a closed pipe shows in what does not come back
}

func (c *testClient) notify(method string, params any) {
	c.send(object{"method": method, "params": params})
}

// request sends a request and returns its id.
func (c *testClient) request(method string, params any) string {
	c.mu.Lock()
	c.nextID++
	id := c.nextID
	c.mu.Unlock()
	c.send(object{"id": id, "method": method, "params": params})
	return strconv.Itoa(id)
}

// until waits for a condition on what came back; it is called with the lock held.
func (c *testClient) until(what string, ready func() bool) {
	c.t.Helper()
	timer := time.AfterFunc(30*time.Second, func() { c.changed.Broadcast() })
	defer timer.Stop()
	begun := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !ready() {
		if c.ended || time.Since(begun) >= 30*time.Second {
			c.t.Fatalf("no %s; ended: %v; log:\n%s", what, c.ended, c.log.String())
		}
		c.changed.Wait()
	}
}

func (c *testClient) answer(id string) message {
	c.t.Helper()
	var m message
	c.until("answer to request "+id, func() (ok bool) { m, ok = c.answers[id]; return ok })
	return m
}

// must sends a request that has to succeed, and decodes its result.
func (c *testClient) must(method string, params, result any) {
	c.t.Helper()
	m := c.answer(c.request(method, params))
	if m.Error != nil {
		c.t.Fatalf("%s: %s (%d)", method, m.Error.Message, m.Error.Code)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(m.Result, result); err != nil {
		c.t.Fatalf("%s: %v in %s", method, err, m.Result)
	}
}

// code is the error code that a request is answered with, 0 for success.
func (c *testClient) code(method string, params any) int {
	c.t.Helper()
	if m := c.answer(c.request(method, params)); m.Error != nil {
		return m.Error.Code
	}
	return 0
}

func (c *testClient) didOpen(uri, text string) {
	c.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "python", "version": 1, "text": text}})
}

func (c *testClient) didChange(uri string, version int, changes ...object) {
	c.notify("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": version}, "contentChanges": changes})
}

type position struct{ Line, Character int }

type span struct{ Start, End position }

func (p position) json() object { return object{"line": p.Line, "character": p.Character} }

func (s span) json() object { return object{"start": s.Start.json(), "end": s.End.json()} }

type diagnostic struct {
	Range    span
	Severity int
	Code     string
	Source   string
	Message  string
	Tags     []int
	Data     json.RawMessage
	Related  []struct {
		Message  string
		Location struct {
			URI   string
			Range span
		}
	} `json:"relatedInformation"`
	CodeDescription struct{ Href string }
}

type published struct {
	URI         string
	Version     *int
	Diagnostics []diagnostic
}

// publications are the diagnostics that came for a document so far, oldest first. The lock is held.
func (c *testClient) publications(uri string) []published {
	var out []published
	for _, n := range c.notes {
		var p published
		if n.Method == "textDocument/publishDiagnostics" && json.Unmarshal(n.Params, &p) == nil && p.URI == uri {
			out = append(out, p)
		}
	}
	return out
}

// diagnostics waits for those of a version.
func (c *testClient) diagnostics(uri string, version int) []diagnostic {
	c.t.Helper()
	var out []diagnostic
	c.until(fmt.Sprintf("diagnostics of version %d", version), func() bool {
		all := c.publications(uri)
		if len(all) == 0 {
			return false
		}
		last := all[len(all)-1]
		out = last.Diagnostics
		return last.Version != nil && *last.Version == version
	})
	return out
}

// hover returns the text of a hover, empty for null.
func (c *testClient) hover(uri string, at position) string {
	c.t.Helper()
	return hoverText(c.t, c.answer(c.request("textDocument/hover", object{"textDocument": object{"uri": uri}, "position": at.json()})))
}

func hoverText(t *testing.T, m message) string {
	t.Helper()
	if m.Error != nil {
		t.Fatalf("hover: %s (%d)", m.Error.Message, m.Error.Code)
	}
	var h *struct{ Contents struct{ Value string } }
	if err := json.Unmarshal(m.Result, &h); err != nil {
		t.Fatal(err)
	}
	if h == nil {
		return ""
	}
	return h.Contents.Value
}

// find returns the position of the first byte of a part of a text, in UTF-16 units.
func find(text, part string) position {
	i := strings.Index(text, part)
	if i < 0 {
		panic("not in the text: " + part)
	}
	before := text[:i]
	line := strings.Count(before, "\n")
	column := before[strings.LastIndexByte(before, '\n')+1:]
	n := 0
	for _, c := range column {
		n++
		if c > 0xffff {
			n++
		}
	}
	return position{line, n}
}
