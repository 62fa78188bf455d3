package infer_test

import (
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// Numbers of the device are those of the configured chip, else what all chips agree on; others are numbers that are not known.
func TestHardwareNumbers(t *testing.T) {
	const text = `
import jax, jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc

def kernel(x_ref, o_ref, buf):
    buf[...] = jnp.zeros_like(buf)
    o_ref[...] = x_ref[...]

def run(x):
    info = pltpu.get_tpu_info()
    return pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.VMEM((NUMBER, 128), jnp.float32)])(x)
`
	v5e, _ := jax.ParseChip("v5e")
	v7x, _ := jax.ParseChip("7x")
	for _, c := range []struct {
		number string
		chip   *jax.Chip
		want   string
	}{
		{"info.num_lanes", nil, "(128, 128)"},
		{"info.num_sublanes", nil, "?"}, // 16 on the newest
		{"info.num_sublanes", v7x, "(8, 128)"},
		{"info.mxu_column_size", v5e, "(128, 128)"},
		{"info.mxu_column_size", v7x, "(256, 128)"},
		{"info.mxu_column_size", nil, "?"},
		{"info.vmem_capacity_bytes // 2**20", v5e, "(128, 128)"},
		{"info.vmem_capacity_bytes // 2**20", v7x, "(64, 128)"},
		{"info.sparse_core.num_lanes", v7x, "(16, 128)"},
		{"plsc.get_sparse_core_info().num_subcores", v7x, "(16, 128)"},
		{"info.num_cores", v7x, "?"},
		{"info.chip_version", v7x, "?"},
	} {
		facts := infer.Analyze(parse.Parse("k.py", []byte(strings.Replace(text, "NUMBER", c.number, 1))), infer.Options{Chip: c.chip})
		got := "none"
		for _, e := range facts.Entries {
			for _, w := range e.Worlds {
				for _, k := range w.Kernels {
					got = "?"
					if s := k.Refs[len(k.Refs)-1].View; len(s.Dims) == 2 {
						if _, known := s.Known(); known {
							got = s.String()
						}
					}
				}
			}
		}
		if strings.Trim(got, "[]()") != strings.Trim(c.want, "[]()") {
			t.Errorf("%s: the scratch is %s, want %s", c.number, got, c.want)
		}
	}
}
