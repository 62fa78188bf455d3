package budget

import (
	"fmt"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/usage"
)

// vmemCapacity models what libtpu's compiler refuses: more VMEM than there is, or more than the scoped limit. It counts unpadded sizes and
// only what must be there, so that what it says is too much is too much.
var vmemCapacity = &rule.Rule{
	Name: "vmem-capacity",
	Page: page("vmem.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		l, ok := usage.LimitsOf(p.Chip)
		if !s.Lowered() || !ok {
			return
		}
		parts, _ := usage.VMEM(s)
		var total int64
		for _, b := range parts {
			total += b.Total()
		}
		limit := l.Limit(s)
		over := overLimit(parts, limit, l.Capacity)
		if total > l.Capacity && !(over && limit < l.Capacity && writtenLimit(s).Valid()) { // a limit of one's own is met first
			reportVMEM(p, s, parts, largest(s, parts), fmt.Sprintf("the VMEM of %s", owner(p.Chip)), total, l.Capacity)
			return
		}
		if over {
			reportVMEM(p, s, parts, place(s, parts), "its limit", total, limit)
		}
	},
}

func owner(c *jax.Chip) string {
	if c == nil {
		return "every chip"
	}
	return c.Name
}

// overLimit: what needs the scoped limit exceeds it. Windows that do not move do not count, and XLA may keep whole arrays in VMEM
// instead of their windows where all of that fits.
func overLimit(parts []usage.Buffer, limit, capacity int64) bool {
	var fixed int64
	var moving []usage.Buffer
	for _, b := range parts {
		switch {
		case !b.Needed:
		case b.Operand.Mem != nil || b.Fixed:
			fixed += b.Total()
		case b.Moving:
			moving = append(moving, b)
		}
	}
	for kept := 0; kept < 1<<min(len(moving), 10); kept++ {
		need, arrays := fixed, int64(0)
		for i, b := range moving {
			if n, ok := b.Operand.Array.Size(); kept&(1<<i) != 0 && ok {
				arrays += b.Operand.DType.Bytes(n)
				continue
			}
			need += b.Total()
		}
		if need <= limit && need+arrays <= capacity {
			return false
		}
	}
	return fixed > 0 || len(moving) > 0
}

func reportVMEM(p *rule.Pass, s *infer.Site, parts []usage.Buffer, loc parse.Loc, what string, total, most int64) {
	d := p.Report(loc, "this kernel takes at least %s of VMEM, more than %s: %s", size(total), what, size(most)).At(s.Loc)
	for _, b := range parts {
		d.Also(partLoc(b), "%s: %s", title(b), sizeOf(b))
	}
}

// place is where the author can act on a limit: where it is written or would be, else the largest part.
func place(s *infer.Site, parts []usage.Buffer) parse.Loc {
	if loc := writtenLimit(s); loc.Valid() {
		return loc
	}
	if s.Call.Arg("compiler_params") != nil {
		return s.Call.ArgLoc("compiler_params")
	}
	return largest(s, parts)
}

// writtenLimit is where the call sets its own limit.
func writtenLimit(s *infer.Site) parse.Loc {
	if v, ok := s.Params.(*infer.Params); ok && v.Call.Arg("vmem_limit_bytes") != nil {
		return v.Call.ArgLoc("vmem_limit_bytes")
	}
	return parse.Loc{}
}

// largest is where the largest part is written.
func largest(s *infer.Site, parts []usage.Buffer) parse.Loc {
	big := parts[0]
	for _, b := range parts {
		if b.Total() > big.Total() {
			big = b
		}
	}
	if loc := partLoc(big); loc.Valid() {
		return loc
	}
	return s.Loc
}

func partLoc(b usage.Buffer) parse.Loc { return b.Operand.SpecLoc }

func title(b usage.Buffer) string {
	if b.Operand.Mem != nil && b.Operand.Param == "" {
		return "scratch"
	}
	return b.Operand.Title()
}

func sizeOf(b usage.Buffer) string {
	if b.Count > 1 {
		return fmt.Sprintf("%d × %s", b.Count, size(b.Bytes))
	}
	return size(b.Bytes)
}

const mib = 1 << 20

// size writes a number of bytes as a person reads it.
func size(n int64) string {
	switch {
	case n >= mib:
		return trim(float64(n)/mib) + " MiB"
	case n >= 1<<10:
		return trim(float64(n)/(1<<10)) + " KiB"
	}
	return fmt.Sprintf("%d B", n)
}

func trim(f float64) string {
	if f == float64(int64(f)) {
		return fmt.Sprintf("%d", int64(f))
	}
	return fmt.Sprintf("%.2f", f)
}
