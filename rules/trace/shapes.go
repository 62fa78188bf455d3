package trace

import (
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// broadcast models jax/_src/numpy/util.py promote_shapes and the checks of jax/_src/lax/lax.py.
var broadcast = &rule.Rule{
	Name:    "broadcast-mismatch",
	Follows: true,
	Page:    page("broadcast.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		as := arrays(x)
		if from, to, one := strings.Cut(x.Detail, " -> "); one {
			p.Report(x.Loc, "shape %s does not broadcast to %s", from, to).Says("ValueError: Incompatible types for broadcasting")
			return
		}
		if len(as) < 2 {
			return
		}
		p.Report(x.Loc, "shapes %s do not broadcast", list(as)).Says("TypeError: got incompatible shapes for broadcasting: %s.", list(as))
	}, "broadcast"),
}

func list(as []*infer.Array) string {
	parts := make([]string, len(as))
	for i, a := range as {
		parts[i] = a.Shape.String()
	}
	return strings.Join(parts, " and ")
}

// reshapeSize models jax/_src/lax/lax.py _reshape_shape_rule.
var reshapeSize = &rule.Rule{
	Name:    "reshape-size",
	Follows: true,
	Page:    page("reshape.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		as := arrays(x)
		if len(as) == 0 {
			return
		}
		p.Report(x.Loc, "an array of shape %s does not reshape to %s: another number of elements", as[0].Shape, x.Detail).
			Says("TypeError: cannot reshape array of shape %s (size ...) into shape %s", as[0].Shape, x.Detail)
	}, "reshape"),
}

// dotContract models jax/_src/lax/lax.py _dot_general_shape_rule and jnp.matmul.
var dotContract = &rule.Rule{
	Name:    "dot-contraction-mismatch",
	Follows: true,
	Page:    page("dot_contract.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		as := arrays(x)
		if len(as) < 2 {
			return
		}
		p.Report(x.Loc, "shapes %s do not multiply: the contracted dimensions differ", list(as)).
			Says("TypeError: dot_general requires contracting dimensions to have the same shape")
	}, "dot-contract"),
}
