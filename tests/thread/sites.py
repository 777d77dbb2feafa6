# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The locks and the atomic accesses of the layers, and the sources without
each of them."""

import collections
import os
import re
from typing import NamedTuple

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

FOLDERS = ("src/hw", "src/drm", "src/pipe_driver")
FILES = ("src/core/clock.c",)

LOCK = re.compile(r"\bpthread_mutex_(?:un)?lock\(")
ATOMIC = re.compile(r"\b(?:__)?atomic_(?=(?:load|store|exchange|compare))")
FUNCTION = re.compile(r"^(\w+)\(", re.MULTILINE)


class Site(NamedTuple):
    """A lock or an atomic access, and the text of the file without it.  The
    second one of a name ends with " (2)"."""
    path: str
    line: int
    name: str
    mutant: str


def call_at(text, start):
    """The function call that begins there, on one line."""
    depth = 0
    for end in range(text.index("(", start), len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return " ".join(text[start:end + 1].split())
    return text[start:]


def without_locks(text):
    """Yields (where a lock is, the text without it and the unlock that
    follows)."""
    found = list(LOCK.finditer(text))
    for lock, unlock in zip(found, found[1:]):
        if "unlock" not in lock[0] and "unlock" in unlock[0]:
            yield lock.start(), "".join((
                text[:lock.start()], "(void)(", text[lock.end():unlock.start()],
                "(void)(", text[unlock.end():]))


def without_atomics(text):
    """Yields (where an atomic access is, the text with a plain one)."""
    include = f'#include "{os.path.join(HERE, "plain.h")}"\n#line 1\n'
    for match in ATOMIC.finditer(text):
        yield match.start(), "".join((
            include, text[:match.start()], "plain_", text[match.end():]))


def sites_of(path, text):
    """The sites of a file, in order."""
    counts = collections.Counter()
    for start, mutant in sorted((*without_locks(text),
                                 *without_atomics(text))):
        function = FUNCTION.findall(text, 0, start)[-1]
        name = f"{path}: {function}: {call_at(text, start)}"
        counts[name] += 1
        if counts[name] > 1:
            name += f" ({counts[name]})"
        yield Site(path, text.count("\n", 0, start) + 1, name, mutant)


def find_sites():
    """All sites of the layers."""
    paths = [os.path.join(folder, name)
             for top in FOLDERS for folder, _, names in os.walk(
                 os.path.join(ROOT, top)) for name in names
             if name.endswith((".c", ".h"))]
    for path in sorted(paths) + [os.path.join(ROOT, f) for f in FILES]:
        with open(path, encoding="utf-8") as file:
            yield from sites_of(os.path.relpath(path, ROOT), file.read())
