"""Hints, and the reasons for a turn, for people who do not know how the computer thinks.

Exact reasons come first: the effects of the turn itself, a threat that is met, a threat that is
made. Then come the terms of the evaluation, by their changes until the end of the line as it is
shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from trine.core.contract import Aspect, Effect, Heuristics, Kernel, Room, Term
from trine.core.contract.position import Action, Position
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.core.text.wording import written_actions
from trine.engine.players.assessment import TURNS_SHOWN, line_text, turns_of, value_text
from trine.engine.players.player import Decision
from trine.engine.search.info import Info
from trine.engine.search.nets import NO_NET, SearchNet, default_net, points_added
from trine.games import open_kernel

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot

MOST: Final = 3
"""The greatest number of reasons."""
ENOUGH: Final = 2
"""The number of exact reasons that make those of the evaluation unnecessary. Guess."""
WORTH_TELLING: Final = 10.0
"""Units: points; a smaller change of the evaluation is no reason. Guess."""

NET: Final = Term(
    "net",
    text("what the net adds"),
    Aspect("net", text("the position as a whole")),
    weight=1.0,
)
"""The part of a net in an evaluation, as a term of its own."""

Threats = Mapping[tuple[str, str], Text]
"""Threats by their kind and their object."""


@dataclass(frozen=True)
class WeightedTerm:
    """A term of the evaluation as counted in a position."""

    term: Term
    value: float
    """The player's count of it, less that of the others."""
    weight: float

    @property
    def points(self) -> float:
        return self.value * self.weight


def weigh(
    kernel: Kernel,
    heuristics: Heuristics,
    position: Position,
    player: int,
    net: SearchNet | None = None,
) -> list[WeightedTerm]:
    """Return all terms of the evaluation of a position that is not over, counted for a player."""
    row = kernel.row_of(position)
    counts = np.zeros(len(heuristics.terms), np.float32)
    heuristics.evaluate(row, player, heuristics.weights, counts)
    weighed = [
        WeightedTerm(term, float(value), float(weight))
        for term, value, weight in zip(heuristics.terms, counts, heuristics.weights, strict=False)
    ]
    inputs = heuristics.net
    net = (net or default_net(inputs.game, position)) if inputs else NO_NET
    if inputs and net is not NO_NET:
        added = points_added(net, inputs, row, counts, kernel.mover(row), player)
        weighed.append(WeightedTerm(NET, float(added), NET.weight))
    return weighed


def reasons(
    room: Room,
    kernel: Kernel,
    heuristics: Heuristics,
    position: Position,
    info: Info,
    net: SearchNet | None = None,
) -> list[Text]:
    """Return the reasons to play the first turn of a line, three at most.

    Args: the weights of ``heuristics``, and the net, are those that the search had.

    No reason is given twice: none that the score of a decided play tells already, and for each
    aspect of the evaluation only the most exact one.
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
    counts: list[Effect] = []
    if after.outcome() is None:
        effects = room.view.effects(position, first)
        counts = [effect for effect in effects if not effect.about]
        done = [effect for effect in effects if effect.about]
        threats = _threat_effects(room, position, after, player)
        found += [*done[:ENOUGH], *threats, *done[ENOUGH:]]
    if len(found) < ENOUGH:
        told = {effect.about for effect in found}

        def weighed(position: Position) -> list[WeightedTerm]:
            return weigh(kernel, heuristics, position, player, net)

        gains = _gain_effects(weighed, position, positions[len(first) :])
        found += [gain for gain in gains if gain.about not in told]
    return [effect.text for effect in (*found[:MOST], *counts)]


def _decided(info: Info) -> list[Text]:
    """Return the reasons that the score, which is shown beside them, does not tell."""
    if info.score.points > 0:
        return []
    return [text("every turn loses; none was found that holds out longer")]


def _positions(position: Position, line: Sequence[Action]) -> list[Position]:
    positions = [position]
    for action in line:
        positions.append(positions[-1].play_unchecked(action))
    return positions


# --- exact reasons -------------------------------------------------------------------------------


def _threat_effects(room: Room, before: Position, after: Position, player: int) -> Iterator[Effect]:
    standing, then = threats(room, before), threats(room, after)
    for seat in before.playing:
        if seat != player and (met := _gone(standing.get(seat, {}), then.get(seat, {}))):
            yield Effect(met[0], text("prevents: {threat}", threat=met[1]))
            break
    if made := _gone(then.get(player, {}), standing.get(player, {})):
        yield Effect(made[0], text("then: {threat}", threat=made[1]))


def _gone(one: Threats, other: Threats) -> tuple[str, Text] | None:
    """Return the first threat that is only in ``one``, if ``other`` has fewer of its kind."""
    for kind, what in one:
        if (kind, what) not in other and _count(other, kind) < _count(one, kind):
            return kind, one[kind, what]
    return None


def _count(known: Threats, kind: str) -> int:
    return sum(kind == other for other, _ in known)


def threats(room: Room, position: Position) -> Mapping[int, Threats]:
    """Return the threats that each player could carry out in one turn, by the room's insight."""
    found: dict[int, dict[tuple[str, str], Text]] = {}
    for threat in room.view.insight(position).list_threats():
        found.setdefault(threat.player, {})[threat.kind, threat.what] = threat.text
    return found


