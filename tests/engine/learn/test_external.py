"""Labels of other programs: read as they were meant, and each fault told with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trine.core.errors import FileError, TrineError
from trine.engine.learn.sources.external import PositionKind, read_others
from trine.games import new_play, open_kernel

ARIMAA = PositionKind("arimaa", "official")
BOARD = "2g 7r/8/3e4/8/8/3E4/8/R7"


def written(tmp_path: Path, *lines: Any) -> Path:
    file = tmp_path / "labels.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return file


def line(**changed: Any) -> dict[str, Any]:
    return {"position": BOARD, "score": 35, "game": 0, **changed}


def test_positions_are_read_as_they_were_meant(tmp_path: Path) -> None:
    silver = BOARD.replace("2g", "2s")
    file = written(
        tmp_path,
        line(result=1),
        line(position=silver, score=-40000, game=7),
        {"position": BOARD, "turn": "Ra1n Ed3n", "chance": 10 / 11, "game": 7, "result": 0.5},
        {"position": BOARD, "chance": 0, "game": 8},
    )
    told: list[int] = []
    labels = read_others(file, ARIMAA, told.append)
    assert labels.scores.tolist() == [35, -30000, 400, -1600]
    assert labels.games.tolist() == [0, 7, 7, 8]
    assert np.array_equal(labels.results, [1, np.nan, 0.5, np.nan], equal_nan=True)
    kernel, play = open_kernel("arimaa"), new_play("arimaa", BOARD)
    play.enter("Ra1n")
    play.enter("Ed3n")
    positions = [kernel.to_position(row) for row in labels.rows]
    assert positions[2] == play.position and positions[1].mover == 1
    again = tmp_path / "labels.npz"
    labels.write(again)
    assert np.array_equal(read_others(again, ARIMAA).rows, labels.rows)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (line(score="good"), "2: score is 'good'; expected a number"),
        (line(score=None), "2: a position has either a score or a chance"),
        (line(chance=0.5), "2: a position has either a score or a chance"),
        (line(score=None, chance=1.5), "2: chance is '1.5'; expected 0 … 1"),
        (line(game=-1), "2: game is '-1'; expected 0 … 2147483647"),
        (line(game=None), "2: game is 'None'"),
        (line(result=0.3), "2: result is '0.3'; expected 0, 0.5, 1"),
        (line(points=3), "2: 'points' is unknown; expected position, turn, score"),
        (line(position=5), "2: a position is a text"),
        (line(position="2g 8/8"), "2: .* is not a position"),
        (line(turn="Ra1w"), "2:.*Ra1w"),
        (line(turn="Rb1n"), "2:.*b1"),
        ([1, 2], r"2: '\[1, 2\]' is no object of JSON"),
    ],
)
def test_each_fault_is_told_with_its_line(tmp_path: Path, given: Any, said: str) -> None:
    file = written(tmp_path, line(), given)
    with pytest.raises(TrineError, match=said) as caught:
        read_others(file, ARIMAA)
    assert str(caught.value.place) == f"{file}:2" or caught.value.place.line == 2


def test_files_without_positions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="has no position"):
        read_others(written(tmp_path), ARIMAA)
    with pytest.raises(FileError, match="No such file"):
        read_others(tmp_path / "absent.npz", ARIMAA)
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(FileError, match="does not hold arrays"):
        read_others(tmp_path / "bad.npz", ARIMAA)


def test_positions_of_other_boards_are_refused(tmp_path: Path) -> None:
    play = new_play("corridor/quoridor", size=5)
    words = play.room.rules.format_position(play.position)
    file = written(tmp_path, {"position": words, "score": 0, "game": 0})
    assert len(read_others(file, PositionKind("corridor", "quoridor", (("Size", "5"),)))) == 1
    with pytest.raises(TrineError, match="board of another size"):
        read_others(file, PositionKind("corridor", "quoridor"))
