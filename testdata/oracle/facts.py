"""Records what JAX itself knows of every access that kernels make: the truth that `inspect` is held against.

Each load, store and DMA binds a primitive while JAX traces the kernel. Then its operands' memory spaces, shapes and
dtypes are known, and so is the line that the author wrote. Runs in an environment of setup's.

usage: facts.py FILE.py... > facts.jsonl     files define case(), which returns (function, arguments)

A fact is one JSON object a line: {"file", "line", "op", "refs": [{"space", "shape", "dtype"} or null, ...]}; the same
access may have several, one for each shape that it was traced with.
"""
import contextlib
import functools
import json
import os
import sys

import worker  # first: it sets up the environment that JAX reads when it is imported

import jax
from jax._src import core
from jax._src import source_info_util
from jax._src import tree_util
from jax._src.pallas import primitives as pallas
from jax._src.pallas.mosaic import primitives as mosaic
from jax._src.pallas.mosaic import sc_primitives as sparsecore
from jax._src.state import indexing
from jax._src.state import primitives as state_primitives
from jax._src.state import types as state

CHIP = "7x"
REBINDING = {"eval_jaxpr", "jaxpr_subcomp", "lower_jaxpr_to_module", "lower_jaxpr_into_module"}
OURS = (lambda: None).__code__.co_filename


class Recorder:
    """Wraps the primitives that access memory, and keeps what they are bound with."""

    def __init__(self, name_of=lambda path: path):
        self.name_of = name_of  # from a file's path to its name in the facts; None: of no interest
        self.facts = {}  # a dict for its order
        for primitive, op, refs in accesses():
            primitive.bind = functools.partial(self.bind, primitive.bind, op, refs)

    def bind(self, bind, op, refs, *args, **params):
        where = self.where()
        if where:
            fact = {"file": where[0], "line": where[1], "op": op, "refs": refs(args, params)}
            self.facts[json.dumps(fact)] = None
        return bind(*args, **params)

    def where(self):
        """(file, line) of the author's innermost frame; None when JAX only re-binds what it has traced before."""
        return next(((self.name_of(path), line) for path, line in user_stack() if self.name_of(path)), None)

    def write(self, out):
        for fact in self.facts:
            print(fact, file=out)


def user_stack():
    """The author's frames, innermost first. Of the Python stack, as JAX's own notes lack those of DMAs and name the
    forward call in a backward kernel; up to where JAX only evaluates what it has traced."""
    frame = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if frame.f_code.co_name in REBINDING and not source_info_util.is_user_filename(path):
            return
        if source_info_util.is_user_filename(path) and path != OURS and not path.startswith("<"):
            yield path, frame.f_lineno
        frame = frame.f_back


def accesses():
    """(primitive, op, function from its arguments to its refs) of all that reads or writes memory."""
    yield state_primitives.get_p, "load", functools.partial(indexed, 1)
    yield state_primitives.swap_p, "store", functools.partial(indexed, 2)
    yield state_primitives.addupdate_p, "store", functools.partial(indexed, 2)
    yield pallas.load_p, "load", masked
    yield pallas.swap_p, "store", masked
    yield sparsecore.load_p, "load", functools.partial(indexed, 1)
    yield sparsecore.swap_p, "store", functools.partial(indexed, 2)
    yield mosaic.dma_start_p, "dma_start", copied
    yield mosaic.dma_wait_p, "dma_wait", copied


def indexed(first, args, params):
    """The arguments are the ref, a value to store, and the leaves of the index; a mask may follow."""
    leaves = args[first:params["tree"].num_leaves + first]
    return [describe(viewed(args[0], tree_util.tree_unflatten(params["tree"], leaves)))]


def masked(args, params):
    ref, transforms = tree_util.tree_unflatten(params["args_tree"], args)[:2]
    return [describe(viewed(ref, transforms))]


def viewed(ref, transforms):
    """The ref as the author indexed it: after .at, .bitcast and .reshape, before the index of the access itself."""
    transforms = tuple(transforms)
    if transforms and isinstance(transforms[-1], indexing.NDIndexer):
        transforms = transforms[:-1]
    return state.TransformedRef(ref, transforms)


def copied(args, params):
    """Source, destination, destination semaphore, source semaphore."""
    return [None if x is None else describe(x) for x in mosaic._dma_unflatten(params["tree"], args)[:4]]


def describe(ref):
    aval = core.typeof(ref.ref) if isinstance(ref, state.TransformedRef) else core.typeof(ref)
    shape = [d if isinstance(d, int) else None for d in ref.shape]
    if isinstance(ref, state.TransformedRef):
        aval = cast(ref.transforms, aval)
    return {"space": space(aval), "shape": shape, "dtype": str(ref.dtype)}


def cast(transforms, aval):
    """Some views change the space, such as a subcore's part of VMEM_SHARED."""
    with contextlib.suppress(Exception):
        for t in transforms:
            aval = t.transform_type(aval)
    return aval


def space(aval):
    where = getattr(aval, "memory_space", None)
    if where is None:
        return None
    return where.name if hasattr(where, "name") else str(where)


def trace(path):
    """Traces and lowers a case; what is wrong with it ends it early."""
    with open(path) as f:
        code = f.read()
    names = {"__name__": "case"}
    with worker.target(code, CHIP), contextlib.suppress(Exception, SystemExit), contextlib.redirect_stdout(sys.stderr):
        exec(compile(code, path, "exec"), names)
        fn, args = names["case"]()
        jax.jit(fn).trace(*args).lower(lowering_platforms=("tpu",))


def main():
    recorder = Recorder(lambda path: "/".join(path.split(os.sep)[-2:]))
    sys.path[:0] = sorted({os.path.dirname(os.path.abspath(path)) for path in sys.argv[1:]})  # they may import each other
    for n, path in enumerate(sys.argv[1:], 1):
        trace(path)
        if n % 60 == 0:
            jax.clear_caches()
    recorder.write(sys.stdout)


if __name__ == "__main__":
    main()
