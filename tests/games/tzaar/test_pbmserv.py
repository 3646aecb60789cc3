"""Games of the PBeM server."""

from __future__ import annotations

import pytest

from games.tzaar.foreign_games import PBM, PBM_GAME, error_of, random_play, read, words, written
from trine.core.errors import TrineError
from trine.play.record.replay import record_of, replay


def test_column_e_is_numbered_without_a_gap() -> None:
    # e5 there is our e6: a black Tott in the fixed start, so White cannot move it.
    (record,) = read(PBM, PBM_GAME)
    assert record.error is None
    assert words(record) == ["1w a5xa4", "1b a3xa4 -", "2w e6+d5 b1xa1"]
    with pytest.raises(TrineError, match="the black Tott on e6 is the other side's"):
        replay(record)
    legal = PBM_GAME.replace("2. e5-d5 b1-a1", "2. d5-e5 resign").replace(" resign", " d6-e6")
    (record,) = read(PBM, legal)
    assert words(record)[-1] == "2w d5xe6 d6xe7"
    assert replay(record).turn_tag == "2b"
    assert written(PBM, record) == legal.replace("\n\n", "\n")


def test_boards_have_letters_with_heights() -> None:
    play = random_play({"setup": "random", "seed": "6"}, 1)
    text = written(PBM, record_of(play))
    head, column, *_ = text.splitlines()
    assert head == "tzaar -random"
    assert column.split()[0] == "a"
    assert all(stack[0] in "TAZtaz" and stack[1:] == "1" for stack in column.split()[1:])
    (record,) = read(PBM, text)
    assert replay(record).position == play.position


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tzaar", "tzaar -manual", "game.txt:1:1: 'tzaar -manual' begins no game"),
        ("tzaar", "1. a5-a4", "game.txt:1:1: '1. a5-a4' begins no game"),
        ("White: Anna", "a t1 t1 t1 t1 T1", "is neither a name, nor a column of the board"),
        ("tzaar", "tzaar -random", "game.txt:3: the board has 1 columns; expected 9"),
        ("tzaar", "tzaar -random\nb t1", "game.txt:2:1: column b; expected a"),
        ("1. a5-a4", "1. a5xa4", "game.txt:5:4: 'a5xa4' is no action; expected a range"),
        ("b1-a1", "e9-a1", "game.txt:7:10: 'e9-a1' is no action"),
        ("1... ", "1..", "'1..a3-a4 pass' is no turn"),
    ],
)
def test_what_is_no_game_of_the_server_is_refused(old: str, new: str, message: str) -> None:
    assert old in PBM_GAME
    assert message in str(error_of(PBM, PBM_GAME.replace(old, new, 1)))


def test_games_follow_one_another() -> None:
    assert [words(record)[0] for record in read(PBM, PBM_GAME * 3)] == ["1w a5xa4"] * 3
