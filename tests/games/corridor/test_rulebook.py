"""The rule book of Corridor: whole sentences, known rule sets, each rule where it holds."""

from __future__ import annotations

from itertools import groupby

import pytest

from trine.core.contract.clause import Clause
from trine.games import open_room
from trine.games.corridor.rules import RULE_SETS
from trine.games.corridor.view.rulebook import CLAUSES

rulebook = open_room("corridor").rulebook


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda clause: str(clause.words)[:30])
def test_clauses_are_whole_sentences_of_known_rule_sets(clause: Clause) -> None:
    assert str(clause.words).endswith(".")
    assert clause.reading is None or str(clause.reading).endswith(".")
    assert str(clause.source)
    assert set(clause.only) <= set(RULE_SETS)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_chapter_stands_in_one_place(rules: str) -> None:
    clauses = rulebook(rules)
    chapters = [str(chapter) for chapter, _ in groupby(clauses, key=lambda one: one.chapter)]
    assert len(chapters) == len(set(chapters))
    assert len({str(clause.words) for clause in clauses}) == len(clauses)


def said(rules: str) -> str:
    return " ".join(str(clause.words) for clause in rulebook(rules))


def test_each_rule_set_says_what_only_it_has() -> None:
    for name, rules in RULE_SETS.items():
        book = said(name)
        assert ("No wall may complete a connected line" in book) == rules.great_wall
        assert ("No wall may shut a pawn off" in book) != rules.walls_may_shut
        assert ("chooses the square" in book) == rules.chooses_start
        assert ("as long as two squares" in book) == (rules.wall_length == 2)
        assert "leaves the play" in book
        assert ("pawns of all who play are trapped" in book) == rules.walls_may_shut


def test_the_walls_of_each_are_those_that_are_dealt() -> None:
    dealt = {name: rules.walls_each(9, 2) for name, rules in RULE_SETS.items()}
    assert dealt == {"quoridor": 10, "corridor": 10, "corridor-8": 8, "great-wall": None}
    assert "ten walls if two play, five if four play" in said("quoridor")
    assert "Each player has ten walls." in said("corridor")
    assert "eight on the board of nine" in said("corridor-8")
    assert "not limited" in said("great-wall")


def test_readings_are_told() -> None:
    for rules in RULE_SETS:
        assert any(clause.reading for clause in rulebook(rules))
