# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Checks that what the documents refer to exists: paths, pages, headings."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

CODE = re.compile(r"`([\w.*/-]+/[\w.*/-]*)`")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#?([^)]*)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def documents():
    return [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]


def reports():
    return [*(ROOT / "docs" / "reports").glob("*.md")]


def anchors(document):
    """Returns the names of a page's headings in links, as GitHub makes them."""
    return [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
            for heading in HEADING.findall(document.read_text())]


class Paths(unittest.TestCase):
    """The files that README.md and docs/ name exist."""

    def test_paths_exist(self):
        for document in documents():
            for path in CODE.findall(document.read_text()):
                if re.match(r"(src|tests|include|docs)/(?!.*[A-Z]{3})", path):
                    self.assertTrue(list(ROOT.glob(path.rstrip("/"))),
                                    f"{document.name}: {path}")

class Links(unittest.TestCase):
    """The pages and headings that the documents link to exist."""

    def test_targets_exist(self):
        for document in documents() + reports():
            for path, anchor in LINK.findall(document.read_text()):
                target = (document.parent / path) if path else document
                where = f"{document.name}: {path}#{anchor}"

                self.assertTrue(target.exists(), where)
                if anchor:
                    self.assertIn(anchor, anchors(target), where)

