"""Every place in a source file of JAX that raises or warns, with what it says: texts with a hole {} for what varies.

A text is followed through names, pieces that are added to it, and functions of JAX that take a part of it or return it.
"""

import ast
import functools
import os
import re

ERROR = re.compile(r"(Error|Exception|Warning|Violation)$|^(StopIteration)$")
LETTERS = re.compile(r"[A-Za-z]{2}")
HOLE = "{}"
MOST = 8  # texts of one place
DEEPEST = 4  # names and calls that are followed one after the other


class Module:
    """A source file: its tree, what it imports from JAX, and its functions, classes and constants."""

    def __init__(self, root, file):
        self.root, self.file = root, file
        with open(os.path.join(root, file)) as f:
            self.tree = ast.parse(f.read())
        self.scope = Scope(self.tree, None, self)

    @functools.cached_property
    def imports(self):
        """name -> (file, name in it or None)"""
        out = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "jax":
                for a in node.names:
                    whole = self.path(f"{node.module}.{a.name}")
                    out[a.asname or a.name] = (whole, None) if whole else (self.path(node.module), a.name)
        return out

    def path(self, dotted):
        below = os.path.join(*dotted.split(".")[1:], "") if "." in dotted else ""
        for file in (below.rstrip(os.sep) + ".py", below + "__init__.py"):
            if os.path.isfile(os.path.join(self.root, file)):
                return file
        return None


@functools.cache
def module(root, file):
    return Module(root, file)


class Scope:
    """The names of a function, a class or a module; bound: what a call gives its parameters, as (expression, scope, place)."""

    def __init__(self, node, outer, mod, bound=None):
        self.node, self.outer, self.module, self.bound = node, outer, mod, bound or {}
        self.assigned, self.appended, self.defined = {}, {}, {}
        self.branches = {}  # id of a block of an if -> id of the if
        self.block(node.body if isinstance(node.body, list) else [], ())

    def block(self, body, chain):
        chain += (id(body),)
        for stmt in body:
            self.statement(stmt, chain)

    def statement(self, stmt, chain):
        if isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.defined[stmt.name] = stmt
            return
        if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], ast.Name):
            self.assigned.setdefault(stmt.targets[0].id, []).append((stmt.lineno, chain, stmt.value, False))
        elif isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Name):
            self.assigned.setdefault(stmt.target.id, []).append((stmt.lineno, chain, stmt.value, True))
        elif isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call) and dotted(stmt.value.func).endswith(".append") and stmt.value.args:
            name = dotted(stmt.value.func).removesuffix(".append")
            self.appended.setdefault(name, []).append((stmt.lineno, chain, stmt.value.args[0]))
        for block in blocks(stmt):
            if isinstance(stmt, ast.If):
                self.branches[id(block)] = id(stmt)
            self.block(block, chain)

    def exclusive(self, a, b):
        """Whether two chains of blocks part in an if: only one of them happens."""
        parted = next(((x, y) for x, y in zip(a, b) if x != y), (None, None))
        return parted[0] in self.branches and self.branches[parted[0]] == self.branches.get(parted[1])

    def parameters(self):
        if not isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return []
        a = self.node.args
        return [p.arg for p in a.posonlyargs + a.args + a.kwonlyargs]

    def defaults(self):
        a = self.node.args
        named = a.posonlyargs + a.args
        return dict(zip([p.arg for p in named[len(named) - len(a.defaults):]], a.defaults)) | {
            p.arg: d for p, d in zip(a.kwonlyargs, a.kw_defaults) if d is not None}


def blocks(stmt):
    """The blocks of statements in a statement."""
    for field in ("body", "orelse", "finalbody"):
        if isinstance(getattr(stmt, field, None), list):
            yield getattr(stmt, field)
    for part in getattr(stmt, "handlers", []) + getattr(stmt, "cases", []):
        yield part.body


def expressions(stmt):
    """The expressions of a statement that are in none of its blocks."""
    for child in ast.iter_child_nodes(stmt):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr


