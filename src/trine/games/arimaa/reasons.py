"""The reasons why actions are illegal: the law that forbids each, by its name in the rule book.

The order of the questions is a patient teacher's: is there such a piece, may it move at all, is
the direction right, is the square free, is the turn in a state to take the step.
"""

from __future__ import annotations

from typing import Final

from trine.core.contract.handbook import Laws
from trine.core.contract.position import History, Outcome, Reason
from trine.core.text.sentence import Text, join, ntext, text
from trine.games.arimaa.board import (
    BACKWARD,
    EMPTY,
    GOAL_RANKS,
    HOME_RANKS,
    OFF_BOARD,
    RABBITS,
    SIDE,
    SIDE_NAMES,
    SQUARE_NAMES,
    STRAIGHT,
    STRENGTH,
    piece_name,
)
from trine.games.arimaa.referee import Referee
from trine.games.arimaa.rules import (
    Action,
    End,
    Placement,
    Step,
    edge_directions,
    freezers,
    push_starts,
    pushers,
)

law: Final = Laws("trine.games.arimaa")


def why_not(position: Referee, action: Action, history: History) -> Text | None:
    if isinstance(action, Placement):
        return _why_not_placement(position, action)
    if isinstance(action, End):
        return _why_not_end(position, history)
    if action in position.steps_of(action.origin):
        if position.leads_to_an_end(action, history):
            return None
        return _why_no_end(position.play_unchecked(action), history)
    return _why_not_step(position, action)


def piece_on(board: str, square: int) -> Text:
    """Return a piece and its square, as in "the cat on c2"."""
    return text("the {piece} on {cell}", piece=piece_name(board[square]), cell=SQUARE_NAMES[square])


def pieces_on(board: str, squares: list[int] | tuple[int, ...]) -> Text:
    return join([piece_on(board, square) for square in squares])


# --- the two ways to read a step that displaces a piece -------------------------------------------


