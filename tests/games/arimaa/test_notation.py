"""Notation round trips, is strict for records and kind at the prompt."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.arimaa.whole_turns import parse_turn
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.games.arimaa.diagrams import Form, check_board, format_position, parse_position
from trine.games.arimaa.notation import format_turn, parse_action
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, RULE_SETS
from trine.games.arimaa.starts import interpret as interpret_line
from trine.games.arimaa.starts import parse_handicap, random_setup, start_position

LONG = """3w
 +-----------------+
8| r r r r r r r r |
7| h   c   e c h d |
6| d   X   m X     |
5|                 |
4|         E       |
3|     X   R X     |
2| H D C M   C D H |
1| R R R R   R R R |
 +-----------------+
   a b c d e f g h
"""


def random_position(seed: int, rules: str) -> Position:
    rng = random.Random(seed)
    position = Position.before_setup(RULE_SETS[rules])
    for _ in range(2):
        for action in (*random_setup(position, rng.randrange(10**9)), END):
            position = position.play_unchecked(action)
    for _ in range(rng.randrange(200)):
        actions = position.legal_actions()
        if not actions:
            break
        position = position.play_unchecked(rng.choice(actions))
    while position.turn_open:
        position = position.play_unchecked(rng.choice(position.legal_actions()))
    return position


positions = st.builds(random_position, st.integers(0, 2**32), st.sampled_from(sorted(RULE_SETS)))


@given(positions, st.sampled_from(["short", "long", "fen"]))
def test_positions_round_trip(position: Position, form: Form) -> None:
    read = parse_position(format_position(position, form), position.rules)
    assert read == position
    assert form == "short" or read.number == position.number


@given(positions, st.integers(0, 2**32))
def test_turns_round_trip(position: Position, seed: int) -> None:
    rng, at, turn = random.Random(seed), position, []
    while position.legal_actions():
        turn.append(rng.choice(at.legal_actions()))
        at = at.play_unchecked(turn[-1])
        if turn[-1] == END:
            assert list(parse_turn(position, format_turn(position, turn))) == turn
            return


def test_the_long_form_reads_as_bots_write_it() -> None:
    position = parse_position(LONG)
    assert position.number == 3
    assert format_position(position, "long") == LONG.strip().replace("3w", "3g").replace("X", "x")
    assert format_position(position) == (
        "g [rrrrrrrrh c echdd   m               E       R   HDCM CDHRRRR RRR]"
    )


def test_the_long_form_may_name_the_steps_made() -> None:
    position = parse_position(LONG.replace("3w", "3g Ee4n Ee5w"))
    assert position.steps == 2
    assert position.board[35] == "E"
    with pytest.raises(IllegalError, match="Re3s: a rabbit does not step backward"):
        parse_position(LONG.replace("3w", "3g Re3s"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "'' is not a position"),
        ("2g 8/8/8/8/8/8/8", "eight ranks of eight squares; these have 8, 8, 8, 8, 8, 8, 8"),
        ("2g 8/8/8/8/8/8/8/EE6", "Gold: 2 of the kind elephant, and 1 at most"),
        ("2g 8/8/2c5/8/8/8/8/8", "the cat on the trap c6 has no friend beside it"),
        ("g [" + "x" * 64 + "]", "'x' on a1 is no piece"),
        ("3g\n8| r r |", "a framed board shows the ranks 8 to 1"),
        ("hello\nworld", "a framed board shows the ranks 8 to 1"),
    ],
)
def test_bad_positions_say_what_is_wrong(words: str, message: str) -> None:
    with pytest.raises(TrineError) as refused:
        parse_position(words)
    assert message in str(refused.value)


def test_boards_are_checked() -> None:
    check_board("." * 64)
    with pytest.raises(MalformedError):
        check_board("?" + "." * 63)


def test_strict_reading_wants_every_letter() -> None:
    assert str(parse_action("Ra2n")) == "Ra2n"
    for word in ("a2n", "ra2N", "Ra2nn", "Ra9n", "", "Ра2n"):  # the last is Cyrillic
        with pytest.raises(MalformedError):
            parse_action(word)


@pytest.mark.parametrize("name", ["99of9", "99of9-dogs", "rabbits-behind", "wikibooks", "random 7"])
def test_named_setups_use_the_whole_army(name: str) -> None:
    position = Position.before_setup(RULE_SETS["official"])
    for _ in range(2):
        placed: Any = interpret_line(position, f"setup {name}").end
        position = placed.play(END)
    assert position.number == 2


def test_setups_can_be_typed_as_ranks_or_placements() -> None:
    position = Position.before_setup(RULE_SETS["official"])
    ranks = interpret_line(position, "setup RRRDDRRR/RHCMECHR")
    assert ranks == interpret_line(position, "setup 99of9")
    assert len(interpret_line(position, "setup Ra1 Eb1")) == 2


@pytest.mark.parametrize(
    ("handicap", "left_out"),
    [
        ("", ("", "")),
        ("gold:camel,dog", ("MD", "")),
        ("silver:R,rabbits gold:E", ("E", "RR")),
        ("gold:cats; silver:h", ("C", "H")),
    ],
)
def test_handicaps_are_read(handicap: str, left_out: tuple[str, str]) -> None:
    assert parse_handicap(handicap) == left_out


@pytest.mark.parametrize(
    "handicap", ["gold", "gold:", "bronze:dog", "gold:dragon", "gold:M,M", "gold:R,R,R,R,R,R,R,R"]
)
def test_bad_handicaps_are_refused(handicap: str) -> None:
    with pytest.raises(TrineError):
        start_position(RULE_SETS["official"], handicap)
