"""What the refusals of Arimaa claim, checked by the referee and by looking at the board."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from games.claims import Claims, Refused
from trine.games.arimaa.board import (
    AROUND,
    BESIDE,
    EMPTY,
    HOME_RANKS,
    RABBITS,
    SIDE,
    SIDE_NAMES,
    SQUARE_NAMES,
    SQUARE_OF,
    STRAIGHT,
    STRENGTH,
    TRAPS,
    piece_name,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, Step
from trine.games.arimaa.view.pointing import BEYOND


def on(asked: Refused, cell: str) -> str:
    return str(asked.position.board[SQUARE_OF[cell]]) if cell in SQUARE_OF else ""


def is_own(asked: Refused, cell: str) -> bool:
    return bool(SIDE.get(on(asked, cell)) == asked.position.mover)


def is_enemy(asked: Refused, cell: str) -> bool:
    return bool(SIDE.get(on(asked, cell)) == 1 - asked.position.mover)


def step_of(asked: Refused) -> Step:
    assert isinstance(asked.action, Step)
    return asked.action


def freezers_of(asked: Refused, cell: str) -> set[str]:
    board, square = asked.position.board, SQUARE_OF[cell]
    piece = board[square]
    if any(SIDE[board[near]] == SIDE[piece] for near in BESIDE[square]):
        return set()
    near = AROUND if asked.position.rules.diagonal else BESIDE
    return {
        SQUARE_NAMES[one]
        for one in near[square]
        if SIDE[board[one]] == 1 - SIDE[piece] and STRENGTH[board[one]] > STRENGTH[piece]
    }


def is_frozen_by(asked: Refused) -> bool:
    (cell,) = asked.cells("piece")
    frozen = freezers_of(asked, cell)
    moves = {str(one)[1:3] for one in asked.position.legal_actions(asked.history)}
    pointed = {one for one in (asked.first, asked.last) if one in SQUARE_OF}
    near = pointed.union(*(touching(asked, one) for one in pointed))
    return cell in near and frozen == set(asked.cells("freezers")) != set() and cell not in moves


def touching(asked: Refused, cell: str) -> set[str]:
    """The squares of the mover's pieces that touch a square, as enemies do in the rule set."""
    near = AROUND if asked.position.rules.diagonal else BESIDE
    names = {SQUARE_NAMES[one] for one in near[SQUARE_OF[cell]]}
    return {name for name in names if is_own(asked, name)}


def are_weaker(asked: Refused) -> bool:
    (victim,) = asked.cells("victim")
    strength = STRENGTH[on(asked, victim)]
    pieces = set(asked.cells("pieces"))
    stronger = {one for one in touching(asked, victim) if STRENGTH[on(asked, one)] > strength}
    return pieces <= touching(asked, victim) - stronger and (len(pieces) == 1 or not stronger)


def strong_are_frozen(asked: Refused) -> bool:
    (victim,), strong = asked.cells("victim"), set(asked.cells("pieces"))
    found = {
        one
        for one in touching(asked, victim)
        if STRENGTH[on(asked, one)] > STRENGTH[on(asked, victim)]
    }
    return strong == found and all(freezers_of(asked, one) for one in strong)


def must_complete(asked: Refused) -> bool:
    names = {f"{on(asked, cell)}{cell}" for cell in asked.cells("pieces")}
    legal = asked.position.legal_actions(asked.history)
    targets = {SQUARE_NAMES[one.target] for one in legal}
    return {str(one)[:3] for one in legal} <= names and targets == {asked["cell"]}


def ends_ahead(position: Position) -> Iterator[Position]:
    """The boards at which an open turn could end by its steps alone."""
    if not (position.push and position.push.due):
        yield position
    for step in position.possible_steps():
        yield from ends_ahead(position.play_unchecked(step))


def ends_of(asked: Refused) -> list[Position]:
    """The boards at which the refused end, or any end after the refused step, would be."""
    position = asked.position
    if asked.action == END or asked.last == "#end":
        return [position]
    if isinstance(asked.action, Step):
        steps = [asked.action]
    else:
        steps = list(position.possible_steps())
    return [end for step in steps for end in ends_ahead(position.play_unchecked(step))]


