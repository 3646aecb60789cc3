"""Positions with scores that come from elsewhere, such as from another program, read from a file.

A file has a position a line, as JSON::

    {"position": "2s 7r/8/3e4/8/8/3E4/8/R7", "score": -35, "game": 12, "result": 1}

``position`` is what the room reads, ``turn`` the actions of the open turn since then, if there are
any. ``score`` is in points for the player to move, or ``chance`` stands in its place. ``game`` is a
number that the positions of a game share; ``result`` is the game's for the player to move, if it is
known. A file whose name ends in ``.npz`` holds the same as arrays: ``rows`` of the house's kernels,
``scores``, ``games``, and ``results``, which are no numbers where they are not known.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import Kernel
from trine.core.contract.position import Position
from trine.core.contract.score import WIN
from trine.core.errors import FileError, IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.core.text.words import quoted, split_words
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.logistic import POINTS
from trine.games import open_kernel, open_room, start_position
from trine.play.record.text_files import file_error, read_lines

LIKELIEST: Final = 0.9999
"""A chance nearer to certainty counts as this much."""
RESULTS: Final = (0, 0.5, 1)
MOST_GAME: Final = 1 << 31
INFINITE: Final = 1e300
KEYS: Final = ("position", "turn", "score", "chance", "game", "result")


@dataclass(frozen=True)
class PositionKind:
    """The kind of positions that is read: those of a rule set, on a board of one size."""

    game: str
    rules: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """The number of words in a row, and of distinct actions: boards of other sizes differ."""
        start = start_position(open_room(self.game), self.rules, dict(self.options))
        return _size(open_kernel(self.game), start)


def _size(kernel: Kernel, position: Position) -> tuple[int, int]:
    return int(kernel.words(position)), int(kernel.actions(position))


def read_others(
    path: Path, kind: PositionKind, told: Callable[[int], object] = lambda count: None
) -> Dataset:
    """Return the positions of a file.

    Args: ``told`` hears of the number of positions read, now and then.

    Raises:
        TrineError: the file cannot be read; the error names the line and what is wrong with it.
    """
    labels = _read_arrays(path, kind) if path.suffix == ".npz" else _read_lines(path, kind, told)
    if not len(labels):
        raise FileError("{file} has no position", file=str(path))
    return labels


def _read_lines(path: Path, kind: PositionKind, told: Callable[[int], object]) -> Dataset:
    rows, facts, reader = [], [], _Reader(kind)
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row, fact = reader.read(line)
        except TrineError as error:
            raise error.at(str(path), number) from None
        rows.append(row)
        facts.append(fact)
        if len(rows) % 1000 == 0:
            told(len(rows))
    scores, games, results = zip(*facts, strict=True) if facts else ((), (), ())
    return Dataset.of(
        np.array(rows, np.uint64),
        np.array(games, np.int64),
        scores=np.array(scores, np.float32),
        results=np.array(results, np.float32),
    )


class _Reader:
    """A reader of lines."""

    def __init__(self, kind: PositionKind) -> None:
        self._kind, self._size = kind, kind.size
        self._room, self._kernel = open_room(kind.game), open_kernel(kind.game)

    def read(self, line: str) -> tuple[NDArray[np.uint64], tuple[int, int, float]]:
        data = _fields(line)
        position = self._position(data)
        if _size(self._kernel, position) != self._size:
            raise IllegalError("the position is on a board of another size")
        row = self._kernel.row_of(position)
        result = data.get("result")
        if result is not None and result not in RESULTS:
            raise _wrong("result", result, "0, 0.5, 1")
        known = math.nan if result is None else float(result)
        return row, (_score(data), _game(data), known)

    def _position(self, data: dict[str, Any]) -> Position:
        words, made = data.get("position"), data.get("turn", "")
        if not isinstance(words, str) or not isinstance(made, str):
            raise MalformedError("a position is a text, and so are the actions of its turn")
        position: Position = self._room.rules.parse_position(words, self._kind.rules)
        if position.rules.name != self._kind.rules:
            raise IllegalError(
                "the position is of {given}; expected {expected}",
                given=position.rules.name,
                expected=self._kind.rules,
            )
        play, left = Play(self._room, position), split_words(made)
        while left:
            action, used = self._room.rules.read_action(play.position, left, play.history)
            play.act(action)
            left = left[used:]
        return play.position


def _fields(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise MalformedError("{given} is no object of JSON", given=quoted(line.strip()))
    if unknown := [key for key in data if key not in KEYS]:
        raise MalformedError(
            "{given} is unknown; expected {expected}",
            given=quoted(unknown[0]),
            expected=", ".join(KEYS),
        )
    return data


def _score(data: dict[str, Any]) -> int:
    score, chance = data.get("score"), data.get("chance")
    if (score is None) == (chance is None):
        raise MalformedError("a position has either a score or a chance")
    if chance is not None:
        likely = _number("chance", chance, (0, 1))
        likely = min(max(likely, 1 - LIKELIEST), LIKELIEST)
        return round(POINTS * math.log(likely / (1 - likely)))
    return round(min(max(_number("score", score), -WIN), WIN))


def _game(data: dict[str, Any]) -> int:
    game = data.get("game")
    if not isinstance(game, int) or isinstance(game, bool) or not 0 <= game < MOST_GAME:
        raise _wrong("game", game, f"0 … {MOST_GAME - 1}")
    return game


def _number(key: str, given: object, within: tuple[float, float] = (-INFINITE, INFINITE)) -> float:
    low, high = within
    if isinstance(given, int | float) and not isinstance(given, bool) and low <= given <= high:
        return float(given)
    raise _wrong(key, given, text("a number") if high == INFINITE else f"{low} … {high}")


def _wrong(key: str, given: object, expected: str | Text) -> MalformedError:
    return MalformedError(
        "{key} is {given}; expected {expected}",
        key=key,
        given=quoted(str(given)),
        expected=expected,
    )


def _read_arrays(path: Path, kind: PositionKind) -> Dataset:
    try:
        path.stat()
    except OSError as error:
        raise file_error(path, error) from None
    labels = Dataset.read(path)
    kernel = open_kernel(kind.game)
    if labels is None or not _fits(labels, kind.size[0]):
        raise FileError(
            "{file} does not hold arrays rows, scores, games and results of one length, "
            "of positions as this game has them",
            file=str(path),
        )
    labels.check_rows(kind.game, path)
    if len(labels) and _size(kernel, kernel.to_position(labels.rows[0])) != kind.size:
        raise IllegalError("the position is on a board of another size")
    return labels


def _fits(labels: Dataset, words: int) -> bool:
    one = (len(labels),)
    shapes = (labels.scores.shape, labels.games.shape, labels.results.shape)
    known = labels.results[~np.isnan(labels.results)]
    return (
        labels.rows.dtype == np.uint64
        and labels.rows.shape == (*one, words)
        and shapes == (one, one, one)
        and bool(np.isfinite(labels.scores).all())
        and labels.games.dtype.kind in "iu"
        and bool(np.isin(known, RESULTS).all())
    )
