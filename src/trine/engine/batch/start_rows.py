"""Where the games of a batch begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import Kernel, Options, Room
from trine.core.contract.position import Position
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import text
from trine.games import start_position


def rows_of(kernel: Kernel, starts: Sequence[Position]) -> NDArray[np.uint64]:
    """The rows of positions; neighbours that are the same object are converted once."""
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
    """Where each game begins. Raises `TrineError`: it cannot begin so."""
    if isinstance(position, str):
        start = start_position(room, rules, options, position)
        _check_start(room, start.rules, start)
        return [start] * games
    if options:
        raise IllegalError(
            text(
                "a given position leaves nothing to choose; it cannot have {options}",
                options=", ".join(options),
            )
        )
    if isinstance(position, Sequence):
        starts = list(cast("Sequence[Position]", position))
    else:
        starts = [position] * games
    if len(starts) != games:
        raise MalformedError(
            text(
                "{given} positions for {games} games; expected one for each",
                given=len(starts),
                games=games,
            )
        )
    played = room.rule_sets[rules] if rules else starts[0].rules
    for start in dict.fromkeys(starts):
        _check_start(room, played, start)
    return starts


def _check_start(room: Room, rules: Any, start: Position) -> None:
    """Raise `IllegalError` if no play by a rule set can begin so."""
    known: Any = room.rule_sets.get(start.rules.name)
    if type(known) is not type(start.rules):
        raise IllegalError(text("a position of another game than {game}", game=room.title))
    if start.rules is not rules:
        raise IllegalError(
            text(
                "a position of {given} among games of {game}/{rules}",
                given=start.rules.name,
                game=room.name,
                rules=rules.name,
            )
        )
    if start.turn_open:
        raise IllegalError(text("a play begins with a whole turn; this position is within one"))
    if start.outcome():
        raise IllegalError(text("no play can begin here: it is over"))


def check_alike(kernel: Kernel, starts: Iterable[Position]) -> None:
    """Raise `IllegalError` if positions do not fit in the same arrays."""
    if len({(len(start.seats), kernel.actions(start)) for start in starts}) > 1:
        raise IllegalError(
            text("all games of a batch have as many players, on boards of the same size")
        )