# --- reasons by the evaluation -------------------------------------------------------------------


def _gain_effects(
    weighed: Callable[[Position], list[WeightedTerm]], before: Position, then: Sequence[Position]
) -> Iterator[Effect]:
    """Yield the aspects that get better for the player to move, the most important first.

    Args: the positions from the end of the turn on. If the player has no further turn in the line,
    the position after the turn is compared.
    """
    player, name = before.mover, before.seats[before.mover].name
    if end := _last_beginning(then, player):
        for aspect, what in _gains(weighed, before, end):
            yield Effect(aspect, text("later better for {player}: {what}", player=name, what=what))
    elif then[0].outcome() is None:
        for aspect, what in _gains(weighed, before, then[0]):
            yield Effect(aspect, text("then better for {player}: {what}", player=name, what=what))


def _last_beginning(positions: Sequence[Position], player: int) -> Position | None:
    """Return the last position in which a player begins a turn; None if there is none."""
    begins = (
        after
        for after in reversed(positions)
        if after.mover == player and not after.turn_open and after.outcome() is None
    )
    return next(begins, None)


def _gains(
    weighed: Callable[[Position], list[WeightedTerm]], before: Position, after: Position
) -> Iterator[tuple[str, Text]]:
    """Yield the aspects that are better for the player to move in ``before``, and their gains."""
    alike: dict[str, list[_Change]] = {}
    for then, now in zip(weighed(before), weighed(after), strict=True):
        if then.term.aspect:
            change = _Change(then.term, now.value - then.value, now.points - then.points)
            alike.setdefault(then.term.aspect.name, []).append(change)
    gained = {name: sum(change.points for change in changes) for name, changes in alike.items()}
    for name in sorted(gained, key=gained.__getitem__, reverse=True):
        if gained[name] >= WORTH_TELLING and (what := _gain_text(alike[name])):
            yield name, what


@dataclass(frozen=True)
class _Change:
    """The change of a term for a player, and the gain by it."""

    term: Term
    value: float
    points: float


def _gain_text(changes: Sequence[_Change]) -> Text | None:
    """Return the gain in words, with its size if people count it; None if a count is against it."""
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
    counted = aspect.counted
    return Text(counted.template, {"count": int(count)}, counted.context, counted.plural)


def advice(play: Play, decision: Decision, bot: Bot, *, expects: bool = True) -> list[Text]:
    """Return the hint of a bot: the turn with its score, the reasons, what is to follow."""
    room, position, info = play.room, play.position, decision.info
    turn = written_actions(room, position, decision.actions)
    if info is None and not turn:
        return [text("hint: Enter ends the turn")]
    if info is None:
        return [text("hint: {turn}, a sound way to begin", turn=turn)]
    score = value_text(room, position, info)
    told = [
        text("hint: {turn}; {score}", turn=turn, score=score)
        if turn
        else text("hint: Enter ends the turn; {score}", score=score)
    ]
    told += reasons(room, open_kernel(room.name), bot.heuristics, position, info, bot.net)
    if expects and (turn or len(info.pv) > len(decision.actions)):
        expected = line_text(room, position, info.pv, TURNS_SHOWN)
        told.append(text("expected: {line}", line=expected))
    return told
