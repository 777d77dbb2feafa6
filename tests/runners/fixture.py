# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A fixture for tests with files."""

import os
import tempfile
import unittest


class FilesTest(unittest.TestCase):
    """A test with files in a temporary directory."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def write(self, name, text):
        """Writes a file, which may be a program, and returns its path."""
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(path, 0o755)
        return path
