package kernel

import (
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// axisName models the look-up of axis names in jax/_src/core.py get_axis_env: a kernel on a mesh knows the mesh's axes and those of
// the shard_map around it. Files that speak of the latter are left alone.
var axisName = &rule.Rule{
	Name: "axis-name-unknown",
	Page: page("axis_name.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){"jax.lax.axis_index": checkAxisName, "jax.lax.axis_size": checkAxisName},
	Site: func(p *rule.Pass, s *infer.Site) {
		mesh := s.Outer.Mesh()
		if s.API != "emit_pipeline" || mesh == nil || sharded(p, s.Outer) {
			return
		}
		for _, name := range axisNames(s.Call.Arg("core_axis_name")) {
			if !slices.Contains(mesh.Names, name) {
				reportAxis(p, argLoc(p, s, "core_axis_name"), name, mesh).At(s.Loc)
			}
		}
	},
}

func checkAxisName(p *rule.Pass, c *infer.Call) {
	mesh := c.Kernel.Mesh()
	if mesh == nil || sharded(p, c.Kernel) {
		return
	}
	v := c.Arg("axis_name")
	if v == nil {
		v = c.Pos(0)
	}
	for _, name := range axisNames(v) {
		if !slices.Contains(mesh.Names, name) {
			reportAxis(p, c.Loc, name, mesh)
			return
		}
	}
}

// axisNames are the names in an argument that takes one or a sequence of them.
func axisNames(v infer.Value) []string {
	vs := []infer.Value{v}
	if t, ok := sequence(v); ok {
		vs = all(t)
	}
	var out []string
	for _, v := range vs {
		if name, ok := v.(infer.Str); ok {
			out = append(out, string(name))
		}
	}
	return out
}

func reportAxis(p *rule.Pass, loc parse.Loc, name string, mesh *infer.Mesh) *rule.Diagnostic {
	return p.Report(loc, "the mesh of this kernel has no axis '%s'; it has '%s'", name, strings.Join(mesh.Names, "' and '")).
		Says("NameError: Found an unbound axis name: %s. To fix this, please call axis_index under `jax.shard_map`.", name).
		Also(mesh.Loc, "the mesh")
}

// sharded: the kernel may run under a shard_map, whose axes it sees too.
func sharded(p *rule.Pass, k *infer.Kernel) bool {
	for _, t := range root(k).Site.Under {
		if t.Kind == "shard_map" || t.Kind == "pmap" || t.Kind == "vmap" {
			return true
		}
	}
	for _, word := range []string{"shard_map", "pmap", "smap", "remote", "device_id", "PartitionSpec"} {
		if p.Mentions(word) {
			return true
		}
	}
	return false
}
