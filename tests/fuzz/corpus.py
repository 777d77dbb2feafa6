# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The fuzzers' corpora: an input in hexadecimal digits on each line. Inputs
before the last empty line have comments, and stay."""

import os

FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "corpus")


def path_of(name):
    return os.path.join(FOLDER, f"{name}.txt")


def names():
    """The fuzzers that have a corpus."""
    return sorted(entry[:-len(".txt")] for entry in os.listdir(FOLDER)
                  if entry.endswith(".txt"))


def is_input(line):
    return bool(line.strip()) and not line.startswith("#")


def read(path):
    """The lines before the inputs that a search found, and all inputs."""
    with open(path, encoding="ascii") as lines:
        text = lines.read()
    named = text[:text.rindex("\n\n") + 2]
    inputs = [bytes.fromhex(line) for line in text.splitlines()
              if is_input(line)]
    return named, inputs


def replace(path, inputs):
    """Replaces the inputs that a search found; commented inputs stay."""
    named, _ = read(path)
    kept = set(filter(is_input, named.splitlines()))
    with open(path, "w", encoding="ascii") as stream:
        stream.write(named)
        stream.writelines(f"{data.hex()}\n" for data in inputs
                          if data.hex() not in kept)


def write_inputs(folder, inputs):
    """Writes inputs as files, for libFuzzer."""
    os.makedirs(folder)
    for number, data in enumerate(inputs):
        with open(os.path.join(folder, f"{number:04}"), "wb") as stream:
            stream.write(data)


def read_inputs(folder):
    """The inputs that libFuzzer wrote, the shortest first."""
    found = []
    for entry in os.listdir(folder):
        with open(os.path.join(folder, entry), "rb") as stream:
            found.append(stream.read())
    return sorted(filter(None, found), key=lambda data: (len(data), data))
