"""What a block of Python is to us: one text that runs as a reader would paste it.

A block that imports nothing gets header.py's names first. It either defines `case()`, which returns (function,
arguments), or is plain code that calls its kernels; then all that it computes at the top level counts as its result.
"""
import ast
import linecache
import os
import re
import sys
import types

FILENAME = "kernel.py"  # as JAX sees it, in tracebacks and messages
HEADER = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "header.py")).read()


def needs_header(code):
    """A block gets the header when no line of it starts with an import."""
    return re.search(r"^(import|from)\s", code, re.M) is None


def has_case(code):
    return re.search(r"^def case\(", code, re.M) is not None


def makes_mesh(code):
    """Whether the block makes a mesh of devices, for kernels that talk to other chips."""
    return re.search(r"\bjax\.(make_mesh|set_mesh)\(|\bsharding\.Mesh\(", code) is not None


def module(code):
    """A fresh module that the block's code can run in, known to sys.modules as dataclasses and pickle expect."""
    linecache.cache[FILENAME] = (len(code), None, code.splitlines(True), FILENAME)
    mod = types.ModuleType("block")
    mod.__file__ = FILENAME
    sys.modules["block"] = mod
    if needs_header(code):
        run_header(mod)
    return mod


def run_header(mod):
    """Runs the header line by line: an older JAX may lack a name that the block does not use."""
    for line in HEADER.splitlines():
        try:
            exec(line, mod.__dict__)
        except ImportError:
            pass


class Kept(ast.NodeTransformer):
    """Keeps the value of each expression that stands alone at the top level, so that it is not dead code."""

    def visit_Module(self, node):
        node.body = [self.keep(x) if isinstance(x, ast.Expr) else x for x in node.body]
        return ast.fix_missing_locations(node)

    def keep(self, stmt):
        call = ast.Call(func=ast.Name("__keep__", ast.Load()), args=[stmt.value], keywords=[])
        return ast.copy_location(ast.Expr(ast.copy_location(call, stmt.value)), stmt)


def run(code):
    """Runs a plain block; returns all top-level values: names in order of binding, lone expressions before them."""
    mod, kept = module(code), []
    given = set(mod.__dict__)
    mod.__keep__ = kept.append
    exec(compile(Kept().visit(ast.parse(code, FILENAME)), FILENAME, "exec"), mod.__dict__)
    return kept + [v for k, v in mod.__dict__.items() if k not in given and k != "__keep__"]


def case(code):
    """Runs a block that defines case(); returns its (function, arguments)."""
    mod = module(code)
    exec(compile(code, FILENAME, "exec"), mod.__dict__)
    return mod.case()
