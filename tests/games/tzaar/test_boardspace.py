"""Games of Boardspace, which tell what was done with the mouse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.tzaar.foreign_games import BOARDSPACE, MOUSE, PLACED, error_of, read, words
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import TrineError
from trine.play.record.replay import replay


def test_what_was_done_with_the_mouse_becomes_actions() -> None:
    (record,) = read(BOARDSPACE, MOUSE.replace("; P1[13 Pass]\n", ""))
    assert record.error is None
    tags = [record.tags[tag] for tag in ("White", "Black", "DT")]
    assert tags == ["Anna", "Bert", "today"]
    # The first capture was taken back before it was confirmed; a stack put back where it was is none.
    assert words(record) == ["1w b1xa1", "1b a2xa1 b2+b3"]
    assert replay(record).turn_tag == "2w"


def test_a_pass_and_a_changed_mind() -> None:
    no_stacking = MOUSE.replace("; P1[11 Pickb B 2 4]\n; P1[12 Dropb B 3]\n", "")
    (record,) = read(BOARDSPACE, no_stacking)
    assert words(record) == ["1w b1xa1", "1b a2xa1 -"]
    twice = no_stacking.replace("13 Pass]", "13 Pass]\n; P1[13 Pass]\n; P1[13 Move B 2 B 3]")
    (record,) = read(BOARDSPACE, twice)
    assert words(record) == ["1w b1xa1", "1b a2xa1 b2+b3"]


def test_placements_of_boardspace() -> None:
    (record,) = read(BOARDSPACE, PLACED)
    assert record.error is None
    assert record.tags["Setup"] == "placement"
    assert words(record) == ["1w Te8", "1b Ze6", "2w Ya1"]
    assert replay(record).turn_tag == "2b"


def test_a_turn_that_is_not_confirmed_stays_open() -> None:
    (record,) = read(BOARDSPACE, MOUSE[: MOUSE.index("; P1[11")] + ")")
    assert words(record)[-1] == "1b a2xa1"
    assert not record.turns[-1].closed
    assert replay(record).position.turn_open


def test_a_resignation_at_boardspace() -> None:
    done = MOUSE.replace("; P1[13 Pass]\n", "")[:-2]
    (record,) = read(BOARDSPACE, done + "; P0[15 Resign]\n; P0[16 Done]\n)")
    assert record.error is None
    assert words(record)[-1] == "2w resign"
    assert replay(record).outcome == Outcome(1, Reason.RESIGNATION)
    (record,) = read(BOARDSPACE, done + "; P0[15 Resign]\n; P0[16 Resign]\n)")
    assert words(record) == ["1w b1xa1", "1b a2xa1 b2+b3"]
    (record,) = read(BOARDSPACE, done + "; P0[15 Capture E 6 D 6]\n; P0[16 Resign]\n)")
    assert words(record)[-1] == "2w resign"


def test_a_third_action_is_left_to_the_referee() -> None:
    (record,) = read(BOARDSPACE, MOUSE)
    assert words(record)[-1] == "1b a2xa1 b2+b3 -"
    with pytest.raises(TrineError, match="the turn is over") as refused:
        replay(record)
    assert str(refused.value.place) == "game.txt:18"  # where the turn begins to count


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Tzaar]", "Hive]", "game.txt:2:4: the game is 'Hive'; expected Tzaar"),
        ("GM[Tzaar]", "", "this game has no GM"),
        ("SU[Tzaar-standard 12345]", "", "this game has no SU"),
        ("Tzaar-standard", "tzaar-random", "does not say how its board was filled"),
        ("Tzaar-standard", "zertz", "'zertz 12345' is no setup; expected tzaar-standard, tz"),
        ("Pickb B 1 3", "Pickb E 5 3", "game.txt:12:8: e5 is the missing centre of the board"),
        ("Pickb B 1 3", "Pickb J 1 3", "'J 1' is no point"),
        ("Pickb B 1 3", "Undo it", "'Undo it' is none of the words of Boardspace"),
        ("Capture A 2 A 1", "Capture A 2", "'Capture A 2' is none of the words"),
        ("Pickb B 1 3", "OnBoard xx 0 A 1", "'xx 0' is no piece"),
        ("Pickb B 1 3", "OnBoard wr 3 A 1", "'wr 3' is no piece"),
        ("; P0[5 Pickb B 1 3]\n", "", "nothing is in hand to be dropped"),
        ("Start P0", "Start P1", "'Start P1' is none of the words"),
    ],
)
def test_what_is_no_game_of_boardspace_is_refused(old: str, new: str, message: str) -> None:
    assert old in MOUSE
    assert message in str(error_of(BOARDSPACE, MOUSE.replace(old, new)))


def test_stacks_put_back_do_not_count_but_illegal_actions_do() -> None:
    (record,) = read(BOARDSPACE, MOUSE.replace("Dropcap A 1", "Dropb I 1"))
    with pytest.raises(TrineError, match="no line leads from b1 to i1"):
        replay(record)


SAID = [
    *("Start P0", "Done", "Pass", "Resign", "Pick wr 0", "Pick br 2", "Drop wr 0", "Pickb A 5"),
    *("Pickb B 1 3", "Dropcap A 4", "Dropb A 1", "Dropb A 5", "Capture A 5 A 4", "Move B 1 A 1"),
    *("Capture A 3 A 4", "OnBoard wr 0 E 8", "OnBoard br 2 A 5", "time 0:10", "Capture B 1 B 1"),
]


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from(SAID)), max_size=12), st.booleans())
def test_whatever_the_mouse_did_is_read_or_refused(
    said: list[tuple[int, str]], empty: bool
) -> None:
    setup = "tzaar-custom" if empty else "tzaar-standard"
    nodes = [f"; P{player}[{number} {words}]\n" for number, (player, words) in enumerate(said)]
    (record,) = read(BOARDSPACE, f"(;GM[Tzaar]SU[{setup} 1]\n{''.join(nodes)})")
    try:
        play = replay(record)
    except TrineError as refused:
        assert str(refused)
    else:
        assert len(play.turns) <= len(said)
