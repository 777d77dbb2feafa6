# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Mutants of a source without one of its locks or atomic accesses."""

import os
import re

from tests.power.mutant import Mutant
from tests.power.mutants import BLANKED, blank

# The percentage of each layer's locks and atomic accesses that tests must
# notice. The others order nothing: only one thread writes the data it reads,
# or another lock or access orders it already.
REQUIRED_PERCENT = {"core": 80, "hw": 75, "drm": 70, "pipe_driver": 90,
                    "profile": 0}

PLAIN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "plain.h")
LOCK = re.compile(r"\bpthread_mutex_(?:un)?lock\(")
ATOMIC = re.compile(r"\b(?:__)?atomic_(?=(?:load|store|exchange|compare))")
FUNCTION = re.compile(r"^(\w+)\(", re.MULTILINE)


def call_at(text, start):
    """The function call at start, on one line."""
    depth = 0
    for end in range(text.index("(", start), len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return " ".join(text[start:end + 1].split())
    return text[start:]


def without_locks(text):
    """Yields the edits that remove a lock and the next unlock: !(address) is
    0, the result of a successful call."""
    found = list(LOCK.finditer(text))
    for lock, unlock in zip(found, found[1:]):
        if "unlock" not in lock[0] and "unlock" in unlock[0]:
            yield tuple((*match.span(), "!(") for match in (lock, unlock))


def without_atomics(text):
    """Yields the edits that make an access a plain one."""
    for match in ATOMIC.finditer(text):
        yield ((0, 0, f'#include "{PLAIN}"\n#line 1\n'),
               (*match.span(), "plain_"))


def locks_of(path, text):
    """Yields a list of one mutant for each lock and each atomic access."""
    code = BLANKED.sub(blank, text)
    for edits in (*without_locks(code), *without_atomics(code)):
        at = next(start for start, _, _ in edits if start)
        function = FUNCTION.findall(code, 0, at)[-1]
        yield [Mutant(path, text.count("\n", 0, at) + 1,
                      f"{function}: {call_at(text, at)}", edits)]
