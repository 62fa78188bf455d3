package lsp

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// apiWords say of the names that kernels are made of what they do, in a line.
var apiWords = map[string]string{
	"pallas.pallas_call":      "makes a function that runs a kernel once for each step of the grid, on blocks of its operands that it copies in and out",
	"pallas.kernel":           "makes a function that runs a kernel on every core of a mesh; operands stay in HBM, and the kernel copies what it needs",
	"pallas.core_map":         "runs the function at once on every core of a mesh, with the refs that it closes over",
	"pallas.BlockSpec":        "says which block of an operand a kernel sees at each step, and in which memory; the index map counts in blocks",
	"pallas.GridSpec":         "grid, specs and scratch of a pallas_call in one object",
	"pallas.Buffered":         "how many buffers a pipeline keeps of a block; two by default",
	"pallas.Element":          "a block dimension whose index map counts in elements, not in blocks",
	"pallas.Squeezed":         "a block dimension of one element that the kernel does not see; None means the same",
	"pallas.BoundedSlice":     "a block dimension of which the index map gives a slice, up to that size",
	"pallas.program_id":       "the index of this step along an axis of the grid",
	"pallas.num_programs":     "how many steps the grid has along an axis",
	"pallas.when":             "runs the decorated function only where the condition holds when the kernel runs",
	"pallas.loop":             "runs the decorated function for each index, as a loop in the kernel",
	"pallas.ds":               "a slice of a ref by start and size; the start may be known only when the kernel runs, the size may not",
	"pallas.cdiv":             "division rounded up, as in the number of blocks that cover an array",
	"pallas.run_scoped":       "allocates memory and semaphores, calls the function with refs of them, and frees them again",
	"pallas.with_scoped":      "run_scoped as a decorator",
	"pallas.multiple_of":      "promises the compiler that a number is a multiple of another, so that slices at it are aligned",
	"pallas.semaphore_signal": "adds to a semaphore, of this core or of another device",
	"pallas.semaphore_wait":   "waits until a semaphore has the value, and takes it off",
	"pallas.semaphore_read":   "the value of a semaphore, which stays",
	"pallas.debug_print":      "prints from inside a kernel",
	"pallas.delay":            "waits for so many nanoseconds",
	"pallas.empty_ref_like":   "memory of a shape and type that is yours until the program ends",

	"pallas.tpu.emit_pipeline":                "a pipeline inside a kernel: copies blocks of refs in HBM in and out while the body computes on others",
	"pallas.tpu.make_async_copy":              "describes a copy between two refs; start() begins it, wait() waits for it",
	"pallas.tpu.async_copy":                   "starts a copy between two refs and returns it, to be waited for",
	"pallas.tpu.sync_copy":                    "copies from one ref to another and returns when it is done",
	"pallas.tpu.make_async_remote_copy":       "describes a copy to a ref of another device; both ends have a semaphore",
	"pallas.tpu.async_remote_copy":            "starts a copy to a ref of another device",
	"pallas.tpu.CompilerParams":               "what the compiler is told of a kernel: which axes of the grid are parallel, how much VMEM it may take",
	"pallas.tpu.PrefetchScalarGridSpec":       "a grid whose first operands are prefetched into SMEM, where index maps can read them",
	"pallas.tpu.InterpretParams":              "runs kernels on the CPU as a TPU would, and can look for races and uninitialised memory",
	"pallas.tpu.BufferedRef":                  "the buffers and semaphores that a pipeline keeps for one operand",
	"pallas.tpu.get_barrier_semaphore":        "the semaphore that all devices of a collective share; it needs collective_id",
	"pallas.tpu.repeat":                       "an array several times over along an axis",
	"pallas.tpu.roll":                         "an array rotated along an axis",
	"pallas.tpu.bitcast":                      "the same bits as another type; the second-last dimension changes with its width",
	"pallas.tpu.with_memory_space_constraint": "asks XLA to put an array into a memory before a kernel gets it",
	"pallas.tpu.prng_seed":                    "seeds the core's generator of random numbers",
	"pallas.tpu.prng_random_bits":             "random bits of the core's own generator",
	"pallas.tpu.MemorySpace":                  "the memories of a TPU; calling one with a shape and a type asks for scratch in it",
	"pallas.tpu.SemaphoreType":                "the kinds of semaphores; scratch may ask for one, or for an array of them",

	"pallas.tpu_sc.VectorSubcoreMesh": "all vector subcores of the SparseCores, each of which runs the kernel",
	"pallas.tpu_sc.ScalarSubcoreMesh": "the scalar subcores of the SparseCores, one each",
	"pallas.tpu_sc.parallel_loop":     "a loop whose steps do not depend on one another, so that the compiler may mix them",
	"pallas.tpu_sc.load_gather":       "elements of a ref in VMEM by vectors of indices",
	"pallas.tpu_sc.store_scatter":     "stores elements to a ref in VMEM by vectors of indices",
	"pallas.tpu_sc.addupdate_scatter": "adds elements to a ref in VMEM by vectors of indices",
	"pallas.tpu_sc.subcore_barrier":   "waits until all vector subcores of the SparseCore have come here",
}

