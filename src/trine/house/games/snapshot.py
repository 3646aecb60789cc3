"""A snapshot of a game: a value from which all views are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from trine.core.compiled.ahead import Progress
from trine.core.contract.checked import CheckedLine
from trine.core.text.sentence import text
from trine.house.games.live_game import LiveGame
from trine.house.games.presence import Presence

ABORTED: Final = text("The game was broken off before its first turn.")
"""The result of an aborted game."""


@dataclass(frozen=True)
class Snapshot(LiveGame):
    """A game as it stands, with what can be seen besides."""

    version: int = 0
    """The number of the snapshot, among those of a host."""
    waking: bool = False
    """Whether the clock stands still until players are back, after the house was closed."""
    warming: Progress | None = None
    """The progress of the computer if it is to move and still compiles its code."""
    presence: Mapping[int, Presence] = field(default_factory=dict)
    """The presence at each seat of a person, as others see it."""
    claimable: frozenset[int] = frozenset()
    """The seats whose absence can be claimed."""
    drafts: Mapping[int, CheckedLine] = field(default_factory=dict)
    """The drafts by seat; only its owner may see one."""
    at: float = 0.0
    """The time of the snapshot."""
    made: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """The views of the snapshot made so far, so that each is made once."""


_KNOWN: Final = tuple(one.name for one in fields(LiveGame))


def snapshot_of(game: LiveGame, **seen: Any) -> Snapshot:
    """A game as it stands, with what is ``seen`` besides."""
    return Snapshot(**{name: getattr(game, name) for name in _KNOWN}, **seen)
