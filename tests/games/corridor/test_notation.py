"""Actions and positions as text, strictly and kindly."""

import pytest

from trine.core.contract.position import History
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.text.sentence import Word
from trine.games.corridor.diagrams import format_position, parse_position
from trine.games.corridor.notation import interpret, parse_action, read_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS, RULE_SETS, Choice, Move, Wall

START = Position.first(RULE_SETS["quoridor"])


def test_each_kind_of_action_is_read() -> None:
    assert parse_action("e2") == Move(4, 1)
    assert parse_action("s19v") == Wall(18, 18, "v")
    assert parse_action("h3h") == Wall(7, 2, "h")
    assert parse_action("@a10") == Choice(0, 9)
    assert parse_action("-") is PASS


@pytest.mark.parametrize(
    "word",
    [
        *("", "e", "2", "E2", "e02", "e0", "e100", "e2x", "e2H", "he2", "@", "@e2h", "--", "pass"),
        *("t1", "e2 ", "e²", "٣e", "e٣"),
    ],
)
def test_records_are_read_strictly(word: str) -> None:
    with pytest.raises(MalformedError):
        parse_action(word)


def test_an_error_knows_its_column() -> None:
    for word in ("zz", "e3"):
        with pytest.raises(TrineError) as caught:
            read_action(START, [Word(word, 7)])
        assert caught.value.place.column == 7
        assert word in str(caught.value)


def test_a_line_at_the_prompt_sees_a_repetition_that_it_makes() -> None:
    history = History([START.key])
    line = "e2 e8 e1 e9 e2 e8 e1 e9"
    assert len(interpret(START, line, history)) == 8
    with pytest.raises(IllegalError, match="repetition"):
        interpret(START, line + " e2", history)
    assert history.times(START.key) == 1


@pytest.mark.parametrize(
    "text",
    [
        "quoridor 9 4 -,-,-,i5 - 5,5,5,5 4",
        "quoridor 9 2 -,e9 - 10,10 2",
        "quoridor 9 4 -,a5,e9,i5 - 5,5,5,5 1",
        "quoridor 9 4 e1,a5,e9,i5 - 5,5,5,5 0",
        "quoridor 9 4 e1,a5,e9,i5 - 5,5,5,5 5",
        "great-wall 5 4 ?,-,a3,? - *,*,*,* 1",
        "great-wall 5 4 a1,?,a5,? - *,*,*,* 2",
        "corridor 5 2 a1,? - 99,10 2",
        "great-wall 3 3 c3,c2,b3 - *,*,* 2",
        "quoridor  9 2 e1,e9 - 10,10 1",
        "quoridor 09 2 e1,e9 - 10,10 1",
        "quoridor 9 2 e1,e9 e2 9,10 2",
        "quoridor 9 2 e1,e9 -,e2h 9,10 2",
        "quoridor 9 2 e1,e9  10,10 1",
        "great-wall 9999 2 ?,? - *,* 1",
    ],
)
def test_positions_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(TrineError):
        parse_position(text)


def test_a_position_can_be_asked_to_have_a_rule_set() -> None:
    text = "quoridor 9 2 e1,e9 - 10,10 1"
    assert parse_position(text, RULE_SETS["quoridor"]) == parse_position(f" {text}\n")
    with pytest.raises(IllegalError, match="corridor"):
        parse_position(text, RULE_SETS["corridor"])


def test_walls_are_read_in_any_order_and_written_in_one() -> None:
    sorted_text = "quoridor 9 2 e2,e8 b7v,d3h,f5v 9,8 1"
    shuffled = parse_position("quoridor 9 2 e2,e8 f5v,b7v,d3h 9,8 1")
    assert shuffled == parse_position(sorted_text)
    assert format_position(shuffled) == sorted_text


def test_who_has_left_is_written_as_a_dash() -> None:
    text = "great-wall 5 4 c1,-,?,? - *,*,*,* 3"
    assert format_position(parse_position(text)) == text
