"""The consequences of a turn: effects in words, themes of puzzles, goals of lessons, events.

Effects explain a recommendation; first games show a sentence when something happens.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from trine.core.contract.insight import Effect, Theme
from trine.core.contract.lesson import GoalWord, Pieces, Reached, goals_of_pieces
from trine.core.contract.position import Reason, position_after
from trine.core.text.sentence import Text, ctext, join, text
from trine.games.arimaa.board import (
    EMPTY,
    OFF_BOARD,
    RABBITS,
    SIDE,
    SQUARE_NAMES,
    STRENGTH,
    piece_name,
)
from trine.games.arimaa.position import Position, pieces_on
from trine.games.arimaa.rules import Action, Step, is_frozen
from trine.games.arimaa.view.insight import frozen, owned, threats_of, trap_holds


def effects(position: Position, actions: Sequence[Action]) -> list[Effect]:
    """Return the effects of a turn; pieces are named by their squares before it.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> before = parse_position("2g 7r/8/8/8/3E4/3d4/8/7R")
    >>> turn = [Step("d", 19, "w"), Step("E", 27, "s")]
    >>> [str(effect.text) for effect in effects(before, turn)]
    ["captures Silver's dog on d3", 'takes hold of trap c3']
    """
    if position.in_setup:
        return []
    after, origins = _follow(position, actions)
    return [
        *_removals(position, set(origins.values())),
        *_traps_held(position, after),
        *_freezing(position, after, origins),
    ]


def _follow(position: Position, actions: Sequence[Action]) -> tuple[Position, dict[int, int]]:
    """Return the position after a turn, and the original square of each remaining piece."""
    origins = {square: square for square, piece in enumerate(position.board) if piece != EMPTY}
    for action in actions:
        if isinstance(action, Step):
            removed = position.removal(action)
            origin = origins.pop(action.origin)
            if action.target != OFF_BOARD:
                origins[action.target] = origin
            if removed != OFF_BOARD:
                del origins[removed]
        position = position.play_unchecked(action)
    return position, origins


def _removals(before: Position, left: Collection[int]) -> Iterator[Effect]:
    """Yield the captures of the turn, and the pieces that the mover loses."""
    board = before.board
    gone = [square for square in range(64) if board[square] != EMPTY and square not in left]
    if taken := [square for square in gone if SIDE[board[square]] != before.mover]:
        yield Effect("material", text("captures {pieces}", pieces=_name_pieces(board, taken)))
    if lost := [square for square in gone if SIDE[board[square]] == before.mover]:
        yield Effect("material", text("loses {pieces}", pieces=_name_pieces(board, lost)))


def _traps_held(before: Position, after: Position) -> Iterator[Effect]:
    player = before.mover
    taken = [
        SQUARE_NAMES[now.trap]
        for then, now in zip(trap_holds(before), trap_holds(after), strict=True)
        if now.holder == player != then.holder
    ]
    if taken:
        yield Effect("traps", text("takes hold of trap {cells}", cells=" ".join(taken)))


def _freezing(before: Position, after: Position, origins: dict[int, int]) -> Iterator[Effect]:
    """Yield the enemies that the turn freezes and the friends that it frees, except rabbits."""
    board, player = before.board, before.mover
    then, now = set(frozen(before)), {origins[square] for square in frozen(after)}
    left = set(origins.values())
    caught = [square for square in now - then if SIDE[board[square]] != player]
    freed = [square for square in (then - now) & left if SIDE[board[square]] == player]
    if officers := _officers(board, caught):
        yield Effect("frozen", text("freezes {pieces}", pieces=_name_pieces(board, officers)))
    if officers := _officers(board, freed):
        yield Effect("frozen", text("frees {pieces}", pieces=_name_pieces(board, officers)))


def _officers(board: str, squares: Sequence[int]) -> list[int]:
    return [square for square in squares if board[square] not in RABBITS]


def _name_pieces(board: str, squares: Sequence[int]) -> Text:
    """Pieces with their side and square, the strongest first."""
    ordered = sorted(squares, key=lambda square: (-STRENGTH[board[square]], square))
    return join([owned(board, square) for square in ordered])


def reading(before: Position, action: Action) -> Text | None:
    """Return how a legal step of an enemy piece is read, if it could be read in two ways.

    If a piece of the mover has just left the target, the enemy piece is pulled there, or pushed by
    another piece. Source: French, "impossible de pousser et de tirer simultanément"; Hungarian,
    "egy figura nem lökhet és húzhat egyszerre".
    """
    if not isinstance(action, Step) or SIDE[action.piece] == before.mover:
        return None
    push = before.play_unchecked(action).push
    if push is None:
        return None
    words = {
        "piece": piece_name(action.piece),
        "target": SQUARE_NAMES[action.target % len(SQUARE_NAMES)],
        "pushers": pieces_on(before.board, push.pushers),
        "origin": SQUARE_NAMES[push.square],
    }
    if not push.due:
        return text(
            "the {piece} is drawn to {target}; it counts as pushed there instead if the next step "
            "takes {origin}, by {pushers}",
            **words,
        )
    spent = before.spent_pull
    if not (spent and spent.left == action.target):
        return None
    if not spent.draws(before.rules, before.board, action.origin):
        return None
    return text(
        "the {piece} is not drawn to {target}, since the step that left {target} completed a push; "
        "it is pushed there, so {origin} must be taken next, by {pushers}",
        **words,
    )


# --- themes of puzzles ----------------------------------------------------------------------------


def _enemies(board: str, player: int) -> list[int]:
    return [at for at, piece in enumerate(board) if piece != EMPTY and SIDE[piece] != player]


def _frozen_enemies(position: Position, player: int) -> set[int]:
    """Return the squares of the enemies of a player that are frozen, except rabbits."""
    return {
        square
        for square in frozen(position)
        if SIDE[position.board[square]] != player and position.board[square] not in RABBITS
    }


def _goal(before: Position, actions: Sequence[Action]) -> bool:
    outcome = position_after(before, actions).outcome()
    return outcome is not None and (outcome.winner, outcome.reason) == (before.mover, Reason.GOAL)


def _trap(before: Position, actions: Sequence[Action]) -> bool:
    after = position_after(before, actions)
    return len(_enemies(after.board, before.mover)) < len(_enemies(before.board, before.mover))


def _freeze(before: Position, actions: Sequence[Action]) -> bool:
    after = position_after(before, actions)
    return len(_frozen_enemies(after, before.mover)) > len(_frozen_enemies(before, before.mover))


def _hostage(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn freezes an enemy that can be captured later."""
    after, player = position_after(before, actions), before.mover
    if after.outcome() or not (held := _frozen_enemies(after, player)):
        return False
    return bool(held & set(threats_of(after, player).capture) - _frozen_enemies(before, player))


