"""Writes array_ops.json: what JAX gives for many expressions, which the interpreter must agree with.

    python array_ops.py > array_ops.json
    for r in 0.8.3 0.9.2 0.10.2 0.11.0; do "$ENVS/$r/bin/python" array_ops.py array_ops.json > array_ops_$r.json; done

With a file, only the rows of other releases that differ from it.

Each row is [expression, result, primitives]: results as JAX writes shapes and types ("float32[8,128]", a * for weak types, lists and tuples of
them, Python values as they print), or "!Error" where JAX raises; primitives in order, those of nested jits in place.
"""

import json
import os
import sys
import warnings

warnings.simplefilter("ignore")
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc

INPUTS = {
    "x": "float32[8,128]", "h": "bfloat16[8,128]", "n": "int32[8,128]", "q": "int8[8,128]", "b": "bool[8,128]", "w": "float32[8,128]*",
    "u8": "uint8[8,128]", "u32": "uint32[8,128]", "s": "float32[]", "i": "int32[]", "ws": "float32[]*", "wi": "int32[]*", "f": "float32[128]",
    "v": "int32[4]", "u": "float32[8,1]", "y": "float32[4,8,128]", "z": "float32[4,128,16]", "m": "float32[128,64]", "k": "bfloat16[128,256]",
    "k8": "int8[128,256]", "e4": "float8_e4m3fn[8,128]", "i4": "int4[8,128]", "h16": "float16[8,128]", "i16": "int16[8,128]", "key": "key<fry>[]",
    "key0": "uint32[2]", "v16": "int32[16]", "f16": "float32[16]", "b16": "bool[16]", "h32": "bfloat16[32]",
}


def make(text):
    weak = text.endswith("*")
    d, dims = text.rstrip("*]").split("[")
    if d.startswith("key"):
        return jax.eval_shape(lambda: jax.random.key(0))
    return jax.ShapeDtypeStruct(tuple(int(n) for n in dims.split(",") if n), jnp.dtype(d), weak_type=weak)


def show(v):
    if isinstance(v, (list, tuple)):
        return [show(e) for e in v]
    return f"{v.dtype}[{','.join(map(str, v.shape))}]" + ("*" if getattr(v, "weak_type", False) else "")


def flat(jaxpr, out):
    for e in jaxpr.eqns:
        inner = [p for p in (e.params.get(k) for k in ("jaxpr", "call_jaxpr", "fun_jaxpr")) if p is not None]
        if inner and e.primitive.name in ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call", "remat", "checkpoint"):
            flat(getattr(inner[0], "jaxpr", inner[0]), out)
            continue
        out.append(e.primitive.name)
    return out


def row(text):
    scope = dict(globals())
    fn = eval(f"lambda {', '.join(INPUTS)}: {text}", scope)
    made = []

    def run(*args):
        out = fn(*args)
        made.append(out)
        arrays = [a for a in jax.tree.leaves(out) if isinstance(a, jax.Array)]
        return arrays

    try:
        closed = jax.make_jaxpr(run)(*[make(t) for t in INPUTS.values()])
    except Exception as e:
        return [text, "!" + type(e).__name__, []]
    out = made[-1]
    leaves = jax.tree.leaves(out)
    if leaves and all(isinstance(a, jax.Array) for a in leaves):
        avals = iter(closed.out_avals)
        shape = show(jax.tree.map(lambda a: next(avals), out)) if not hasattr(out, "_fields") else [show(a) for a in closed.out_avals]
        return [text, shape, flat(closed.jaxpr, [])]
    if isinstance(out, np.ndarray) or isinstance(out, np.generic):
        return [text, "numpy " + f"{out.dtype}[{','.join(map(str, out.shape))}]", []]
    if isinstance(out, (np.dtype, type)) or type(out).__name__ == "_ScalarMeta":
        return [text, "dtype " + str(jnp.dtype(out)), []]
    return [text, "value " + repr(out), []]


