"""Plans of the games that weights and chances are fitted to."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trine.core.errors import FileError
from trine.engine.learn.dataset import Dataset
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import open_kernel


@dataclass(frozen=True)
class FittingPlan(SelfPlayPlan):
    """The parameters of games with one search for each action."""

    label_nodes: int = 0
    """The limit of the search that scores each sample; 0: no scores."""

    def as_data(self) -> dict[str, Any]:
        given = {"options": dict(self.options), "beginnings": list(self.beginnings)}
        return {**asdict(self), **given}


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
