#!/usr/bin/env python3
"""Records what JAX knows of every load, store and DMA: of the cases, of generated kernels, and of the kernels it ships.

usage: record_truth.py [--check]     writes truth.jsonl.gz, idioms.jsonl.gz and ops.jsonl.gz; --check: exit 1 when JAX says something else

The facts come from facts.py and ops.py, which run in the environment of the newest JAX. score.py reads them.
"""
import glob
import gzip
import os
import subprocess
import sys
import tempfile

import ask
import material

HERE = os.path.dirname(os.path.abspath(__file__))


def run(python, *args, cwd):
    done = subprocess.run([python, "-W", "ignore", *args], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"record_truth.py: {os.path.basename(args[0])} failed: {done.stderr[-2000:]}")
    return done.stdout


def facts_of(python, folder, pattern):
    files = sorted(glob.glob(pattern, root_dir=folder))
    return run(python, os.path.join(HERE, "facts.py"), *files, cwd=folder)


def truth(python):
    with tempfile.TemporaryDirectory() as tmp:
        material.generate("seed1", os.path.join(tmp, "seed1"))
        return facts_of(python, material.CASES, "*/*.py") + facts_of(python, tmp, "*/*.py")


def keep(name, text, check):
    """Writes the facts, or tells whether they are the recorded ones. No time in the gzip: equal facts, equal file."""
    path = os.path.join(HERE, name)
    if not check:
        with open(path, "wb") as f:
            f.write(gzip.compress(text.encode(), mtime=0))
        print(f"{name}: {text.count(chr(10))} facts")
        return True
    recorded = set(gzip.open(path, "rt").read().splitlines())
    now = set(text.splitlines())
    for sign, facts in (("no longer", recorded - now), ("new", now - recorded)):
        for fact in sorted(facts)[:20]:
            print(f"FAIL {name}: {sign}: {fact}")
    print(f"{name}: {len(now)} facts, {len(recorded ^ now)} differ from the record")
    return recorded == now


def main():
    check = "--check" in sys.argv
    python = ask.pythons([ask.NEWEST])[ask.NEWEST]
    ok = keep("truth.jsonl.gz", truth(python), check)
    ok &= keep("idioms.jsonl.gz", facts_of(python, os.path.dirname(material.IDIOMS), "idioms/*.py"), check)
    ok &= keep("ops.jsonl.gz", run(python, os.path.join(HERE, "ops.py"), cwd=HERE), check)
    return not ok


if __name__ == "__main__":
    sys.exit(main())