def reading(before: Referee, action: Action) -> Text | None:
    """Return how a legal step of an enemy piece is read, if it could be read in two ways.

    If an own piece has just left the target, the enemy piece is either pulled there, or pushed
    there by another piece. Source: French, "impossible de pousser et de tirer simultanément";
    Hungarian, "egy figura nem lökhet és húzhat egyszerre".
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


def open_readings(position: Referee) -> list[Text]:
    """Return lines about the pushes and pulls that the last step has left open."""
    board, push, pull = position.board, position.push, position.pull
    lines = []
    if push:
        words = {"pushers": pieces_on(board, push.pushers), "cell": SQUARE_NAMES[push.square]}
        begun = text("a push has begun: {cell} must be taken next, by {pushers}", **words)
        completed = text(
            "the last step completes a pull; it counts as a push instead if {cell} is taken next, "
            "by {pushers}",
            **words,
        )
        lines.append(begun if push.due else completed)
    if pull:
        drawn = pull.victims(position.rules, board, position.mover)
        lines.append(
            text(
                "the piece that left {cell} can pull there, with the next step: {pieces}",
                cell=SQUARE_NAMES[pull.left],
                pieces=pieces_on(board, drawn),
            )
        )
    return lines


# --- warnings before the end of a turn -----------------------------------------------------------


def ending_text(position: Referee, outcome: Outcome) -> Text:
    """Return a warning that the end of the open turn would end the play, but not by a win."""
    if outcome.winner is None:
        return text("neither side would have a rabbit left: a draw")
    winner = SIDE_NAMES[outcome.winner]
    if outcome.reason is Reason.GOAL:
        rabbit = next(
            square
            for square in GOAL_RANKS[outcome.winner]
            if position.board[square] == RABBITS[outcome.winner]
        )
        return text(
            "{piece} would stand on its goal: {side} would win",
            piece=piece_on(position.board, rabbit),
            side=winner,
        )
    if outcome.reason is Reason.ELIMINATION:
        return text("you would have no rabbit left: {side} would win", side=winner)
    return text(
        "the position would stand for the third time, and in this rule set the player who brings "
        "that about loses: {side} would win",
        side=winner,
    )


# --- setup ---------------------------------------------------------------------------------------


def _why_not_placement(position: Referee, action: Placement) -> Text | None:
    if not position.hands:
        return law("setup-over")
    if SIDE[action.piece] != position.mover:
        return law("other-army", side=SIDE_NAMES[position.mover], given=action.piece)
    if action.square not in HOME_RANKS[position.mover]:
        return law("home-ranks", cell=SQUARE_NAMES[action.square], side=SIDE_NAMES[position.mover])
    if position.board[action.square] != EMPTY:
        return taken(position.board, action.square)
    if action.piece not in position.hands[position.mover]:
        return law(
            "none-left", piece=piece_name(action.piece), hand=position.hands[position.mover] or "-"
        )
    return None


def taken(board: str, square: int) -> Text:
    return law("taken", piece=piece_on(board, square))


# --- the end of a turn ---------------------------------------------------------------------------


def _why_not_end(position: Referee, history: History) -> Text | None:
    name = position.law_against_end(history)
    if name == "pieces-left":
        return _pieces_left(position.hands[position.mover] if position.hands else "")
    if name == "push-due":
        return push_due(position)
    return law(name) if name else None


def _pieces_left(hand: str) -> Text:
    return ntext(
        "{count} piece is still to be placed: {hand}",
        "{count} pieces are still to be placed: {hand}",
        len(hand),
        hand=hand,
    )


def _why_no_end(after: Referee, history: History) -> Text:
    """Return why an open turn cannot be ended legally, now or later, given that it cannot."""
    return law("third-time" if _end_repeats_ahead(after, history) else "no-change")


def _end_repeats_ahead(after: Referee, history: History) -> bool:
    """Return whether a third repetition is what forbids ending the turn, now or later."""
    return after.law_against_end(history) == "third-time" or any(
        _end_repeats_ahead(after.play_unchecked(step), history) for step in after.possible_steps()
    )


# --- steps ---------------------------------------------------------------------------------------


def _why_not_step(position: Referee, step: Step) -> Text:
    board, origin, target = position.board, step.origin, step.target
    if position.hands and not position.hands[position.mover]:
        return law("setup-to-end")
    if position.hands:
        return law("setup-first")
    if not position.steps_left:
        return law("four-steps")
    if board[origin] == EMPTY:
        return law("empty", cell=SQUARE_NAMES[origin])
    if board[origin] != step.piece:
        return law(
            "another-piece",
            cell=SQUARE_NAMES[origin],
            side=SIDE_NAMES[SIDE[board[origin]]],
            piece=piece_name(board[origin]),
            given=step.piece,
        )
    if position.push and position.push.due:
        return _why_not_instead_of_push(position, step)
    if SIDE[step.piece] == position.mover and freezers(position.rules, board, origin):
        return frozen(position, origin)
    if step.direction not in STRAIGHT and not position.rules.diagonal:
        return law("diagonal-step")
    if step.piece == RABBITS[position.mover] and step.direction == BACKWARD[position.mover]:
        return law("backward")
    if target == OFF_BOARD:
        return _why_not_off(position, step)
    if board[target] != EMPTY:
        return _why_not_onto_enemy(position, step) or taken(board, target)
    if SIDE[step.piece] == position.mover:
        return law("own-corner")
    return _why_not_enemy(position, step)


def push_due(position: Referee) -> Text:
    """Return a sentence naming the pieces that must complete the open push."""
    assert position.push is not None
    return law(
        "push-due",
        pieces=join([piece_on(position.board, square) for square in position.push.pushers], " / "),
        cell=SQUARE_NAMES[position.push.square],
    )


def _why_not_instead_of_push(position: Referee, step: Step) -> Text:
    """Return why a step does not complete the push that is due, or that the pusher is frozen."""
    assert position.push is not None
    push, board = position.push, position.board
    by = freezers(position.rules, board, step.origin)
    strong = STRENGTH[step.piece] > STRENGTH[push.victim]
    if SIDE[step.piece] == position.mover and step.target == push.square and strong and by:
        return law(
            "frozen-pusher", piece=piece_on(board, step.origin), freezers=pieces_on(board, by)
        )
    return push_due(position)


def _why_not_off(position: Referee, step: Step) -> Text:
    if SIDE[step.piece] == position.mover or not position.rules.ejection:
        return law("off-the-board")
    if step.piece not in RABBITS:
        return law("rabbits-only")
    if step.direction not in edge_directions(step.origin):
        return law("over-edge-ranks")
    return _why_not_enemy(position, step)


def frozen(position: Referee, square: int) -> Text:
    return law(
        "frozen",
        piece=piece_on(position.board, square),
        freezers=pieces_on(position.board, freezers(position.rules, position.board, square)),
    )


def _why_not_onto_enemy(position: Referee, step: Step) -> Text | None:
    """Return how a step over a corner onto an enemy piece could be played; None if it could not."""
    rules, board, target = position.rules, position.board, step.target
    if step.direction in STRAIGHT or step.origin not in pushers(rules, board, target):
        return None
    starts = push_starts(rules, board, target)
    if SIDE[step.piece] != position.mover or not starts or position.steps_left < 2:
        return None
    return law("push-first", piece=piece_on(board, target), push=str(starts[0]), step=str(step))


def _why_not_enemy(position: Referee, step: Step) -> Text:
    """Return why no piece of the mover can push or pull an enemy piece this way now."""
    rules, board, origin = position.rules, position.board, step.origin
    off = step.target == OFF_BOARD
    spent = position.spent_pull
    if spent and step.target == spent.left and spent.draws(rules, board, origin):
        return law("no-pull-after-push")
    if why := why_not_moved(position, origin, "no-pusher-off" if off else "no-mover"):
        return why
    if step.direction not in STRAIGHT:
        return law("pushed-corner")
    assert position.steps_left < 2, step
    return law("push-needs-two")


def why_not_moved(position: Referee, square: int, untouched: str) -> Text | None:
    """Return why no piece can push an enemy piece, whatever the direction; None if one can.

    Args: ``untouched`` is the law to name if no piece touches it.
    """
    rules, board = position.rules, position.board
    touching = [near for near in rules.reach[square] if SIDE[board[near]] == position.mover]
    stronger = [near for near in touching if STRENGTH[board[near]] > STRENGTH[board[square]]]
    victim = piece_on(board, square)
    if not touching:
        return law(untouched, victim=victim, piece=victim)
    if not stronger:
        return weaker(board, touching, square)
    if pushers(rules, board, square):
        return None
    by = dict.fromkeys(one for near in stronger for one in freezers(rules, board, near))
    pieces, frozen_by = pieces_on(board, stronger), pieces_on(board, tuple(by))
    return law("frozen-pushers", pieces=pieces, freezers=frozen_by, victim=victim)


def weaker(board: str, pieces: list[int], victim: int) -> Text:
    return law("not-stronger", pieces=pieces_on(board, pieces), victim=piece_on(board, victim))
