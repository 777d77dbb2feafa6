# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The Mesa that a run is given, reached through a launcher: src/mesa/run."""

import hashlib
import os
import re
import subprocess
import sys

from errors import RunError

VERSION = "25.0.7"
# What GL_RENDERER begins with.
RENDERERS = {
    "llvmpipe": "llvmpipe",
    "softpipe": "softpipe",
    "zink": "zink Vulkan",
    "iris": "Mesa Intel",
    "radeonsi": "AMD",
}

# Guards against what never ends: these programs take a second.
HANG_GUARD_S = 3600

# Loads GLX the way libglvnd does and says which driver library came with it.
LIBRARY_PROBE = """
import ctypes
ctypes.CDLL("libGLX_mesa.so.0")
with open("/proc/self/maps") as maps:
    print(next(line.split()[-1] for line in maps if "libgallium" in line))
"""


class Mesa:
    """One side of the comparison: a driver, on Mesa with or without Pitot.

    A simulated GPU has no windows: all is done without them there.
    """

    def __init__(self, launcher, device, stock):
        self.launcher = launcher
        self.device = device
        self.stock = stock
        self.glx = not device.gpu
        self.name = "stock Mesa" if stock else "Mesa with Pitot"

    def command(self, arguments):
        """The command line that runs a GL program on this Mesa."""
        return [self.launcher, *self.device.options(self.stock), *arguments]

    def output_of(self, arguments, env):
        """What a program prints when it runs on this Mesa."""
        try:
            done = subprocess.run(self.command(arguments), env=env,
                                  stdout=subprocess.PIPE, text=True,
                                  timeout=HANG_GUARD_S)
        except OSError as error:
            raise RunError(f"cannot start {self.launcher}: {error.strerror}")
        except subprocess.TimeoutExpired:
            raise RunError(f"{os.path.basename(arguments[0])} does not end "
                           f"on {self.name} with {self.device}")
        if done.returncode != 0:
            raise RunError(f"{os.path.basename(arguments[0])} failed on "
                           f"{self.name} with {self.device} "
                           f"(status {done.returncode})")
        return done.stdout

    def check(self, env):
        """Refuses a GL that is not the Mesa and the driver asked for."""
        platform = "glx" if self.glx else "surfaceless_egl"
        text = self.output_of(["wflinfo", "--platform", platform,
                               "--api", "gl"], env)
        strings = dict(line.split(": ", 1) for line in text.splitlines()
                       if ": " in line)
        version = strings.get("OpenGL version string", "")
        renderer = strings.get("OpenGL renderer string", "")
        if not re.search(rf"Mesa {re.escape(VERSION)}\b", version):
            raise RunError(f"wanted Mesa {VERSION} but {self.launcher} gives "
                           f"GL '{version}'")
        if not renderer.startswith(RENDERERS[self.device.driver]):
            raise RunError(f"wanted {self.device} but {self.launcher} gives "
                           f"'{renderer}'")

    def identity(self, env):
        """The checksum of the driver library, which names this very build."""
        path = self.output_of([sys.executable, "-c", LIBRARY_PROBE],
                              env).strip()
        with open(path, "rb") as library:
            return hashlib.sha256(library.read()).hexdigest()
