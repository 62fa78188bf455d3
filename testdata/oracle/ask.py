#!/usr/bin/env python3
"""Asks real JAX about blocks of Python: what it says when they are traced, lowered, compiled or interpreted.

usage: ask.py [--jax 0.12.0.1] [--workers N] < questions.jsonl > answers.jsonl

A question is one JSON object a line:
    {"id": any, "code": "...", "chip": "7x" or a list, "compile": false, "interpret": false, "timeout": seconds}
An answer, one for each chip, in the order of the questions:
    {"id", "chip", "jax", "outcome": "ok" | "error" | "abort" | "timeout", "stage", "type", "message", "line", "lines",
     "warnings"; with interpret also "race", "nan", "digest"}
stage is where it failed: import, trace, lower, compile or interpret. line counts from the block's first line.
"""
import argparse
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
NEWEST = "0.12.0.1"
SECONDS = 60  # for one question; the first of a process gets more, as JAX is imported first


def python_of(version):
    """The Python of that release's environment, which setup makes when it is missing."""
    done = subprocess.run([os.path.join(HERE, "setup"), version], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout.split(None, 1)[1].strip()


class Worker:
    """One process with JAX in it; when a block kills or hangs it, it is replaced."""

    def __init__(self, python, version):
        self.python, self.version = python, version
        self.process, self.mode = None, None

    def start(self):
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([self.python, os.path.join(HERE, "worker.py")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.said, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.pump, args=(self.process.stdout, self.lines), daemon=True).start()

    @staticmethod
    def pump(stream, lines):
        for line in stream:
            lines.put(line)
        lines.put(None)

    def ask(self, question):
        if self.mode != bool(question.get("interpret")):
            self.stop()  # what was compiled for described devices confuses the interpreter
            self.mode = bool(question.get("interpret"))
        grace = 0 if self.process else 60
        if not self.process:
            self.start()
        failed = {"id": question.get("id"), "chip": question["chip"], "jax": self.version}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        try:
            line = self.lines.get(timeout=question.get("timeout", SECONDS) + grace)
        except queue.Empty:
            self.stop()
            return dict(failed, outcome="timeout")
        if line is None:
            self.process.wait()
            self.process = None
            return dict(failed, outcome="abort", message=self.last_words())
        return json.loads(line)

    def last_words(self):
        """What a process that died said: libtpu's fatal line if there is one, without its time and thread."""
        self.said.seek(0)
        lines = [x for x in self.said.read().splitlines() if x.strip()]
        fatal = [x for x in lines if re.match(r"F\d{4} ", x) or "Check failed" in x or "Fatal" in x]
        return re.sub(r"^F\d{4} \S+\s+\d+ ", "", (fatal or lines or [""])[0])[:500]

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def one_chip_each(questions):
    for q in questions:
        chips = q.get("chip") or "7x"
        for chip in [chips] if isinstance(chips, str) else chips:
            yield dict(q, chip=chip)


def ask_all(questions, version=NEWEST, workers=2, progress=None):
    """The answers to all questions, in order."""
    questions = list(one_chip_each(questions))
    python = python_of(version) if questions else None
    order = sorted(range(len(questions)), key=lambda k: bool(questions[k].get("interpret")))
    answers, todo, lock = [None] * len(questions), iter(order), threading.Lock()

    def work():
        worker = Worker(python, version)
        while True:
            with lock:
                k = next(todo, None)
            if k is None:
                return worker.stop()
            answers[k] = worker.ask(questions[k])
            if progress:
                progress(k, len(questions))

    threads = [threading.Thread(target=work) for _ in range(min(workers, len(questions)))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return answers


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--jax", default=NEWEST)
    ap.add_argument("--workers", type=int, default=2)
    a = ap.parse_args()
    for answer in ask_all(map(json.loads, sys.stdin), a.jax, a.workers):
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
