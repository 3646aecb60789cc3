"""The effects of a turn, in words for a recommendation: stacks taken, and stacks built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from trine.core.contract import Effect
from trine.core.text.sentence import Text, join, ntext, text
from trine.games.tzaar.board import KINDS, POINT_NAMES, POINTS, SIDE, SIDE_NAMES, piece_name
from trine.games.tzaar.position import Position
from trine.games.tzaar.reasons import piece_on
from trine.games.tzaar.rules import Action, Capture, Stacking, captures_of
from trine.games.tzaar.view.insight import FEW

FEW_OF_KIND: Final = 2
"""The largest number of stacks of a kind at which the number left is mentioned: guess."""


def effects(position: Position, actions: Sequence[Action]) -> list[Effect]:
    """Return the effects of a turn, apart from the moves of stacks themselves.

    >>> from trine.games.tzaar.diagrams import parse_position
    >>> board = "...../.Y..../...Z2T../......../....*..../...z.z../......./.y..../t3...."
    >>> before = parse_position(f"open {board} white 1")
    >>> for effect in effects(before, before.legal_actions()[:1]):
    ...     print(effect.told)
    takes the black Tzaar on f6
    leaves Black only 1 stack with a Tzaar on top
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
    return [*found, *_few_left(start, position), *built, *_few_captures(start, position)]


def _stack_on(position: Position, point: int) -> Text:
    """A piece with its point and, if it is on others, the height of the stack."""
    piece, height = piece_on(position.tops, point), position.heights[point]
    if height == 1:
        return piece
    return text("{piece}, {height} high", piece=piece, height=height)


def _built(after: Position, point: int) -> Text:
    """A sentence about the stack that has grown, and whether the other side could take it."""
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
    if all(capture.target != point for capture in _captures(after, enemy)):
        return text(
            "builds {stack}, which {enemy} cannot take now", stack=stack, enemy=SIDE_NAMES[enemy]
        )
    return text("builds {stack}", stack=stack)


def _few_left(before: Position, after: Position) -> Iterator[Effect]:
    """Yield the kinds of which the turn leaves the other side few stacks in sight."""
    enemy = 1 - before.mover
    pairs = zip(KINDS, before.shown(enemy), after.shown(enemy), strict=True)
    for kind, then, now in pairs:
        if now < then and now <= FEW_OF_KIND:
            told = ntext(
                "leaves {enemy} only {count} stack with a {piece} on top",
                "leaves {enemy} only {count} stacks with a {piece} on top",
                now,
                enemy=SIDE_NAMES[enemy],
                piece=piece_name(kind),
            )
            yield Effect("extinction", told)


def _few_captures(before: Position, after: Position) -> Iterator[Effect]:
    """Yield the effect that the turn leaves the other side few captures."""
    enemy = 1 - before.mover
    then, now = (len(_captures(position, enemy)) for position in (before, after))
    if now < then and now <= FEW:
        told = ntext(
            "leaves {enemy} only {count} capture",
            "leaves {enemy} only {count} captures",
            now,
            enemy=SIDE_NAMES[enemy],
        )
        yield Effect("no_capture", told)


def _captures(position: Position, side: int) -> list[Capture]:
    return captures_of(position.tops, position.heights, side)
