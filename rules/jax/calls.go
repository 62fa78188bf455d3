package jax

import "strings"

// calls is one release's calls.txt: a line for each function.
type calls map[string]string

func readCalls(text string) calls {
	out := make(calls, strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		out[name] = rest
	}
	return out
}

// Binds is the JAX primitives that a call of a function binds for certain, in no order: the function by its canonical name
// ("jax.numpy.sort"), a method or operator of arrays as "jax.Array.sort", "jax.Array.__matmul__", "jax.Array.at.set",
// "jax.Array.__getitem__.reverse" (see OPERATORS in generate.py for all). Kind and rank are those of the arrays that it is given;
// with KindUnknown or a negative rank only what holds for all of them is returned. known is false for functions of which
// nothing is known.
//
// This is for calls that pass nothing but the required arguments: options such as mode= or axis=() can take another way. The
// primitives are those of the traced program, inner ones of jit, loops and branches included, with dead code removed.
func (r *Release) Binds(function string, kind Kind, rank int) (primitives []string, known bool) {
	row, ok := r.calls()[function]
	if !ok {
		return nil, false
	}
	always, rest, _ := strings.Cut(row, "\t")
	primitives = strings.Fields(always)
	for field := range strings.SplitSeq(rest, "\t") {
		tag, list, _ := strings.Cut(field, ":")
		if tag == kindTags[kind] && tag != "" || tag == "1" && rank == 1 || tag == "2" && rank == 2 {
			for p := range strings.FieldsSeq(list) {
				primitives = append(primitives, p)
			}
		}
	}
	return primitives, true
}

var kindTags = [...]string{KindUnknown: "", KindBool: "bool", KindInt: "int", KindUint: "uint", KindFloat: "float", KindComplex: "", KindSemaphore: "", KindKey: ""}

// Unlowered is the primitives that a call of a function binds for certain (see [Release.Binds]) and that have no lowering rule on the
// core; nil when nothing certain is known of the core or the function.
func (r *Release) Unlowered(core Core, function string, kind Kind, rank int) []string {
	primitives, _ := r.Binds(function, kind, rank)
	var out []string
	for _, p := range primitives {
		if ok, known := r.Lowers(core, p); known && !ok {
			out = append(out, p)
		}
	}
	return out
}
