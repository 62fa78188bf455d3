#!/usr/bin/env python3
"""Scores a pallas-lsp binary on kernels of which the compiler's answers are recorded.

usage: score.py BINARY [PART...] [-v] [--raise]

parts: cases    bad cases that the compiler refuses: an error on the line? Good ones: no error?
       golden   fixed kernels: neither error nor warning
       silent   bad cases that the compiler accepts: a warning on the line? Good ones: none?
       agree    1,200 generated kernels against the compiler's answers; vmem: 90 around the limit of VMEM
       sizes    where the compiler's message names a size: is it what inspect says, within 1 %?
       truth    every load, store and DMA of all these: is what inspect says of memory space, shape and dtype what JAX knows?
       idioms   the same of ../idioms, which are the ways in which authors write kernels
       ops      the same of the TPU kernels that JAX ships, read from the installed wheel
       explain  each distinct message that the compiler printed: does explain find a page?

-v names what is missed. Exit 1 when a count is below its floor in floors.json, above its ceiling, or when anything is
false: an error on what the compiler accepts, or a wrong fact. --raise lifts the floors to what was reached, never lowers.
"""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import ask
import material
from compare import Facts

HERE = os.path.dirname(os.path.abspath(__file__))
FLOORS = os.path.join(HERE, "floors.json")
# Bad cases that are wasteful or odd, not wrong: no warning is asked for.
NOT_WRONG = {"unused-kernel-operand", "strided-load-last-dim-not-128", "vmem-capacity", "dma-slice-unaligned", "print-of-traced"}


class Binary:
    """The program under test."""

    def __init__(self, path):
        self.path = os.path.abspath(path)

    def run(self, *args, stdin=None):
        return subprocess.run([self.path, *args], capture_output=True, text=True, input=stdin)

    def many(self, *args, files):
        """The output for all files, some hundred a run."""
        for i in range(0, len(files), 300):
            done = self.run(*args, *files[i:i + 300])
            if done.returncode not in (0, 1):
                sys.exit(f"score: {args[0]} exits {done.returncode}: {done.stderr[-300:]}")
            yield done.stdout

    def check(self, files):
        """Findings by path."""
        found = collections.defaultdict(list)
        for out in self.many("check", "--chip", "7x", "--output-format", "json", files=files):
            for d in json.loads(out or "[]"):
                found[os.path.abspath(d["filename"])].append(d)
        return found

    def inspect(self, files):
        """What was inferred, one object a file; the output may be a list or objects one after another."""
        decoder = json.JSONDecoder()
        for out in self.many("inspect", "--json", files=files):
            at = 0
            while at < len(out):
                if out[at] in " \r\n\t,[]":
                    at += 1
                    continue
                value, at = decoder.raw_decode(out, at)
                yield value

    def explains(self, kind, message):
        """Whether a pasted traceback finds a page; a process that died (no kind) leaves only its last line."""
        text = f'Traceback (most recent call last):\n  File "kernel.py", line 7, in <module>\n    f(x)\n{kind}: {message}\n' if kind else message
        done = self.run("explain", "--json", stdin=text)
        try:
            return done.returncode == 0 and bool(json.loads(done.stdout).get("name"))
        except ValueError:
            return False


class Score:
    """What was counted: found counts have floors, and false ones ceilings, which are zero where none is given."""

    def __init__(self, verbose):
        self.verbose = verbose
        self.found, self.false = {}, {}

    def add(self, name, found=None, of=None, false=None, unit=""):
        text = name
        if found is not None:
            self.found[name] = found
            text += f": {found} of {of} {unit}({100 * found / max(of, 1):.1f} %)"
        if false is not None:
            self.false[name] = len(false)
            text += f"; false: {len(false)}"
        print(text)
        self.some("false", false or [])

    def some(self, what, names, most=200):
        if self.verbose and names:
            print(f"    {what}:", *names[:most], sep="\n      ")

    def failures(self, floors):
        for name, n in self.found.items():
            if n < floors["at_least"].get(name, 0):
                yield f"{name}: {n} found, the floor is {floors['at_least'][name]}"
        for name, n in self.false.items():
            if n > floors["at_most"].get(name, 0):
                yield f"{name}: {n} false, at most {floors['at_most'].get(name, 0)} may be"

    def raise_floors(self, floors):
        for name, n in self.found.items():
            floors["at_least"][name] = max(n, floors["at_least"].get(name, 0))
        for name, n in self.false.items():
            if name in floors["at_most"]:
                floors["at_most"][name] = min(n, floors["at_most"][name])


