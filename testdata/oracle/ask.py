#!/usr/bin/env python3
"""Asks real JAX about blocks of Python: what it says when they are traced, lowered, compiled or interpreted.

usage: ask.py [--workers N] < questions.jsonl > answers.jsonl
       ask.py [--workers N] [--jax V] [--chip C]... [--compile] [--interpret] FILE.py...

A question is one JSON object a line:
    {"id": any, "code": "...", "jax": "0.12.0.1", "chip": "7x" or a list, "compile": false, "interpret": false, "run": false,
     "timeout": seconds of the processor}
An answer, one for each chip, in the order of the questions:
    {"id", "chip", "jax", "outcome": "ok" | "error" | "abort" | "hang" | "timeout", "stage", "type", "message", "line",
     "lines", "warnings"; with interpret also "race", "nan", "digest"}
stage is where it failed: import, trace, lower, compile, interpret or run. line counts from the block's first line.
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
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NEWEST = "0.12.0.1"
SECONDS = 90  # of the processor, for one question
IDLE = 5  # seconds without any use of the processor after which a process counts as hung
TICK = os.sysconf("SC_CLK_TCK")


def pythons(versions):
    """The Python of each release's environment; setup makes those that are missing."""
    done = subprocess.run([os.path.join(HERE, "setup"), *versions], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return dict(line.split(None, 1) for line in done.stdout.splitlines())


def processor_seconds(pid):
    """What the process has used so far; None where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    except (OSError, IndexError, ValueError):
        return None


def runs(question):
    """Whether the block is run on the CPU, not lowered for a TPU."""
    return bool(question.get("interpret") or question.get("run"))


class Hung(Exception):
    pass


class Worker:
    """One process with one JAX in it; when a block kills or hangs it, it is replaced."""

    def __init__(self, python_of):
        self.python_of = python_of
        self.process, self.kind = None, None

    def start(self, version):
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([self.python_of[version], os.path.join(HERE, "worker.py")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.said, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.pump, args=(self.process.stdout, self.lines), daemon=True).start()
        if self.lines.get(timeout=300) is None:
            raise RuntimeError(f"JAX {version} does not start: {self.last_words()}")

    @staticmethod
    def pump(stream, lines):
        for line in stream:
            lines.put(line)
        lines.put(None)

    def ask(self, question):
        kind = question["jax"], runs(question)
        if kind != self.kind:
            self.stop()  # another JAX; and what was compiled for described devices confuses the interpreter
            self.kind = kind
        if not self.process:
            self.start(question["jax"])
        failed = {k: question.get(k) for k in ("id", "chip", "jax")}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        try:
            line = self.wait(question.get("timeout") or SECONDS)
        except (queue.Empty, Hung) as e:
            self.stop()
            return dict(failed, outcome="hang" if isinstance(e, Hung) else "timeout")
        if line is None:
            words = self.last_words()
            self.stop()
            return dict(failed, outcome="abort", message=words)
        return json.loads(line)

    def wait(self, seconds):
        """The next line. Counts what the process computes, as a busy machine is no reason to give up; queue.Empty when that
        is too much, Hung when it computes nothing: a wait for a signal that never comes."""
        begin = since = time.monotonic()
        first = last = processor_seconds(self.process.pid)
        while True:
            try:
                return self.lines.get(timeout=0.5)
            except queue.Empty:
                now, used = time.monotonic(), processor_seconds(self.process.pid)
                if used is None:
                    if now - begin > seconds:
                        raise
                    continue
                if used - first > seconds:
                    raise
                if used - last > 0.02:
                    since = now
                elif now - since > IDLE:
                    raise Hung from None
                last = used

    def last_words(self):
        """What a process that died said: libtpu's fatal line if there is one, without its time and thread."""
        self.process.wait()
        self.said.seek(0)
        lines = [x for x in self.said.read().splitlines() if x.strip()]
        fatal = [x for x in lines if re.match(r"F\d{4} ", x) or "Check failed" in x or "Fatal" in x]
        return re.sub(r"^F\d{4} \S+\s+\d+ ", "", (fatal or lines[-1:] or [""])[0])[:500]

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def one_chip_each(questions):
    for q in questions:
        chips = q.get("chip") or "7x"
        for chip in [chips] if isinstance(chips, str) else chips:
            yield dict(q, chip=chip, jax=q.get("jax") or NEWEST)


def ask_all(questions, workers=2):
    """The answers to all questions, in order."""
    questions = list(one_chip_each(questions))
    python_of = pythons(sorted({q["jax"] for q in questions})) if questions else {}
    order = sorted(range(len(questions)), key=lambda k: (questions[k]["jax"], runs(questions[k])))
    answers, todo, lock = [None] * len(questions), iter(order), threading.Lock()

    def work():
        worker = Worker(python_of)
        while True:
            with lock:
                k = next(todo, None)
            if k is None:
                return worker.stop()
            answers[k] = worker.ask(questions[k])

    threads = [threading.Thread(target=work) for _ in range(min(workers, len(questions)))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if None in answers:
        sys.exit("ask.py: some questions were not answered")
    return answers


def about_files(a):
    for path in a.files:
        with open(path) as f:
            code = f.read()
        for interpret in [False] + [True] * a.interpret:
            yield {"id": path, "code": code, "jax": a.jax, "chip": a.chip, "compile": a.compile, "interpret": interpret}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--workers", type=int, default=2)
    ap.add_argument("--jax", default=NEWEST)
    ap.add_argument("--chip", action="append")
    ap.add_argument("--compile", action="store_true")
    ap.add_argument("--interpret", action="store_true", help="also run each file in interpret mode")
    ap.add_argument("files", nargs="*")
    a = ap.parse_args()
    for answer in ask_all(about_files(a) if a.files else map(json.loads, sys.stdin), a.workers):
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
