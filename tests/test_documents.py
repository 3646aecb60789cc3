"""The page about the five documents: every path of it leads somewhere, and its diagram is played."""

from __future__ import annotations

import re

import pytest

from playing import HOUSE
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.games import OWN, open_room
from trine.games.arimaa.diagrams import NAMED_POSITIONS

PAGE = (HOUSE / "docs" / "documents.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`/(learn|rules)/(\w+)/([\w-]+)(?:[/#]([\w-]+))?`", PAGE)))
ROW = re.compile(r"^\| (\d+) \|.*\| `(.+)` \| (\w+) \| (\w+) \| (\w+) \|$", re.MULTILINE)
SENTENCES = [
    (number, line, mover, rules, verdict)
    for number, line, mover, *verdicts in ROW.findall(PAGE)
    for rules, verdict in zip(("diagonal", "classic"), verdicts, strict=True)
]


def test_the_page_has_a_row_for_each_statement() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    assert len(rows) >= 90
    assert len(PATHS) >= 60
    assert len(SENTENCES) == 36
    assert {game for _, game, _, _ in PATHS} == set(OWN)


@pytest.mark.parametrize(("kind", "game", "rules", "name"), PATHS)
def test_a_path_leads_to_a_lesson_or_a_clause(kind: str, game: str, rules: str, name: str) -> None:
    room = open_room(game)
    assert rules in room.rule_sets
    if kind == "learn" and name:
        assert name in {lesson.name for lesson in room.lessons(rules)}
    elif name:
        assert int(name.removeprefix("clause-")) <= len(room.rulebook(rules))


@pytest.mark.parametrize(("number", "line", "mover", "rules", "verdict"), SENTENCES)
def test_a_sentence_about_the_diagram_holds(
    number: str, line: str, mover: str, rules: str, verdict: str
) -> None:
    room = open_room("arimaa")
    position = NAMED_POSITIONS["diagram"].replace("2g", "2s" if mover == "Silver" else "2g")
    play = Play(room, room.rules.parse_position(position, rules))
    if verdict == "refused":
        with pytest.raises(IllegalError):
            play.enter(line)
        return
    play.enter(line)
    assert (play.outcome is not None) == (verdict == "wins"), number
