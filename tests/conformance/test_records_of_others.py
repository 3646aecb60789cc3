"""Real games, recorded by others, replay; their known exceptions are named with the right rule."""

from pathlib import Path
from typing import Any

import pytest

from shared_data import SHARED, shared_file
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.games.arimaa.diagrams import format_position
from trine.play.record.formats import read_file
from trine.play.record.replay import replay

DATA = SHARED / "data" / "arimaa"
PLIES = (28, 9, 76, 75, 129, 77, 65, 73, 137, 128, 122, 71, 61, 106, 154, 109, 78, 82, 134, 92)
"""Of the move lists in the order of their names, as their source counts them; 90687 is broken."""
BEFORE_2008 = {"07371", "40260", "47721", "75005"}
"""Played on without rabbits, or to a third repetition that lost: the rules of `classic`."""


def replay_all(name: str) -> tuple[dict[str, Play], dict[str, TrineError]]:
    """The plays and the errors of an archive, by the id of the game."""
    _, records = read_file(shared_file(DATA / name))
    plays, errors = {}, {}
    for record in records:
        try:
            plays[record.tags["id"]] = replay(record)
        except TrineError as error:
            errors[record.tags["id"]] = error
    return plays, errors


def test_the_archive_of_2002_replays_but_for_known_exceptions() -> None:
    plays, errors = replay_all("allgames2002.txt")
    assert len(plays) + len(errors) == 64
    assert set(errors) == {"32", "46", "55"}
    assert "the dog on d4 is frozen by the horse on c4" in str(errors["32"])
    assert "the cat on g3 is frozen by the dog on h3" in str(errors["55"])
    # Silver stood on the goal after 21b, and both played on.
    assert "turn 22w: the play is over: goal" in str(errors["46"])
    assert all(error.place.line and error.place.column for error in errors.values())


def test_the_games_of_2026_replay() -> None:
    plays, errors = replay_all("allgames202602-first20.txt")
    assert len(plays) == 20
    assert not errors
    assert all(play.outcome for play in plays.values())


@pytest.mark.parametrize("index", range(20))
def test_the_move_lists_replay(index: int) -> None:
    files = sorted(shared_file(DATA / "movelists").glob("*.txt"))
    assert len(files) == 21
    file = files[index]
    (record,) = read_file(file)[1]
    play = replay(record)
    assert len(play.turns) == PLIES[index]
    assert play.position.rules.name == ("classic" if file.stem in BEFORE_2008 else "official")
    if file.stem in BEFORE_2008:
        with pytest.raises(TrineError, match=r"the play is over: elimination|for the third time"):
            replay(record, "official")


def test_the_broken_move_list_is_named() -> None:
    path = shared_file(DATA / "movelists" / "90687.txt")
    with pytest.raises(TrineError, match=r"90687\.txt:1:400: ' rc7s.*is not a turn"):
        replay(next(read_file(path)[1]))


@pytest.mark.parametrize(
    ("file", "position"),
    [
        ("00033", "2g rrcrrcrr/hdremrdh/8/8/8/8/HDRMECDH/RRRRRRCR"),
        ("00138", "2g rrrrerrr/hdcmrcdh/8/8/8/8/HDCMECDH/RRRRRRRR"),
        ("87015", "2g rrrdcrrr/rhcemdhr/8/8/8/8/RHCMECHR/RDRRDRRR"),
        ("02077", "39g 1r5r/1dhr2rR/1H1Rr1dE/3e2R1/8/3R1hcR/5RDr/4r1DR"),
        ("03917", "38s 1r3R1r/1Dr3r1/r7/RHeE1H2/r7/R3r3/3R1MC1/2R2hRR"),
    ],
)
def test_games_pass_through_stated_positions(file: str, position: str) -> None:
    path: Path = shared_file(DATA / "movelists" / f"{file}.txt")
    (record,) = read_file(path)[1]
    play = replay(record)
    passed: list[Any] = [turn.after for turn in play.turns]
    assert position in {format_position(after, "fen") for after in passed if after.key}
