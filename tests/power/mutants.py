# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Mutants of a source or a header: changed in one place each, or without one
lock or atomic access."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

# The layers in a build's test programs, and the percentage of each one's
# mutants that tests must kill: the others change nothing, or a test is missing.
REQUIRED_PERCENT = {"core": 96, "gl": 96, "perf": 96, "pipe": 93,
                    "pipe_driver": 93, "hw": 93, "drm": 93, "profile": 90,
                    "info": 85}
LAYERS = tuple(REQUIRED_PERCENT)

# Of locks and atomic accesses. The others order nothing: only one thread
# writes the data it reads, or another lock or access orders it already.
REQUIRED_PERCENT_OF_LOCKS = {"core": 80, "hw": 75, "drm": 70,
                             "pipe_driver": 90, "profile": 0}

# Not mutated: comments, preprocessor lines, literals and assertions.
BLANKED = re.compile(r"""/\*.*?\*/ | //[^\n]* | ^[ ]*\#(?:\\\n|[^\n])*
    | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \b(?:static_)?assert\([^;]*;""",
                     re.VERBOSE | re.DOTALL | re.MULTILINE)

# In the project's format: a function's body, or a table's value.
CODE = re.compile(r"^\{\n.*?^\}|^\w[^;{}()]*=[^;]*;", re.DOTALL | re.MULTILINE)

LOCK = re.compile(r"\bpthread_mutex_(?:un)?lock\(")
ATOMIC = re.compile(r"\b(?:__)?atomic_(?=(?:load|store|exchange|compare))")

SWAPS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "+": ("-",), "-": ("+",), "+=": ("-=",), "-=": ("+=",),
    "&": ("|",), "|": ("&",), "&=": ("|=",), "|=": ("&=",),
    "<<": (">>",), ">>": ("<<",), "<<=": (">>=",), ">>=": ("<<=",),
    "++": ("--",), "--": ("++",), "!": ("",),
    "true": ("false",), "false": ("true",),
}


def swapped(text):
    return SWAPS[text]


def other_numbers(text):
    """0, and the next number."""
    value, suffix = re.fullmatch(r"(0x[\da-f]+|\d+)(\w*)", text,
                                 re.IGNORECASE).groups()
    is_hex = value.lower().startswith("0x")
    following = int(value, 16 if is_hex else 10) + 1
    text = hex(following) if is_hex else str(following)
    return ("0" + suffix, text + suffix)


def negated(text):
    return (f"!({text})",)


def other_values(text):
    return ("0", *negated(text))


def nothing(_):
    return ("{}",)


# Except for calloc()'s number of objects: more memory does no harm.
NUMBER = r"(?<!calloc\() (0[xX][\da-fA-F]+[uUlL]* | \d+[uUlL]*) (?![\w.])"

# Group 1 is replaced by one of the texts that the function returns. An
# operator between blanks has two operands; a statement is at the start of a
# line, after a statement, label, brace or condition.
EDITS = [(re.compile(pattern, re.VERBOSE | re.DOTALL), texts)
         for pattern, texts in (
    (r"(?<=[ ]) ([<>]=? | [=!]= | && | \|\| | (?:<<|>>)=? | [-+&|]=?) (?=\s)",
     swapped),
    (r"(\+\+ | -- | !(?!=) | \b(?:true|false)\b)", swapped),
    (r"(?<![\w.])" + NUMBER, other_numbers),
    (r"\b(?:if|while)[ ]\( ([^;{}]*?) \)(?:[ ]\{)?\n", negated),
    (r"\breturn\s+ ([^;]+) ;", other_values),
    (r"""(?:[;:{})] | \belse | \bdo) (?=\s*\n\s+ (
         (?!(?:if|for|while|switch|return|sizeof)\b)
         (?:\*|\+\+|--)? \w+ (?: (?:->|\.)\w+ | \[[^;{}]*?\] )*
         (?: \( | [ ](?:[-+*/|&^]|<<|>>)?= | \+\+ | -- ) [^;]*; ))""",
     nothing),
)]


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def blanked(text):
    return BLANKED.sub(blank, text)


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


def mutant_of(path, text, *edits):
    """Keeps the line numbers, which assertions print."""
    edits = tuple((start, end, new + "\n" * (
        text.count("\n", start, end) - new.count("\n")))
                  for start, end, new in edits)
    start, end, new = edits[0]
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    before, after = (" ".join(words.split()) for words in (
        text[first:last], text[first:start] + new + text[end:last]))
    return Mutant(path, text.count("\n", 0, start) + 1,
                  f"{before} -> {after}", edits)


def mutants_of(path, text):
    """Yields a list of mutants for each place of a source."""
    code = blanked(text)
    for part in CODE.finditer(code):
        for match, texts in ((match, texts) for pattern, texts in EDITS
                             for match in pattern.finditer(code,
                                                           *part.span())):
            start, end = match.span(1)
            old = text[start:end]
            # A constant after "return" counts once.
            if texts != other_values or not (old in SWAPS or old.isdigit()):
                yield [mutant_of(path, text, (start, end, new))
                       for new in texts(old) if new != old]


def locks_of(path, text):
    """Yields a list of one mutant for each lock, without it and the next
    unlock (!(address) is 0, the result of a successful call), and for each
    atomic access, which becomes a plain one of plain.h."""
    code = blanked(text)
    locks = list(LOCK.finditer(code))
    for lock, unlock in zip(locks, locks[1:]):
        if "unlock" not in lock[0] and "unlock" in unlock[0]:
            yield [mutant_of(path, text, (*lock.span(), "!("),
                             (*unlock.span(), "!("))]
    for access in ATOMIC.finditer(code):
        yield [mutant_of(path, text, (*access.span(), "plain_"))]
