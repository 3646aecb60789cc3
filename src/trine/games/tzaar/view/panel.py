"""The sentences beside the board of TZAAR."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract.position import Cause, Outcome, Reason
from trine.core.text.sentence import Text, join, text
from trine.games.tzaar.board import KINDS, PIECE_NAMES, PIECES, SIDE_NAMES, SIDES, piece_name
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import Action, Capture, Placement, Stacking, captures_of, missing_kind
from trine.games.tzaar.view.insight import NEXT_ACTION, counted


def status(position: Position) -> list[Text]:
    r"""Return the lines beside the board: pieces in hand; or the next action, kinds and captures.

    >>> from trine.games.tzaar.rules import RULE_SETS
    >>> print(*status(Position.before_placement(RULE_SETS["open"])), sep="\n")
    White in hand: 15 T, 9 Y, 6 Z
    Black in hand: 15 T, 9 Y, 6 Z
    """
    if position.in_setup:
        return [
            text(
                "{side} in hand: {pieces}",
                side=SIDE_NAMES[side],
                pieces=counted(position.hand(side)),
            )
            for side in SIDES
        ]
    lines = [] if position.outcome() else [NEXT_ACTION[position.stage]]
    for side in SIDES:
        pieces = counted(position.shown(side))
        lines.append(text("{side} in sight: {pieces}", side=SIDE_NAMES[side], pieces=pieces))
    captures = [
        text(
            "{side} {count}",
            side=SIDE_NAMES[side],
            count=len(captures_of(position.tops, position.heights, side)),
        )
        for side in SIDES
    ]
    return [*lines, text("captures now: {counts}", counts=join(captures))]


def heading(position: Position, action: Action) -> tuple[tuple[int, int], Text]:
    """Return the group of a legal action, and its heading: captures by kind, stackings, pass."""
    match action:
        case Capture():
            kind = position.tops[action.origin].upper()
            words = text("capture with: {piece}", piece=piece_name(kind))
            return (0, KINDS.index(kind)), words
        case Stacking():
            return (1, 0), text("stack")
        case Placement():
            words = text("place: {piece}", piece=piece_name(action.kind))
            return (0, KINDS.index(action.kind)), words
        case _:
            return (2, 0), text("pass")


# --- what has ended a play, and what to do next ---------------------------------------------------


def cause(position: Position, outcome: Outcome) -> Cause | None:
    if outcome.winner is None:
        return None
    loser = 1 - outcome.winner
    if outcome.reason is Reason.EXTINCTION:
        kind = missing_kind(position.tops, loser)
        return Cause(
            text("no {piece} is left", piece=PIECE_NAMES[PIECES[loser][KINDS.index(kind)]])
        )
    if outcome.reason is Reason.NO_CAPTURE:
        return Cause(text("{side} can capture nothing", side=SIDE_NAMES[loser]))
    return None


NEXT: Final[Mapping[Stage, Text]] = {
    Stage.PLACE: text("Tap a free point to place a piece; choose another kind in your tray."),
    Stage.FIRST: text("The first turn is one capture: choose a piece, then what it takes."),
    Stage.ONE: text("You must capture: choose a stack, then what it takes."),
    Stage.TWO: text("You may still capture, stack or pass."),
}


def coach(position: Position) -> Text:
    """Return a sentence about what the player to move does next."""
    return NEXT[position.stage]
