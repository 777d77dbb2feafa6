# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Searches VK-GL-CTS for query calls, so that no case with one is missing."""

import pathlib
import re

from tests.deqp.groups import USES
from tests.runners.command import RunError

# The tests of GL and ES. Their framework only checks for active queries.
DIRECTORIES = ("modules", "external/openglcts/modules")
ENDINGS = (".cpp", ".hpp", ".inl", ".h")

# An entry point (glBeginQuery, gl.beginQuery, callBeginQuery), or the wrapper
# of a query object.
CALL = re.compile(
    r"\b(gl|call)?("
    r"([Bb]egin|[Ee]nd)(Query|ConditionalRender)|[Qq]ueryCounter"
    r"|([Gg]en|[Dd]elete|[Cc]reate)Queries|[Ii]sQuery(EXT|ARB)?\b"
    r"|[Gg]etQuery(iv|Indexed|Object|BufferObject))"
    r"|PerfQuery\w*INTEL|\bglu::Query\b")


def source_of(program):
    """The source of a program; None if it is unknown or gone."""
    for directory in pathlib.Path(program.path).parents:
        if (cache := directory / "CMakeCache.txt").exists():
            home = re.search("^CMAKE_HOME_DIRECTORY:.*=(.*)",
                             cache.read_text(encoding="utf-8"), re.MULTILINE)
            return home[1] if home and pathlib.Path(home[1]).is_dir() else None
    return None


def callers(source):
    """All callers, without directory and suffix."""
    return {path.stem for directory in DIRECTORIES
            for path in pathlib.Path(source, directory).rglob("*")
            if path.suffix in ENDINGS and calls(path)}


def calls(path):
    return bool(CALL.search(pathlib.Path(path).read_text(
        encoding="utf-8", errors="replace")))


def check(source, uses=USES):
    """Rejects a source unless uses name its callers; returns how many."""
    found = callers(source)
    known = {source for use in uses for source in use.sources.split()}
    if not found:
        raise RunError(f"{source} is no source of VK-GL-CTS: nothing in it "
                       "makes calls about queries")
    if found - known:
        raise RunError("groups.py does not know which cases make calls "
                       f"about queries in {', '.join(sorted(found - known))}")
    if known - found:
        raise RunError("groups.py is wrong about "
                       f"{', '.join(sorted(known - found))}: no such source "
                       "makes calls about queries")
    return len(found)
