"""The consequences of a turn: effects in words, themes of puzzles, goals of lessons, events.

Effects explain a recommendation; first games show a sentence when something happens.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from trine.core.contract.insight import Effect, Theme
from trine.core.contract.lesson import GoalWord, Pieces, Reached, goals_of_pieces
from trine.core.contract.position import Reason, position_after
from trine.core.text.sentence import Text, ctext, join, ntext, text
from trine.games.tzaar.board import (
    EMPTY,
    KINDS,
    LINES_FROM,
    POINT_NAMES,
    POINTS,
    SIDE,
    SIDE_NAMES,
    piece_name,
)
from trine.games.tzaar.position import Position, piece_on
from trine.games.tzaar.rules import PASS, Action, Capture, Stacking
from trine.games.tzaar.rules import reached as reached_from
from trine.games.tzaar.view.insight import MAX_NAMED_CAPTURES, threats_of

MAX_MENTIONED: Final = 2
"""Effects mention the number of stacks left of a kind if it is at most this. Guess."""


def effects(position: Position, actions: Sequence[Action]) -> list[Effect]:
    """Return the effects of a turn, except the moves of the stacks themselves.

    >>> from trine.games.tzaar.diagrams import parse_position
    >>> board = "...../.Y..../...Z2T../......../....*..../...z.z../......./.y..../t3...."
    >>> before = parse_position(f"open {board} white 1")
    >>> for effect in effects(before, before.legal_actions()[:1]):
    ...     print(effect.text)
    takes the black Tzaar on f6
    leaves Black only 1 stack with a Tzaar on top
    captures that it leaves: White 1, Black 0
    """
    if position.in_setup:
        return []
    start, taken, built = position, list[Text](), list[Effect]()
    for action in actions:
        if isinstance(action, Capture):
            taken.append(_stack_on(position, action.target))
        after = position.play_unchecked(action)
        if isinstance(action, Stacking):
            built.append(Effect("towers", _built(after, action.target)))
        position = after
    found = [Effect("stacks", text("takes {stacks}", stacks=join(taken, "; ")))] if taken else []
    found += [*_few_left(start, position), *built, *_few_captures(start, position)]
    return [*found, *_captures_left(position, start.mover)]


def _stack_on(position: Position, point: int) -> Text:
    """Return a piece with its point and, if it is on others, the height of the stack."""
    piece, height = piece_on(position.tops, point), position.heights[point]
    if height == 1:
        return piece
    return text("{piece}, {height} high", piece=piece, height=height)


def _built(after: Position, point: int) -> Text:
    """Return a sentence about the stack that has grown, and whether the enemy could take it."""
    enemy, height = 1 - SIDE[after.tops[point]], after.heights[point]
    stack = text(
        "a stack of {height} on {cell} with a {piece} on top",
        height=height,
        cell=POINT_NAMES[point],
        piece=piece_name(after.tops[point]),
    )
    tallest = max(after.heights[other] for other in POINTS if SIDE[after.tops[other]] == enemy)
    if height > tallest:
        return text("builds {stack}, too tall for {enemy}", stack=stack, enemy=SIDE_NAMES[enemy])
    if all(capture.target != point for capture in after.captures(enemy)):
        return text(
            "builds {stack}, which {enemy} cannot take now", stack=stack, enemy=SIDE_NAMES[enemy]
        )
    return text("builds {stack}", stack=stack)


def _few_left(before: Position, after: Position) -> Iterator[Effect]:
    """Yield an effect for each of the other side's kinds that loses stacks and has few left."""
    enemy = 1 - before.mover
    pairs = zip(KINDS, before.shown(enemy), after.shown(enemy), strict=True)
    for kind, then, now in pairs:
        if now < then and now <= MAX_MENTIONED:
            sentence = ntext(
                "leaves {enemy} only {count} stack with a {piece} on top",
                "leaves {enemy} only {count} stacks with a {piece} on top",
                now,
                enemy=SIDE_NAMES[enemy],
                piece=piece_name(kind),
            )
            yield Effect("extinction", sentence)


def _few_captures(before: Position, after: Position) -> Iterator[Effect]:
    enemy = 1 - before.mover
    then, now = (len(position.captures(enemy)) for position in (before, after))
    if now < then and now <= MAX_NAMED_CAPTURES:
        sentence = ntext(
            "leaves {enemy} only {count} capture",
            "leaves {enemy} only {count} captures",
            now,
            enemy=SIDE_NAMES[enemy],
        )
        yield Effect("no_capture", sentence)


def _captures_left(after: Position, mover: int) -> Iterator[Effect]:
    """Yield the captures left to both sides, the Russian document's count, if the play goes on."""
    if not after.outcome():
        own, others = (len(after.captures(side)) for side in (mover, 1 - mover))
        sentence = text(
            "captures that it leaves: {side} {own}, {enemy} {others}",
            side=SIDE_NAMES[mover],
            own=own,
            enemy=SIDE_NAMES[1 - mover],
            others=others,
        )
        yield Effect("", sentence)


# --- themes of puzzles ----------------------------------------------------------------------------

MAX_FEW_CAPTURES: Final = 2  # at most this many captures are hardly any. Guess


def _wins_by(before: Position, actions: Sequence[Action], reason: Reason) -> bool:
    outcome = position_after(before, actions).outcome()
    return outcome is not None and (outcome.winner, outcome.reason) == (before.mover, reason)