def _rescue(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the other side could reach its goal before the turn, and cannot after it."""
    after, enemy = position_after(before, actions), 1 - before.mover
    if after.outcome() or not threats_of(before, enemy).goal:
        return False
    return not threats_of(after, enemy).goal


def _saved(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the turn prevents captures by the other side."""
    after, enemy = position_after(before, actions), 1 - before.mover
    if after.outcome():
        return False
    lost = len(_enemies(before.board, enemy)) - len(_enemies(after.board, enemy))
    then, now = (len(threats_of(position, enemy).capture) for position in (before, after))
    return now + lost < then


def _threat(before: Position, actions: Sequence[Action]) -> bool:
    """Return whether the mover could reach the goal with one more turn."""
    after = position_after(before, actions)
    return after.outcome() is None and bool(threats_of(after, before.mover).goal)


THEMES: Final = {
    "goal": Theme(
        ctext("theme", "goal in one turn"), text("A rabbit can reach its goal this turn."), _goal
    ),
    "trap": Theme(ctext("theme", "capture"), text("Something can fall into a trap."), _trap),
    "freeze": Theme(
        ctext("theme", "freezing"),
        text("A stronger piece beside it takes away its steps."),
        _freeze,
    ),
    "hostage": Theme(
        ctext("theme", "hostage"),
        text("Holding a piece near a trap can be worth more than taking another."),
        _hostage,
    ),
    "rescue": Theme(
        ctext("theme", "stopping a goal"),
        text("Look first at what the other side's rabbits threaten."),
        _rescue,
    ),
    "save": Theme(
        ctext("theme", "saving a piece"),
        text("Look first at what the other side can capture."),
        _saved,
    ),
    "threat": Theme(
        ctext("theme", "goal in two turns"),
        text("A goal in the next turn that cannot be stopped is as good as one now."),
        _threat,
    ),
}


# --- the goals of lessons ------------------------------------------------------------------------


def _pieces(position: Position) -> Pieces:
    occupied = zip(SQUARE_NAMES, position.board, strict=True)
    return {cell: (SIDE[piece], piece) for cell, piece in occupied if piece != EMPTY}


def _frozen(reached: Reached, piece: str) -> bool:
    board = reached.position.board
    return piece in board and is_frozen(reached.position.rules, board, board.index(piece))


def _free(reached: Reached, piece: str) -> bool:
    """Return whether the only piece of a kind is on the board and not frozen."""
    return piece in reached.position.board and not _frozen(reached, piece)


def _unthreatened(reached: Reached, piece: str) -> bool:
    """Return whether the only piece of a kind is on the board, and no stronger enemy touches it."""
    board = reached.position.board
    if piece not in board:
        return False
    square = board.index(piece)
    alone = "".join(
        letter if at == square or SIDE[letter] != SIDE[piece] else EMPTY
        for at, letter in enumerate(board)
    )
    return not is_frozen(reached.position.rules, alone, square)


def _no_goal_ahead(reached: Reached) -> bool:
    """Return whether the other side cannot reach its goal with its next turn."""
    if reached.outcome:
        return False
    return not threats_of(reached.position, 1 - reached.learner).goal


GOALS: Final[Mapping[str, GoalWord]] = MappingProxyType(
    {
        **goals_of_pieces(_pieces),
        "frozen": _frozen,
        "free": _free,
        "unthreatened": _unthreatened,
        "no-goal-ahead": _no_goal_ahead,
    }
)

# --- the events of first games -------------------------------------------------------------------


def _shoves(turn: Any, player: int) -> bool:
    """Return whether the player pushes or pulls a piece of the other side."""
    steps = (action for action in turn.actions if isinstance(action, Step))
    return turn.player == player and any(SIDE[step.piece] != player for step in steps)


def _falls(turn: Any, player: int) -> bool:
    """Return whether a piece of either side falls into a trap."""
    return len(_pieces(turn.after)) < len(_pieces(turn.before))


def _freezes(turn: Any, player: int) -> bool:
    """Return whether the other side's turn has frozen pieces of the player."""
    before, after = (
        sum(
            SIDE[piece] == player and is_frozen(position.rules, position.board, square)
            for square, piece in enumerate(position.board)
            if piece != EMPTY
        )
        for position in (turn.before, turn.after)
    )
    return turn.player != player and after > before


HAPPENINGS: Final = MappingProxyType({"shoves": _shoves, "falls": _falls, "freezes": _freezes})
