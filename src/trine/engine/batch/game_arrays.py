"""The arrays of a batch: starts, state, and the transition of a step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import Kernel, Options, Room
from trine.core.contract.position import Position
from trine.core.contract.score import ONGOING
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.typed import typed
from trine.games import start_position

STOPPED: Final = -3
"""The result of a game stopped at its limit of actions."""


class Transition(NamedTuple):
    """The state of each game after a step.

    Shapes, for n games: the read-only arrays belong to the batch and change with its next step;
    copy what is to be kept. When a game has ended and restarted, ``rewards``, ``done`` and
    ``truncated`` are from its end, the other arrays from its new start.
    """

    observations: NDArray[np.int8]
    """``int8[n, planes, rows, columns]``: the observation of the player to move."""
    masks: NDArray[np.bool_]
    """``bool[n, numbers of actions]``: the legal actions; none after the end."""
    movers: NDArray[np.int8]
    """``int8[n]``: the player to move."""
    rewards: NDArray[np.float32]
    """``float32[n, players]``: at the end 1 for the winner and -1 for the others, all 0 after a
    draw; otherwise 0."""
    done: NDArray[np.bool_]
    """``bool[n]``: whether the game has ended, in this step or before."""
    truncated: NDArray[np.bool_]
    """``bool[n]``: whether the game ended at the limit of actions; then the rewards are 0."""


@dataclass(frozen=True)
class Arrays:
    """The state of all games; for the shapes see ``kernel.py``."""

    starts: NDArray[np.uint64]
    rows: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    repetition_state: NDArray[np.int32]
    results: NDArray[np.int8]
    plies: NDArray[np.int64]
    """The number of actions played."""
    actions: NDArray[np.int32]
    legal: NDArray[np.int32]
    counts: NDArray[np.int32]
    masks: NDArray[np.bool_]
    movers: NDArray[np.int8]
    seen: NDArray[np.int8]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    truncated: NDArray[np.bool_]

    @classmethod
    def allocate(
        cls,
        starts: NDArray[np.uint64],
        *,
        players: int,
        actions: int,
        max_actions: int,
        keys: int,
        shape: tuple[int, int, int],
    ) -> Self:
        """Allocate zeroed arrays for games with some start rows.

        ``actions`` is the number of distinct actions, ``max_actions`` the maximum number of legal
        ones, ``keys`` the maximum number of positions in a game's history.
        """
        games, words = starts.shape
        return cls(
            starts=starts,
            rows=np.zeros((games, 2, words), np.uint64),
            keys=np.zeros((games, keys), np.uint64),
            repetition_state=np.zeros((games, 2), np.int32),
            results=np.full(games, ONGOING, np.int8),
            plies=np.zeros(games, np.int64),
            actions=np.zeros(games, np.int32),
            legal=np.zeros((games, max_actions), np.int32),
            counts=np.zeros(games, np.int32),
            masks=np.zeros((games, actions), np.bool_),
            movers=np.zeros(games, np.int8),
            seen=np.zeros((games, int(np.prod(shape))), np.int8),
            rewards=np.zeros((games, players), np.float32),
            done=np.zeros(games, np.bool_),
            truncated=np.zeros(games, np.bool_),
        )

    def as_step(self, shape: tuple[int, int, int]) -> Transition:
        """Return the arrays as the transition of a step, without a copy."""
        return Transition(
            _unwritable(self.seen.reshape(len(self.seen), *shape)),
            _unwritable(self.masks),
            _unwritable(self.movers),
            _unwritable(self.rewards),
            _unwritable(self.done),
            _unwritable(self.truncated),
        )

    def stretch(self, begin: int, end: int) -> Arrays:
        return Arrays(*(getattr(self, array.name)[begin:end] for array in fields(self)))


def _unwritable(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def rows_of(kernel: Kernel, starts: Sequence[Position]) -> NDArray[np.uint64]:
    """Return the rows of positions; consecutive references to one object are converted once."""
    rows = np.zeros((len(starts), kernel.words(starts[0])), np.uint64)
    for game, start in enumerate(starts):
        if game and start is starts[game - 1]:
            rows[game] = rows[game - 1]
        else:
            kernel.to_row(start, rows[game])
    return rows


def starts(
    room: Room,
    rules: str,
    options: Options,
    position: str | Position | Sequence[Position],
    games: int,
) -> Sequence[Position]:
    """Return the start of each game; raises `TrineError` if a game cannot start there."""
    if isinstance(position, str):
        start = start_position(room, rules, options, position)
        _check_start(room, start.rules, start)
        return [start] * games
    if options:
        raise IllegalError(
            "a given position leaves nothing to choose; it cannot have {options}",
            options=", ".join(options),
        )
    if isinstance(position, Sequence):
        starts = list(cast("Sequence[Position]", position))
    else:
        starts = [position] * games
    if len(starts) != games:
        raise MalformedError(
            "{given} positions for {games} games; expected one for each",
            given=len(starts),
            games=games,
        )
    played = room.rule_sets[rules] if rules else starts[0].rules
    for start in dict.fromkeys(starts):
        _check_start(room, played, start)
    return starts


def _check_start(room: Room, rules: Any, start: Position) -> None:
    """Raise `IllegalError` if no play of a rule set can start in a position."""
    known: Any = room.rule_sets.get(start.rules.name)
    if type(known) is not type(start.rules):
        raise IllegalError("a position of another game than {game}", game=typed(room.title))
    if start.rules is not rules:
        raise IllegalError(
            "a position of {given} among games of {game}/{rules}",
            given=start.rules.name,
            game=room.name,
            rules=rules.name,
        )
    if start.turn_open:
        raise IllegalError("a play begins with a whole turn; this position is within one")
    if start.outcome():
        raise IllegalError("no play can begin here: it is over")


def check_alike(kernel: Kernel, starts: Iterable[Position]) -> None:
    """Raise `IllegalError` if positions do not fit into the same arrays."""
    if len({(len(start.seats), kernel.actions(start)) for start in starts}) > 1:
        raise IllegalError("all games of a batch have as many players, on boards of the same size")
