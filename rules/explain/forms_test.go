package explain

import (
	"strings"
	"testing"

	"pallas-lsp/rules/jax"
)

// lowered is what JAX prints of a copy that the verifier refuses: the operation's source, then the frames made of the compiler's places.
const lowered = `Traceback (most recent call last):
  File "/env/site-packages/jax/_src/pallas/mosaic/lowering.py", line 1665, in _lower_jaxpr_to_func_common
    func_op.verify()
jaxlib.mlir._mlir_libs._mlir.ir.MLIRError: Verification failed:
error: "dma_start:"("dma_start/dma_start"(callsite("kernel"("/home/me/copy.py":11:4 to :54)))): 'tpu.enqueue_dma' op DMA source and target shape mismatch.

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/me/copy.py", line 15, in f
    return pl.pallas_call(kernel, out_shape=x)(x)
jax._src.source_info_util.JaxStackTraceBeforeTransformation: jax._src.pallas.mosaic.error_handling.VerificationError: Pallas encountered an internal verification error. Please file a bug at https://github.com/jax-ml/jax/issues/new/choose. Error details: 'tpu.enqueue_dma' op DMA source and target shape mismatch.

The preceding stack trace is the source of the JAX operation that, once transformed by JAX, triggered the following exception.

--------------------

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/me/copy.py", line 18, in <module>
    jax.jit(f)(x)
  File "/env/site-packages/jax/_src/pallas/mosaic/lowering.py", line 1667, in _lower_jaxpr_to_func_common
    raise error_handling.mlir_error_to_verification_error(e) from e
  File "/home/me/copy.py", line 11, in kernel
    pltpu.async_copy(x_hbm.at[pl.ds(0, 16)], buf, sem).wait()
jax._src.pallas.mosaic.error_handling.VerificationError: Pallas encountered an internal verification error. Please file a bug at https://github.com/jax-ml/jax/issues/new/choose. Error details: 'tpu.enqueue_dma' op DMA source and target shape mismatch.
`

// pipelineBody is what Python says of a pipeline's body, from within the loop that JAX makes of the pipeline.
const pipelineBody = `Traceback (most recent call last):
  File "/home/me/copy.py", line 26, in <module>
    jax.jit(f)(jnp.zeros((32, 128), jnp.float32))
  File "/home/me/copy.py", line 11, in outer
    pltpu.emit_pipeline(
  File "/env/site-packages/jax/_src/pallas/primitives.py", line 717, in run_scoped
    jaxpr_, _, consts = pe.trace_to_jaxpr_dynamic(
  File "/env/site-packages/jax/_src/pallas/mosaic/pipeline.py", line 98, in _fori_loop
    return jax.lax.fori_loop(lb, ub, body, init)
  File "/env/site-packages/jax/_src/pallas/mosaic/pipeline.py", line 2007, in loop_body
    body(*current_refs, *scratches)
TypeError: outer.<locals>.body() takes 1 positional argument but 2 were given
`

// pytestChain is a chain as pytest prints it: each error above its innermost frame.
const pytestChain = `=================================== FAILURES ===================================
>   o_ref[...] = x_hbm[...] + 1

copy_test.py:11: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 

>   return getattr(self.aval, f"_{name}")(self, *args)
E   jax._src.source_info_util.JaxStackTraceBeforeTransformation: ValueError: Loads are only allowed on VMEM and SMEM references. ANY memory space can only be accessed using async_copy.

/env/site-packages/jax/_src/numpy/array_methods.py:1528: JaxStackTraceBeforeTransformation

The above exception was the direct cause of the following exception:

    def test_it():
>       run(jnp.zeros((8, 128), jnp.float32))

copy_test.py:20: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 
>       raise ValueError(
E       ValueError: Loads are only allowed on VMEM and SMEM references. ANY memory space can only be accessed using async_copy.

/env/site-packages/jax/_src/pallas/mosaic/lowering.py:2465: ValueError
`

// TestForms reads tracebacks as they are, as loggers print them, and wrapped at 80 columns.
func TestForms(t *testing.T) {
	before := func(prefix string) func(string) string {
		return func(text string) string {
			var b strings.Builder
			for i, line := range strings.Split(text, "\n") {
				b.WriteString(strings.TrimRight(strings.ReplaceAll(prefix, "#", string(rune('0'+i%10)))+line, " ") + "\n")
			}
			return b.String()
		}
	}
	wrapped := func(text string) string {
		var out []string
		for _, line := range strings.Split(text, "\n") {
			for ; len(line) > 80; line = line[80:] {
				out = append(out, line[:80])
			}
			out = append(out, line)
		}
		return strings.Join(out, "\n")
	}
	forms := map[string]func(string) string{
		"plain": func(text string) string { return text }, "wrapped": wrapped,
		"absl": before("E1130 23:59:0#.12345# 140231 run.py:12] "), "container": before("2026-11-30T23:59:0#.000Z stderr F "), "worker": before("(Worker pid=12#, ip=10.0.0.3) "),
	}
	for _, c := range []struct {
		text, page string
		line       int
		bare       bool // it has no "Traceback" that tells a logger's prefix
	}{
		{lowered, "dma-shape-mismatch", 11, false},
		{pipelineBody, "pipeline-body-arity", 11, false},
		{pytestChain, "load-from-any", 11, true},
	} {
		for form, make := range forms {
			if c.bare && form != "plain" {
				continue
			}
			a := Read(make(c.text), jax.Newest(), nil)
			if a.Rule == nil || a.Rule.Name != c.page || a.Frame == nil || a.Frame.Line != c.line {
				t.Errorf("%s: %+v\n%s", form, a.Frame, a.Text())
			}
		}
	}
}
