"""Why a turn is good, in words for somebody who does not know how the computer thinks.

What is exact comes first: a win, a threat that is met, a threat that is made. Then comes what the
evaluation counts, by how much it changes until the end of the line that is expected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from trine.core.doors import Action, Kernel, Mind, Position, Room, Term
from trine.core.text import Text, text
from trine.engine.telling import score_text
from trine.search.info import Info

MOST: Final = 3
"""More reasons than that are not told."""
WORTH_TELLING: Final = 10.0
"""Units: points; what changes the evaluation less is no reason. Guess."""

Threats = Mapping[tuple[str, str], Text]
"""By kind and by what is threatened."""


@dataclass(frozen=True)
class Weighed:
    """A term of the evaluation as counted in a position."""

    term: Term
    value: float
    """What the player has of it, less what the others have."""
    weight: float

    @property
    def points(self) -> float:
        """What it adds to the score of the player."""
        return self.value * self.weight


def weigh(kernel: Kernel, mind: Mind, position: Position, player: int) -> list[Weighed]:
    """All terms of the evaluation of a position that is not over, as counted for a player."""
    row = np.zeros(kernel.words(position), np.uint64)
    kernel.to_row(position, row)
    values = np.zeros(len(mind.terms), np.float32)
    mind.evaluate(row, player, mind.memory, values)
    return [
        Weighed(term, float(value), float(weight))
        for term, value, weight in zip(mind.terms, values, mind.memory, strict=False)
    ]


def reasons(room: Room, kernel: Kernel, mind: Mind, position: Position, info: Info) -> list[Text]:
    """Why the player to move should play the first turn of a line; three reasons at most."""
    player = position.mover
    positions = _positions(position, info.line)
    own_turn = next(
        (index for index, after in enumerate(positions) if index and _is_over(after, player)),
        len(positions) - 1,
    )
    if info.score.decided_in is not None:
        return [_decided(room, position, info)]
    found: list[Text] = []
    if positions[own_turn].outcome() is None:
        found += _threats_told(room, position, positions[own_turn], player)
    end = _last_to_compare(positions[own_turn:], player)
    if end.outcome() is None:
        found += _changes(kernel, mind, position, end, player)
    return found[:MOST] or [text("all other turns look worse")]


def _positions(position: Position, line: Sequence[Action]) -> list[Position]:
    positions = [position]
    for action in line:
        positions.append(positions[-1].play_unchecked(action))
    return positions


def _is_over(after: Position, player: int) -> bool:
    """Whether a turn of the player is over in a position."""
    return after.mover != player or not after.turn_open


def _last_to_compare(positions: Sequence[Position], player: int) -> Position:
    """The last position in which the player begins a turn, as in the first; else the first.

    So being to move counts for nothing.
    """
    begins = (
        after
        for after in reversed(positions)
        if after.mover == player and not after.turn_open and after.outcome() is None
    )
    return next(begins, positions[0])


# --- what is exact -------------------------------------------------------------------------------


def _decided(room: Room, position: Position, info: Info) -> Text:
    told = score_text(room, position, info.score, info.line)
    if info.score.points > 0:
        return told
    return text("{outcome}, whatever is played; this holds out longest", outcome=told)


def _threats_told(room: Room, before: Position, after: Position, player: int) -> Iterator[Text]:
    """A threat of another that is met, and one that is made."""
    standing, then = threats(room, before), threats(room, after)
    for seat in before.playing:
        if seat != player and (met := _gone(standing.get(seat, {}), then.get(seat, {}))):
            yield text("prevents: {threat}", threat=met)
            break
    if made := _gone(then.get(player, {}), standing.get(player, {})):
        yield text("then: {threat}", threat=made)


def _gone(one: Threats, other: Threats) -> Text | None:
    """The first threat that is in one only, if the other has fewer of its kind.

    Else a piece that has only moved to where it can be caught too would count.
    """
    for kind, what in one:
        if (kind, what) not in other and _count(other, kind) < _count(one, kind):
            return one[kind, what]
    return None


def _count(known: Threats, kind: str) -> int:
    return sum(kind == other for other, _ in known)


def threats(room: Room, position: Position) -> Mapping[int, Threats]:
    """What each player could do in one turn that hurts, as the room's insight tells it."""
    found: dict[int, dict[tuple[str, str], Text]] = {}
    for threat in room.insight(position).threats_told():
        found.setdefault(threat.player, {})[threat.kind, threat.what] = threat.told
    return found


# --- what the evaluation counts ------------------------------------------------------------------


def _changes(
    kernel: Kernel, mind: Mind, before: Position, after: Position, player: int
) -> Iterator[Text]:
    """What is better for the player after than before, what matters most first."""
    others = [seat for seat in before.playing if seat != player]
    gains = _gains(weigh(kernel, mind, before, player), weigh(kernel, mind, after, player))
    for points, term, change in sorted(gains, key=lambda gain: -gain[0]):
        if points < WORTH_TELLING or not _amount(change):
            return
        yield _change_text(before, term, change, others)


def _gains(
    before: Sequence[Weighed], after: Sequence[Weighed]
) -> Iterator[tuple[float, Term, float]]:
    """For all terms of the same words: the points gained, the term that shows it best, its change.

    Terms of the same words count the same thing in other circumstances. One whose weight goes
    against that of the heaviest corrects it; by itself it would make no sense to a person.
    """
    alike: dict[Text, list[tuple[Weighed, Weighed]]] = {}
    for pair in zip(before, after, strict=True):
        alike.setdefault(pair[0].term.text, []).append(pair)
    for pairs in alike.values():
        heaviest = max((now.weight for now, _ in pairs), key=abs)
        best_now, best_then = max(
            (pair for pair in pairs if pair[0].weight * heaviest >= 0),
            key=lambda pair: pair[1].points - pair[0].points,
        )
        points = sum(then.points - now.points for now, then in pairs)
        yield points, best_now.term, best_then.value - best_now.value


def _change_text(before: Position, term: Term, change: float, others: Sequence[int]) -> Text:
    values = {"what": term.text, "amount": _amount(abs(change))}
    if len(others) > 1:
        if change > 0:
            return text("{what}: {amount} more, compared with the others", **values)
        return text("{what}: {amount} less, compared with the others", **values)
    values["player"] = before.seats[others[0]].name
    if change > 0:
        return text("{what}: {amount} more, compared with {player}", **values)
    return text("{what}: {amount} less, compared with {player}", **values)


def _amount(change: float) -> str:
    """A number for people; empty if it rounds to nothing."""
    shown = f"{change:.1f}".removesuffix(".0")
    return "" if shown in ("0", "-0") else shown
