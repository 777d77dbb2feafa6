#!/usr/bin/env python3
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Checks what the documents say about the code: the paths and the checks of a
GPU."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

CODE = re.compile(r"`([\w.*/-]+/[\w.*/-]*)`")
CHECK = re.compile(r'\{\s*"([^"]*)",\s*((?:"[^"]*"\s*)+),')


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


if __name__ == "__main__":
    unittest.main()
