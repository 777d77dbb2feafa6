# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The fixture of the runners' own tests (selftest.py)."""

import os
import tempfile
import unittest


class FilesTest(unittest.TestCase):
    """A test with files in a directory of its own."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def write(self, name, text):
        """Writes a file, which a program may be; returns its path."""
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(path, 0o755)
        return path
