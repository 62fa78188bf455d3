#!/usr/bin/env python3
"""Asks the compiler about the kernels that binaries are scored on, and records what it said.

usage: record_answers.py [--check] [cases|seed1|vmem1]...     default: cases; --check: exit 1 when it says something else

cases are files in testdata/cases (2 minutes); seed1 and vmem1 are generated (10 minutes and 1).
"""
import argparse
import gzip
import json
import os
import sys
import tempfile

import ask
import material

ANSWER = ("outcome", "stage", "type", "message", "line")


def asked(paths, seconds):
    """The compiler's answers about these files, by path."""
    questions = []
    for path in paths:
        with open(path) as f:
            questions.append({"id": path, "code": f.read(), "chip": "7x", "compile": True, "timeout": seconds})
    return {a["id"]: a for a in ask.ask_all(questions)}


def cases(part):
    """The part's rows with fresh answers; what a case is and which line its author expects stays."""
    rows = material.expected(part)
    answers = asked([os.path.join(material.CASES, part, r["file"]) for r in rows], 150)  # R16 needs 40
    for r in rows:
        answer = answers[os.path.join(material.CASES, part, r["file"])]
        yield {**r, **{k: answer.get(k) for k in ANSWER}}


def suite(name):
    """One row a generated kernel. lines: where its cause may be, which are the mutated ones and all that JAX names."""
    with tempfile.TemporaryDirectory() as tmp:
        material.generate(name, tmp)
        rows = material.rows(os.path.join(tmp, "manifest.jsonl"))
        answers = asked([os.path.join(tmp, r["path"]) for r in rows], 60)  # three never end
        for r in rows:
            a = answers[os.path.join(tmp, r["path"])]
            lines = set(r["mutated_lines"]) | set(a.get("lines") or []) | {a.get("line")}
            yield {"id": r["id"], "template": r["template"], "mutation": r["mutation"], **{k: a.get(k) for k in ANSWER},
                   "lines": sorted(n for n in lines if n)}


def keep(path, rows, check):
    """Writes the rows, or tells whether they are the recorded ones."""
    text = "".join(json.dumps(r) + "\n" for r in rows)
    if check:
        return same(path, material.rows(path), [json.loads(x) for x in text.splitlines()])
    with open(path, "wb") as f:
        f.write(gzip.compress(text.encode(), mtime=0) if path.endswith(".gz") else text.encode())
    return True


def same(path, was, now):
    differ = [(a, b) for a, b in zip(was, now) if a != b]
    for a, b in differ[:20]:
        what = [f"{k}: {b[k]!r}, recorded {a[k]!r}" for k in b if a[k] != b[k]]
        print(f"FAIL {os.path.basename(path)} {a.get('file') or a.get('id')}: {'; '.join(what)}")
    print(f"{os.path.relpath(path, os.path.dirname(material.CASES))}: {len(now)} kernels, {len(differ)} answered otherwise than recorded")
    return not differ and len(was) == len(now)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--check", action="store_true")
    ap.add_argument("what", nargs="*", default=["cases"])
    a = ap.parse_args()
    ok = True
    for what in a.what:
        if what == "cases":
            for part in material.PARTS:
                ok &= keep(os.path.join(material.CASES, part, "expected.jsonl"), cases(part), a.check)
        else:
            ok &= keep(os.path.join(material.AGREE, what + ".jsonl.gz"), suite(what), a.check)
    return not ok


if __name__ == "__main__":
    sys.exit(main())
