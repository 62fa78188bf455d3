package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

const libraryKernel = `import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from .sizes import ROWS

def double_kernel(x_hbm, o_ref, buf, sem, *, scale):
    pltpu.async_copy(x_hbm, buf, sem).wait()
    o_ref[...] = buf[...] * scale

def scratch(dtype):
    return [pltpu.VMEM((ROWS, 128), dtype), pltpu.SemaphoreType.DMA]
`

const libraryUse = `import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
%s

def run(x):
    return pl.pallas_call(functools.partial(kernel, scale=2), out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
                          in_specs=[pl.BlockSpec(memory_space=pl.ANY)], scratch_shapes=scratch(jnp.float32))(x)
`

// TestInstalledKernel: a kernel of an installed package is followed, whichever way the package offers it; its other modules are not.
func TestInstalledKernel(t *testing.T) {
	const site = ".venv/lib/python3.12/site-packages/"
	root := folder(t,
		site+"jax-0.12.0.dist-info/", "",
		site+"fastops/__init__.py", "from fastops import heavy\nfrom fastops.tpu import (double_kernel as doubled, scratch)\nfrom .tpu import *\n",
		site+"fastops/heavy.py", "import fastops.heavier\ndef scratch(dtype):\n    return 1\n",
		site+"fastops/tpu/__init__.py", "from .kernels import *\n",
		site+"fastops/tpu/kernels.py", libraryKernel,
		site+"fastops/tpu/sizes.py", "# sizes for Pallas: pallas\nROWS = 8\n",
		site+"jax/experimental/pallas/ops/tpu/shipped.py", strings.ReplaceAll(libraryKernel, "from .sizes import ROWS", "ROWS = 8"),
		"pyproject.toml", "")
	for _, imports := range []string{
		"from fastops.tpu.kernels import double_kernel as kernel, scratch",
		"from fastops import doubled as kernel, scratch",
		"from fastops import double_kernel as kernel, scratch",
		"from fastops.tpu import double_kernel as kernel, scratch",
		"import fastops.tpu.kernels as k\nkernel, scratch = k.double_kernel, k.scratch",
		"import fastops\nkernel, scratch = fastops.doubled, fastops.scratch",
		"from fastops.tpu import kernels\nkernel, scratch = kernels.double_kernel, kernels.scratch",
		"from jax.experimental.pallas.ops.tpu.shipped import double_kernel as kernel, scratch",
		"from jax.experimental.pallas.ops.tpu import shipped\nkernel, scratch = shipped.double_kernel, shipped.scratch",
	} {
		w := New([]string{root}, nil)
		w.Getenv = noEnv
		a := w.Check(parse.Parse(filepath.Join(root, "a.py"), []byte(strings.Replace(libraryUse, "%s", imports, 1))))
		if got, want := paramSpaces(a), []jax.Space{jax.ANY, jax.VMEM, jax.VMEM, jax.Semaphore}; !slices.Equal(got, want) {
			t.Errorf("%s: the refs are in %v, want %v", imports, got, want)
		}
		if len(a.Findings) > 0 {
			t.Errorf("%s: found %v", imports, a.Findings)
		}
		for path := range a.Imports {
			if strings.Contains(path, "heavy") {
				t.Errorf("%s: %s was followed", imports, path)
			}
		}
	}
}

// paramSpaces are the memories of the refs of the only kernel, by parameter.
func paramSpaces(a *Analysis) []jax.Space {
	var out []jax.Space
	for _, e := range a.Facts.Entries {
		for _, w := range e.Worlds {
			for _, k := range w.Kernels {
				out = out[:0]
				for _, r := range k.Refs {
					out = append(out, r.Spaces.One())
				}
			}
		}
	}
	return out
}

// TestInstalledKernelIsNobodysToChange: what is wrong with a kernel of an installed package is not said of its file, and no fix changes it.
func TestInstalledKernelIsNobodysToChange(t *testing.T) {
	bad := strings.Replace(libraryKernel, "o_ref[...] = buf[...] * scale", "o_ref[...] = x_hbm[...] * scale", 1)
	const site = "env/lib/python3.12/site-packages/"
	root := folder(t, "w/pyproject.toml", "", site+"fastops/__init__.py", "", site+"fastops/kernels.py", strings.ReplaceAll(bad, "from .sizes import ROWS", "ROWS = 8"),
		"w/local.py", strings.ReplaceAll(bad, "from .sizes import ROWS", "ROWS = 8"))
	check := func(module string) []string {
		w := New([]string{filepath.Join(root, "w")}, nil)
		w.Getenv = func(name string) string {
			if name == "VIRTUAL_ENV" {
				return filepath.Join(root, "env")
			}
			return ""
		}
		a := w.Check(parse.Parse(filepath.Join(root, "w", "a.py"), []byte(strings.Replace(libraryUse, "%s", "from "+module+" import double_kernel as kernel, scratch", 1))))
		var out []string
		for _, d := range a.Findings {
			p, _ := a.Place(d.Loc)
			out = append(out, filepath.Base(p.File.Path)+" "+d.Rule.Name)
		}
		return out
	}
	if got := check("local"); len(got) == 0 {
		t.Errorf("of the same kernel in the workspace: %q", got)
	}
	if got := check("fastops.kernels"); len(got) != 0 {
		t.Errorf("of an installed one: %q", got)
	}
}

// TestInstalledStaysInside: links that lead out of the environment, and an environment that a link leads out of the project, are not followed.
func TestInstalledStaysInside(t *testing.T) {
	const site = "lib/python3.12/site-packages/"
	outside := folder(t, "secret.py", "# pallas\nX = 1\n", site+"pkg.py", "# pallas\nX = 1\n")
	root := folder(t, ".venv/"+site+"real.py", "# pallas\nX = 1\n", "a.py", "")
	link(t, filepath.Join(outside, "secret.py"), filepath.Join(root, ".venv", filepath.FromSlash(site), "linked.py"))
	other := folder(t, "a.py", "")
	link(t, outside, filepath.Join(other, ".venv"))
	for _, c := range []struct {
		root, name string
		found      bool
	}{{root, "real", true}, {root, "linked", false}, {other, "pkg", false}} {
		w := New([]string{c.root}, nil)
		w.Getenv = noEnv
		if got := w.Resolve(filepath.Join(c.root, "a.py"), c.name, 0); (got != nil) != c.found {
			t.Errorf("%s: found %v", c.name, got != nil)
		}
	}
}

var _ infer.Resolver = (*Workspace)(nil)