def systematic():
    arrays = ["x", "h", "n", "q", "b", "w", "u8", "u32", "i", "wi", "ws", "e4", "h16", "i16", "2", "2.0", "True", "np.float32(2)", "np.ones(128)"]
    for op in ["+", "*", "/", "//", "%", "==", "<", "&", "<<"]:
        for a in ["x", "h", "n", "q", "b", "w", "u8", "u32", "i", "wi"]:
            for o in arrays:
                yield f"{a} {op} {o}"
    for o in ["x", "h", "n", "q", "b", "i"]:
        for op in ["+", "-", "*", "/", "//", "%", ">=", ">>", "|", "^"]:
            yield f"2 {op} {o}"
            yield f"0.5 {op} {o}"
    for fn in ["maximum", "minimum", "logaddexp", "arctan2", "logical_and", "left_shift", "floor_divide", "power", "hypot", "fmod", "copysign"]:
        for a, o in ["xx", "xh", "hh", "nn", "nq", "bb", "wx", "xn", "xf", "ux", "xs", "ni"]:
            yield f"jnp.{fn}({a}, {o})"
        yield f"jnp.{fn}(x, 2)"
        yield f"jnp.{fn}(h, 0.5)"
        yield f"jnp.{fn}(n, 2)"
        yield f"jnp.{fn}(2, n)"
    for fn in """exp log sqrt tanh sin cos log1p expm1 floor ceil abs sign square negative isnan isfinite logical_not exp2 log2 reciprocal rint
            round trunc cbrt sinh arctan real invert nan_to_num""".split():
        for a in ["x", "h", "n", "b", "w", "i", "e4", "2", "2.0", "u8"]:
            yield f"jnp.{fn}({a})"
    for fn in "relu silu gelu sigmoid softplus elu leaky_relu log_sigmoid relu6 mish hard_tanh softmax log_softmax".split():
        for a in ["x", "h", "n", "w"]:
            yield f"jax.nn.{fn}({a})"
    for fn in "exp log rsqrt sqrt tanh logistic erf neg sign abs floor round is_finite bitwise_not population_count clz stop_gradient".split():
        for a in ["x", "h", "n", "b", "w", "2.0", "u32"]:
            yield f"lax.{fn}({a})"
    for fn in "add sub mul div rem max min eq lt ge bitwise_and shift_left shift_right_logical pow atan2".split():
        for a, o in ["xx", "hh", "nn", "xh", "xn", "xs", "xw", "bb", "ii", "xf"]:
            yield f"lax.{fn}({a}, {o})"
        yield f"lax.{fn}(x, 2.0)"
        yield f"lax.{fn}(n, 2)"
        yield f"lax.{fn}(2, i)"
        yield f"lax.{fn}(x, 2)"
    for fn in "sum prod max min mean var std any all argmax argmin cumsum cumprod sort argsort count_nonzero".split():
        for a in ["x", "h", "n", "q", "b", "w", "s", "e4", "u8", "y"]:
            yield f"jnp.{fn}({a})"
        for opt in ["axis=0", "axis=-1", "axis=1", "axis=2", "axis=(0, 1)", "axis=0, keepdims=True", "keepdims=True", "axis=None", "axis=1, dtype=jnp.float32"]:
            yield f"jnp.{fn}(x, {opt})"
            yield f"jnp.{fn}(h, {opt})"
            yield f"y.{fn}({opt})"


