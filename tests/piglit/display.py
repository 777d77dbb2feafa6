# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A virtual X display.

Every test runs on GLX: on surfaceless EGL the tests that draw to a window
crash, and those that do not are no faster there.
"""

import contextlib
import os
import subprocess

from errors import RunError


def start_server():
    """Starts Xvfb on a free display; returns the process and its number."""
    number_fd, server_fd = os.pipe()
    # Without -noreset the server starts anew when its last client leaves,
    # and turns away the test that connects in that moment.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(server_fd), "-noreset", "-nolisten",
         "tcp", "-screen", "0", "1280x1024x24"],
        pass_fds=[server_fd], stderr=subprocess.DEVNULL)
    os.close(server_fd)
    # The number comes once the server accepts clients, nothing if it died.
    with os.fdopen(number_fd) as numbers:
        number = numbers.readline().strip()
    return server, number


@contextlib.contextmanager
def virtual_display():
    """Gives the name of a display of our own, such as ':99'."""
    server, number = start_server()
    try:
        if not number:
            raise RunError("Xvfb did not start: run 'Xvfb -displayfd 1' "
                           "to see why")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
