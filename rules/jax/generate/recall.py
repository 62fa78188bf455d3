"""Counts, by tokens and not by the syntax tree, what raises in JAX's TPU path of Pallas, and how much of it messages.txt has.

    python recall.py DATA_FOLDER        for the JAX of this interpreter; lists each place that is missing
"""

import collections
import io
import os
import re
import sys
import tokenize

import jax

from generate import PALLAS, RELEASE, sources

FSTRING = (getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_END", -1))


def statements(source):
    """(first line, last line, raise or assert, whether it has a comma outside of brackets, the rest as text)"""
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type not in (tokenize.COMMENT, tokenize.NL)]
    starts = True
    for i, t in enumerate(tokens):
        if starts and t.type == tokenize.NAME and t.string in ("raise", "assert"):
            depth, comma, rest, j = 0, False, "", i + 1
            while tokens[j].type != tokenize.NEWLINE:
                u = tokens[j]
                depth += (u.type == tokenize.OP and u.string in "([{" or u.type == FSTRING[0]) - (u.type == tokenize.OP and u.string in ")]}" or u.type == FSTRING[1])
                comma, rest, j = comma or u.string == "," and depth == 0, rest + u.string, j + 1
            yield t.start[0], tokens[j - 1].end[0], t.string, comma, rest
        starts = t.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT) or t.string == ":"


def kind(word, comma, rest):
    if word == "assert":
        return "assert with a message" if comma else "assert"
    if not rest:
        return "raise again"
    return "raise without a message" if re.fullmatch(r"[\w.]*(Error|Exception|Stop\w*)(\(\))?(from\w+)?", rest) else "raise"


def main():
    have, total, found = collections.defaultdict(set), collections.Counter(), collections.Counter()
    with open(os.path.join(sys.argv[1], RELEASE, "messages.txt")) as f:
        for line in f:
            file, number, _ = line.split("\t", 2)
            have[file].add(int(number))
    root = os.path.dirname(jax.__file__)
    for file in sources(root, PALLAS):
        with open(os.path.join(root, file)) as f:
            for first, last, *what in statements(f.read()):
                total[kind(*what)] += 1
                if any(first <= n <= last for n in have[file]):
                    found[kind(*what)] += 1
                elif what != ["raise", False, ""]:
                    print(f"{file}:{first}: {what[0]} {what[2][:120]}")
    for k, n in sorted(total.items()):
        print(f"{RELEASE} {k}: {found[k]} of {n}")


if __name__ == "__main__":
    main()