def dotted(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else node.attr
    return ""


class Texts:
    """The texts that an expression can be."""

    def of(self, expr, scope, place, depth=0):
        found = getattr(self, "of_" + type(expr).__name__, lambda *_: [HOLE])(expr, scope, place, depth)
        return list(dict.fromkeys(found))[:MOST] or [HOLE]

    def of_Constant(self, expr, scope, place, depth):
        return [expr.value] if isinstance(expr.value, str) else [HOLE]

    def of_JoinedStr(self, expr, scope, place, depth):
        out = [""]
        for part in expr.values:
            options = [part.value] if isinstance(part, ast.Constant) else self.piece(part.value, scope, place, depth)
            out = [o + t for o in out for t in options][:MOST]
        return out

    def piece(self, expr, scope, place, depth):
        """A value inside of a text: a hole, or one of a few constant texts."""
        options = self.of(expr, scope, place, depth + 1) if isinstance(expr, (ast.IfExp, ast.Name, ast.Constant, ast.BinOp, ast.JoinedStr)) else [HOLE]
        few = len(options) <= 4 and all(not t or LETTERS.search(t.replace(HOLE, "")) for t in options)
        return options if few else [HOLE]

    def of_BinOp(self, expr, scope, place, depth):
        if isinstance(expr.op, ast.Add):
            return [a + b for a in self.of(expr.left, scope, place, depth) for b in self.of(expr.right, scope, place, depth)]
        if isinstance(expr.op, ast.Mod):
            return [re.sub(r"%(\([^)]*\))?[-+ #0-9.]*[srdifgxa]", HOLE, a).replace("%%", "%") for a in self.of(expr.left, scope, place, depth)]
        return [HOLE]

    def of_IfExp(self, expr, scope, place, depth):
        return self.of(expr.body, scope, place, depth) + self.of(expr.orelse, scope, place, depth)

    def of_BoolOp(self, expr, scope, place, depth):
        return [t for v in expr.values for t in self.of(v, scope, place, depth)] if isinstance(expr.op, ast.Or) else [HOLE]

    def of_Call(self, expr, scope, place, depth):
        if isinstance(expr.func, ast.Attribute):
            method, value = expr.func.attr, expr.func.value
            if method == "format":
                return [re.sub(r"\{[^{}]*\}", HOLE, a) for a in self.of(value, scope, place, depth)]
            if method in ("strip", "lstrip", "rstrip", "replace"):
                return [a.strip() for a in self.of(value, scope, place, depth)]
            if method in ("dedent", "cleandoc", "fill") and expr.args:
                return self.of(expr.args[0], scope, place, depth)
            if method == "join" and expr.args:
                return self.joined(value, expr.args[0], scope, place, depth)
        function = find(expr.func, scope)
        if depth >= DEEPEST or not isinstance(function[0], ast.FunctionDef):
            return [HOLE]
        return self.returned(bind(function, expr, scope, place), depth + 1)

    def joined(self, separator, parts, scope, place, depth):
        """A list's elements, up to the first that may be missing."""
        sep = separator.value if isinstance(separator, ast.Constant) else HOLE
        items, more = [], True
        if isinstance(parts, (ast.List, ast.Tuple)):
            items, more = parts.elts, False
        elif isinstance(parts, ast.Name) and isinstance((start := scope.assigned.get(parts.id, [(0, 0, None, 0)])[-1])[2], ast.List):
            items = start[2].elts + [v for line, chain, v in scope.appended.get(parts.id, []) if start[0] < line < place[0] and within(place, chain)]
        out = [""]
        for i, item in enumerate(items):
            out = [o + sep * (i > 0) + t for o in out for t in self.of(item, scope, place, depth + 1)][:MOST]
        return [o + HOLE * more for o in out]

    def of_Name(self, expr, scope, place, depth):
        if depth >= DEEPEST:
            return [HOLE]
        while scope is not None:
            if expr.id in scope.bound:
                value, caller, at = scope.bound[expr.id]
                return self.of(value, caller, at, depth + 1)
            if expr.id in scope.assigned:
                return self.values(expr.id, scope, place, depth)
            if expr.id in scope.parameters():
                return [HOLE]
            scope, place = scope.outer, (10**9, ())
        return [HOLE]

    def values(self, name, scope, place, depth):
        """What a name holds at a place: of assignments that always happen the last, with what may have come after it."""
        now = []  # (text, chain of the block that it was completed in)
        for line, chain, value, added in scope.assigned[name]:
            if line > place[0] or scope.exclusive(chain, place[1]):
                continue
            new = self.of(value, scope, (line, chain), depth + 1)
            if added:
                new = [a + b for a, before in now or [(HOLE, ())] for b in new if not scope.exclusive(before, chain)]
            new = [(t, chain) for t in new]
            now = (new if within(place, chain) else now + new)[:MOST]
        return [t for t, _ in now] or [HOLE]

    def returned(self, scope, depth):
        out = []
        for line, chain, stmt in statements(scope.node.body):
            if isinstance(stmt, ast.Return) and stmt.value is not None:
                out += self.of(stmt.value, scope, (line, chain), depth)
        return out


def within(place, chain):
    """Whether what stands in a block has always happened at the place."""
    return place[1][:len(chain)] == chain


def statements(body, chain=()):
    chain += (id(body),)
    for stmt in body:
        yield stmt.lineno, chain, stmt
        if not isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for block in blocks(stmt):
                yield from statements(block, chain)


def find(func, scope):
    """(function or class that a call names, the scope around it), or (None, None)."""
    name = dotted(func)
    head, _, rest = name.partition(".")
    at = scope
    while at is not None:
        if not rest and name in at.defined and not (isinstance(at.node, ast.ClassDef)):
            return at.defined[name], at
        if head in at.assigned or head in at.parameters():
            return None, None
        at = at.outer
    file, inner = scope.module.imports.get(head, (None, None))
    wanted = inner if not rest else rest if inner is None else None
    if file is None or wanted is None or "." in wanted:
        return None, None
    other = module(scope.module.root, file)
    return other.scope.defined.get(wanted), other.scope


def bind(function, call, scope, place):
    """The scope of a function in a call of it."""
    node, outer = function
    inner = Scope(node, outer, outer.module)
    given = dict(zip(inner.parameters(), call.args)) | {k.arg: k.value for k in call.keywords if k.arg}
    inner.bound = {p: (v, scope, place) for p, v in given.items()}
    for p, v in inner.defaults().items():
        if p not in given and isinstance(v, ast.Constant) and isinstance(v.value, str):
            inner.bound[p] = (v, outer, (10**9, ()))
    return inner


class Found:
    """The messages of a file, as (line, function, exception, template); without letters: "" or {}. helpers: also those of functions that it calls."""

    def __init__(self, root, file, helpers=True):
        self.texts, self.found, self.helpers = Texts(), set(), helpers
        mod = module(root, file)
        self.scope(mod.scope, [])

    def scope(self, scope, where):
        for name, exception, texts, line in self.places(scope):
            for text in texts:
                self.found.add((line, ".".join(where), exception, text if LETTERS.search(text.replace(HOLE, "")) else text and HOLE))
        for name, node in all_defined(scope.node.body):
            self.scope(Scope(node, scope, scope.module), where + [node.name])

    def places(self, scope):
        """(what is called, exception, texts, line) of what a scope itself raises."""
        for line, chain, stmt in statements(scope.node.body):
            if isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            place = (line, chain)
            if isinstance(stmt, ast.Assert):
                yield "", "AssertionError", self.texts.of(stmt.msg, scope, place) if stmt.msg else [""], line
            elif isinstance(stmt, ast.Raise) and stmt.exc is not None and ERROR.search(dotted(getattr(stmt.exc, "func", stmt.exc)).rpartition(".")[2]):
                if not getattr(stmt.exc, "args", None) and not getattr(stmt.exc, "keywords", None):
                    yield "", dotted(getattr(stmt.exc, "func", stmt.exc)).rpartition(".")[2], [""], line
            for expr in expressions(stmt):
                for call in ast.walk(expr):
                    if isinstance(call, ast.Call):
                        yield from self.call(call, scope, place)

    def call(self, call, scope, place):
        name = dotted(call.func)
        last = name.rpartition(".")[2]
        if last == "warn":
            yield from self.warning(name, call, scope, place)
        elif ERROR.search(last) and call.args:
            yield name, last, self.said(call, scope, place), call.lineno
        elif name == "" and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__":
            yield from self.own(call, scope, place)
        elif self.helpers:
            yield from self.helper(call, scope, place)

    def said(self, call, scope, place):
        """What an exception says: its first argument, or what its class makes of the arguments."""
        node, outer = find(call.func, scope)
        init = isinstance(node, ast.ClassDef) and next((s for s in node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
        if init:
            inner = bind((init, outer), ast.Call(call.func, [ast.Constant(None)] + call.args, call.keywords), scope, place)
            for line, chain, stmt in statements(init.body):
                if isinstance(stmt, ast.Expr) and is_super(stmt.value) and stmt.value.args:
                    return self.texts.of(stmt.value.args[0], inner, (line, chain))
        return self.texts.of(call.args[0], scope, place)

    def own(self, call, scope, place):
        """super().__init__(text) in an exception's class."""
        around = scope.outer.node if scope.outer else None
        if is_super(call) and call.args and isinstance(around, ast.ClassDef) and ERROR.search(around.name):
            yield "", around.name, self.texts.of(call.args[0], scope, place), call.lineno

    def warning(self, name, call, scope, place):
        if name.endswith("deprecations.warn") and len(call.args) > 1:
            yield name, "DeprecationWarning", self.texts.of(call.args[1], scope, place), call.lineno
        elif call.args and not (isinstance(call.args[0], ast.Call) and ERROR.search(dotted(call.args[0].func))):
            category = next((k.value for k in call.keywords if k.arg == "category"), call.args[1] if len(call.args) > 1 else None)
            kind = dotted(category).rpartition(".")[2] if category is not None else ""
            yield name, kind or "UserWarning", self.texts.of(call.args[0], scope, place), call.lineno

    def helper(self, call, scope, place):
        """A function that raises what it is given a part of: what it says when it is called from here."""
        node, outer = find(call.func, scope)
        if not isinstance(node, ast.FunctionDef) or node is scope.node or not any(LETTERS.search(t) for a in arguments(call) for t in self.texts.of(a, scope, place)):
            return
        plain = {(line, kind): texts for _, kind, texts, line in self.direct(Scope(node, outer, outer.module))}
        for name, kind, texts, line in self.direct(bind((node, outer), call, scope, place)):
            more = [t for t in texts if t not in plain.get((line, kind), [])]
            if more:
                yield name, kind, more, call.lineno

    def direct(self, scope):
        for line, chain, stmt in statements(scope.node.body):
            if isinstance(stmt, (ast.Raise, ast.Return, ast.Assert)):
                value = stmt.msg if isinstance(stmt, ast.Assert) else getattr(stmt, "exc", None) or getattr(stmt, "value", None)
                if isinstance(stmt, ast.Assert) and value is not None:
                    yield "", "AssertionError", self.texts.of(value, scope, (line, chain)), line
                elif isinstance(value, ast.Call) and value.args and ERROR.search(kind := dotted(value.func).rpartition(".")[2]):
                    yield "", kind, self.said(value, scope, (line, chain)), line


def all_defined(body):
    for _, _, stmt in statements(body):
        if isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield stmt.name, stmt


def is_super(call):
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" and \
        isinstance(call.func.value, ast.Call) and dotted(call.func.value.func) == "super"


def arguments(call):
    return list(call.args) + [k.value for k in call.keywords]