def of_numpy():
    arrays = ["np.ones((3,4))", "np.arange(6)", "np.ones((3,4),np.float32)", "np.arange(4,dtype=np.int8)", "np.array([True,False])", "np.float32(2)",
              "np.ones((2,3),jnp.bfloat16)", "[1,2,3]", "2", "2.0"]
    for fn in """sum prod max min mean std var any all argmax argmin cumsum cumprod sort argsort exp sqrt abs sign square floor ceil round isnan negative
            logical_not log2 reciprocal median average ravel transpose squeeze atleast_1d atleast_2d copy asarray array zeros_like ones_like empty_like
            count_nonzero diff flip trace diagonal tril nonzero shape ndim size""".split():
        for a in arrays:
            yield f"np.{fn}({a})"
        yield f"np.{fn}(np.ones((3,4)), axis=0)"
    for op in ["+", "*", "/", "//", "%", "**", "<", "&", "@"]:
        for a in ["np.ones((3,4))", "np.arange(4)", "np.ones(4,np.float32)", "np.arange(4,dtype=np.int8)", "np.float32(2)", "np.int32(2)"]:
            for b in ["np.arange(4)", "np.ones(4,np.float32)", "np.arange(4,dtype=np.int16)", "2", "2.0", "np.float32(3)", "True", "np.uint8(3)", "n[0,:4]"]:
                yield f"{a} {op} {b}"
    for fn in "maximum minimum add multiply where power dot matmul logical_and mod arctan2 outer concatenate stack append broadcast_to tile repeat".split():
        yield f"np.{fn}(np.ones(4), np.ones(4))"
        yield f"np.{fn}([np.ones(4), np.ones(4,np.float32)])"
        yield f"np.{fn}(np.arange(4), 2)"
        yield f"np.{fn}(np.ones(4,np.float32), 2.0)"
        yield f"np.{fn}(np.ones(4,np.float32), np.arange(4))"
    for e in """np.zeros(3,int) np.zeros(3,float) np.zeros(3,bool) np.zeros((2,3),'int8') np.ones(()) np.full((2,),True) np.full((2,),np.float32(1)) np.full(3,1,np.int8)
            np.arange(0,8,2) np.arange(0.,1.,0.1) np.arange(4,dtype=np.float32) np.arange(np.int32(4)) np.linspace(0,1,3,dtype=np.float32) np.eye(3,dtype=int)
            np.identity(3) np.tri(3) np.tril(np.ones((3,3))) np.array(3) np.array(3.) np.array([]) np.array([[1,2],[3,4.]]) np.array([1,True]) np.array((1,2),np.int8)
            np.asarray(np.ones(3),np.float32) np.clip(np.arange(4),0,2) np.clip(np.ones(4),0,1) np.take(np.arange(4),[0,1]) np.split(np.arange(4),2)
            np.reshape(np.arange(6),(2,3)) np.expand_dims(np.ones(3),0) np.swapaxes(np.ones((2,3)),0,1) np.einsum('i,i->',np.ones(3),np.ones(3))
            np.ones((2,3))@np.ones((3,4)) np.ones(3).astype(int) np.ones(3).reshape(3,1) np.ones((2,3)).T np.arange(6)[1:] np.arange(6)[[0,1]] np.arange(6)[np.array([0])]
            np.ones((2,3))[0] np.ones((2,3))[:,None] np.ones(3).sum() np.arange(3).mean() np.arange(3).max() np.ones(3)[0] np.arange(3)[0] np.ones(3).dtype
            np.ones((2,3)).shape np.ones(3).size np.pad(np.ones(3),1) np.dtype('float32') np.dtype(int) np.finfo(np.float32).max np.iinfo(np.int32).max
            np.result_type(np.float32,np.float64) np.issubdtype(np.float32,np.floating) jnp.asarray(np.arange(4))+1 jnp.asarray(np.ones(4)) jnp.sum(np.arange(4))
            jnp.where(np.array([True]),1.,0.) jnp.dot(np.ones((2,3)),np.ones((3,2))) x+np.float64(1) x*np.ones((8,128),np.float64) h*np.ones((8,128),jnp.bfloat16)
            n*np.arange(128) n[0]*np.int64(2) np.float32(2)*x np.arange(128)*x np.ones(128)<x np.random.rand(3) np.random.randn(3,4) np.random.uniform(size=(3,))
            np.prod(x.shape) np.prod([2,3]) np.prod((2.,3.)) np.sqrt(4) np.log2(8) np.ceil(2.5) np.float32(1)/3 np.int32(7)//2 np.int64(7)%4 -np.ones(3) ~np.arange(3)
            abs(np.arange(3)) np.abs(np.float32(-2)) np.nan np.inf np.pi np.int32(3)==3 np.bool_(True)""".split(" "):
        if e.strip():
            yield e


HAND = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "array_ops.txt")).read().splitlines()

if __name__ == "__main__":
    seen, rows = set(), []
    for text in [*HAND, *systematic(), *of_numpy()]:
        text = text.strip()
        if text and not text.startswith("#") and text not in seen:
            seen.add(text)
            rows.append(row(text))
    if len(sys.argv) > 1:
        same = {json.dumps(r) for r in json.load(open(sys.argv[1]))["rows"]}
        rows = [r for r in rows if json.dumps(r) not in same]
    print('{"inputs": ' + json.dumps(INPUTS) + ',\n"rows": [')
    print(",\n".join(json.dumps(r, separators=(",", ":")) for r in rows))
    print("]}")
