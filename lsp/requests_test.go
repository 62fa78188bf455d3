package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestStatus(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("requirements.txt", "jax==0.10.2\n")
	c := open(t, everything(), root)
	var got status
	ask := func() {
		t.Helper()
		got = status{}
		c.must("pallas-lsp/status", object{"textDocument": object{"uri": "file://" + root + "/k.py"}}, &got)
	}
	ask()
	if got.Version != "test" || got.JAX.Version != "0.10.2" || got.JAX.From != "requirements.txt" || got.Chip != nil || got.Source != "" {
		t.Errorf("without a configuration: %+v", got)
	}
	if !slices.Contains(got.Chips, "v5e") {
		t.Errorf("chips to choose from: %v", got.Chips)
	}
	c.notify("workspace/didChangeConfiguration", object{"settings": object{"chip": "v5e"}})
	c.until("effect of the setting", func() bool {
		c.mu.Unlock()
		defer c.mu.Lock()
		ask()
		return got.Chip != nil
	})
	if *got.Chip != "v5e" {
		t.Errorf("chip %s", *got.Chip)
	}
}

func TestStatusNamesTheFileThatDecides(t *testing.T) {
	root := t.TempDir()
	config := filepath.Join(root, "pyproject.toml")
	if err := os.WriteFile(config, []byte("[tool.pallas-lsp]\nchip = \"v4\"\njax-version = \"0.12.0\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := open(t, everything(), root)
	var got status
	c.must("pallas-lsp/status", object{"textDocument": object{"uri": "file://" + root + "/k.py"}}, &got)
	if got.Chip == nil || *got.Chip != "v4" || got.JAX.From != "the configuration" || filepath.Base(got.Source) != "pyproject.toml" {
		t.Errorf("%+v", got)
	}
}

func TestExplainByName(t *testing.T) {
	c := open(t, everything(), "")
	var got explanation
	c.must("pallas-lsp/explain", object{"name": "sc-get-noncore-memory"}, &got)
	if got.Name == nil || *got.Name != "sc-get-noncore-memory" || !strings.HasPrefix(got.Markdown, "# sc-get-noncore-memory\n") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(got.Markdown, "```python\n") || strings.Contains(got.Markdown, "EXPECT") {
		t.Errorf("the page is not for readers:\n%s", got.Markdown)
	}
}

func TestExplainPastedError(t *testing.T) {
	c := open(t, everything(), "")
	var got explanation
	c.must("pallas-lsp/explain", object{"text": `Traceback (most recent call last):
  File "/home/me/embed.py", line 19, in double
    buf[...] = x_hbm[...] * 2.0
NotImplementedError: Get does not support loading from HBM. Copy the data to a core-local memory space, e.g. VMEM, via ` + "`pltpu.async_copy`."}, &got)
	if got.Name == nil || *got.Name != "sc-get-noncore-memory" || got.Path != "/home/me/embed.py" || got.Line != 19 {
		t.Errorf("%+v", got)
	}
	got = explanation{}
	c.must("pallas-lsp/explain", object{"text": "ZeroDivisionError: division by zero"}, &got)
	if got.Name != nil || !strings.HasPrefix(got.Markdown, "No page explains this error yet.") {
		t.Errorf("an error of somebody else: %+v", got)
	}
}

func TestOwnRequestsRefuse(t *testing.T) {
	c := open(t, everything(), "")
	for _, x := range []struct {
		method string
		params any
		code   int
	}{
		{"pallas-lsp/explain", object{}, -32602},
		{"pallas-lsp/explain", object{"name": "no-such-rule"}, -32602},
		{"pallas-lsp/explain", object{"name": 7}, -32602},
		{"pallas-lsp/unheard-of", object{}, -32601},
	} {
		if got := c.code(x.method, x.params); got != x.code {
			t.Errorf("%s %v: code %d, not %d", x.method, x.params, got, x.code)
		}
	}
}
