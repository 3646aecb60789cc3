"""The page about the five documents: every path of it leads somewhere, and its diagram is played."""

import re

import pytest

from playing import HOUSE
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.games import open_room
from trine.games.arimaa.diagrams import NAMED_POSITIONS
from trine.play.record.explained import explained

PAGE = (HOUSE / "docs" / "why" / "documents.md").read_text(encoding="utf-8")
PATH = re.compile(r"`/(learn|rules|about)/(\w+)(?:/([\w-]+)(?:[/#]([\w-]+))?)?`")
CITED = [
    (statement, *path)
    for statement, shown in re.findall(r"^\| (.+) \| (.+) \|$", PAGE, re.MULTILINE)
    for path in PATH.findall(shown)
]
COMMON = re.compile(
    "also|been|each|from|games?|goes|have|into|itself|onto|other|piece|player|such|than|that|their|"
    "them|they|this|turns?|what|when|which|with"
)
"""Words of many statements, which show nothing."""
ROW = re.compile(r"^\| (\d+) \|.*\| `(.+)` \| (\w+) \| (\w+) \| (\w+) \|$", re.MULTILINE)
SENTENCES = [
    (number, line, mover, rules, verdict)
    for number, line, mover, *verdicts in ROW.findall(PAGE)
    for rules, verdict in zip(("diagonal", "classic"), verdicts, strict=True)
]


def cited_text(kind: str, game: str, rules: str, name: str) -> str:
    """Return what a path of the page leads to: a clause, a lesson, or all about a game."""
    room = open_room(game)
    if kind == "about":
        return " ".join(map(str, room.handbook.about))
    if name == "record":
        return " ".join(f"{line} {meaning}" for line, meaning in explained(rules))
    if kind == "rules":
        clause = room.rulebook(rules)[int(name.removeprefix("clause-")) - 1]
        return f"{clause.chapter} {clause.words} {clause.reading or ''}"
    (lesson,) = (one for one in room.lessons(rules) if one.name == name)
    return " ".join(map(str, (lesson.title, lesson.words, lesson.task, *lesson.quotes)))


def roots(words: str) -> set[str]:
    """Return the first letters of telling words."""
    found = re.findall("[a-z]{4,}", words.lower())
    return {word[:4] for word in found if not COMMON.fullmatch(word)}


def test_every_path_leads_to_a_text_with_words_of_the_row() -> None:
    assert len(CITED) > 90
    for statement, *path in CITED:
        found = cited_text(*path)
        assert roots(statement) & roots(found), (statement, path, found)


def test_sentences_about_the_diagram_hold() -> None:
    room = open_room("arimaa")
    assert SENTENCES
    for number, line, mover, rules, verdict in SENTENCES:
        position = NAMED_POSITIONS["diagram"].replace("2g", "2s" if mover == "Silver" else "2g")
        play = Play(room, room.rules.parse_position(position, rules))
        if verdict == "refused":
            with pytest.raises(IllegalError):
                play.enter(line)
            continue
        play.enter(line)
        assert (play.outcome is not None) == (verdict == "wins"), number
