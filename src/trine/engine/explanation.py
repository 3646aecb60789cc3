"""Why a turn is good, in words for somebody who does not know how the computer thinks.

What is exact comes first: what the turn itself brings about, a threat that is met, a threat that is
made. Then comes what the evaluation counts, by how it changes until the end of the line as it is
shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from trine.core.doors import Action, Effect, Heuristics, Kernel, Position, Room, Term
from trine.core.text import Text, text
from trine.engine.assessment import TURNS_SHOWN, turns_of
from trine.search.info import Info

MOST: Final = 3
"""More reasons than that are not told."""
ENOUGH: Final = 2
"""So many exact reasons leave no need for what the evaluation counts. Guess."""
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


def weigh(kernel: Kernel, heuristics: Heuristics, position: Position, player: int) -> list[Weighed]:
    """All terms of the evaluation of a position that is not over, as counted for a player."""
    row = np.zeros(kernel.words(position), np.uint64)
    kernel.to_row(position, row)
    features = np.zeros(len(heuristics.terms), np.float32)
    heuristics.evaluate(row, player, heuristics.weights, features)
    return [
        Weighed(term, float(value), float(weight))
        for term, value, weight in zip(heuristics.terms, features, heuristics.weights, strict=False)
    ]


def reasons(
    room: Room, kernel: Kernel, heuristics: Heuristics, position: Position, info: Info
) -> list[Text]:
    """Why the player to move should play the first turn of a line; three reasons at most.

    Nothing is told twice: not what the score says when the play is decided, and of each aspect of
    the evaluation only what is most exact.
    """
    if not info.pv:
        return []
    if info.score.decided_in is not None:
        return _decided(info)
    turns = turns_of(position, info.pv)[:TURNS_SHOWN]
    (_, first), player = turns[0], position.mover
    positions = _positions(position, [action for _, actions in turns for action in actions])
    after = positions[len(first)]
    found: list[Effect] = []
    if after.outcome() is None:
        done, threats = room.effects(position, first), _threats_told(room, position, after, player)
        found += [*done[:ENOUGH], *threats, *done[ENOUGH:]]
    if len(found) < ENOUGH:
        told = {effect.about for effect in found}
        gains = _gains_told(kernel, heuristics, position, positions[len(first) :])
        found += [gain for gain in gains if gain.about not in told]
    return [effect.told for effect in found[:MOST]]


def _decided(info: Info) -> list[Text]:
    """What the score, which has been told, does not say."""
    if info.score.points > 0:
        return []
    return [text("every turn loses; none was found that holds out longer")]


def _positions(position: Position, line: Sequence[Action]) -> list[Position]:
    positions = [position]
    for action in line:
        positions.append(positions[-1].play_unchecked(action))
    return positions


# --- what is exact -------------------------------------------------------------------------------


def _threats_told(room: Room, before: Position, after: Position, player: int) -> Iterator[Effect]:
    """A threat of another that is met, and one that is made."""
    standing, then = threats(room, before), threats(room, after)
    for seat in before.playing:
        if seat != player and (met := _gone(standing.get(seat, {}), then.get(seat, {}))):
            yield Effect(met[0], text("prevents: {threat}", threat=met[1]))
            break
    if made := _gone(then.get(player, {}), standing.get(player, {})):
        yield Effect(made[0], text("then: {threat}", threat=made[1]))


def _gone(one: Threats, other: Threats) -> tuple[str, Text] | None:
    """The first threat that is in one only, if the other has fewer of its kind; with its kind.

    Else a piece that has only moved to where it can be caught too would count.
    """
    for kind, what in one:
        if (kind, what) not in other and _count(other, kind) < _count(one, kind):
            return kind, one[kind, what]
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


def _gains_told(
    kernel: Kernel, heuristics: Heuristics, before: Position, then: Sequence[Position]
) -> Iterator[Effect]:
    """The aspects that get better for the player to move, what matters most first.

    Args: the positions from the end of the turn on. A line that is too short to come round tells
    what the turn alone makes better.
    """
    player, name = before.mover, before.seats[before.mover].name
    if end := _last_beginning(then, player):
        for aspect, what in _gains(kernel, heuristics, before, end):
            yield Effect(aspect, text("later better for {player}: {what}", player=name, what=what))
    elif then[0].outcome() is None:
        for aspect, what in _gains(kernel, heuristics, before, then[0]):
            yield Effect(aspect, text("then better for {player}: {what}", player=name, what=what))


def _last_beginning(positions: Sequence[Position], player: int) -> Position | None:
    """The last position in which a player begins a turn; None if there is none.

    Where the player to move began a turn before, too, being to move counts for nothing.
    """
    begins = (
        after
        for after in reversed(positions)
        if after.mover == player and not after.turn_open and after.outcome() is None
    )
    return next(begins, None)


def _gains(
    kernel: Kernel, heuristics: Heuristics, before: Position, after: Position
) -> Iterator[tuple[str, Text]]:
    """The aspects that are better for who is to move before, and what is better."""
    player, alike = before.mover, dict[str, list[_Change]]()
    pairs = zip(
        weigh(kernel, heuristics, before, player),
        weigh(kernel, heuristics, after, player),
        strict=True,
    )
    for then, now in pairs:
        if then.term.aspect:
            change = _Change(then.term, now.value - then.value, now.points - then.points)
            alike.setdefault(then.term.aspect.name, []).append(change)
    gained = {name: sum(change.points for change in changes) for name, changes in alike.items()}
    for name in sorted(gained, key=gained.__getitem__, reverse=True):
        if gained[name] >= WORTH_TELLING and (what := _gain_text(alike[name])):
            yield name, what


@dataclass(frozen=True)
class _Change:
    """How a term changes for a player, and what that gains."""

    term: Term
    value: float
    points: float


def _gain_text(changes: Sequence[_Change]) -> Text | None:
    """What gets better, and by how much if people count it; None if that count speaks against."""
    aspect = changes[0].term.aspect
    assert aspect is not None
    counts = [change for change in changes if change.term.is_count and change.value]
    if any(change.points < 0 for change in counts):
        return None
    count = round(abs(sum(change.value for change in counts)), 3)
    if (
        not aspect.counted or not count or count != int(count)
    ):  # of three and four, thirds and halves
        return aspect.text
    return replace(aspect.counted, values={"count": int(count)})