def ends_unchanged(asked: Refused) -> bool:
    ends = [end for end in ends_of(asked) if not end.may_end(asked.history)]
    return any(end.board == end.start for end in ends)


def ends_repeated(asked: Refused) -> bool:
    ends = [end for end in ends_of(asked) if not end.may_end(asked.history)]
    return any(asked.history.times(end.passed().key) >= 2 for end in ends)


def spent(asked: Refused) -> bool:
    """With the pull that the completed push forgoes, the step would be legal."""
    position = asked.position
    return step_of(asked) in replace(position, pull=position.spent_pull).possible_steps()


def pushes_first(asked: Refused) -> bool:
    position = asked.position
    push = next(one for one in position.legal_actions() if str(one) == asked["push"])
    after = position.play_unchecked(push)
    return asked["step"] in map(str, after.legal_actions())


def reached(asked: Refused) -> set[str]:
    """The squares where a piece can be by its own steps in the rest of the turn, lost or not."""
    found: set[str] = set()
    todo = [(asked.position, SQUARE_OF[asked.first])]
    while todo:
        position, square = todo.pop()
        for step in position.steps_of(square) if square >= 0 else ():
            gone = position.removal(step) == step.target
            found.add(SQUARE_NAMES[step.target])
            if not gone:
                todo.append((position.play_unchecked(step), step.target))
    return found


def leads_off(asked: Refused) -> bool:
    off = asked.last in BEYOND.values() or step_of(asked).target == len(SQUARE_NAMES)
    return off and (is_own(asked, asked.first) or not asked.position.rules.ejection)


def is_backward(asked: Refused) -> bool:
    own = on(asked, asked.first) == RABBITS[asked.position.mover]
    direction = "sn"[asked.position.mover]
    if isinstance(asked.action, Step):
        return own and asked.action.direction == direction
    if asked.last in BEYOND.values():
        return own and asked.last == BEYOND[direction]
    ahead = int(asked.last[1]) - int(asked.first[1])
    return own and ahead * (1, -1)[asked.position.mover] < 0


def hemmed_in(asked: Refused) -> bool:
    (cell,) = asked.cells("piece")
    square, board = SQUARE_OF[cell], asked.position.board
    free = {near for near in BESIDE[square] if board[near] == EMPTY}
    if board[square] in RABBITS:
        free -= {square + (-8, 8)[asked.position.mover]}
    return is_own(asked, cell) and not free


def alone_on_trap(asked: Refused, trap: str, *, but: str) -> bool:
    square = SQUARE_OF[trap]
    friends = {SQUARE_NAMES[near] for near in BESIDE[square] if is_own(asked, SQUARE_NAMES[near])}
    return square in TRAPS and friends <= {but}


def far(asked: Refused) -> int:
    one, other = asked.first, asked.last
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1]))


def is_diagonal(asked: Refused) -> bool:
    if isinstance(asked.action, Step):
        return asked.action.direction not in STRAIGHT
    return SQUARE_OF[asked.last] in set(AROUND[SQUARE_OF[asked.first]]) - set(
        BESIDE[SQUARE_OF[asked.first]]
    )


