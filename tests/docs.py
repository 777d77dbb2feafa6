#!/usr/bin/env python3
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Checks what the documents say about the code: the walks, the paths and the
checks of a GPU; the examples; and the English of both."""

import functools
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
WALKS = ROOT / "docs" / "architecture.md"

# A walk is a heading "### Begin: 9 functions" and a table of them in order.
HEADING = re.compile(r"^### (\w+): (\d+) functions$")
ROW = re.compile(r"^\| `(\w+)` \| `([\w./]+)` \|")
ASSIGNMENT = re.compile(r"\b(\w+)\s*=\s*&?(\w+)")
CODE = re.compile(r"`([\w.*/-]+/[\w.*/-]*)`")
CHECK = re.compile(r'\{\s*"([^"]*)",\s*((?:"[^"]*"\s*)+),')
COMMENT = re.compile(r"/\*.*?\*/|(?<=[\s])//[^\n]*", re.DOTALL)
LINES = re.compile(r"(?:^[ \t]*#.*\n)+", re.MULTILINE)
DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)
EXAMPLE = re.compile(r"^```c\n(#include.*?)^```$", re.DOTALL | re.MULTILINE)
# Code, and headings, which may name a question.
NO_PROSE = re.compile(r"^```.*?^```$|^#[^\n]*$|\*\*",
                      re.DOTALL | re.MULTILINE)
# The items of lists, and the cells of tables.
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) | \| |^\||\|$", re.MULTILINE)
SENTENCE = re.compile(
    r"(?:^|[.:;!?]\s+|\n\s*\n\s*)((?:Wh(?:at|ich|o|om|ose)(?:ever)?"
    r"|Where(?:ver)?)\b(?:[^.?!:;]|[.?!:;](?=\S))*[.?!:;]?)")
# "Where a driver lacks it, ..." is a clause, "Where it goes is ..." a noun.
CLAUSE = re.compile(r"(?:Where|\w+ever)\b.*,", re.DOTALL)


def walks():
    """Yields (name, count, [(function, path)...]) of each walk."""
    name, count, rows = None, 0, []
    for line in WALKS.read_text().splitlines() + ["## end"]:
        heading = HEADING.match(line)
        row = ROW.match(line)
        if row and name:
            rows.append(row.groups())
        elif line.startswith("#"):
            if name:
                yield name, count, rows
            name, count, rows = None, 0, []
            if heading:
                name, count = heading.group(1), int(heading.group(2))


def body_of(function, path):
    """The text of a function's definition, perhaps by a macro, or None."""
    text = (ROOT / path).read_text()
    for name, end in (function, r"\}"), (rf"{function}##\w+", r" *\}"):
        found = re.search(rf"^(?:[^\n]*\s)?{name}\([^;{{]*\{{.*?^{end}$", text,
                          re.DOTALL | re.MULTILINE)
        if found:
            return found.group()
    return None


@functools.cache
def assignments():
    """{function: the members of structs to which src assigns it}"""
    found = {}
    for path in (ROOT / "src").rglob("*.[ch]"):
        for member, function in ASSIGNMENT.findall(path.read_text()):
            found.setdefault(function, set()).add(member)
    return found


def calls(body, function):
    """Whether a body calls a function, by its name or by a hook."""
    names = [function, *assignments().get(function, ())]
    return any(re.search(rf"\b{name}\s*\(", body) for name in names)


def c_sources():
    """The C files and headers of the project."""
    return [path for directory in ("include", "src", "tests")
            for path in (ROOT / directory).rglob("*.[ch]")]


def documents():
    return [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]


class Walks(unittest.TestCase):
    """docs/architecture.md walks from an entry point to its end."""

    def test_there_are_four(self):
        self.assertEqual([name for name, _, _ in walks()],
                         ["Begin", "End", "Poll", "Read"])

    def test_headings_count(self):
        for name, count, rows in walks():
            self.assertEqual(len(rows), count, name)

    def test_walks_are_short(self):
        limits = {"Begin": 10, "End": 11, "Poll": 12, "Read": 12}
        for name, count, _ in walks():
            self.assertLessEqual(count, limits[name], name)

    def test_functions_are_where_it_says(self):
        for name, _, rows in walks():
            for function, path in rows:
                self.assertIsNotNone(body_of(function, path),
                                     f"{name}: {function} in {path}")

    def test_each_calls_the_next(self):
        for name, _, rows in walks():
            for (function, path), (callee, _) in zip(rows, rows[1:]):
                self.assertTrue(calls(body_of(function, path), callee),
                                f"{name}: {function} calls {callee}")


