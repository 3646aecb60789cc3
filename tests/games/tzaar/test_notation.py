"""Actions and positions, written and read."""

import pytest

from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.text.sentence import split_words
from trine.games.tzaar.diagrams import format_position, parse_position
from trine.games.tzaar.notation import parse_action, read_action
from trine.games.tzaar.rules import RULE_SETS

FIXED = "official ttttT/TyyyYT/TYzzZYT/TYZtTZYT/TYZT*tzyt/tyztTzyt/tyzZZyt/tyYYYt/tTTTT white first"


@pytest.mark.parametrize(
    "word",
    [
        *("", "d3", "d3x", "d3xf", "d3xf55", "d3-f5", "d3f5", "D3xf5", "d3Xf5", "d3*f5", "d3xf5x"),
        *(" d3xf5", "d3xf5 ", "d3xf5\n", "d３xf5", "pass", "--", "zc3", "Qc3", "Zc33"),
        *("e5xe6", "e4xe5", "a6xa5", "i6+i5", "e0xe1", "j1xi1", "Ze5", "Za0", "Ta9"),
    ],
)
def test_what_is_no_action_is_refused(word: str) -> None:
    with pytest.raises(MalformedError) as refused:
        parse_action(word)
    assert len(str(refused.value)) > 20


def test_errors_of_records_know_their_column() -> None:
    position = parse_position(FIXED)
    for words in ("   d4xd5", "   d4d5"):
        with pytest.raises(TrineError) as refused:
            read_action(position, split_words(words))
        assert refused.value.place.column == 4


def test_the_highest_stacks_can_be_read() -> None:
    text = (
        "open TY28Z../.t10..../y19....../z......./....*..../......../......./....../..... white 1"
    )
    assert format_position(parse_position(text)) == text
    with pytest.raises(IllegalError, match="White has 31 pieces; there are 30"):
        parse_position(text.replace("28", "29"))


def test_other_rules_than_those_asked_for_are_refused() -> None:
    with pytest.raises(IllegalError, match="of tzaar/official, and tzaar/open is to be played"):
        parse_position(FIXED, RULE_SETS["open"])


def test_an_unreadable_column_is_pointed_at() -> None:
    with pytest.raises(MalformedError, match="column c: cannot read 'TYzzZ") as refused:
        parse_position(FIXED.replace("TYzzZYT", "TYzzZ-T"))
    assert refused.value.place.column == FIXED.index("TYzzZYT") + 1
