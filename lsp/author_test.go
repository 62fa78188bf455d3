package lsp

import (
	"slices"
	"strings"
	"testing"
)

const copying = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def kernel(x_hbm, w_ref, o_ref, buf, sems):
    step = pl.program_id(0)
    copy = pltpu.make_async_copy(x_hbm.at[pl.ds(step * 8, 8)], buf.at[0], sems.at[0])
    copy.start()
    copy.wait()
    other = pltpu.make_async_copy(x_hbm.at[pl.ds(0, 8)], buf.at[1], sems.at[1])
    other.start()
    pltpu.make_async_copy(buf.at[1], buf.at[1], sems.at[1]).wait()
    o_ref[...] = buf[0] + w_ref[...]


def run(x, w):
    return pl.pallas_call(
        kernel, grid=(4,), out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32),
        in_specs=[pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec((8, 128), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
        scratch_shapes=[pltpu.VMEM((2, 8, 128), jnp.float32), pltpu.SemaphoreType.DMA((2,))])(x, w)


def main():
    x = jnp.zeros((32, 128), jnp.float32)
    return run(x, x)
`

func author(t *testing.T) *testClient {
	t.Helper()
	c := open(t, everything("utf-16"), "")
	c.didOpen(uri1, copying)
	return c
}

func (c *testClient) at(method string, at position, result any) {
	c.t.Helper()
	p := object{"textDocument": object{"uri": uri1}, "position": at.json()}
	if method == "textDocument/references" {
		p["context"] = object{"includeDeclaration": true}
	}
	c.must(method, p, result)
}

func TestCodeLens(t *testing.T) {
	c := author(t)
	var lenses []struct {
		Range   span
		Command struct{ Title, Command string }
	}
	ask := func() {
		lenses = nil
		c.must("textDocument/codeLens", object{"textDocument": object{"uri": uri1}}, &lenses)
	}
	ask()
	if len(lenses) != 1 || lenses[0].Command.Title != "VMEM 24 KiB, 2 semaphores" || lenses[0].Range.Start != find(copying, "pl.pallas_call(") {
		t.Errorf("%+v", lenses)
	}
	c.notify("workspace/didChangeConfiguration", object{"settings": object{"pallas-lsp": object{"chip": "v5e"}}})
	c.until("settings", func() bool { return len(c.publications(uri1)) > 1 })
	ask()
	if len(lenses) != 1 || lenses[0].Command.Title != "VMEM 24 KiB of 16 MiB, 2 semaphores" {
		t.Errorf("of a chip: %+v", lenses)
	}
	seen := len(c.publications(uri1))
	c.notify("workspace/didChangeConfiguration", object{"settings": object{"pallas-lsp": object{"hints": object{"budget": false}}}})
	c.until("settings", func() bool { return len(c.publications(uri1)) > seen })
	ask()
	if len(lenses) != 0 {
		t.Errorf("switched off: %+v", lenses)
	}
}

func TestHoverOfCallAndNames(t *testing.T) {
	c := author(t)
	for _, x := range []struct {
		at   string
		off  int
		want []string
	}{
		{"pallas_call(", 2, []string{"takes VMEM 24 KiB, 2 semaphores", "VMEM: buf: scratch, 8 KiB", "o_ref: window, 2 × 4 KiB", "v5e 16 MiB", "grid (4,): 4 steps", "w_ref at (i, 0): (0, 0) (1, 0)"}},
		{"BlockSpec((8, 128), lambda i: (i, 0))],", 2, []string{"of `w_ref`", "all 4 blocks"}},
		{"VMEM((2", 1, []string{"**buf**: Ref in VMEM, `float32[2, 8, 128]` (8 KiB)"}},
		{"DMA((2", 1, []string{"**sems**: Semaphore, `dma_sem[2]`"}},
		{"program_id", 2, []string{"```python\nprogram_id(axis)\n```", "the index of this step", "JAX 0."}},
		{"ds(step", 1, []string{"a slice of a ref by start and size"}},
		{"ANY)", 1, []string{"no direct load or store"}},
	} {
		got := c.hover(uri1, find(copying, x.at).plus(x.off))
		for _, want := range x.want {
			if !strings.Contains(got, want) {
				t.Errorf("on %s: %q is not in\n%s", x.at, want, got)
			}
		}
	}
	for _, nothing := range []string{"jnp.zeros", "jax.ShapeDtypeStruct", "step = ", "def main"} {
		if got := c.hover(uri1, find(copying, nothing).plus(4)); got != "" {
			t.Errorf("on %s: %s", nothing, got)
		}
	}
}

func TestHintKinds(t *testing.T) {
	c := author(t)
	labels := func() (out []string) {
		var hints []struct{ Label string }
		c.must("textDocument/inlayHint", object{"textDocument": object{"uri": uri1}, "range": whole.json()}, &hints)
		for _, h := range hints {
			out = append(out, h.Label)
		}
		return out
	}
	for _, x := range []struct {
		hints object
		want  []string
		not   []string
	}{
		{object{}, []string{": ANY f32[32, 128]", ": VMEM f32[8, 128]", ": DMA sem[2]", "ANY→VMEM 4 KiB"}, nil},
		{object{"types": false}, []string{": ANY", ": VMEM", "ANY→VMEM 4 KiB"}, []string{": VMEM f32[8, 128]"}},
		{object{"refs": false}, []string{"ANY→VMEM 4 KiB"}, []string{": ANY", ": ANY f32[32, 128]", ": DMA sem[2]"}},
		{object{"copies": false}, []string{": ANY f32[32, 128]"}, []string{"ANY→VMEM 4 KiB"}},
	} {
		seen := 0
		c.until("", func() bool { seen = len(c.publications(uri1)); return seen > 0 })
		c.notify("workspace/didChangeConfiguration", object{"settings": object{"pallas-lsp": object{"hints": x.hints}}})
		c.until("settings", func() bool { return len(c.publications(uri1)) > seen })
		got := labels()
		for _, want := range x.want {
			if !slices.Contains(got, want) {
				t.Errorf("%v: no %q in %q", x.hints, want, got)
			}
		}
		for _, not := range x.not {
			if slices.Contains(got, not) {
				t.Errorf("%v: %q in %q", x.hints, not, got)
			}
		}
	}
}

func TestDefinitionAndReferences(t *testing.T) {
	c := author(t)
	var places []struct{ Range span }
	starts := func() (out []position) {
		for _, p := range places {
			out = append(out, p.Range.Start)
		}
		places = nil
		return out
	}
	c.at("textDocument/definition", find(copying, "w_ref, o_ref").plus(1), &places)
	if got := starts(); !slices.Equal(got, []position{find(copying, "pl.BlockSpec((8, 128), lambda i: (i, 0))],"), find(copying, "w)\n\n\ndef main")}) {
		t.Errorf("of a parameter: %v", got)
	}
	for _, from := range []position{find(copying, "pl.BlockSpec((8, 128), lambda i: (i, 0))],").plus(4), find(copying, "w)\n\n\ndef main")} {
		c.at("textDocument/references", from, &places)
		if got := starts(); len(got) < 2 || got[0] != find(copying, "w_ref, o_ref") || !slices.Contains(got, find(copying, "w_ref[...]")) {
			t.Errorf("from %v: %v", from, got)
		}
	}
	c.at("textDocument/references", find(copying, "pltpu.VMEM((2").plus(7), &places)
	if got := starts(); len(got) < 3 || got[0] != find(copying, "buf, sems):") {
		t.Errorf("of scratch: %v", got)
	}
	c.at("textDocument/references", find(copying, "def main").plus(5), &places)
	if got := starts(); got != nil {
		t.Errorf("elsewhere: %v", got)
	}
}

func TestHighlight(t *testing.T) {
	c := author(t)
	var marks []struct {
		Range span
		Kind  int
	}
	lines := func() (out []int) {
		for _, m := range marks {
			out = append(out, m.Range.Start.Line)
		}
		slices.Sort(out)
		marks = nil
		return out
	}
	all := []int{6, 9, 10, 12, 13} // the parameter, and each start and wait
	c.at("textDocument/documentHighlight", find(copying, "start()").plus(1), &marks)
	if got := lines(); !slices.Equal(got, all) {
		t.Errorf("on a start: %v", got)
	}
	c.at("textDocument/documentHighlight", find(copying, "sems):").plus(1), &marks)
	if got := lines(); !slices.Equal(got, all) {
		t.Errorf("on the semaphore: %v", got)
	}
	c.at("textDocument/documentHighlight", find(copying, "o_ref[...] =").plus(1), &marks)
	if got := lines(); got != nil {
		t.Errorf("on something else: %v", got)
	}
}
