# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The locks and the atomic accesses of the layers, and the sources without
each."""

import os
import re
from typing import NamedTuple

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

FOLDERS = ("src/hw", "src/drm", "src/pipe_driver")
FILES = ("src/mesa/screen_clock.c",)

LOCK = re.compile(r"\b(?:pthread_mutex|simple_mtx)_(?:un)?lock\((.*?)\);")
ATOMIC = re.compile(r"\b(?:__)?atomic_(?=(?:load|store|exchange|compare))"
                    r"|\bp_atomic_(?=set|read)")


class Site(NamedTuple):
    """A place, and the text of the file without the lock or the atomic."""
    path: str
    line: int
    text: str
    mutant: str

    def name(self):
        return f"{self.path}: {self.text}"


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def line_at(text, position):
    begin = text.rfind("\n", 0, position) + 1
    return " ".join(text[begin:text.find("\n", position)].split())


def without_locks(path, text):
    """Sites of a lock and the unlock that follows."""
    found = list(LOCK.finditer(text))
    for lock, unlock in zip(found, found[1:]):
        if "unlock" in lock[0] or "unlock" not in unlock[0]:
            continue
        mutant = (text[:lock.start()] + ";" + text[lock.end():unlock.start()]
                  + ";" + text[unlock.end():])
        yield Site(path, line_of(text, lock.start()), lock[0], mutant)


def without_atomics(path, text):
    include = f'#include "{os.path.join(HERE, "plain.h")}"\n'
    for match in ATOMIC.finditer(text):
        plain = "p_plain_" if match[0].startswith("p_") else "plain_"
        mutant = include + text[:match.start()] + plain + text[match.end():]
        yield Site(path, line_of(text, match.start()),
                   line_at(text, match.start()), mutant)


def find_sites():
    """All sites of the layers."""
    paths = [os.path.join(folder, name)
             for top in FOLDERS for folder, _, names in os.walk(
                 os.path.join(ROOT, top)) for name in sorted(names)]
    for path in sorted(paths) + [os.path.join(ROOT, f) for f in FILES]:
        if not path.endswith((".c", ".h")):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.path.relpath(path, ROOT)
        yield from without_locks(name, text)
        yield from without_atomics(name, text)
