package kernel

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const (
	vectorMesh = "jax.experimental.pallas.tpu_sc.VectorSubcoreMesh"
	scalarMesh = "jax.experimental.pallas.tpu_sc.ScalarSubcoreMesh"
)

// meshSize models the __post_init__ of both meshes in jax/_src/pallas/mosaic/sc_core.py.
var meshSize = &rule.Rule{
	Name: "sc-mesh-too-many",
	Page: page("mesh_size.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){vectorMesh: checkMeshSize, scalarMesh: checkMeshSize},
}

func checkMeshSize(p *rule.Pass, c *infer.Call) {
	cores, subcores := limits(p)
	for _, f := range []struct {
		name, what string
		most       int
	}{{"num_cores", "SparseCores", cores}, {"num_subcores", "vector subcores on each SparseCore", subcores}} {
		n, ok := c.Arg(f.name).(*infer.Int)
		if !ok || f.most == 0 {
			continue
		}
		k, known := n.Known()
		if !known || k <= int64(f.most) {
			continue
		}
		chip := "any TPU"
		if p.Chip != nil {
			chip = "a " + p.Chip.Kind
		}
		p.Report(here(p, c.ArgLoc(f.name), c.Loc), "`%s=%d`: %s has at most %d %s", f.name, k, chip, f.most, f.what).
			Says("ValueError: Mesh has %d %s, but the current TPU chip has only %d", k, strings.TrimPrefix(f.name, "num_"), f.most).
			Offer(edit.WithoutArg(p, c, f.name, rule.Unsafe)).
			At(c.Loc)
	}
}

// limits are the numbers of SparseCores and of subcores: of the configured chip, else the most that any chip has; 0: not known.
func limits(p *rule.Pass) (cores, subcores int) {
	chips := jax.Chips()
	if p.Chip != nil {
		chips = []*jax.Chip{p.Chip}
	}
	for _, c := range chips {
		c, _ = p.Release.Chip(c)
		if c.SparseCore != nil {
			cores, subcores = max(cores, c.SparseCore.Cores), max(subcores, c.SparseCore.Subcores)
		}
	}
	return cores, subcores
}

// noSparseCore models jax/_src/pallas/mosaic/sc_core.py get_sparse_core_info.
var noSparseCore = &rule.Rule{
	Name: "sc-no-sparsecore",
	Page: page("no_sparsecore.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){vectorMesh: needsSparseCore, scalarMesh: needsSparseCore},
}

func needsSparseCore(p *rule.Pass, c *infer.Call) {
	if p.Chip == nil || p.Chip.HasSparseCore() {
		return
	}
	p.Report(c.Loc, "a %s has no SparseCore that Pallas can program", p.Chip.Kind).
		Says("RuntimeError: The current TPU does not have SparseCores")
}

// meshSequence models jax/_src/pallas/helpers.py kernel.
var meshSequence = &rule.Rule{
	Name: "kernel-mesh-body-mismatch",
	Page: page("mesh_sequence.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.experimental.pallas.kernel": func(p *rule.Pass, c *infer.Call) {
			mesh, body := c.Arg("mesh"), c.Arg("body")
			meshes, many := sequence(mesh)
			bodies, manyBodies := sequence(body)
			_, oneMesh := mesh.(*infer.Mesh)
			says, what := "", ""
			switch {
			case many && body == nil && !c.Open:
				what, says = "a list of meshes needs a list of bodies; as a decorator `pl.kernel` takes one mesh", "mesh cannot be a sequence when using pl.kernel as a decorator."
			case many && isFunction(body):
				what, says = "a list of meshes needs a list of bodies, one for each", "mesh cannot be a sequence when body is a single callable."
			case manyBodies && oneMesh:
				what, says = "a list of bodies needs a list of meshes, one for each", "mesh must be a sequence when body is a sequence of callables."
			case many && manyBodies && len(all(meshes)) != len(all(bodies)):
				what, says = plural(len(all(bodies)), "body")+" for "+plural(len(all(meshes)), "mesh"), "body and mesh sequences must have the same length."
			default:
				return
			}
			p.Report(here(p, c.ArgLoc("mesh"), c.Loc), "%s", what).Says("ValueError: %s", says).At(c.Loc)
		},
	},
}

// meshSemantics models jax/_src/pallas/mosaic/pallas_call_registration.py mpmd_map_tpu_lowering_rule.
var meshSemantics = &rule.Rule{
	Name: "kernel-mesh-dimension-semantics",
	Page: page("mesh_semantics.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if !meshKernel(s) {
			return
		}
		v, loc := param(p, s, "dimension_semantics")
		if !something(v) {
			return
		}
		p.Report(loc, "a kernel on a mesh has no grid to give `dimension_semantics` to; the mesh says what runs in parallel").
			Says("ValueError: mpmd_map does not support dimension_semantics= in compiler_params=").
			Offer(without(p, s, "dimension_semantics", rule.Safe)).
			At(s.Loc)
	},
}

// meshes are those of a pl.kernel with several bodies, where all are known.
func meshes(s *infer.Site) []*infer.Mesh {
	t, ok := sequence(s.Call.Arg("mesh"))
	if s.API != "mpmd_map" || !ok {
		return nil
	}
	var out []*infer.Mesh
	for _, v := range all(t) {
		m, ok := v.(*infer.Mesh)
		if !ok {
			return nil
		}
		out = append(out, m)
	}
	return out
}

func meshLoc(p *rule.Pass, s *infer.Site) parse.Loc { return here(p, s.Call.ArgLoc("mesh"), s.Loc) }

// meshTensorCore models the compatibility checks in jax/_src/pallas/mosaic/core.py TensorCoreMesh and jax/_src/pallas/mpmd.py _default_memory_space.
var meshTensorCore = &rule.Rule{
	Name: "mpmd-tensorcore",
	Page: page("mesh_tensorcore.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		tc, sc := 0, 0
		for _, m := range meshes(s) {
			if m.Core == jax.TensorCore {
				tc++
			} else if m.Core.IsSparseCore() {
				sc++
			}
		}
		if tc == 0 || sc == 0 {
			return
		}
		p.Report(meshLoc(p, s), "one kernel can't run on a TensorCore and on SparseCores; make two kernels").
			Says("ValueError: Mesh self=TensorCoreMesh(...) is not compatible with other_mesh=...").
			At(s.Loc)
	},
}

// meshCompatible models check_is_compatible_with of the meshes in jax/_src/pallas/mosaic/sc_core.py.
var meshCompatible = &rule.Rule{
	Name: "mesh-incompatible",
	Page: page("mesh_compatible.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		ms := meshes(s)
		for i, a := range ms {
			for _, b := range ms[i+1:] {
				if why := incompatible(a, b); why != "" {
					p.Report(meshLoc(p, s), "the meshes of one kernel don't fit: %s", why).
						Says("ValueError: You can't use two different VectorSubcoreMeshes.").
						Also(a.Loc, "one mesh").Also(b.Loc, "the other").
						At(s.Loc)
					return
				}
			}
		}
	},
}

func incompatible(a, b *infer.Mesh) string {
	if !a.Core.IsSparseCore() || !b.Core.IsSparseCore() {
		return ""
	}
	if a.Core == b.Core {
		return "two of them are for " + a.Core.String() + "s"
	}
	if len(a.Names) == 0 || len(b.Names) == 0 {
		return ""
	}
	if a.Names[0] != b.Names[0] {
		return "the SparseCores are axis '" + a.Names[0] + "' in one and '" + b.Names[0] + "' in the other"
	}
	n, ok1 := a.Axes[a.Names[0]].Known()
	m, ok2 := b.Axes[b.Names[0]].Known()
	if ok1 && ok2 && n != m {
		return "they have different numbers of SparseCores"
	}
	return ""
}

// meshScratchCore models the check of scratch types in jax/_src/pallas/mpmd.py _mpmd_map.
var meshScratchCore = &rule.Rule{
	Name: "mpmd-scratch-core-type",
	Page: page("mesh_scratch_core.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if len(meshes(s)) < 2 {
			return
		}
		for _, o := range s.Scratches {
			if o.Mem == nil || o.Mem.Mesh != nil || !o.Mem.Spaces.Never(jax.HBM, jax.VMEMShared) {
				continue
			}
			p.Report(here(p, o.Mem.Loc, argLoc(p, s, "scratch_types"), s.Loc), "with several meshes, scratch in %s must say whose it is: `pltpu.VMEM(shape, dtype) @ mesh`", o.Mem.Spaces).
				Says("NotImplementedError: MPMD map with more than one mesh requires scratch_type to have a `core_type` specified, but scratch_type=... is missing it.").
				Offer(onMesh(p, s, o)...).
				At(s.Loc)
			return
		}
	},
}

