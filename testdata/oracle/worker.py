"""Answers questions about blocks, one JSON object a line, with the JAX of the Python that runs it. Started by ask.py.

The compiler is asked without a TPU: a block is traced and lowered for an abstract device, then compiled by libtpu for a
described topology. Interpret mode runs it on the CPU and shows what the compiler lets pass.
"""
import contextlib
import hashlib
import inspect
import io
import json
import os
import re
import sys
import traceback
import warnings

os.environ.update(JAX_PLATFORMS="cpu", TPU_SKIP_MDS_QUERY="1", TPU_ACCELERATOR_TYPE="v5litepod-4", TPU_WORKER_ID="0",
                  TPU_WORKER_HOSTNAMES="localhost", ALLOW_MULTIPLE_LIBTPU_LOAD="1", TF_CPP_MIN_LOG_LEVEL="2")
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")  # a block may make a mesh of 8

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.mesh import AbstractDevice
from jax.experimental.pallas import tpu as pltpu

import block

KIND = {"v4": "TPU v4", "v5e": "TPU v5 lite", "v5p": "TPU v5p", "v6e": "TPU v6e", "7x": "TPU7x",
        "h100": "NVIDIA H100 80GB HBM3", "b200": "NVIDIA B200"}
TOPOLOGY = {"v4": "v4:2x2x1", "v5e": "v5e:2x2", "v5p": "v5p:2x2x1", "v6e": "v6e:2x2", "7x": "tpu7x:2x2x1"}
LONGEST = 1500  # characters of a message that are kept


class Blamed(Exception):
    """An error with the stage in which JAX raised it."""

    def __init__(self, stage):
        self.stage = stage


@contextlib.contextmanager
def stage(name):
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as e:  # a block may raise SystemExit too
        raise Blamed(name) from e


def platform(chip):
    """(what the device says that it is, what code is lowered for)"""
    return ("tpu", "tpu") if chip in TOPOLOGY else ("gpu", "cuda")


def topology(chip):
    from jax.experimental import topologies
    return topologies.get_topology_desc(platform="tpu", topology_name=TOPOLOGY[chip]).devices


def target(code, chip):
    """A context in which JAX finds the chip: an abstract device, or described ones for a block that makes a mesh of them.

    Not both: shard_map refuses a mesh that is not the context's.
    """
    if block.makes_mesh(code) and chip in TOPOLOGY:
        return described_devices(topology(chip))
    mesh = jax.sharding.AbstractMesh(
        (1,), ("d",), axis_types=(jax.sharding.AxisType.Auto,),
        abstract_device=AbstractDevice(**known(AbstractDevice, device_kind=KIND[chip], num_cores=1, platform=platform(chip)[0])))
    return jax.sharding.use_abstract_mesh(mesh)


@contextlib.contextmanager
def described_devices(devices):
    """jax.devices() and all that builds on it, such as jax.make_mesh, see the described devices."""
    from jax._src import xla_bridge
    real = xla_bridge.devices, jax.devices
    xla_bridge.devices = jax.devices = lambda backend=None: list(devices)
    try:
        yield
    finally:
        xla_bridge.devices, jax.devices = real


def known(function, **options):
    """The options that this release's function has."""
    names = inspect.signature(function).parameters
    return {k: v for k, v in options.items() if k in names}


def is_array(x):
    return isinstance(x, (jax.Array, jax.core.Tracer)) and hasattr(x, "shape") and not is_ref(x)


def is_ref(x):
    return "Ref" in type(jax.typeof(x)).__name__ if hasattr(jax, "typeof") else False


def arrays(values):
    return [x for x in jax.tree.leaves(values) if is_array(x)]


def program(code):
    """The block as (function, arguments) that jit can trace."""
    if block.has_case(code):
        with stage("import"):
            return block.case(code)
    return lambda: arrays(block.run(code)), ()


def lower(code, chip, device=None):
    """Traces and lowers the block for the chip; with a described device, so that it can be compiled for it, or None."""
    with target(code, chip):
        fn, args = program(code)
        options = {}
        if device is not None and not block.makes_mesh(code):
            if not all(hasattr(a, "shape") for a in jax.tree.leaves(args)):
                return None
            sharding = jax.sharding.SingleDeviceSharding(device)
            args = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=sharding), args)
            options = {} if args else {"out_shardings": sharding}
        with stage("trace"):
            traced = jax.jit(fn, **options).trace(*args)
        with stage("lower"):
            return traced.lower(lowering_platforms=(platform(chip)[1],))


def compile_(code, chip):
    """Compiles what can be placed on a described device; that a case()'s arguments are no arrays (hijax) rules out."""
    lowered = lower(code, chip, topology(chip)[0])
    if lowered is None:
        return
    with stage("compile"):
        lowered.compile()


def ask_compiler(question, chip):
    lower(question["code"], chip)
    if question.get("compile") and chip in TOPOLOGY:  # for a GPU there is no compiler without a driver
        compile_(question["code"], chip)
    return {}


def sample(a):
    """A value for an argument of case(): counts up for floats, so that a wrong place shows; zeros for the rest."""
    if jnp.issubdtype(a.dtype, jnp.floating):
        return (jnp.arange(int(np.prod(a.shape))) % 7).astype(a.dtype).reshape(a.shape)
    return jnp.zeros(a.shape, a.dtype)


def interpret_params(cores):
    options = {"num_cores_or_threads": cores} if cores else {}
    return pltpu.InterpretParams(**known(pltpu.InterpretParams, detect_races=True, on_race="warn", uninitialized_memory="nan", **options))


