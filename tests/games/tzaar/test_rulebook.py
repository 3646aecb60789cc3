"""The rule book of TZAAR: whole sentences, each with its source, each rule set its own turn."""

from __future__ import annotations

import pytest

from trine.games import open_room
from trine.games.tzaar.rules import RULE_SETS
from trine.games.tzaar.view.rulebook import CLAUSES

rulebook = open_room("tzaar").rulebook


@pytest.mark.parametrize("rules", RULE_SETS)
def test_clauses_are_whole_sentences_with_a_source(rules: str) -> None:
    for clause in rulebook(rules):
        assert str(clause.words).endswith(".")
        assert str(clause.words)[0].isupper()
        assert str(clause.source)
        assert clause.reading is None or str(clause.reading).endswith(".")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_chapter_is_never_taken_up_again(rules: str) -> None:
    chapters = [str(clause.chapter) for clause in rulebook(rules)]
    begun = [
        here for before, here in zip(["", *chapters], chapters, strict=False) if here != before
    ]
    assert len(begun) == len(set(begun)) == 6


def test_clauses_belong_to_rule_sets_that_exist() -> None:
    for clause in CLAUSES:
        assert set(clause.only) <= set(RULE_SETS)


def test_the_rule_sets_differ_in_the_first_turn_of_white_and_nowhere_else() -> None:
    official, open_ = ({str(clause.words) for clause in rulebook(name)} for name in RULE_SETS)
    (only_official,), (only_open,) = official - open_, open_ - official
    assert "one capture and nothing else" in only_official
    assert "Every turn is two actions" in only_open
    assert RULE_SETS["official"].first_turn_single
    assert not RULE_SETS["open"].first_turn_single


def test_open_names_the_russian_document_and_its_reading() -> None:
    (clause,) = [clause for clause in CLAUSES if clause.only == ("open",)]
    assert str(clause.source) == "Russian document"
    assert clause.reading
