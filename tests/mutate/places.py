# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The mutants of a source or a header: changes of it, in one place each.

A mutant of a list (kept.txt, equivalent.txt) is a line

    PATH: FUNCTION: BEFORE -> AFTER

where BEFORE and AFTER are the changed lines without indentation, and a table
is named in place of a function. The second of two that are the same ends with
" (2)". The reason is in the comment above it.
"""

import collections
import re
from typing import NamedTuple

from runners.command import RunError
from runners.lists import read_lines


# The layers, and the share of their mutants to be killed, of those that make a
# difference.
REQUIRED_PERCENT = {"core": 98, "gl": 98, "perf": 98, "pipe": 95, "hw": 95,
                    "drm": 95, "pipe_driver": 95, "profile": 95}


class Mutant(NamedTuple):
    """before and after are whole lines; text[start:end] becomes new."""
    path: str
    function: str
    before: str
    after: str
    start: int
    end: int
    new: str

    def layer(self):
        """That of the name, of a public header; most are core's."""
        where, layer, name = self.path.split("/", 2)
        if where == "src":
            return layer
        found = [layer for layer in REQUIRED_PERCENT
                 if re.match(rf"{layer}[_.]", name)]
        return max(found, key=len, default="hw" if name == "cs.h" else "core")

    def __str__(self):
        return f"{self.path}: {self.function}: {self.before} -> {self.after}"

    def apply(self, text):
        return text[:self.start] + self.new + text[self.end:]


# Nothing in these is changed: comments, preprocessor lines, literals and
# assertions.
BLANKED = re.compile(r"""/\*.*?\*/ | //[^\n]* | ^[ ]*\#(?:\\\n|[^\n])*
    | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \b(?:static_)?assert\([^;]*;""",
                     re.VERBOSE | re.DOTALL | re.MULTILINE)

# In the project's format: the body of a function, or the value of a table.
CODE = re.compile(r"^\{\n.*?^\}|^\w[^;{}()]*=[^;]*;", re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"^(\w+)\(", re.MULTILINE)
TABLE = re.compile(r"(\w+)\s*(?:\[[^]]*\]\s*)*=")

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


# A number is not calloc()'s of objects: memory for more does no harm.
NUMBER = r"(?<!calloc\() (0[xX][\da-fA-F]+[uUlL]* | \d+[uUlL]*) (?![\w.])"

# The text of group 1 is replaced by one of the texts that the function
# returns. An operator between spaces has two operands; a statement begins a
# line and follows another one, a label, a brace or a condition.
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


def name_of(code, blanked):
    """The name of the function or the table of a match of CODE."""
    if table := TABLE.match(blanked, blanked.rfind("\n", 0, code.start()) + 1):
        return table[1]
    if not code.group().startswith("{"):
        return TABLE.search(code.group())[1]
    return FUNCTION.findall(blanked, 0, code.start())[-1]


def mutate(path, function, text, start, end, new):
    """Keeps the numbers of the lines, which assertions print."""
    new += "\n" * (text.count("\n", start, end) - new.count("\n"))
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    after = text[first:start] + new + text[end:last]
    return Mutant(path, function, " ".join(text[first:last].split()),
                  " ".join(after.split()), start, end, new)


def edits_of(text):
    """Yields (name of the function, start, end, texts) for each place."""
    blanked = BLANKED.sub(blank, text)
    for code in CODE.finditer(blanked):
        function = name_of(code, blanked)
        for pattern, texts in EDITS:
            for match in pattern.finditer(blanked, *code.span()):
                start, end = match.span(1)
                old = text[start:end]
                # A constant after "return" counts once.
                if texts != other_values or not (old in SWAPS or
                                                 old.isdigit()):
                    yield function, start, end, [new for new in texts(old)
                                                 if new != old]


def mutants_of(path, text):
    """Yields, for each place of a source, the list of its mutants."""
    lines = collections.Counter()

    def numbered(mutant):
        lines[str(mutant)] += 1
        number = lines[str(mutant)]
        return mutant if number == 1 else mutant._replace(
            after=f"{mutant.after} ({number})")

    for function, start, end, texts in edits_of(text):
        yield [numbered(mutate(path, function, text, start, end, new))
               for new in texts]


def read_list(path, known):
    """Returns {line: place} of a list of mutants. known: the lines of all
    mutants that there are."""
    found = {}
    for place, line in read_lines(path):
        if line in found:
            raise RunError(f"{place}: the same mutant as {found[line]}")
        if line not in known:
            raise RunError(f"{place}: there is no such mutant any more: "
                           f"{line}")
        found[line] = place
    return found
