"""The text board of Arimaa, and the sentences beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import Text, ctext, join, ntext, text, verbatim
from trine.core.text.textboard import Look, Row, Sign, Span, TextBoard
from trine.games.arimaa.board import (
    ARMY,
    EMPTY,
    GOAL_RANKS,
    KIND_NAMES,
    KINDS,
    OFF_BOARD,
    PIECES,
    RABBITS,
    SIDE,
    SIDE_NAMES,
    SIDES,
    SQUARE_NAMES,
    STRENGTH,
    TRAPS,
    piece_name,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.reasons import piece_on, push_due
from trine.games.arimaa.rules import STEPS_IN_TURN, Action, Placement, Step, is_frozen, shift

PIECE_SETS: Final[Mapping[str, Text]] = {
    "letters": ctext("piece set", "letters: E M H D C R, small for Silver"),
    "animals": ctext("piece set", "animals, with the letter beside each"),
    "chess": ctext("piece set", "chess men: king for elephant, queen for camel, rooks, bishops …"),
    "knights": ctext("piece set", "the same, but a knight is the horse"),
}
"""Chess men by strength, or with knights for horses: the French document names both ways."""

_ANIMALS: Final = dict(zip(KINDS, "🐘🐪🐎🐕🐈🐇", strict=True))
CHESS_MEN: Final = {
    name: dict(zip(KINDS + KINDS.lower(), men, strict=True))
    for name, men in (("chess", "♔♕♖♗♘♙♚♛♜♝♞♟"), ("knights", "♔♕♘♖♗♙♚♛♞♜♝♟"))
}

SIGNS: Final = (
    Sign("!", "capturable", text("could be captured this turn")),
    Sign("~", "dislodgeable", text("could be pushed or pulled this turn")),
    Sign("^", "goal", text("could reach its goal this turn")),
    Sign(">", "last", text("just changed")),
)
"""Signs to the left of a square, the most urgent first; `FROZEN` is to the right."""
FROZEN: Final = Sign("*", "frozen", text("frozen"))
_NO_SIGN: Final = Sign(" ", "", verbatim(""))


def text_board(position: Position, look: Look) -> TextBoard:
    """Draw a position as lines of text.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> print(text_board(parse_position("2g 8/8/3H4/3e4/8/8/8/R7"), Look()))
         a  b  c  d  e  f  g  h
      8  .  .  .  .  .  .  .  .  8
      7  .  .  .  .  .  .  .  .  7
      6  .  .  x  H* .  x  .  .  6
      5  .  .  .  e  .  .  .  .  5
      4  .  .  .  .  .  .  .  .  4
      3  .  .  x  .  .  x  .  .  3
      2  .  .  .  .  .  .  .  .  2
      1  R  .  .  .  .  .  .  .  1
         a  b  c  d  e  f  g  h
    """
    width = 5 if look.pieces == "animals" else 3
    files, ranks = range(8), range(7, -1, -1)
    if look.flipped:
        files, ranks = range(7, -1, -1), range(8)
    letters = "".join("abcdefgh"[file].center(width) for file in files)
    border: Row = (Span(f"    {letters}", "coordinate"),)
    rows: list[Row] = [border]
    used: dict[str, None] = {}
    for rank in ranks:
        row = [Span(f"  {rank + 1} ", "coordinate")]
        for file in files:
            row += _square(position, rank * 8 + file, look, used)
        row.append(Span(f" {rank + 1}", "coordinate"))
        rows.append(tuple(row))
    rows.append(border)
    legend = [sign for sign in (*SIGNS, FROZEN) if sign.roles in used]
    if position.hands and look.pieces == "letters":  # only at the beginning of a game
        legend += (Sign(kind, "gold", name) for kind, name in KIND_NAMES.items())
    return TextBoard(tuple(rows), tuple(legend))


def _square(position: Position, square: int, look: Look, used: dict[str, None]) -> list[Span]:
    """Return a square: a sign on the left, the piece if there is one, a sign on the right."""
    piece, name = position.board[square], SQUARE_NAMES[square]
    marks = set(look.marks.get(name, ()))
    if name in look.last:
        marks.add("last")
    if piece != EMPTY and not position.hands and is_frozen(position.rules, position.board, square):
        marks.add("frozen")
    left = next((sign for sign in SIGNS if sign.roles in marks), _NO_SIGN)
    right = FROZEN if "frozen" in marks else _NO_SIGN
    used.update(dict.fromkeys((left.roles, right.roles)))
    ground = "trap" if square in TRAPS else "light" if (square // 8 + square) % 2 else "dark"
    if "last" in marks:
        ground += " last"
    side = "" if piece == EMPTY else " gold" if SIDE[piece] == 0 else " silver"
    return [
        Span(left.sign, f"{ground} {left.roles}"),
        Span(_glyph(piece, square, look.pieces), f"{ground}{side}"),
        Span(right.sign, f"{ground} {right.roles}"),
    ]


def _glyph(piece: str, square: int, piece_set: str) -> str:
    """Return a piece or an empty square, without the columns for signs."""
    if piece == EMPTY:
        empty = "x" if square in TRAPS else "."
        return f" {empty} " if piece_set == "animals" else empty
    if piece_set == "animals":
        return _ANIMALS[piece.upper()] + piece
    return CHESS_MEN.get(piece_set, {}).get(piece, piece)


def status(position: Position) -> list[Text]:
    """Return the lines beside the board: the pieces to place, or steps left and captured pieces."""
    if position.hands:
        hand = position.hands[position.mover]
        return [text("to place: {pieces}", pieces=" ".join(hand))] if hand else []
    lines = [ntext("{count} step left", "{count} steps left", position.steps_left)]
    if position.push and position.push.due:
        lines.append(push_due(position))
    for side in SIDES:
        missing = _missing(position.board, side)
        if missing:
            lines.append(
                text("{side} lacks: {pieces}", side=SIDE_NAMES[side], pieces=" ".join(missing))
            )
    return lines


def _missing(board: str, side: int) -> str:
    return "".join(
        piece * (ARMY[kind] - board.count(piece))
        for kind, piece in zip(KINDS, PIECES[side], strict=True)
    )


def changed_cells(position: Position, actions: Sequence[Action]) -> frozenset[str]:
    board, touched = position.board, set()
    for action in actions:
        if isinstance(action, Placement):
            touched.add(action.square)
        elif isinstance(action, Step):
            board, trap = shift(board, action.origin, action.target)
            touched |= {action.origin, action.target, trap}
    return frozenset(SQUARE_NAMES[square] for square in touched if square != OFF_BOARD)


def group_actions(position: Position, actions: Sequence[Action]) -> list[tuple[Text, list[Action]]]:
    """Return legal actions in groups, each with a heading, the strongest pieces first."""
    groups: dict[tuple[int, int], tuple[Text, list[Action]]] = {}
    for action in actions:
        if isinstance(action, Step):
            own = SIDE[action.piece] == position.mover
            order = (0 if own else 1, -STRENGTH[action.piece] * 64 + action.origin)
            on = piece_on(position.board, action.origin)
            heading = on if own else text("push or pull {piece}", piece=on)
        elif isinstance(action, Placement):
            order = (0, -STRENGTH[action.piece])
            heading = text("place: {piece}", piece=piece_name(action.piece))
        else:
            order, heading = (2, 0), text("end the turn")
        groups.setdefault(order, (heading, []))[1].append(action)
    return [groups[order] for order in sorted(groups)]


# --- what has ended a play, and what to do next ---------------------------------------------------


def cause(position: Position, outcome: Outcome) -> Cause | None:
    """Return what on the board has ended a play; None if the board does not show it.

    >>> from trine.games import new_play
    >>> play = new_play("arimaa", position="2g r7/4R3/8/8/8/8/8/8")
    >>> play.enter("e7n end")
    >>> print(cause(play.position, play.outcome).text)
    a rabbit has reached e8
    """
    winner = outcome.winner
    if outcome.reason is Reason.ELIMINATION and winner is None:
        return Cause(text("neither side has a rabbit left"))
    if winner is None:
        return None
    if outcome.reason is Reason.GOAL:
        board, rabbit = position.board, RABBITS[winner]
        cells = [SQUARE_NAMES[one] for one in GOAL_RANKS[winner] if board[one] == rabbit]
        return Cause(text("a rabbit has reached {cell}", cell=cells[0]), tuple(cells))
    texts = {
        Reason.ELIMINATION: text("{side} has no rabbit left", side=SIDE_NAMES[1 - winner]),
        Reason.IMMOBILIZATION: text("{side} cannot move", side=SIDE_NAMES[1 - winner]),
    }
    return Cause(texts[outcome.reason]) if outcome.reason in texts else None


def coach(position: Position) -> Text:
    """Return a sentence about what the player to move does next."""
    if position.hands:
        return _setting_up(position)
    if position.push and position.push.due:
        return text(
            "Now {pieces} must follow to {cell}.",
            pieces=join(
                [piece_on(position.board, square) for square in position.push.pushers], " / "
            ),
            cell=SQUARE_NAMES[position.push.square],
        )
    if position.steps_left == STEPS_IN_TURN:
        return text("Make up to four steps, with one piece or several.")
    if not position.steps_left:
        return text("No step is left: end the turn, or undo.")
    if position.board == position.start:
        return text("Everything stands as before: a turn must change the board.")
    return ntext(
        "{count} step left, or end the turn.",
        "{count} steps left, or end the turn.",
        position.steps_left,
    )


def _setting_up(position: Position) -> Text:
    assert position.hands
    left = len(position.hands[position.mover])
    if not left:
        return text("All your pieces stand: end the turn, or exchange two of them.")
    if not position.turn_open:
        return ntext(
            "Place your piece: drag it to your two ranks.",
            "Place your {count} pieces: choose a setup, or drag them to your two ranks.",
            left,
        )
    return ntext(
        "{count} piece is still to be placed.", "{count} pieces are still to be placed.", left
    )
