"""The language of docstrings and comments: hard patterns may only become fewer."""

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest
from sample_docstrings import SOURCES, passages

PREPOSITIONS: Final = (
    "about|after|against|among|at|before|behind|below|between|by|during|for|from|in|into|of|on|over"
    "|through|to|under|until|upon|with|within|without"
)
HARD: Final = re.compile(
    rf"\b(?:{PREPOSITIONS}) which\b"
    r"|\b(?:who(?:m|se)?ever|(?:some|any|every)body|nobody|someone|anyone|no one)\b"
    r"|^(?:The same|Those of|Do the same|The error of)\b"
    r"|^(?:Who|What|How|Where|When|Which|Its?|They|Whether (?:it|they))\b"
    r"|\bArgs: ``\w+`` (?!are\b|has\b|have\b|is\b)\w+"
    r"|\b(?:alone|strangers?|so many|so much|are no longer than|told)\b",
    re.IGNORECASE,
)
"""A preposition with "which"; a person without a role; a beginning that needs the line before, or
asks; a parameter as a sentence's subject; words with a plainer one."""
VAGUE: Final = "told"
"""A name that says nothing about its value."""
MOST: Final = {"cli": 0, "core": 1, "engine": 0, "games": 13, "house": 25, "play": 0}
"""The number of these patterns in each package. They may only fall: lower them with each mending."""
SLACK: Final = 20
"""How far a count may fall before `MOST` must be lowered."""


def hard_passages(folder: str) -> Iterator[str]:
    """Yield the hard patterns, from the files that were changed last first."""
    paths = (SOURCES / folder).rglob("*.py")
    for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
        place = path.relative_to(SOURCES)
        for passage in passages(path):
            for found in HARD.finditer(passage.text):
                yield f"{place}:{passage.line}: {found[0]}"
        yield from (f"{place}:{line}: {VAGUE}" for line in vague_names(path.read_text("utf-8")))


def vague_names(source: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.Name(id="told", ctx=ast.Store())
                | ast.Attribute(attr="told", ctx=ast.Store())
                | ast.FunctionDef(name="told")
            ):
                yield node.lineno
            case ast.arg(arg="told"):
                yield node.lineno


@pytest.mark.parametrize("folder", MOST)
def test_hard_passages_only_become_fewer(folder: str) -> None:
    found, most = list(hard_passages(folder)), MOST[folder]
    newest = "\n".join(found[:20])
    assert len(found) <= most, f"{len(found)}, not {most}; see CONTRIBUTING.md. Newest:\n{newest}"
    assert len(found) >= most - SLACK, f"lower MOST[{folder!r}] to {len(found)}"


def test_every_package_is_read() -> None:
    folders = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    assert folders == MOST.keys()


@pytest.mark.parametrize(
    "words",
    [
        "The place in which it is.",
        "Whoever asks waits.",
        "The same, but later.",
        "The error of it.",
        "What it counts.",
        "Whether it is over.",
        "Open a file. Args: ``name`` gives it a name.",
        "A rabbit runs alone.",
    ],
)
def test_hard_words_are_found(words: str) -> None:
    assert HARD.search(words)
    assert not HARD.search("Return the place of a game, which is unloaded.")