def near(findings, lines, slack):
    return any(abs(d["location"]["row"] - line) <= slack for d in findings for line in lines if line)


def of_severity(findings, *severities):
    return [d for d in findings if d["severity"] in severities]


def say(file, d):
    return f"{file}:{d['location']['row']} {d['code']}"


def part_of_cases(binary, part):
    """(expected row, findings) of each case of the part."""
    rows = material.expected(part)
    path = {r["file"]: os.path.join(material.CASES, part, r["file"]) for r in rows}
    found = binary.check(list(path.values()))
    return [(r, found[path[r["file"]]]) for r in rows]


def cases(binary, score):
    for part in material.PARTS:
        n, missed, false = 0, [], []
        for r, found in part_of_cases(binary, part):
            errors = of_severity(found, "error")
            if r["outcome"] == "ok":
                false += [say(r["file"], d) for d in errors]
                continue
            n += 1
            lines = [e[0] for e in r["expect"]] + [r["line"]]
            if not (near(errors, lines, 1) if any(lines) else errors):
                missed.append(f"{r['file']} ({r['rule']})")
        score.add(f"cases {part}", n - len(missed), n, false)
        score.some("missed", missed)


def golden(binary, score):
    found = binary.check(sorted(glob.glob(os.path.join(material.CASES, "golden", "g*.py"))))
    refused = "g31_slice_shared_local.py"  # lowers, but does not compile
    false = [say(os.path.basename(path), d) for path, ds in found.items() if os.path.basename(path) != refused
             for d in of_severity(ds, "error", "warning")]
    score.add("golden", false=false)


def silent(binary, score):
    n, missed, false = 0, [], []
    for part in material.PARTS:
        for r, found in part_of_cases(binary, part):
            findings = of_severity(found, "error", "warning")
            if not r["bad"]:
                false += [say(r["file"], d) for d in findings]
            elif r["outcome"] == "ok" and r["expect"] and r["expect"][0][1] not in NOT_WRONG:
                n += 1
                if not near(findings, [e[0] for e in r["expect"]], 1):
                    missed.append(f"{r['file']} ({r['expect'][0][1]})")
    score.add("silent", n - len(missed), n, false)
    score.some("missed", missed)


def generated(binary, score, name, suite):
    """Generated kernels: found where the compiler refuses, at the cause when within three lines of it or of its frames."""
    rows = [r for r in material.answers(suite) if r["outcome"] in ("ok", "error", "abort")]
    with tempfile.TemporaryDirectory() as tmp:
        material.generate(suite, tmp)
        found = binary.check([os.path.join(tmp, r["id"] + ".py") for r in rows])
        errors = {r["id"]: of_severity(found[os.path.join(tmp, r["id"] + ".py")], "error") for r in rows}
    refused = [r for r in rows if r["outcome"] != "ok"]
    hit = [r for r in refused if errors[r["id"]]]
    at_cause = [r for r in hit if not r["lines"] or near(errors[r["id"]], r["lines"], 3)]
    false = [f"{say(r['id'], d)} ({r['mutation']})" for r in rows if r["outcome"] == "ok" for d in errors[r["id"]]]
    score.add(name, len(hit), len(refused), false, f"refused, of {len(rows)} ")
    score.add(f"{name} at the cause", len(at_cause), len(refused))
    n = collections.Counter(r["mutation"] for r in refused)
    missed = collections.Counter(r["mutation"] for r in refused if not errors[r["id"]])
    score.some("missed, by mutation", [f"{m} {k} of {n[m]}" for m, k in missed.most_common(60)])


def sizes(binary, score):
    """Kernels of which the compiler says how much VMEM they take: is what inspect says within 1 %?"""
    with tempfile.TemporaryDirectory() as tmp:
        material.generate("vmem1", tmp)
        said = {r["id"]: named_sizes(r["message"]) for r in material.answers("vmem1") if r["outcome"] != "ok"}
        said = {k: v for k, v in said.items() if v}
        got = {os.path.basename(f["path"])[:-3]: f for f in binary.inspect([os.path.join(tmp, k + ".py") for k in said])}
    wrong = [f"{k}: {v} B, inspect: {taken(got[k])}" for k, v in said.items() if not any(abs(n - v) <= v / 100 for n in taken(got[k]))]
    score.add("sizes", len(said) - len(wrong), len(said), wrong, "sizes within 1 % ")


