# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A change of a source or a header of the layers."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

# The layers in a build's test programs.
LAYERS = ("core", "gl", "perf", "pipe", "pipe_driver", "hw", "drm", "profile",
          "info")


class Mutant(NamedTuple):
    """edits: (start, end, new text), in order."""
    path: str
    line: int
    name: str
    edits: tuple

    def layer(self):
        """Most public headers are core's; the others are named after their
        layer."""
        where, layer, name = self.path.split("/", 2)
        if where == "src":
            return layer
        found = [layer for layer in LAYERS if re.match(rf"{layer}[_.]", name)]
        return max(found, key=len, default="hw" if name == "cs.h" else "core")

    def __str__(self):
        return f"{self.path}:{self.line}: {self.name}"

    def apply(self, text):
        for start, end, new in reversed(self.edits):
            text = text[:start] + new + text[end:]
        return text
