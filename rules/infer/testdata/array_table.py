"""Writes ../array_table.txt: what elementwise functions of JAX bind, by the type of their operands, traced by the JAX of this interpreter.

    python array_table.py > ../array_table.txt

One line for functions of one form: names, form, then groups of types and a program. The form says what the operands are: a an array, i a Python int,
f a Python float. A program is a list of steps `primitive:type(operands)`; operands are a and b (the arguments), numbers (earlier steps) and _
(a literal); `=` stands for the type of the array operands, `*` marks a weak type, `.` a scalar. A last bare operand is the result where that
is not the last step.
"""

import importlib
import os
import warnings

warnings.simplefilter("ignore")
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
from jax.extend.core import Literal

DTYPES = """bool int2 int4 int8 int16 int32 uint2 uint4 uint8 uint16 uint32 bfloat16 float16 float32 float4_e2m1fn float8_e3m4 float8_e4m3
float8_e8m0fnu float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz complex64 int32* float32*""".split()
SHAPE = (8, 128)

UNARY = {
    "jax.numpy": """abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_count bitwise_invert
bitwise_not cbrt ceil conj conjugate cos cosh deg2rad degrees exp exp2 expm1 fabs floor imag invert iscomplex isfinite isinf isnan isneginf
isposinf isreal log log10 log1p log2 logical_not negative positive rad2deg radians real reciprocal rint round sign signbit sin sinc sinh
spacing sqrt square tan tanh trunc i0 nan_to_num""",
    "jax.lax": """abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e bitwise_not cbrt ceil conj cos cosh digamma erf erf_inv erfc exp
exp2 expm1 floor imag is_finite lgamma log log1p logistic neg population_count clz real reciprocal round rsqrt sign sin sinh sqrt square
stop_gradient tan tanh optimization_barrier""",
    "jax.nn": "relu relu6 sigmoid silu swish elu selu gelu softplus soft_sign log_sigmoid hard_tanh hard_sigmoid hard_silu hard_swish leaky_relu celu mish identity squareplus sparse_plus sparse_sigmoid",
    "jax.scipy.special": "erf erfc erf_inv logit log_ndtr ndtr ndtri gammaln digamma i0 i0e i1 i1e entr",
}
BINARY = {
    "jax.numpy": """add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal
float_power floor_divide fmax fmin fmod gcd lcm greater greater_equal heaviside hypot ldexp left_shift less less_equal logaddexp logaddexp2 logical_and
logical_or logical_xor maximum minimum mod multiply nextafter not_equal power pow remainder right_shift subtract true_divide isclose""",
    "jax.lax": """add atan2 bitwise_and bitwise_or bitwise_xor div eq ge gt le lt max min mul ne nextafter pow rem shift_left
shift_right_arithmetic shift_right_logical sub random_gamma_grad igamma igammac""",
    "jax.scipy.special": "xlogy xlog1py rel_entr kl_div",
}


def dtype_name(aval):
    try:
        return str(aval.dtype) + ("*" if getattr(aval, "weak_type", False) else "")
    except AttributeError:
        return "?"


class Steps:
    """A jaxpr and those inside it as one list of steps."""

    def __init__(self, full):
        self.steps, self.full = [], full

    def name(self, env, v):
        return "_" if isinstance(v, Literal) else env.get(v, "_")

    def run(self, jaxpr, env):
        for eqn in jaxpr.eqns:
            inner = [p for p in (eqn.params.get(k) for k in ("jaxpr", "call_jaxpr", "fun_jaxpr")) if p is not None]
            ins = [self.name(env, v) for v in eqn.invars]
            if inner and eqn.primitive.name in ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call", "remat", "checkpoint", "core_call"):
                sub = getattr(inner[0], "jaxpr", inner[0])
                scope = dict(zip(sub.invars, ins))
                self.run(sub, scope)
                for out, v in zip(eqn.outvars, sub.outvars):
                    env[out] = self.name(scope, v)
                continue
            out = eqn.outvars[0]
            shape = getattr(out.aval, "shape", None)
            if shape == self.full:
                mark = ""
            elif shape == ():
                mark = "."
            else:
                raise ValueError(f"shape {shape}")
            y = f"[{eqn.params['y']}]" if eqn.primitive.name == "integer_pow" else ""
            self.steps.append(f"{eqn.primitive.name}{y}:{dtype_name(out.aval)}{mark}({','.join(ins)})")
            for i, o in enumerate(eqn.outvars):
                env[o] = str(len(self.steps) - 1) + (f".{i}" if i else "")


def program(fn, form, dtype):
    weak = dtype.endswith("*")
    make = lambda: jax.ShapeDtypeStruct(SHAPE, jnp.dtype(dtype.rstrip("*")), weak_type=weak)
    slots = [i for i, c in enumerate(form) if c == "a"]
    scalars = {i: (2 if c == "i" else 2.0) for i, c in enumerate(form) if c != "a"}

    def call(*arrays):
        args = list(arrays)
        for i in sorted(scalars):
            args.insert(i, scalars[i])
        return fn(*args)

    closed, out = jax.make_jaxpr(call, return_shape=True)(*[make() for _ in slots])
    leaves = jax.tree.leaves(out)
    if len(leaves) != 1 or leaves[0].shape != SHAPE:
        raise ValueError("not elementwise")
    s = Steps(SHAPE)
    env = {v: "ab"[slots[i]] for i, v in enumerate(closed.jaxpr.invars)}
    s.run(closed.jaxpr, env)
    result = s.name(env, closed.jaxpr.outvars[0])
    if len(s.steps) > 40:
        s.steps = ["?:" + dtype_name(closed.jaxpr.outvars[0].aval) + "()"]
    elif result != str(len(s.steps) - 1):
        s.steps.append(result)
    base = dtype.rstrip("*")
    text = " ".join(s.steps)
    for d in {base + "*", base}:
        text = text.replace(":" + d + "(", ":" + ("=" if d == dtype else "=s" if not d.endswith("*") else "=w") + "(")
        text = text.replace(":" + d + ".(", ":" + ("=" if d == dtype else "=s" if not d.endswith("*") else "=w") + ".(")
    return text.replace("=s", dtype.rstrip("*")).replace("=w", base + "*")


def canonical_names():
    """Public names that stand for an object: of several aliases only the one that rules/jax keeps."""
    keep, section = set(), ""
    here = os.path.dirname(os.path.abspath(__file__))
    for line in open(f"{here}/../../jax/data/{jax.__version__}/names.txt"):
        name, *rest = line.rstrip("\n").split("\t")
        if name.startswith("@"):
            section = name[1:]
        elif len(rest) < 2 or not rest[1]:
            keep.add(f"{section}.{name}")
    return keep


def main():
    canonical = canonical_names()
    lines = {}
    for table, forms in ((UNARY, ["a"]), (BINARY, ["aa", "ai", "ia", "af", "fa"])):
        for module, names in table.items():
            for name in sorted(set(names.split())):
                fn = getattr(importlib.import_module(module), name, None)
                if fn is None or f"{module}.{name}" not in canonical:
                    continue
                for form in forms:
                    groups = {}
                    for d in DTYPES:
                        try:
                            p = program(fn, form, d)
                        except Exception as e:
                            p = "!"
                        groups.setdefault(p, []).append(d)
                    if set(groups) == {"!"}:
                        continue
                    text = "\t".join([form] + [f"{','.join(ds)} {p}" for p, ds in groups.items()])
                    lines.setdefault(text, []).append(f"{module}.{name}")
    for text, names in lines.items():
        print(",".join(names) + "\t" + text)


main()
