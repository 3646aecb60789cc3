"""Hints, and the reasons for a turn, in words for players.

Exact reasons come first: effects of the turn, a prevented threat, a new threat. Then come the
aspects of the evaluation that improve up to the end of the shown line, the largest gain first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from trine.core.contract.heuristics import Heuristics, Kernel, Term
from trine.core.contract.insight import Effect
from trine.core.contract.position import Action, Position
from trine.core.contract.room import Room
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, text
from trine.engine.players.assessment import TURNS_SHOWN, line_text, turns_of, value_text
from trine.engine.players.player import Decision
from trine.engine.search.info import Info
from trine.engine.search.nets import NO_NET, SearchNet, default_net, points_added
from trine.games import open_kernel

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot

MAX_REASONS: Final = 3
ENOUGH_EXACT: Final = 2  # with this many exact reasons, the evaluation adds none. Guess
MIN_GAIN: Final = 10.0  # points; smaller gains in the evaluation are not given as reasons. Guess

NET_TERM: Final = Term("net", text("what the net adds"), weight=1.0)
"""The net's share of an evaluation, as a term; no aspect explains it, so it is never a reason."""

Threats = Mapping[tuple[str, str], Text]  # the texts of threats, by kind and target


@dataclass(frozen=True)
class WeightedTerm:
    """A term of the evaluation, counted in a position."""

    term: Term
    value: float  # the player's count minus the others' counts
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
    """Return all evaluation terms of an ongoing position, counted for a player."""
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
        weighed.append(WeightedTerm(NET_TERM, float(added), NET_TERM.weight))
    return weighed


def reasons(
    room: Room,
    kernel: Kernel,
    heuristics: Heuristics,
    position: Position,
    info: Info,
    net: SearchNet | None = None,
) -> list[Text]:
    """Return up to `MAX_REASONS` reasons for the first turn of a line.

    No reason is repeated: none that a proven score implies, and for each aspect only the most exact
    one. ``heuristics`` has the weights of the search, ``net`` is its net.
    """
    if not info.pv:
        return []
    if info.score.decided_in is not None:
        if info.score.points > 0:
            return []  # the score says enough
        return [text("every turn loses; none was found that holds out longer")]
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
        found += [*done[:ENOUGH_EXACT], *threats, *done[ENOUGH_EXACT:]]
    if len(found) < ENOUGH_EXACT:
        explained = {effect.about for effect in found}

        def weighed(position: Position) -> list[WeightedTerm]:
            return weigh(kernel, heuristics, position, player, net)

        gains = _gain_effects(weighed, position, positions[len(first) :])
        found += [gain for gain in gains if gain.about not in explained]
    return [effect.text for effect in (*found[:MAX_REASONS], *counts)]


def _positions(position: Position, line: Sequence[Action]) -> list[Position]:
    positions = [position]
    for action in line:
        positions.append(positions[-1].play_unchecked(action))
    return positions


def _threat_effects(room: Room, before: Position, after: Position, player: int) -> Iterator[Effect]:
    earlier, then = threats(room, before), threats(room, after)
    for seat in before.playing:
        if seat != player and (met := _gone(earlier.get(seat, {}), then.get(seat, {}))):
            yield Effect(met[0], text("prevents: {threat}", threat=met[1]))
            break
    if made := _gone(then.get(player, {}), earlier.get(player, {})):
        yield Effect(made[0], text("then: {threat}", threat=made[1]))


def _gone(before: Threats, after: Threats) -> tuple[str, Text] | None:
    """Return the first threat that is only in ``before``, if ``after`` has fewer of its kind."""
    for kind, what in before:
        if (kind, what) not in after and _count(after, kind) < _count(before, kind):
            return kind, before[kind, what]
    return None


def _count(threats: Threats, kind: str) -> int:
    return sum(kind == other for other, _ in threats)


def threats(room: Room, position: Position) -> Mapping[int, Threats]:
    """Return the threats that each player could carry out in one turn."""
    found: dict[int, dict[tuple[str, str], Text]] = {}
    for threat in room.view.insight(position).list_threats():
        found.setdefault(threat.player, {})[threat.kind, threat.what] = threat.text
    return found


def _gain_effects(
    weighed: Callable[[Position], list[WeightedTerm]], before: Position, then: Sequence[Position]
) -> Iterator[Effect]:
    """Yield the aspects that improve for the player to move, the largest gain first.

    ``then`` are the positions from the end of the turn on; the last one where the player begins a
    turn is compared, or else the position after the turn.
    """
    player, name = before.mover, before.seats[before.mover].name
    if end := _last_beginning(then, player):
        for aspect, what in _gains(weighed, before, end):
            yield Effect(aspect, text("later better for {player}: {what}", player=name, what=what))
    elif then[0].outcome() is None:
        for aspect, what in _gains(weighed, before, then[0]):
            yield Effect(aspect, text("then better for {player}: {what}", player=name, what=what))


def _last_beginning(positions: Sequence[Position], player: int) -> Position | None:
    """Return the last position where a player begins a turn, if any."""
    begins = (
        after
        for after in reversed(positions)
        if after.mover == player and not after.turn_open and after.outcome() is None
    )
    return next(begins, None)


def _gains(
    weighed: Callable[[Position], list[WeightedTerm]], before: Position, after: Position
) -> Iterator[tuple[str, Text]]:
    """Yield the aspects that improve for the mover of ``before``, with the gains in words."""
    alike: dict[str, list[_Change]] = {}
    for then, now in zip(weighed(before), weighed(after), strict=True):
        if then.term.aspect:
            change = _Change(then.term, now.value - then.value, now.points - then.points)
            alike.setdefault(then.term.aspect.name, []).append(change)
    gained = {name: sum(change.points for change in changes) for name, changes in alike.items()}
    for name in sorted(gained, key=gained.__getitem__, reverse=True):
        if gained[name] >= MIN_GAIN and (what := _gain_text(alike[name])):
            yield name, what


@dataclass(frozen=True)
class _Change:
    """The change of a term for a player, in counts and points."""

    term: Term
    value: float
    points: float


def _gain_text(changes: Sequence[_Change]) -> Text | None:
    """Return the gain in words, with its size if countable; None if a count contradicts it."""
    aspect = changes[0].term.aspect
    assert aspect is not None
    counts = [change for change in changes if change.term.is_count and change.value]
    if any(change.points < 0 for change in counts):
        return None
    count = round(abs(sum(change.value for change in counts)), 3)
    if (
        not aspect.counted or not count or count != int(count)
    ):  # averages over three and four players are fractions
        return aspect.text
    counted = aspect.counted
    return Text(counted.template, {"count": int(count)}, counted.context, counted.plural)


def advice(play: Play, decision: Decision, bot: Bot, *, expects: bool = True) -> list[Text]:
    """Return the sentences of a hint: the turn with its score, the reasons, the expected line."""
    room, position, info = play.room, play.position, decision.info
    turn = written_actions(room, position, decision.actions)
    if info is None and not turn:
        return [text("hint: Enter ends the turn")]
    if info is None:
        return [text("hint: {turn}, a sound way to begin", turn=turn)]
    score = value_text(room, position, info)
    sentences = [
        text("hint: {turn}; {score}", turn=turn, score=score)
        if turn
        else text("hint: Enter ends the turn; {score}", score=score)
    ]
    sentences += reasons(room, open_kernel(room.name), bot.heuristics, position, info, bot.net)
    if expects and (turn or len(info.pv) > len(decision.actions)):
        expected = line_text(room, position, info.pv, TURNS_SHOWN)
        sentences.append(text("expected: {line}", line=expected))
    return sentences
