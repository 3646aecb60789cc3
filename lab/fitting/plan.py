"""Plans of the games that weights and chances are fitted to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trine.core.errors import FileError
from trine.core.play import Play
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.sources.recorded_games import Done, play_of_two
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import open_kernel
from trine.play.record.formats import read_unambiguous


@dataclass(frozen=True)
class FittingPlan(SelfPlayPlan):
    """The parameters of games with one search for each action."""

    label_nodes: int = 0
    """The limit of the search that scores each sample; 0: no scores."""

    def as_data(self) -> dict[str, Any]:
        given = {"options": dict(self.options), "beginnings": list(self.beginnings)}
        return {**asdict(self), **given}


def numbered_plays(
    game: str, path: str | Path, first: int, done: Done
) -> Iterator[tuple[int, Play, dict[str, str]]]:
    """Yield a file's two-player plays, numbered from ``first`` on, with their records' tags."""
    for number, record in enumerate(read_unambiguous(path), start=first):
        play = play_of_two(game, record)
        if play is None:
            done(False)
        else:
            yield number, play, record.tags


def check_rows(data: Dataset, game: str, path: Path) -> None:
    """Raise `FileError` if the rows in a folder are of another version of the kernel."""
    kernel = open_kernel(game)
    for row in data.rows[:1]:
        try:
            again = kernel.row_of(kernel.to_position(row))
        except (ValueError, LookupError):
            again = ~row
        if not np.array_equal(row, again):
            raise FileError(
                "{folder} was written by another version; name another", folder=str(path)
            )
