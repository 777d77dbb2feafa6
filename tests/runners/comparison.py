# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Compares Mesa with Pitot and stock Mesa, whose results are cached, on a
virtual X display."""

import contextlib
import hashlib
import os
import subprocess
import tempfile

from . import mesa
from .command import RunError
from .verdict import Verdict, rejudge

# Reruns of lost cases.
RERUNS = 2
# More lost cases do not run one by one: they are not flakes, and it takes
# long.
ALONE_LIMIT = 20


class Comparison:
    """A comparison on one device; runners implement findings()."""

    def __init__(self, launcher, device, platform, env, expectations):
        self.device = device
        self.expectations = expectations
        self.pitot = mesa.Mesa(device, False, launcher)
        self.stock = mesa.Mesa(device, True, launcher)
        self.platform = platform
        self.env = env

    def check(self):
        """Stops if the two Mesas are not the expected ones."""
        for side in (self.pitot, self.stock):
            side.check(self.platform, self.env)
        if self.pitot.identity(self.env) == self.stock.identity(self.env):
            raise RunError("stock Mesa and Mesa with Pitot are the same "
                           "build")

    def below_gl(self):
        """Everything below GL that stock Mesa's results depend on: the driver
        library, and for zink the Vulkan driver."""
        return [self.stock.identity(self.env),
                *([package_version("mesa-vulkan-drivers")]
                  if self.device.driver == "zink" else [])]

    def kept(self, kind, name, dependencies, run_stock):
        """A cached file with results of stock Mesa, which are valid as long as
        the dependencies' texts are the same. run_stock() creates it. Results
        of a real GPU also depend on kernel and firmware, and are not cached.
        """
        if self.device.is_machine():
            return run_stock()
        key = hashlib.sha256("".join(dependencies).encode()).hexdigest()
        path = os.path.join(cache_directory(), kind,
                            f"{self.device.file_name()}-{key[:16]}{name}")
        if not os.path.exists(path):
            write_whole(path, run_stock())
        with open(path, "rb") as stream:
            return stream.read()

    def look_again(self, findings, is_right, run_again):
        """The findings after reruns of lost cases (see rejudge).
        run_again(lost findings, attempt) returns {case: status}."""
        for attempt in range(1, RERUNS + 1):
            lost = [finding for finding in findings if finding.is_lost()]
            if not lost:
                break
            findings = rejudge(findings, run_again(lost, attempt), is_right,
                               self.expectations.is_flake)
        return findings


def package_version(package):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
    return done.stdout or "unknown"


def cache_directory():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("PITOT_CACHE") or os.path.join(base, "pitot")


def write_whole(path, content):
    """Writes a file atomically."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(path),
                                     delete=False) as stream:
        stream.write(content)
    os.rename(stream.name, path)


def reason_of(finding):
    """The reason of a verdict in one line; "" for a pass on both."""
    if finding.verdict is Verdict.PASSED:
        return ""
    return "; ".join(filter(None, (
        finding.verdict.label, finding.pitot and f"{finding.pitot} with Pitot",
        finding.stock and f"{finding.stock} on stock Mesa", finding.why)))


@contextlib.contextmanager
def display_environment(machine):
    """Yields the environment of programs, with a virtual display except on a
    real GPU, which could not draw to it."""
    if machine:
        env = dict(os.environ)
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            env.pop(name, None)
        yield env
        return
    with virtual_display() as display:
        yield dict(os.environ, DISPLAY=display)


@contextlib.contextmanager
def virtual_display():
    """Yields the name of a new display, such as ':99'."""
    number_fd, server_fd = os.pipe()
    # Without -noreset the server restarts when its last client leaves, and
    # rejects clients meanwhile.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(server_fd), "-noreset", "-nolisten",
         "tcp", "-screen", "0", "1280x1024x24"],
        pass_fds=[server_fd], stderr=subprocess.DEVNULL)
    os.close(server_fd)
    try:
        # It comes once the server accepts clients, and not if it died.
        with os.fdopen(number_fd) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise RunError("Xvfb did not start: run 'Xvfb -displayfd 1' "
                           "to see why")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
