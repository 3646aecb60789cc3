"""The jobs of an archive, in processes of their own, which load DuckDB and kernels."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trine.core.contract.record import read_records
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import Text
from trine.engine.archive.explored import Explored, Opening
from trine.engine.archive.names import write_names
from trine.house.explorer.public_games import PAGE, game_of, public_games, record_for_archive
from trine.house.people.account_rows import account_names
from trine.house.store.store import Store
from trine.play.record.replay import replay_as_far_as_legal

if TYPE_CHECKING:
    from trine.engine.archive.finding import Archive

NICE: Final = 19
"""The niceness of adding: it can wait for everything else."""


@dataclass(frozen=True)
class Added:
    """The fate of the games of a house that were not in its archive."""

    games: int
    faults: tuple[tuple[str, Text], ...] = ()
    """The games that could not be added, each with the reason."""


def stand_back() -> None:
    """Give this process the lowest priority."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def add_public_games(open_store: Callable[[], Store], folder: Path) -> Added:
    """Add the public games of a house that are over to its archive, as far as they are new.

    Raises:
        TrineError: the store cannot be opened, or the archive not be written.
    """
    from trine.engine.archive.adding import Adder  # it brings Numba along

    games, faults = 0, list[tuple[str, Text]]()
    with open_store() as store, Adder.open(folder) as adder:
        known = set(map(game_of, _archive(folder).sources(PAGE)))
        for game in store.read(public_games):
            if game in known:
                continue
            try:
                games += adder.add(store.read(record_for_archive, game))
            except FileError:
                raise
            except TrineError as error:
                faults.append((game, error.text))
        write_names(folder, store.read(account_names))
    return Added(games, tuple(faults))


def open_archive(folder: Path) -> None:
    """Open an archive if there is one, and load what questions need."""
    from trine.engine.archive import explorer  # noqa: F401, it brings Numba along
    from trine.engine.archive.parts import ABOUT

    if (folder / ABOUT).exists():
        _archive(folder)


def explore_archive(folder: Path, record: str) -> Explored:
    """Return what was played from the position at the end of a record.

    Nothing was, where no game was added yet.
    """
    from trine.engine.archive.explorer import explore
    from trine.engine.archive.parts import ABOUT

    if not (folder / ABOUT).exists():
        return Explored(0, 0, ())
    (read,) = read_records(record.splitlines(keepends=True))
    play, _ = replay_as_far_as_legal(read)
    return explore(_archive(folder), play.room, play.position)


def openings_in_archive(folder: Path, person: str, most: int) -> list[Opening]:
    """Return the own first turns of a person, the most frequent first."""
    from trine.engine.archive.explorer import openings
    from trine.engine.archive.parts import ABOUT

    return openings(_archive(folder), person, most) if (folder / ABOUT).exists() else []


@cache
def _archive(folder: Path) -> Archive:
    """Open an archive once; DuckDB complains of what is still open when its process ends."""
    from trine.engine.archive.finding import Archive

    atexit.register(_archive.cache_clear)
    return Archive(folder)