def _extinction(before: Position, actions: Sequence[Action]) -> bool:
    return _wins_by(before, actions, Reason.EXTINCTION)


def _no_capture(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn leaves the other side few captures, or none."""
    if _wins_by(before, actions, Reason.NO_CAPTURE):
        return True
    after, enemy = position_after(before, actions), 1 - before.mover
    then, now = (len(position.captures(enemy)) for position in (before, after))
    return after.outcome() is None and now < then and now <= MAX_FEW_CAPTURES


def _ways_to_win(position: Position, side: int) -> int:
    threats = threats_of(position, side)
    return len(threats.extinction) + (threats.no_capture is not None)


def _fork(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn threatens to win in several ways: by a kind, or by captures."""
    after, player = position_after(before, actions), before.mover
    if after.outcome():
        return False
    return _ways_to_win(after, player) > max(1, _ways_to_win(before, player))


def _tower(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn builds a stack that is too tall for the other side."""
    after, enemy = position_after(before, actions), 1 - before.mover
    tallest = max(
        (after.heights[point] for point in POINTS if SIDE[after.tops[point]] == enemy), default=0
    )
    return any(
        isinstance(action, Stacking) and after.heights[action.target] > tallest
        for action in actions
    )


def _rescue(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the other side could have won before the turn, and cannot after it."""
    after, enemy = position_after(before, actions), 1 - before.mover
    if after.outcome() or not _ways_to_win(before, enemy):
        return False
    return not _ways_to_win(after, enemy)


THEMES: Final = {
    "extinction": Theme(
        ctext("theme", "last of a kind"), text("Count what is left of each kind."), _extinction
    ),
    "no-capture": Theme(
        ctext("theme", "out of captures"),
        text("Count the captures that the other side has left."),
        _no_capture,
    ),
    "fork": Theme(
        ctext("theme", "fork of the three kinds"),
        text("Two threats at once cannot both be met."),
        _fork,
    ),
    "tower": Theme(
        ctext("theme", "tall stack"), text("A stack can grow too tall to be taken."), _tower
    ),
    "rescue": Theme(
        ctext("theme", "meeting a threat"),
        text("Look first at what the other side threatens to win by."),
        _rescue,
    ),
}


# --- the goals of lessons ------------------------------------------------------------------------


def _stacks(position: Position) -> Pieces:
    occupied = zip(POINT_NAMES, position.tops, strict=True)
    return {cell: (SIDE[top], top) for cell, top in occupied if top != EMPTY}


def _has_height(reached: Reached, least: int) -> bool:
    """Return whether the learner has a stack at least this high."""
    stacks = zip(reached.position.tops, reached.position.heights, strict=True)
    return any(SIDE[top] == reached.learner and height >= least for top, height in stacks)


def _is_safe(reached: Reached, piece: str) -> bool:
    """Return whether no stack of a kind can be captured with one action."""
    position = reached.position
    captures = position.captures(1 - reached.learner)
    return all(position.tops[capture.target] != piece for capture in captures)


def _struck_from(reached: Reached) -> tuple[set[int], set[int], set[int]]:
    """Return the neighbours of the piece just placed, and the stacks of both sides in its lines."""
    tops, point = reached.position.tops, reached.actions[-1].point
    beside = {line[0] for line in LINES_FROM[point] if line}
    striking = set(reached_from(tops, point))
    own = {other for other in striking if SIDE[tops[other]] == reached.learner}
    return beside, own, striking - own


def _is_in_mass(reached: Reached) -> bool:
    """Return whether the piece just placed touches at least three own pieces."""
    if not reached.actions:
        return False
    beside, own, _ = _struck_from(reached)
    return len(own & beside) >= 3


def _is_in_line(reached: Reached) -> bool:
    """Return whether the piece just placed is guarded from both sides of a line, from afar."""
    if not reached.actions:
        return False
    beside, own, _ = _struck_from(reached)
    lines = LINES_FROM[reached.actions[-1].point]
    covered = [bool((own - beside).intersection(line)) for line in lines]
    return any(covered[way] and covered[way + 3] for way in range(3))


def _is_answered(reached: Reached) -> bool:
    """Return whether the piece just placed touches an enemy, and whatever takes it is retaken."""
    if not reached.actions:
        return False
    beside, own, enemies = _struck_from(reached)
    return bool(enemies & beside) and len(enemies) <= len(own)


GOALS: Final[Mapping[str, GoalWord]] = MappingProxyType(
    {
        **goals_of_pieces(_stacks),
        "height": _has_height,
        "passed": lambda reached: reached.actions[-1] == PASS,  # after a capture
        "safe": _is_safe,
        "in-mass": _is_in_mass,
        "in-line": _is_in_line,
        "answered": _is_answered,
    }
)

# --- the events of first games -------------------------------------------------------------------


def _builds(turn: Any, player: int) -> bool:
    return turn.player == player and any(isinstance(one, Stacking) for one in turn.actions)


def _is_last_of_kind(turn: Any, player: int) -> bool:
    """Return whether the other side has left the player a single stack of a kind."""
    before, after = (position.shown(player) for position in (turn.before, turn.after))
    return bool(turn.player != player and min(after) == 1 < min(before))


HAPPENINGS: Final = MappingProxyType({"stacks": _builds, "last-of-kind": _is_last_of_kind})
