package lsp

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"
)

type drawn struct {
	Kernel, Format, Picture string
	Kernels                 []string
	Version                 int
	Range                   span
}

func (c *testClient) picture(uri string, more object) *drawn {
	c.t.Helper()
	p := object{"textDocument": object{"uri": uri}}
	for k, v := range more {
		p[k] = v
	}
	var out *drawn
	c.must("pallas-lsp/picture", p, &out)
	return out
}

func TestPicture(t *testing.T) {
	c := open(t, everything("utf-16"), "")
	body := text("8")
	c.didOpen(uri1, body)
	got := c.picture(uri1, object{"position": find(body, "buf[...] = x_ref").json()})
	if got == nil || got.Kernel != "kernel" || got.Format != "svg" || !slices.Equal(got.Kernels, []string{"kernel"}) || got.Version != 1 || got.Range.Start != find(body, "kernel(") {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"x_ref", "VMEM", "f32[8, 128]", `data-line="`, "load · line 9", "TensorCore"} {
		if !strings.Contains(got.Picture, want) {
			t.Errorf("%q is not in\n%s", want, got.Picture)
		}
	}
	for dec := xml.NewDecoder(strings.NewReader(got.Picture)); ; {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("no XML: %v", err)
		}
	}
	if got := c.picture(uri1, object{"kernel": "kernel", "format": "text"}); got == nil || !strings.Contains(got.Picture, "core ──▶ o_ref") {
		t.Errorf("%+v", got)
	}
	if got := c.picture(uri1, object{"kernel": "kernel", "format": "mermaid"}); got == nil || !strings.Contains(got.Picture, "flowchart") {
		t.Errorf("%+v", got)
	}
	if got := c.picture(uri1, object{"kernel": "none"}); got != nil {
		t.Errorf("of no kernel: %+v", got)
	}
	if got := c.picture("file:///nowhere/other.py", nil); got != nil {
		t.Errorf("of a document that is not open: %+v", got)
	}
	if code := c.code("pallas-lsp/picture", object{"textDocument": object{"uri": uri1}, "format": "png"}); code != -32602 {
		t.Errorf("a format that there is not: %d", code)
	}
}
