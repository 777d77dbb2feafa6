#!/usr/bin/env python3
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Checks what the documents say about the code: the paths, the checks of a GPU
and the examples."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

CODE = re.compile(r"`([\w.*/-]+/[\w.*/-]*)`")
CHECK = re.compile(r'\{\s*"([^"]*)",\s*((?:"[^"]*"\s*)+),')
EXAMPLE = re.compile(r"^```c\n(#include.*?)^```$", re.DOTALL | re.MULTILINE)


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


if __name__ == "__main__":
    unittest.main()