// supported are the memory spaces that can be put on a mesh (supported_memory_spaces of the meshes).
var supported = map[jax.Core][]jax.Space{
	jax.SCScalarSubcore: {jax.VMEMShared, jax.SMEM, jax.Semaphore},
	jax.SCVectorSubcore: {jax.VMEM, jax.VMEMShared, jax.SMEM, jax.Semaphore},
	jax.TensorCore:      {jax.VMEM, jax.SMEM, jax.CMEM, jax.Semaphore},
}

// meshMemory models jax/_src/pallas/core.py CoreMemorySpace.__post_init__.
var meshMemory = &rule.Rule{
	Name: "mesh-memory-space",
	Page: page("mesh_memory.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		for _, o := range s.Scratches {
			if o.Mem == nil || o.Mem.Mesh == nil {
				continue
			}
			spaces := supported[o.Mem.Mesh.Core]
			if spaces == nil || !o.Mem.Spaces.Never(spaces...) {
				continue
			}
			p.Report(here(p, o.Mem.Loc, s.Loc), "%s is no memory of a %s, so it can't be put on its mesh", o.Mem.Spaces, o.Mem.Mesh.Core).
				Says("ValueError: Memory space %s is not supported by mesh ...", o.Mem.Spaces).
				At(s.Loc)
		}
	},
}

// sameRef models the check of refs in jax/_src/pallas/mpmd.py _mpmd_map.
var sameRef = &rule.Rule{
	Name: "kernel-same-ref-twice",
	Page: page("same_ref.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "kernel" && s.API != "mpmd_map" || !s.Called || s.Outer != nil {
			return
		}
		seen := map[*infer.Alloc]bool{}
		for _, a := range s.Operands {
			r, ok := a.Value.(*infer.Ref)
			if !ok || len(r.Steps) > 0 {
				continue
			}
			if seen[r.Alloc] {
				p.Report(here(p, a.Loc, s.CallLoc, s.Loc), "the kernel is given the same ref twice; pass it once").
					Says("NotImplementedError: Cannot pass the same ref into a mpmd map multiple times").
					At(s.CallLoc)
				return
			}
			seen[r.Alloc] = true
		}
	},
}
