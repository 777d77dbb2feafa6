# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Programs on Mesa, with or without Pitot, started by src/mesa/run."""

import functools
import hashlib
import os
import re
import subprocess
import sys
from typing import NamedTuple

from .command import RunError
from .devices import RENDERERS, ROOT, VERSION, Device, default

RUN = os.path.join(ROOT, "src", "mesa", "run")
# The value of --gpu for the CPU, for drivers that could also use a GPU.
GPUS_OF_CPU = {"zink": "lavapipe"}

# For a program that hangs: they take seconds on an idle machine.
HANG_GUARD_S = 3600

# Loads GLX like libglvnd, and prints the driver library that was loaded.
LIBRARY_PROBE = """
import ctypes
ctypes.CDLL("libGLX_mesa.so.0")
with open("/proc/self/maps") as maps:
    print(next(line.split()[-1] for line in maps if "libgallium" in line))
"""


@functools.lru_cache(maxsize=None)
def launched_environment(command, env):
    """{name: value} from a launcher. env: the launcher's own, as pairs."""
    try:
        done = subprocess.run([*command, "env", "-0"], env=dict(env),
                              text=True, errors="replace",
                              timeout=HANG_GUARD_S, stdout=subprocess.PIPE)
    except OSError as error:
        raise RunError(f"cannot start {command[0]}: {error.strerror}")
    if done.returncode != 0:
        raise RunError(f"{' '.join(command)} failed (status "
                       f"{done.returncode})")
    return dict(line.split("=", 1) for line in done.stdout.split("\0")[:-1])


class Mesa(NamedTuple):
    """A device, on Mesa with or without Pitot."""
    device: Device
    stock: bool
    launcher: str = RUN

    def __str__(self):
        return (f"{'stock Mesa' if self.stock else 'Mesa with Pitot'} with "
                f"{self.device}")

    def command(self, arguments):
        """The command of a GL program; without --gpu on the computer's GPU."""
        gpu = self.device.gpu or GPUS_OF_CPU.get(self.device.driver)
        return [self.launcher, "--driver", self.device.driver,
                *(["--gpu", gpu] if gpu and not self.device.is_machine()
                  else []),
                *(["--stock"] if self.stock else []), *arguments]

    def environment(self, env=None):
        """{name: value} for GL programs. One launch per driver, which takes
        longer than many programs: simulated GPUs differ only in PITOT_SIM."""
        env = os.environ if env is None else env
        # pytest's variable is another one in each test.
        pairs = tuple(sorted((name, value) for name, value in env.items()
                             if name != "PYTEST_CURRENT_TEST"))
        is_alike = self.device.is_simulated() and not self.device.is_machine()
        asked = (self._replace(device=default(self.device.driver))
                 if is_alike else self)
        found = dict(launched_environment(tuple(asked.command([])), pairs))
        if is_alike:
            found["PITOT_SIM"] = self.device.gpu
        return found

    def run(self, arguments, env=None, **options):
        """Runs a program to its end; returns the completed process."""
        try:
            return subprocess.run(arguments, env=self.environment(env),
                                  text=True, errors="replace",
                                  timeout=HANG_GUARD_S,
                                  stdout=subprocess.PIPE, **options)
        except OSError as error:
            raise RunError(f"cannot start {arguments[0]}: {error.strerror}")
        except subprocess.TimeoutExpired:
            raise RunError(f"{os.path.basename(arguments[0])} does not end "
                           f"on {self}")

    def output_of(self, arguments, **options):
        """The output of a program, which must succeed."""
        done = self.run(arguments, **options)
        if done.returncode != 0:
            raise RunError(f"{os.path.basename(arguments[0])} failed on "
                           f"{self} (status {done.returncode})")
        return done.stdout

    def check(self, platform, env):
        """Stops unless GL is this Mesa and driver."""
        text = self.output_of(["wflinfo", "--platform", platform,
                               "--api", "gl"], env=env)
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
        """The checksum of the driver library, which identifies the build."""
        path = self.output_of([sys.executable, "-c", LIBRARY_PROBE],
                              env=env).strip()
        with open(path, "rb") as library:
            return hashlib.sha256(library.read()).hexdigest()
