package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// gather is an endpoint of a started copy that a list of indices selects rows from: data.at[indices].
type gather struct {
	e    *infer.Event
	slot int // source: a gather; destination: a scatter
	ref  *infer.Ref
	step int             // of the ref, the one with the indices
	item infer.IndexItem // the indices
}

// gathers are those of a SparseCore kernel. As jax/_src/pallas/mosaic/sc_lowering.py _extract_indirect_offsets, which looks at the first
// subscript of an .at only.
func gathers(k *infer.Kernel) []gather {
	var out []gather
	if !onSparseCore(k) {
		return nil
	}
	for _, e := range starts(k) {
		for _, slot := range []int{source, destination} {
			ref := e.Refs[slot]
			if ref == nil {
				continue
			}
			for i, s := range ref.Steps {
				if s.Kind == "at" && len(s.Index) > 0 && s.Index[0].Kind == infer.IndexArray {
					out = append(out, gather{e, slot, ref, i, s.Index[0]})
				}
			}
		}
	}
	return out
}

// indices is the ref that holds the indices, nil when they are an array.
func (g gather) indices() *infer.Ref {
	r, _ := g.item.Value.(*infer.Ref)
	return r
}

// other is the endpoint on the other side.
func (g gather) other() *infer.Ref { return g.e.Refs[source+destination-g.slot] }

// spaces are those of source and destination.
func (g gather) spaces() (src, dst jax.Spaces, ok bool) {
	a, b := g.e.Refs[source], g.e.Refs[destination]
	if a == nil || b == nil || !a.Spaces.Known() || !b.Spaces.Known() {
		return 0, 0, false
	}
	return a.Spaces, b.Spaces, true
}

// sound: the copy is one that may be indexed, on this side.
func (g gather) sound() bool {
	src, dst, ok := g.spaces()
	if !ok {
		return false
	}
	if g.slot == source {
		return src.Only(jax.HBM, jax.VMEMShared) && dst.Only(jax.VMEM)
	}
	return src.Only(jax.VMEM) && dst.Only(jax.HBM, jax.VMEMShared)
}

// report makes a finding about the indexed endpoint.
func (g gather) report(p *rule.Pass, format string, args ...any) *rule.Diagnostic {
	return report(p, g.e, g.slot, format, args...)
}

// text is the endpoint as it is written.
func (g gather) text() string { return text(g.e.Locs[g.slot], name(g.ref)) }

// indexesText is the list of indices as it is written.
func (g gather) indexesText() string {
	if r := g.indices(); r != nil && r.Name != "" {
		return "`" + r.Name + "`"
	}
	return text(g.item.Loc, "the list of indices")
}

// streams: both may be indexed copies' ends, in one direction or the other.
func streams(src, dst jax.Spaces) bool {
	far, near := src, dst
	if src.Has(jax.VMEM) {
		far, near = dst, src
	}
	return far.HasAny(jax.HBM, jax.VMEMShared) && near.Has(jax.VMEM)
}