class Paths(unittest.TestCase):
    """The files that README.md and docs/ name exist."""

    def test_paths_exist(self):
        for document in documents():
            for path in CODE.findall(document.read_text()):
                if re.match(r"(src|tests|include|docs)/(?!.*[A-Z]{3})", path):
                    self.assertTrue(list(ROOT.glob(path.rstrip("/"))),
                                    f"{document.name}: {path}")


class Checks(unittest.TestCase):
    """docs/hardware.md has the assumptions of pitot-info --check."""

    def test_assumptions_are_those_of_the_code(self):
        code = (ROOT / "src" / "info" / "check.c").read_text()
        table = code[code.index("checks[] = {"):code.index("CHECK_COUNT")]
        checks = [(name, "".join(re.findall(r'"([^"]*)"', assumption)))
                  for name, assumption in CHECK.findall(table)]
        self.assertTrue(checks)
        text = (ROOT / "docs" / "hardware.md").read_text()
        rows = "".join(f"| {name} | {assumption} |\n"
                       for name, assumption in checks)
        self.assertIn(f"| --- | --- |\n{rows}\n", text)


class Examples(unittest.TestCase):
    """The programs in docs/ compile with the public headers."""

    def test_programs_compile(self):
        programs = [(document.name, program)
                    for document in (ROOT / "docs").glob("*.md")
                    for program in EXAMPLE.findall(document.read_text())]
        self.assertTrue(programs)
        for name, program in programs:
            compiler = subprocess.run(
                ["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall",
                 "-Wextra", "-Werror", "-fsyntax-only", "-xc",
                 f"-I{ROOT / 'include'}", "-"],
                input=program, text=True, capture_output=True, check=False)
            self.assertEqual(compiler.returncode, 0,
                             f"{name}: {compiler.stderr}")


def comments():
    """Yields (path, text) of each comment of the sources and the scripts."""
    for path in c_sources():
        for comment in COMMENT.findall(path.read_text()):
            yield path, re.sub(r"\n\s*\*[ /]?", "\n", comment[2:-2]).strip()
    for path in scripts():
        text = path.read_text()
        for comment in LINES.findall(text):
            yield path, re.sub(r"^[ \t]*# ?", "", comment, flags=re.MULTILINE)
        if "python" in text.partition("\n")[0] or path.suffix == ".py":
            yield from ((path, found) for found in DOCSTRING.findall(text))


def scripts():
    """The scripts of the project, and the lists, which have comments, too."""
    return [path for directory in ("src", "tests")
            for path in (ROOT / directory).rglob("*")
            if path.is_file() and (path.suffix in (".py", ".sh", ".txt")
                                   or path.name in ("run", "locks"))]


def prose():
    """Yields (path, text) of the documents, a paragraph for each item."""
    for path in documents():
        yield path, ITEM.sub("\n\n", NO_PROSE.sub("", path.read_text()))


def pronouns_of(text):
    """The sentences that begin with What, Who or their like in place of a
    noun, and do not ask."""
    return [sentence for sentence in SENTENCE.findall(text)
            if not sentence.endswith("?") and not CLAUSE.match(sentence)]


class English(unittest.TestCase):
    """Sentences of comments and documents begin with a noun, unless they
    ask."""

    def test_pronouns_are_told_from_questions_and_clauses(self):
        for text in ("What it does.", "A noun. Who calls it is told.",
                     "Where it goes is open: it may be, too.",
                     "Whatever fails is told", "Which of them is meant."):
            self.assertEqual(len(pronouns_of(text)), 1, text)
        for text in ("What is it?", "Where Linux 5.9 has it, it is taken.",
                     "Whatever a test did, nothing stays.", "It is what is."):
            self.assertEqual(pronouns_of(text), [], text)

    def test_sentences_begin_with_a_noun(self):
        for path, text in (*comments(), *prose()):
            self.assertEqual(pronouns_of(text), [], path.name)


if __name__ == "__main__":
    unittest.main()