// api describes the name of JAX's that the cursor is on: its signature in the release in use, and what it does.
func (x *subject) api() (string, parse.Span) {
	for i := len(x.nodes) - 1; i >= 0; i-- {
		span := x.nodes[i].Span()
		switch node := x.nodes[i].(type) {
		case *parse.Attr:
			if x.at < node.NameSpan.Start || x.at > node.NameSpan.End {
				continue
			}
			span = node.Span()
		case *parse.Name:
		default:
			continue
		}
		use := x.nameUse(span)
		if use == nil || use.Obj == nil || use.Obj.Module {
			continue
		}
		if text := x.apiText(use); text != "" {
			return text, span
		}
	}
	return "", parse.Span{}
}

func (x *subject) apiText(use *infer.NameUse) string {
	name := strings.TrimPrefix(use.Obj.Canonical, "jax.experimental.")
	words := apiWords[name]
	if !strings.HasPrefix(name, "pallas.") || words == "" && !use.Obj.HasParams {
		return ""
	}
	text := "**" + name + "**"
	if use.Obj.HasParams {
		text = "```python\n" + signature(lastPart(name), use.Obj.Params) + "\n```"
	}
	if words != "" {
		text += "\n" + words
	}
	if use.Obj.Deprecated != "" {
		text += "  \n" + use.Obj.Deprecated
	}
	return text + fmt.Sprintf("  \nJAX %s", x.n.whole().Settings.Release.Version)
}

// longSignature is from which length on the parameters stand on lines of their own.
const longSignature = 90

func signature(name string, params []jax.Param) string {
	var parts []string
	star, slash := false, false
	for i, p := range params {
		if i == 0 && p.Name == "self" {
			continue
		}
		if slash && p.Kind != jax.PositionalOnly {
			parts = append(parts, "/")
		}
		slash = p.Kind == jax.PositionalOnly
		text := p.Name
		switch p.Kind {
		case jax.VarPositional:
			text, star = "*"+p.Name, true
		case jax.VarKeyword:
			text = "**" + p.Name
		case jax.KeywordOnly:
			if !star {
				parts, star = append(parts, "*"), true
			}
		}
		if p.Default != "" {
			text += "=" + p.Default
		} else if p.Optional && p.Kind != jax.VarPositional && p.Kind != jax.VarKeyword {
			text += "=..."
		}
		parts = append(parts, text)
	}
	if slash {
		parts = append(parts, "/")
	}
	line := name + "(" + strings.Join(parts, ", ") + ")"
	if len(line) <= longSignature {
		return line
	}
	return name + "(\n    " + strings.Join(parts, ",\n    ") + ",\n)"
}

// scratch describes the memory or semaphore that the cursor's call asks for: which parameter of which kernel it becomes.
func (x *subject) scratch() (string, parse.Span) {
	for _, k := range x.n.shown().Kernels {
		for _, r := range k.Refs {
			m := r.Alloc.Mem
			if m == nil || m.Loc.Chunk != x.chunk || r.Alloc.Param == m.Loc {
				continue
			}
			span := m.Loc.Span
			if m.Call != nil {
				at, ok := x.onCallee(m.Call)
				if !ok {
					continue
				}
				span = at
			} else if x.at < span.Start || x.at > span.End {
				continue
			}
			text := x.n.refText(k, r)
			if space := x.spaceText(m.Spaces.String(), ""); space != "" {
				text += "\n\n" + space
			}
			return text, span
		}
	}
	return "", parse.Span{}
}
