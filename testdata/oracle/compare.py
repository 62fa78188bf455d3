"""Holds what `inspect --json` says against what JAX recorded: per source line, operation and operand.

One line may have several truths (a helper traced with several shapes), and inspect several guesses; it is right when
all that it says of a field is among the truths, and wrong when anything is not.
"""
import collections
import os

FIELDS = ("space", "shape", "dtype")
OPS = {"load", "store", "dma_start", "dma_wait"}
# JAX's names for what inspect gives as its meaning: the default of a blocked operand, and places outside the kernel.
MEANING = {"DEFAULT": "VMEM", "GLOBAL": "HBM", "DEVICE": None, "NONE": None}


def space(name):
    if name is None:
        return None
    name = name.split("@")[0].upper()  # VMEM@SC_VECTOR_SUBCORE: with the core that it belongs to
    return MEANING.get(name, name)


def shape(dims):
    return None if dims is None else tuple(dims)


class Count:
    def __init__(self):
        self.facts, self.missing, self.missed = 0, 0, []
        self.right = collections.Counter()
        self.wrong = {field: [] for field in FIELDS}


class Facts:
    """Sets of spaces, shapes and dtypes by (file, line, op, operand)."""

    def __init__(self):
        self.by = collections.defaultdict(lambda: {field: set() for field in FIELDS})

    def add(self, key, spaces, dims, dtype):
        fact = self.by[key]
        fact["space"] |= set(map(space, spaces))
        fact["shape"].add(shape(dims))
        fact["dtype"].add(dtype)

    @classmethod
    def recorded(cls, rows):
        facts = cls()
        for r in rows:
            for i, ref in enumerate(r["refs"][:3]):  # the source semaphore is of no interest
                if ref:
                    facts.add((r["file"], r["line"], r["op"], i), [ref["space"]], ref["shape"], ref["dtype"])
        return facts

    @classmethod
    def inspected(cls, objects, root):
        facts = cls()
        for file in objects:
            name = os.path.relpath(file["path"], root).replace(os.sep, "/")
            events = [e for kernel in file.get("kernels") or [] for e in kernel.get("events") or [] if e["op"] in OPS]
            for e in events:
                for i, ref in enumerate((e.get("refs") or [])[:3]):
                    if ref:
                        facts.add((name, e["line"], e["op"], i), ref.get("spaces") or [ref.get("space")], ref.get("shape"), ref.get("dtype"))
        return facts

    def compare(self, got):
        count = Count()
        for key, truth in self.by.items():
            if None in truth["space"]:
                continue  # JAX gives no space where the core decides
            count.facts += 1
            if key not in got.by:
                count.missing += 1
                count.missed.append(" ".join(map(str, key)))
                continue
            for field in FIELDS:
                said = got.by[key][field] - {None}
                if not said:
                    continue
                if not all(fits(field, x, truth[field]) for x in said):
                    count.wrong[field].append(f"{key}: {sorted(map(str, said))}, JAX: {sorted(map(str, truth[field]))}")
                elif field != "shape" or any(None not in x for x in said):
                    count.right[field] += 1
        return count


def fits(field, said, truths):
    if field != "shape":
        return said in truths
    return any(like(said, t) or like(said, t[1:]) for t in truths if t is not None)  # t[1:]: without a pipeline's buffer slot


def like(said, truth):
    return len(said) == len(truth) and all(a is None or a == b for a, b in zip(said, truth))
