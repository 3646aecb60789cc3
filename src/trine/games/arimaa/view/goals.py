"""The goals of lessons in Arimaa."""

from __future__ import annotations

from trine.core.contract.lesson import Goal, Reached
from trine.games.arimaa.board import SIDE, SQUARE_OF
from trine.games.arimaa.rules import is_frozen
from trine.games.arimaa.view.insight import insight


def stands(piece: str, cell: str) -> Goal:
    return lambda reached: bool(reached.position.board[SQUARE_OF[cell]] == piece)


def kept(piece: str) -> Goal:
    """No piece of a kind was lost."""
    return lambda reached: reached.start.board.count(piece) == reached.position.board.count(piece)


def one_fewer(piece: str) -> Goal:
    """A piece of a kind has left the board."""
    return lambda reached: reached.position.board.count(piece) < reached.start.board.count(piece)


def taken(piece: str) -> Goal:
    """A piece of a kind is off the board, and the learner has lost none."""

    def goal(reached: Reached) -> bool:
        boards = (reached.start.board, reached.position.board)
        own = [sum(SIDE[letter] == reached.learner for letter in board) for board in boards]
        return one_fewer(piece)(reached) and own[0] == own[1]

    return goal


def frozen(piece: str) -> Goal:
    def goal(reached: Reached) -> bool:
        board = reached.position.board
        return piece in board and is_frozen(reached.position.rules, board, board.index(piece))

    return goal


def unthreatened(piece: str) -> Goal:
    """The only piece of a kind is on the board, and no stronger enemy touches it."""

    def goal(reached: Reached) -> bool:
        board = reached.position.board
        if piece not in board:
            return False
        square = board.index(piece)
        alone = "".join(
            letter if at == square or SIDE[letter] != SIDE[piece] else "."
            for at, letter in enumerate(board)
        )
        return not is_frozen(reached.position.rules, alone, square)

    return goal


def no_goal_ahead(reached: Reached) -> bool:
    """The other side cannot reach its goal with its next turn."""
    if reached.outcome:
        return False
    other = 1 - reached.learner
    threats = insight(reached.position).list_threats()
    return not any(threat.player == other and threat.kind == "goal" for threat in threats)
