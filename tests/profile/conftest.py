# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

import os

import pytest


@pytest.fixture
def windows(on_mesa, display):
    """A function of a device: the environment of programs with windows."""
    def environment(device):
        return on_mesa(device).environment({**os.environ, "DISPLAY": display})
    return environment
