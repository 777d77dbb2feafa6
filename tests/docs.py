#!/usr/bin/env python3
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Checks what the documents say about the code: the paths and the checks of a
GPU; the examples; and the English of both."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

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


def c_sources():
    """The C files and headers of the project."""
    return [path for directory in ("include", "src", "tests")
            for path in (ROOT / directory).rglob("*.[ch]")]


def documents():
    return [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]


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