def named_sizes(message):
    """Bytes of VMEM that a message says the kernel or one buffer of it takes; None: it names none."""
    found = re.search(r"Used ([0-9.]+)M of|Scoped allocation with size ([0-9.]+)M|Allocation \(size=([0-9]+)\)", message)
    if not found:
        return None
    return int(found[3]) if found[3] else int(float(found[1] or found[2]) * 2 ** 20)


def taken(file):
    """What a kernel takes of VMEM, and each buffer of it alone, as the compiler allocates windows one by one."""
    uses = [u for k in file["kernels"] for u in k.get("usage", []) if u["space"] == "VMEM"]
    return [u["bytes"] for u in uses] + [p["bytes"] * p["count"] for u in uses for p in u["parts"]]


def facts(score, name, truth, got):
    """Three counts: spaces, shapes and dtypes that inspect knows, and knows right."""
    counted = truth.compare(got)
    for field in ("space", "shape", "dtype"):
        score.add(f"{name} {field}", counted.right[field], counted.facts, counted.wrong[field])
    print(f"    of which no event: {counted.missing}")
    score.some("missing", counted.missed)


def truth(binary, score):
    recorded = material.rows(os.path.join(HERE, "truth.jsonl.gz"))
    with tempfile.TemporaryDirectory() as tmp:
        material.generate("seed1", os.path.join(tmp, "seed1"))
        for name, root, mine in (("truth cases", material.CASES, lambda f: not f.startswith("seed1/")),
                                 ("truth generated", tmp, lambda f: f.startswith("seed1/"))):
            got = Facts.inspected(binary.inspect(sorted(glob.glob(os.path.join(root, "*", "*.py")))), root)
            facts(score, name, Facts.recorded(r for r in recorded if mine(r["file"])), got)


def idioms(binary, score):
    recorded = material.rows(os.path.join(HERE, "idioms.jsonl.gz"))
    got = Facts.inspected(binary.inspect(sorted(glob.glob(os.path.join(material.IDIOMS, "*.py")))), os.path.dirname(material.IDIOMS))
    facts(score, "idioms", Facts.recorded(recorded), got)


def ops(binary, score):
    recorded = material.rows(os.path.join(HERE, "ops.jsonl.gz"))
    python = ask.pythons([ask.NEWEST])[ask.NEWEST]
    packages = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True, check=True).stdout.strip()
    files = sorted({os.path.join(packages, r["file"]) for r in recorded})
    facts(score, "ops", Facts.recorded(recorded), Facts.inspected(binary.inspect(files), packages))
    whole = sorted(glob.glob(os.path.join(packages, "jax/experimental/pallas/ops/tpu/**/*.py"), recursive=True))
    false = [say(os.path.basename(path), d) for path, ds in binary.check(whole).items() for d in of_severity(ds, "error", "warning")]
    score.add("ops findings", false=false)


def explain(binary, score):
    seen = {}
    rows = [r for part in material.PARTS for r in material.expected(part)] + material.answers("seed1")
    for r in rows:
        if r["outcome"] in ("error", "abort") and r["message"]:
            seen.setdefault((r["type"], r["message"]), r.get("file") or r["id"])
    with ThreadPoolExecutor(2) as pool:
        known = list(pool.map(lambda k: binary.explains(*k), seen))
    score.add("explain", sum(known), len(seen), unit="distinct messages ")
    score.some("unknown", [f"{seen[k]}: {k[0]}: {k[1][:90]}" for k, ok in zip(seen, known) if not ok])


PARTS = {"cases": cases, "golden": golden, "silent": silent, "agree": lambda b, s: generated(b, s, "agree", "seed1"),
         "vmem": lambda b, s: generated(b, s, "vmem", "vmem1"), "sizes": sizes, "truth": truth, "idioms": idioms, "ops": ops, "explain": explain}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("binary")
    ap.add_argument("parts", nargs="*", metavar="part", help=" ".join(PARTS))
    ap.add_argument("-v", "--verbose", action="store_true")
    ap.add_argument("--raise", dest="lift", action="store_true")
    a = ap.parse_args()
    if unknown := set(a.parts) - set(PARTS):
        ap.error(f"no such part: {' '.join(unknown)}")
    binary, score = Binary(a.binary), Score(a.verbose)
    for name in a.parts or PARTS:
        PARTS[name](binary, score)
    with open(FLOORS) as f:
        floors = json.load(f)
    failures = list(score.failures(floors))
    for text in failures:
        print("FAIL", text)
    if a.lift:
        score.raise_floors(floors)
        with open(FLOORS, "w") as f:
            json.dump(floors, f, indent=1, sort_keys=True)
            f.write("\n")
    print(f"score: {len(score.found) + len(score.false) - len(failures)} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
