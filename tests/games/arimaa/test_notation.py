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
from trine.games.arimaa.notation import read_actions as interpret
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


OPENING = parse_position("2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR")


@pytest.mark.parametrize(
    "line", ["Da2n", "a2n", "da2n", "A2N", "a2a3", "a2-a3", "Da2a3", " a2n ", "a2n;"]
)
def test_a_step_can_be_typed_in_many_ways(line: str) -> None:
    assert [str(action) for action in interpret(OPENING, line)] == ["Da2n"]


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("Ee2nnn", "Ee2n Ee3n Ee4n"),
        ("e2n e3n, d2n", "Ee2n Ee3n Md2n"),
        ("e2nw", "Ee2n Ee3w"),
        ("e2n end", "Ee2n end"),
        ("c2n d2n", "Cc2n Md2n"),
    ],
)
def test_several_steps_can_be_typed_at_once(line: str, steps: str) -> None:
    assert " ".join(map(str, interpret(OPENING, line))) == steps


def test_removal_marks_may_be_typed_or_left_out() -> None:
    position = parse_position("2s 8/8/3H4/3e4/8/8/8/R7")
    for line in ("Hd6w ed5n", "Hd6w Hc6x ed5n", "d6w d5n"):
        assert " ".join(map(str, interpret(position, line))) == "Hd6w ed5n"


def test_a_corner_is_a_corner_where_the_rules_have_one() -> None:
    position = parse_position("2g 8/8/8/2r5/3D4/8/8/R6r", RULE_SETS["diagonal"])
    assert " ".join(map(str, interpret(position, "c5n d4nw"))) == "rc5n Dd4nw"
    with pytest.raises(IllegalError, match="Dd4ne: an own piece goes n, e, s or w; over a corner"):
        interpret(position, "d4ne")
    without = parse_position("2g 8/8/8/2r5/3D4/8/8/R6r", RULE_SETS["official"])
    assert " ".join(map(str, interpret(without, "d4ne"))) == "Dd4n Dd5e"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a2", "'a2' names no direction"),
        ("a2q", "'a2q' is not a step"),
        ("a2b4", "'a2b4' is no line of steps"),
        ("a2n hello", "'hello' is not a step"),
        ("Ha2n", "Ha2n: on a2 stands Gold's dog, not H"),
        ("a2s", "Da2s: the rabbit on a1 is in the way"),
        ("a7s", "da7s: no piece of yours is beside the dog on a7"),
        ("a2nnnnnn", "the turn has four steps already"),
        ("a2wn", "that leads off the board"),
    ],
)
def test_what_cannot_be_played_is_said_and_nothing_counts(line: str, message: str) -> None:
    with pytest.raises(TrineError) as refused:
        interpret(OPENING, line)
    assert message in str(refused.value)


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
    ("line", "message"),
    [
        ("setup nonsense", "no setup 'nonsense'; expected 99of9"),
        ("setup", "which setup? 99of9"),
        ("setup random x", "'x' is not a seed"),
        ("setup RRRRRRRR/XXXXXXXX", "is not a setup; expected two ranks of eight letters"),
        ("setup Ra1 Ra1", "Ra1: the rabbit on a1 is in the way"),
    ],
)
def test_bad_setups_say_what_is_wrong(line: str, message: str) -> None:
    with pytest.raises(TrineError) as refused:
        interpret_line(Position.before_setup(RULE_SETS["official"]), line)
    assert message in str(refused.value)


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