def ask_interpreter(question, chip):
    """Runs the block on the CPU; says what its results hold and whether accesses raced."""
    from jax._src.pallas.mosaic.interpret import interpret_pallas_call as interpreter
    pltpu.reset_tpu_interpret_mode_state()
    code = question["code"]
    where = contextlib.nullcontext() if block.makes_mesh(code) else target(code, chip)
    with where, pltpu.force_tpu_interpret_mode(interpret_params(question.get("cores"))), stage("interpret"):
        if block.has_case(code):
            fn, args = block.case(code)
            results = jax.jit(fn)(*jax.tree.map(sample, args))
        else:
            results = block.run(code)
        results = [np.asarray(x) for x in arrays(jax.block_until_ready(results))]
    races = getattr(interpreter, "races", None)
    return {"race": bool(getattr(races, "races_found", False)), "nan": [nans(x) for x in results], "digest": digest(results)}


def ask_cpu(question, chip):
    """Runs the block as it stands, as who has no TPU does: only what it says itself is interpreted."""
    pltpu.reset_tpu_interpret_mode_state()
    code = question["code"]
    with stage("run"):
        if block.has_case(code):
            fn, args = block.case(code)
            results = jax.jit(fn)(*jax.tree.map(sample, args))
        else:
            results = block.run(code)
        jax.block_until_ready(arrays(results))
    return {}


def nans(x):
    x = np.asarray(x).astype(np.float32) if x.dtype.kind not in "c" else x
    return int(np.isnan(x).sum())


def digest(results):
    """Equal for results that agree to three digits, so that it holds on another machine too."""
    h = hashlib.sha256()
    for x in results:
        values = np.asarray(x).astype(np.float64).ravel()
        h.update(f"{x.shape} {x.dtype} ".encode())
        h.update(" ".join(f"{v:.3g}" for v in values).encode())
    return h.hexdigest()[:16]


def chain(error):
    """The error and what it came from, outermost first."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def frames(error):
    """Lines of the block that the traceback or the message names, outermost first."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == block.FILENAME]
    return lines + [int(n) for n in re.findall(r'(?<![\w/.])%s"?(?::|, line )(\d+)' % re.escape(block.FILENAME), str(error))]


def blame(error):
    """(line, lines): the innermost line of the block, and the last few frames.

    For an error while lowering JAX attaches the traceback of the trace as a cause of its own; that one knows the line.
    """
    lines, traced = [], []
    for e in chain(error):
        lines += frames(e)
        if "StackTraceBeforeTransformation" in type(e).__name__:
            traced += frames(e)
    return ((traced or lines or [None])[-1], lines[-8:])


def clean(message):
    """The message without what differs from run to run, or from one Python to the next."""
    message = re.sub(r"0x[0-9a-f]{9,}", "0x...", message)  # addresses
    message = re.sub(r"/\S*/(site-packages|lib/python3[.0-9]*)/", "", message)
    message = re.sub(r"^  /\S*/(block|worker)\.py:.*\n?", "", message, flags=re.M)  # our own frames, where the compiler lists them
    message = message.replace(os.path.dirname(os.path.abspath(__file__)) + os.sep, "")  # and where it chains the places of calls
    message = re.sub(r"\{(<class [^{}]*>)\}", lambda m: "{%s}" % ", ".join(sorted(m[1].split(", "))), message)  # a set
    message = re.sub(r"\. Did you mean '\w+'\?$", "", message)
    return message[:LONGEST].strip()


def told(error):
    """(type, message) as the author sees them: an error inside an interpreted kernel comes wrapped in a callback's."""
    inner = re.findall(r"^(?:\w+\.)*(\w+(?:Error|Exception)): (.*)", str(error), re.M)
    if inner and "callback" in str(error).lower():
        return inner[-1][0], clean(inner[-1][1])
    return type(error).__name__, clean(str(error))


def worth_keeping(w):
    """Warnings of Pallas, or about the block's own lines."""
    return w.filename == block.FILENAME or "pallas" in (str(w.message) + w.filename).lower() or "SparseCore" in w.category.__name__


def forget_deprecations():
    """JAX warns of a deprecated name once per process (deprecations.deprecation_getattr caches): an answer must not depend on the questions before it."""
    for name, module in list(sys.modules.items()):
        cached = vars(module).get("__getattr__") if name.split(".")[0] == "jax" else None
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()


CONFIGURATION = dict(jax.config.values)


def forget_configuration():
    """What an earlier block set with jax.config.update is taken back."""
    for name, value in CONFIGURATION.items():
        if jax.config.values[name] != value:
            jax.config.update(name, value)


def answer(question, chip):
    forget_deprecations()
    forget_configuration()
    a = {"id": question.get("id"), "chip": chip, "jax": jax.__version__}
    ask = ask_cpu if question.get("run") else ask_interpreter if question.get("interpret") else ask_compiler
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        try:
            a.update(outcome="ok", **ask(question, chip))
        except Blamed as b:
            error = b.__cause__
            kind, message = told(error)
            line, lines = blame(error)
            a.update(outcome="error", stage=b.stage, type=kind, message=message, line=line, lines=lines)
    a["warnings"] = sorted({f"{w.category.__name__}: {clean(str(w.message))[:300]}" for w in caught if worth_keeping(w)})
    return a


def main():
    """Answers each line of stdin on the real stdout; what blocks and libraries print there goes to stderr."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    out.write("ready\n")
    out.flush()
    for n, line in enumerate(sys.stdin, 1):
        question = json.loads(line)
        out.write(json.dumps(answer(question, question["chip"])) + "\n")
        out.flush()
        if n % 60 == 0:
            jax.clear_caches()  # else memory grows with each block


if __name__ == "__main__":
    main()
