"""The kernels that a binary is scored on, and what the compiler said of each: cases as files, others generated."""
import gzip
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(os.path.dirname(HERE), "cases")
IDIOMS = os.path.join(os.path.dirname(HERE), "idioms")
AGREE = os.path.join(os.path.dirname(HERE), "agree")
PARTS = ("tensorcore", "sparsecore", "reports")
SUITES = {"seed1": ("--seed", "1", "--n", "1200"), "vmem1": ("--suite", "vmem", "--seed", "1", "--n", "90")}


def rows(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt") as f:
        return [json.loads(line) for line in f]


def expected(part):
    return rows(os.path.join(CASES, part, "expected.jsonl"))


def answers(suite):
    """What the compiler said of each kernel of a generated suite."""
    return rows(os.path.join(AGREE, suite + ".jsonl.gz"))


def generate(suite, folder):
    subprocess.run([sys.executable, os.path.join(AGREE, "gen.py"), *SUITES[suite], "--out", folder], check=True, stdout=subprocess.DEVNULL)
    return folder
