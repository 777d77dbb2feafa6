# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Mutants of a source or a header, changed in one place each."""

import re

from tests.power.mutant import Mutant

# The percentage of each layer's mutants that the tests must kill: the others
# change nothing, or a test is missing.
REQUIRED_PERCENT = {"core": 96, "gl": 96, "perf": 96, "pipe": 93, "hw": 93,
                    "drm": 93, "pipe_driver": 93, "profile": 90, "info": 85}


# Not mutated: comments, preprocessor lines, literals and assertions.
BLANKED = re.compile(r"""/\*.*?\*/ | //[^\n]* | ^[ ]*\#(?:\\\n|[^\n])*
    | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \b(?:static_)?assert\([^;]*;""",
                     re.VERBOSE | re.DOTALL | re.MULTILINE)

# In the project's format: a function's body, or a table's value.
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


def name_of(code, blanked):
    """The function or table of a match of CODE."""
    if table := TABLE.match(blanked, blanked.rfind("\n", 0, code.start()) + 1):
        return table[1]
    if not code.group().startswith("{"):
        return TABLE.search(code.group())[1]
    return FUNCTION.findall(blanked, 0, code.start())[-1]


def mutate(path, function, text, start, end, new):
    """Keeps the line numbers, which assertions print."""
    new += "\n" * (text.count("\n", start, end) - new.count("\n"))
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    before = " ".join(text[first:last].split())
    after = " ".join((text[first:start] + new + text[end:last]).split())
    return Mutant(path, text.count("\n", 0, start) + 1,
                  f"{function}: {before} -> {after}", ((start, end, new),))


def edits_of(text):
    """Yields (function, start, end, texts) for each place."""
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
    """Yields a list of mutants for each place of a source."""
    for function, start, end, texts in edits_of(text):
        yield [mutate(path, function, text, start, end, new) for new in texts]
