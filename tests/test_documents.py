"""The page about the five documents: every path of it leads somewhere, and its diagram is played."""

from __future__ import annotations

import re

import pytest

from playing import HOUSE
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.games import open_room
from trine.games.arimaa.diagrams import NAMED_POSITIONS

PAGE = (HOUSE / "docs" / "why" / "documents.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`/(learn|rules)/(\w+)/([\w-]+)(?:[/#]([\w-]+))?`", PAGE)))
ROW = re.compile(r"^\| (\d+) \|.*\| `(.+)` \| (\w+) \| (\w+) \| (\w+) \|$", re.MULTILINE)
SENTENCES = [
    (number, line, mover, rules, verdict)
    for number, line, mover, *verdicts in ROW.findall(PAGE)
    for rules, verdict in zip(("diagonal", "classic"), verdicts, strict=True)
]


def test_paths_lead_to_a_lesson_or_a_clause() -> None:
    assert PATHS
    for kind, game, rules, name in PATHS:
        room = open_room(game)
        assert rules in room.rule_sets
        if kind == "learn" and name:
            assert name in {lesson.name for lesson in room.lessons(rules)}
        elif name == "record":
            assert game == "arimaa"
        elif name:
            assert int(name.removeprefix("clause-")) <= len(room.rulebook(rules))


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
