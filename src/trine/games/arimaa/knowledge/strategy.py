"""The strategy that the Russian document teaches, as a player.

It holds traps and pushes into them, takes the squares between them, freezes, moves from friend to
friend, and lets its rabbits advance only behind stronger pieces. It looks no further ahead than its
own turn, except for goals of the other side in the next one. Below are the setups that every other
player chooses without a search: sound ones, with some random variety.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final

from trine.core.contract.position import History
from trine.core.text.sentence import text
from trine.games.arimaa.board import (
    BESIDE,
    EMPTY,
    GOAL_RANKS,
    GOLD,
    OFF_BOARD,
    RABBITS,
    SIDE,
    STRENGTH,
    TRAPS,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import (
    END,
    TRAP_BESIDE,
    Action,
    RuleSet,
    Step,
    ThirdOccurrence,
    is_supported,
    own_steps,
    shift,
)
from trine.games.arimaa.starts import NAMED_SETUPS, arranged
from trine.games.arimaa.view.insight import threats_of

BEAM_WIDTH: Final = 24  # number of positions that are continued after each step. Guess
MAX_CHECKED: Final = 12  # number of best turns that are checked for enemy goals. Guess

PIECE_VALUES: Final = {"E": 30.0, "M": 18.0, "H": 12.0, "D": 8.0, "C": 6.0, "R": 5.0}
"""The value of a captured piece. Guesses, like the weights below, which are in the same unit."""
LAST_RABBITS: Final = 10.0
"""A penalty that is divided by the number of a side's rabbits: the last ones count most."""
TRAP_PRESENCE: Final = (0.0, 0.8, 1.8, 2.2, 2.2, 2.2)
"""The value of pieces at a trap, by their number; rabbits cannot push, and do not count."""
TRAP_HOLD: Final = 1.5  # the value of having the strongest piece at a trap
IDLE_TRAP_SHARE: Final = 0.3
"""The share of both values that counts at a trap without an enemy near it."""
CENTRE_VALUE: Final = 0.25
"""The value of a piece on the squares between the traps, per unit of its strength."""
FREEZING_VALUE: Final = 0.5
"""The value of freezing an enemy piece, per unit of its strength plus one."""
MAX_NOISE: Final = 0.2  # the largest random amount that is added to the value of a turn
LONELY_COST: Final = 0.8  # the cost of a piece out on the board without a friend beside it
ENDANGERED_SHARE: Final = 0.3
"""The share of its value that a touched piece loses beside a trap without another guard."""
EARLY_RABBIT_COST: Final = 0.6
"""The cost of each rank that a rabbit is ahead of all stronger friends near its file."""
SCREEN_VALUE: Final = 0.4
"""The value of a rabbit that stands in the way of a stronger enemy, with a friend beside it."""
RUNNER_VALUE: Final = 0.3
"""The value, times rank² / 7, of a rabbit that is not early and has a friend beside it."""
MIN_VALUE_SHARE: Final = 0.5
"""The least share of its value that a piece keeps, so that capturing it is still better."""
CENTRE: Final = frozenset(
    square for square in range(64) if 2 <= square % 8 <= 5 and 2 <= square // 8 <= 5
) - set(TRAPS)
AT_TRAP: Final = {
    trap: (*BESIDE[trap], next(c for c in (27, 28, 35, 36) if abs(c - trap) in (7, 9)))
    for trap in TRAPS
}
"""The squares of pieces that can push others into a trap: beside it, and between the traps."""
NEAR_TRAP: Final = {
    trap: [
        square
        for square in range(64)
        if abs(square % 8 - trap % 8) + abs(square // 8 - trap // 8) <= 2
    ]
    for trap in TRAPS
}
"""The squares at most two steps away from a trap."""


def trapper(position: Position, history: History, rng: Random) -> tuple[Action, ...]:
    """Play as the Russian document advises, a whole turn or the rest of one.

    Source: Russian, "Наиболее выгодное положение фигур … – это квадрат между ловушками"; "двигать
        фигуры желательно «прыжками» от одной дружественной фигуры до другой"; "перед кроликами
        должны идти более сильные фигуры"; "атакующий кролик всегда должен быть поддержан".

    It sees every goal and every capture of the last rabbit within its turn.

    Limits: it takes half a second to two, and stops the other side's goal only if one of its best
        turns does.
    """
    if position.hands is not None:
        return (*arranged(position, *NAMED_SETUPS["rabbits-behind"].split("/")), END)
    if won := _won(position, history):
        return won
    turns = _candidates(position, history, rng)
    for turn in turns:
        outcome = turn.after.outcome(history)
        if outcome and outcome.winner == position.mover:
            return (*turn.steps, END)
    sound = list(islice((turn for turn in turns if _keeps(turn.after, history)), MAX_CHECKED))
    for turn in sound:
        after = turn.after
        if not _near_goal(after, 4) or not threats_of(after, after.mover).goal:
            return (*turn.steps, END)
    best = (*sound, *turns)[:1]
    return (*best[0].steps, END) if best else _any_turn(position, history)


def _keeps(after: Position, history: History) -> bool:
    """Return whether a turn neither ends the play nor lets an enemy rabbit run to its goal."""
    return not after.outcome(history) and run(after.rules, after.board, after.mover) is None


def _near_goal(position: Position, steps: int) -> bool:
    """Return whether a rabbit of the player to move is at most ``steps`` ranks from its goal."""
    goal = GOAL_RANKS[position.mover][0] // 8
    rabbit = RABBITS[position.mover]
    return any(
        piece == rabbit and abs(square // 8 - goal) <= steps
        for square, piece in enumerate(position.board)
    )


def _won(position: Position, history: History) -> tuple[Action, ...]:
    """Return a turn that wins by a goal or by the last rabbit; empty if there is none."""
    mover, board = position.mover, position.board
    if not (position.push and position.push.due):
        way = run(position.rules, board, mover, position.steps_left)
        if way is not None:
            return (*way, END)
    if not _near_goal(position, position.steps_left) and board.count(RABBITS[1 - mover]) > 1:
        return ()
    threats = threats_of(position, mover)
    for turn in (*threats.goal.values(), *threats.capture.values()):
        after = position
        for step in turn:
            after = after.play_unchecked(step)
        after = after.play_unchecked(END)
        outcome = after.outcome(history)
        if outcome and outcome.winner == mover:
            return (*turn, END)
    return ()


def run(rules: RuleSet, board: str, side: int, steps: int = 4) -> tuple[Step, ...] | None:
    """Return the shortest run of a rabbit to its goal while nothing else moves, if there is one."""
    rabbit, goal = RABBITS[side], GOAL_RANKS[side]
    if any(board[square] == rabbit for square in goal):
        return ()
    front: list[tuple[str, int, tuple[Step, ...]]] = [
        (board, square, ()) for square in range(64) if board[square] == rabbit
    ]
    for made in range(steps):
        reached = []
        for here, square, way in front:
            if abs(square // 8 - goal[0] // 8) > steps - made:
                continue
            for step in own_steps(rules, here, square):
                after, _ = shift(here, square, step.target)
                if step.target in goal:
                    return (*way, step)
                if after[step.target] == rabbit:
                    reached.append((after, step.target, (*way, step)))
        front = reached
    return None


@dataclass(frozen=True)
class _Candidate:
    """A candidate turn: its estimated value, its steps, and the position after its end."""

    value: float
    steps: tuple[Step, ...]
    after: Position


def _candidates(position: Position, history: History, rng: Random) -> list[_Candidate]:
    """Return good turns, the best first, found by a beam search over their steps."""
    turns: list[_Candidate] = []
    seen = set()
    layers: list[list[tuple[float, Position, tuple[Step, ...]]]] = [[] for _ in range(5)]

    def consider(value: float, at: Position, steps: tuple[Step, ...]) -> None:
        layers[len(steps)].append((value, at, steps))
        # A turn that loses by repetition is no candidate.
        after = at.play_unchecked(END) if at.may_end(history) else None
        loses = at.rules.repetition is ThirdOccurrence.LOSES and history.repeated
        if after and not (loses and history.times(after.key) >= 2):
            turns.append(_Candidate(value, steps, after))

    consider(evaluate_board(position, position.mover), position, ())
    for layer in layers:
        layer.sort(key=lambda found: -found[0])
        for _, before, steps in layer[:BEAM_WIDTH]:
            for made, after in _moves(before):
                state = (after.board, after.pull, after.push)
                if state not in seen:
                    seen.add(state)
                    value = evaluate_board(after, position.mover) + MAX_NOISE * rng.random()
                    consider(value, after, (*steps, *made))
    return sorted(turns, key=lambda turn: -turn.value)


def _moves(position: Position) -> Iterator[tuple[tuple[Step, ...], Position]]:
    """Yield single steps, and whole pushes and pulls, since a half does not show its purpose."""
    for step in position.possible_steps():
        after = position.play_unchecked(step)
        due = after.push and after.push.due
        if not due:
            yield (step,), after
        for second in after.possible_steps() if due or after.pull else ():
            if due or SIDE[second.piece] != position.mover:
                done = after.play_unchecked(second)
                if not (done.push and done.push.due):
                    yield (step, second), done


def _any_turn(position: Position, history: History) -> tuple[Action, ...]:
    """Return a legal turn, used if no candidate can be played."""
    actions: list[Action] = []
    at = position
    while at.mover == position.mover and not at.outcome(history):
        legal = at.legal_actions(history)
        action = END if END in legal else legal[0]
        actions.append(action)
        at = at.play_unchecked(action)
    return tuple(actions)


# --- weighing ------------------------------------------------------------------------------------


def evaluate_board(position: Position, side: int) -> float:
    """Return the value of a board for a side as the document judges it, without looking ahead.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> held = parse_position("2g 8/8/1h6/1E6/8/8/8/R6r")
    >>> evaluate_board(held, 0) > evaluate_board(parse_position("2g 8/8/1h6/8/1E6/8/8/R6r"), 0)
    True
    """
    board = position.board
    total = 0.0
    places = [(square, piece) for square, piece in enumerate(board) if piece != EMPTY]
    leaders = _leaders(places)
    for square, piece in places:
        owner = SIDE[piece]
        value = _weigh(position.rules, board, square, leaders[owner])
        total += value if owner == side else -value
    for trap in TRAPS:
        total += _presence(board, trap, side) - _presence(board, trap, 1 - side)
    for owner in (side, 1 - side):
        rabbits = board.count(RABBITS[owner])
        share = -LAST_RABBITS / rabbits if rabbits else -10 * LAST_RABBITS
        total += share if owner == side else -share
    return total


def _presence(board: str, trap: int, side: int) -> float:
    """Return the value of a side's pieces at a trap; less if no enemy is near to be pushed in."""
    own, other = (
        [
            STRENGTH[board[near]]
            for near in AT_TRAP[trap]
            if SIDE[board[near]] == one and board[near] not in RABBITS
        ]
        for one in (side, 1 - side)
    )
    value = TRAP_PRESENCE[len(own)]
    if own and max(own) > max(other, default=0):
        value += TRAP_HOLD
    if any(SIDE[board[near]] == 1 - side for near in NEAR_TRAP[trap]):
        return value
    return IDLE_TRAP_SHARE * value


def _leaders(places: list[tuple[int, str]]) -> list[list[int]]:
    """Return for each side and file the foremost rank of a piece, not a rabbit, on or beside it."""
    leaders = [[0] * 8, [0] * 8]
    for square, piece in places:
        if piece not in RABBITS:
            owner, file = SIDE[piece], square % 8
            rank = square // 8 if owner == GOLD else 7 - square // 8
            for near in range(max(0, file - 1), min(8, file + 2)):
                leaders[owner][near] = max(leaders[owner][near], rank)
    return leaders


def _weigh(rules: RuleSet, board: str, square: int, leaders: list[int]) -> float:
    """Return the value of a piece to its side on the square where it stands."""
    piece = board[square]
    owner, strength = SIDE[piece], STRENGTH[piece]
    rank = square // 8 if owner == GOLD else 7 - square // 8
    friend = is_supported(board, square)
    touched = any(
        STRENGTH[board[near]] > strength and SIDE[board[near]] != owner
        for near in rules.reach[square]
    )
    value = most = PIECE_VALUES[piece.upper()]
    trap = TRAP_BESIDE[square]
    if touched and trap != OFF_BOARD:
        alone = sum(SIDE[board[near]] == owner for near in BESIDE[trap]) == 1
        value *= 1 - ENDANGERED_SHARE * alone
    if touched and not friend:
        value -= FREEZING_VALUE * (strength + 1)
    if not friend and rank > 1 and piece.upper() != "E":
        value -= LONELY_COST
    if square in CENTRE:
        value += CENTRE_VALUE * strength
    if piece in RABBITS:
        early = max(0, rank - 1 - leaders[square % 8])
        value -= EARLY_RABBIT_COST * early
        if touched and friend:
            value += SCREEN_VALUE
        if friend and not early:
            value += RUNNER_VALUE * rank * rank / 7
    return max(value, MIN_VALUE_SHARE * most)


SOUND_SETUPS: Final = ("99of9", "99of9", "99of9-dogs", "wikibooks")
"""The setups to choose from; the most played one is twice as likely as each other one."""


def opening(position: Position, rng: Random) -> tuple[Action, ...]:
    """Return the rest of a setup and its end; nothing once the setup is over.

    Gold takes a sound setup or its mirror image. Silver takes one that keeps its camel away from
    Gold's elephant. Pieces that a handicap leaves out stay out, pieces placed already stay where
    they are, and pieces whose squares are taken go to other squares.

    Source: of the records of 2002 and of February 2026 that we counted, Silver's camel began on
    the other wing than Gold's elephant in 57 of 81.
    """
    if position.hands is None:
        return ()
    ranks = NAMED_SETUPS[rng.choice(SOUND_SETUPS)].split("/")
    mirrored = rng.random() < 0.5
    if position.mover != GOLD and "E" in position.board:
        mirrored = _wing(position.board.index("E")) == _wing(ranks[1].index("M"))
    return (*arranged(position, *(rank[::-1] if mirrored else rank for rank in ranks)), END)


def _wing(square: int) -> bool:
    """Return whether a square is on the wing of the h-file."""
    return square % 8 >= 4


STRATEGISTS: Final = {"trapper": trapper}
ADVICE: Final = {
    "trapper": text(
        "the Russian document: hold the traps, freeze, go from friend to friend, rabbits behind"
    )
}
