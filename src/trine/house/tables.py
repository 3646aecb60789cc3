"""All tables of the house, and the revisions that create them.

A change to a table needs a revision in `migrations/versions`; a test compares the two.
"""

from pathlib import Path
from typing import Final

from trine.house.analysis import tables as analysis
from trine.house.api import tokens as api
from trine.house.games.storage import events
from trine.house.games.storage import tables as games
from trine.house.lessons import progress as lessons
from trine.house.lobby import tables as lobby
from trine.house.moderation import tables as moderation
from trine.house.notify import tables as notify
from trine.house.people import browsers, factors, idempotency, relations, sanctions
from trine.house.people import tables as people
from trine.house.processes import tables as processes
from trine.house.puzzles import moments, puzzles
from trine.house.ratings import tables as ratings
from trine.house.search import tables as search
from trine.house.store import scheduled_tasks
from trine.house.store.schema import METADATA, Schema
from trine.house.store.store import Store
from trine.house.talk import tables as talk
from trine.house.tournaments import tables as tournaments

SUBJECTS: Final = (
    *(people, browsers, factors, idempotency, relations, sanctions),
    *(scheduled_tasks, games, events, ratings, talk, notify, lobby, search, analysis),
    *(lessons, puzzles, moments, tournaments, moderation, api, processes),
)
"""Importing these modules adds their tables to `METADATA`."""
SCHEMA: Final = Schema(METADATA, Path(__file__).parent / "migrations")


def open_store(place: str | Path) -> Store:
    """Open the store of a house; a partial of this function opens it in another process."""
    return Store.open(place, SCHEMA)
