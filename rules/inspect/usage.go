package inspect

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/usage"
)

// Usage is what a kernel takes of one memory. Where runs disagree it is what all of them take at least.
type Usage struct {
	Space    jax.Space `json:"space"`
	Bytes    int64     `json:"bytes"`
	Complete bool      `json:"complete"` // false: at least so much
	Limit    int64     `json:"limit,omitempty"`
	Parts    []*Part   `json:"parts"`
}

// Part is one buffer of it.
type Part struct {
	Name  string     `json:"name,omitempty"`
	Kind  usage.Kind `json:"kind"`
	Bytes int64      `json:"bytes"` // of one copy
	Count int64      `json:"count"` // copies, of a window that is buffered
	Line  int        `json:"line,omitempty"`

	Loc parse.Loc `json:"-"`
}

// usage measures a kernel's run, and keeps of what earlier runs took only what this one takes too.
func (b *builder) usage(k *Kernel, run *infer.Kernel) {
	if run.Site == nil {
		return
	}
	var now []*Usage
	for _, u := range usage.Of(run.Site) {
		now = append(now, b.usageOf(u, run.Site))
	}
	sems, _ := usage.Semaphores(run.Site)
	if !k.measured {
		k.measured, k.Usage, k.Semaphores = true, now, sems
		return
	}
	for _, old := range k.Usage {
		old.atLeast(now)
	}
	for d, n := range k.Semaphores {
		k.Semaphores[d] = min(n, sems[d])
	}
}

func (b *builder) usageOf(u usage.Use, s *infer.Site) *Usage {
	out := &Usage{Space: u.Space, Bytes: u.Bytes(), Complete: u.Complete, Limit: b.limit(u.Space, s), Parts: []*Part{}}
	for _, p := range u.Parts {
		part := &Part{Name: p.Name, Kind: p.Kind, Bytes: p.Bytes, Count: p.Count, Loc: p.Loc}
		_, part.Line, _ = b.at(p.Loc)
		out.Parts = append(out.Parts, part)
	}
	return out
}

// limit is what the kernel may take of a memory on the configured chip, in bytes; 0: no chip, or not known.
func (b *builder) limit(space jax.Space, s *infer.Site) int64 {
	return LimitOf(b.a.Settings.Config.Chip, space, s)
}

// LimitOf is what the kernel of a site may take of a memory on a chip, in bytes; 0: not known.
func LimitOf(chip *jax.Chip, space jax.Space, s *infer.Site) int64 {
	switch {
	case chip == nil:
	case s.Core.IsSparseCore() && chip.SparseCore != nil && space == jax.VMEM && s.Core == jax.SCVectorSubcore:
		return chip.SparseCore.VMEM
	case s.Core == jax.TensorCore && space == jax.VMEM:
		if l, ok := usage.LimitsOf(chip); ok {
			return l.Limit(s)
		}
	case s.Core == jax.TensorCore && space == jax.SMEM:
		return usage.SMEMCapacity
	}
	return 0
}

// atLeast keeps of each part what another run takes too.
func (u *Usage) atLeast(all []*Usage) {
	var other *Usage
	for _, o := range all {
		if o.Space == u.Space {
			other = o
		}
	}
	if other == nil {
		u.Parts, u.Bytes, u.Complete = []*Part{}, 0, false
		return
	}
	same := u.Complete && other.Complete && len(u.Parts) == len(other.Parts)
	left := append([]*Part(nil), other.Parts...)
	kept := []*Part{}
	u.Bytes = 0
	for _, p := range u.Parts {
		for i, o := range left {
			if o == nil || o.Kind != p.Kind || o.Name != p.Name {
				continue
			}
			same = same && o.Bytes == p.Bytes && o.Count == p.Count
			p.Bytes, p.Count = min(o.Bytes, p.Bytes), min(o.Count, p.Count)
			left[i] = nil
			kept = append(kept, p)
			u.Bytes += p.Bytes * p.Count
			break
		}
	}
	u.Parts, u.Complete = kept, same && len(kept) == len(other.Parts)
}

// String says it in short: "VMEM ≥ 3.1 MiB of 16 MiB".
func (u *Usage) String() string {
	text := u.Space.String() + " "
	if !u.Complete {
		text += "≥ "
	}
	text += Size(u.Bytes)
	if u.Limit > 0 {
		text += " of " + Size(u.Limit)
	}
	return text
}

// String says what a part is: "x_ref: window, 2 × 64 KiB".
func (p *Part) String() string {
	text := string(p.Kind) + ", "
	if p.Count > 1 {
		text += fmt.Sprintf("%d × ", p.Count)
	}
	text += Size(p.Bytes)
	if p.Name != "" {
		text = p.Name + ": " + text
	}
	return text
}

// Budget says in a line what a kernel takes, as far as anything is known; empty: nothing is.
func (k *Kernel) Budget() string {
	var parts []string
	for _, u := range k.Usage {
		if u.Bytes > 0 {
			parts = append(parts, u.String())
		}
	}
	var sems int64
	for _, n := range k.Semaphores {
		sems += n
	}
	switch {
	case len(parts) == 0:
		return ""
	case sems == 1:
		parts = append(parts, "1 semaphore")
	case sems > 1:
		parts = append(parts, fmt.Sprintf("%d semaphores", sems))
	}
	return strings.Join(parts, ", ")
}

// Size writes a number of bytes as people read it.
func Size(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	size, i := float64(n), 0
	for size >= 1024 && i < len(units)-1 {
		size /= 1024
		i++
	}
	if size == float64(int64(size)) {
		return fmt.Sprintf("%d %s", int64(size), units[i])
	}
	return fmt.Sprintf("%.1f %s", size, units[i])
}

// VMEMLimits says how much of VMEM the kernel of a site may take on each chip: "v5e 16 MiB".
func VMEMLimits(s *infer.Site) (out []string) {
	for _, c := range jax.Chips() {
		if n := LimitOf(c, jax.VMEM, s); n > 0 {
			out = append(out, c.Name+" "+Size(n))
		}
	}
	return out
}