CLAIMS: Final[Claims] = {
    "nothing stands on {cell}": lambda asked: on(asked, asked["cell"]) == EMPTY,
    "on {cell} stands {side}'s {piece}, not {given}": lambda asked: (
        on(asked, asked["cell"]) not in (EMPTY, asked["given"])
    ),
    "{piece} is in the way": lambda asked: (
        asked.cells("piece") == [asked.last] and on(asked, asked.last) != EMPTY
    ),
    "{piece} is in the way; push it first, as with {push}: then {step} takes its square": (
        pushes_first
    ),
    "{piece} is frozen by {freezers} (no friend beside it)": is_frozen_by,
    "{piece} is frozen by {freezers}, so it cannot complete the push": lambda asked: (
        is_frozen_by(asked) and SQUARE_OF[asked.last] == asked.position.push.square
    ),
    "a rabbit does not step backward": is_backward,
    "that leads off the board": leads_off,
    "steps are orthogonal: n, e, s or w": lambda asked: (
        not asked.position.rules.diagonal and is_diagonal(asked)
    ),
    "an own piece goes n, e, s or w; over a corner it only takes the square of an enemy piece that "
    "it has pushed away with the step before": lambda asked: (
        asked.position.rules.diagonal and is_own(asked, asked.first) and is_diagonal(asked)
    ),
    "a pushed piece goes n, e, s or w; over a corner an enemy piece is only drawn onto the square "
    "that a stronger piece beside it has left with the step before": lambda asked: (
        asked.position.rules.diagonal and is_enemy(asked, asked.first) and is_diagonal(asked)
    ),
    "the push must be completed: {pieces} must go to {cell}": must_complete,
    "the turn has four steps already; end it or take a step back": lambda asked: (
        asked.position.steps == 4
    ),
    "a turn has at least one step": lambda asked: asked.position.steps == 0,
    "a turn must change the position; this one would end where it began": ends_unchanged,
    "this turn would repeat the position for the third time": ends_repeated,
    "the setup is over; pieces are moved now": lambda asked: not asked.position.in_setup,
    "{side} sets up now, and {given} is not a piece of that side": lambda asked: (
        asked["side"] == str(SIDE_NAMES[asked.position.mover])
        and SIDE[asked["given"]] != asked.position.mover
    ),
    "{cell} is outside the two home ranks of {side}": lambda asked: (
        SQUARE_OF[asked["cell"]] not in HOME_RANKS[asked.position.mover]
    ),
    "no {piece} is left to place; in hand: {hand}": lambda asked: (
        asked.position.in_setup
        and asked["piece"]
        not in {str(piece_name(one)) for one in asked.position.hands[asked.position.mover]}
    ),
    "the setup comes first; all pieces are placed, and end ends it": lambda asked: (
        asked.position.in_setup and asked.position.legal_actions() == (END,)
    ),
    "the setup comes first; place the pieces": lambda asked: (
        asked.position.in_setup and END not in asked.position.legal_actions()
    ),
    "{count} piece is still to be placed: {hand}": lambda asked: (
        asked["hand"] == asked.position.hands[asked.position.mover] != ""
    ),
    "only rabbits are pushed off the board": lambda asked: (
        asked.position.rules.ejection and on(asked, asked.first) not in RABBITS
    ),
    "rabbits are pushed off over rank 1 or rank 8 only": lambda asked: (
        (asked.first[1], step_of(asked).direction) not in (("1", "s"), ("8", "n"))
    ),
    "the step that completes a push is not also the first half of a pull": spent,
    "no piece of yours is beside {victim} to push it off": lambda asked: (
        not touching(asked, asked.first)
    ),
    "no piece of yours is beside {victim} to push it; and a pull follows at once the step of a "
    "stronger piece that was beside it": lambda asked: not touching(asked, asked.first),
    "{pieces}: not stronger than {victim}; only a stronger piece can push or pull it": are_weaker,
    "{pieces}: frozen by {freezers}; a frozen piece cannot push {victim}": strong_are_frozen,
    "a push needs two steps and one is left": lambda asked: asked.position.steps_left == 1,
    "a push or a pull needs two steps, and one is left": lambda asked: (
        asked.position.steps_left == 1
    ),
    "{piece} has no free square to go to": hemmed_in,
    "{piece} is not yours, and nothing stronger of yours moves it": lambda asked: (
        is_enemy(asked, *asked.cells("piece")) and not touching(asked, *asked.cells("piece"))
    ),
    "{piece} cannot be pushed or pulled now": lambda asked: is_enemy(asked, *asked.cells("piece")),
    "{piece} is pushed or pulled one square at a time": lambda asked: (
        is_enemy(asked, asked.first) and (asked.last in BEYOND.values() or far(asked) > 1)
    ),
    "there it would fall into the trap: go step by step if you mean it": lambda asked: (
        asked.last in reached(asked) and alone_on_trap(asked, asked.last, but=asked.first)
    ),
    "{piece} would fall into the trap: go step by step if you mean it": lambda asked: (
        asked.last in reached(asked)
        and alone_on_trap(asked, *asked.cells("piece"), but=asked.first)
    ),
    "{cell} is too far away: {count} step is left": lambda asked: (
        far(asked) > asked.position.steps_left
    ),
    "{end} is out of reach from {begin}": lambda asked: asked.last not in reached(asked),
}
