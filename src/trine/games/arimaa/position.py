"""A position of Arimaa: the referee, plus reasons in words; and whole turns.

A reason is the law that forbids an illegal action, by its name in the rule book. The order of the
questions is a patient teacher's: is there such a piece, may it move at all, is the direction right,
is the square free, is the turn in a state to take the step.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from trine.core.contract import position as contract
from trine.core.contract.handbook import Laws
from trine.core.contract.position import NO_HISTORY, History, Outcome, Reason
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
    END,
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


def piece_on(board: str, square: int) -> Text:
    """Return a piece and its square, as in "the cat on c2"."""
    return text("the {piece} on {cell}", piece=piece_name(board[square]), cell=SQUARE_NAMES[square])


def pieces_on(board: str, squares: list[int] | tuple[int, ...]) -> Text:
    return join([piece_on(board, square) for square in squares])


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


def _ending_text(position: Referee, outcome: Outcome) -> Text:
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
    """Return whether ending the turn, now or after more steps, is an illegal third repetition."""
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


MOST_CHANGED: Final = 3  # the squares that a step changes at most: those of the step, and a trap


@dataclass(frozen=True, slots=True)
class Position(Referee, contract.Position):
    """The public position: the referee, plus reasons in words.

    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> start = Position.before_setup(RULE_SETS["official"])
    >>> print(start.why_not(END))
    16 pieces are still to be placed: EMHHDDCCRRRRRRRR
    """

    def why_not(self, action: Action, history: History = NO_HISTORY) -> Text | None:
        if isinstance(action, Placement):
            return _why_not_placement(self, action)
        if isinstance(action, End):
            return _why_not_end(self, history)
        if action not in self.steps_of(action.origin):
            return _why_not_step(self, action)
        if self.leads_to_an_end(action, history):
            return None
        return _why_no_end(self.play_unchecked(action), history)

    def warning(self, action: Action, history: History = NO_HISTORY) -> Text | None:
        """Return how a legal end of the turn would end the play without a win; else None.

        Other actions give None, since positions are judged only at the end of a turn.
        """
        if not isinstance(action, End) or self.hands:
            return None
        after, ahead = self.passed(), history.copy()
        ahead.add(after.key)
        outcome = after.outcome(ahead)
        if outcome is None or outcome.winner == self.mover:
            return None
        return _ending_text(self, outcome)


# --- whole turns ----------------------------------------------------------------------------------

Turn = tuple[Step, ...]  # the steps of a turn, without its end


def legal_turns(
    position: Position,
    history: History = NO_HISTORY,
    follows: Callable[[Position], bool] = lambda after: True,
) -> Iterator[Turn]:
    """Yield every legal turn as a sequence of steps: hundreds of thousands in a middle game.

    Args: ``follows`` says of the position after a step whether the turn is to go on from there.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> corner = parse_position("g [e......." + "." * 48 + ".......R]")
    >>> sum(1 for _ in legal_turns(corner)), len(turn_results(corner))
    (52, 14)
    """
    if position.may_end(history):
        yield ()
    for step in position.possible_steps():
        after = position.play_unchecked(step)
        if follows(after):
            for rest in legal_turns(after, history, follows):
                yield (step, *rest)


def turns_towards(position: Position, target: Position) -> Iterator[tuple[Action, ...]]:
    """Yield the legal turns that can lead to a target, among them all that do.

    Of the orders of a setup, there is one.
    """

    def is_near(after: Position) -> bool:
        changed = sum(old != new for old, new in zip(after.board, target.board, strict=True))
        return changed <= MOST_CHANGED * after.steps_left

    if position.hands:
        yield from _setups_towards(position, target)
    elif is_near(position):
        yield from legal_turns(position, follows=is_near)


def _setups_towards(position: Position, target: Position) -> Iterator[tuple[Action, ...]]:
    """Yield the one setup of the mover that can lead to a target, if it is legal."""
    placements: list[Action] = []
    for square in HOME_RANKS[position.mover]:
        if position.board[square] == EMPTY != target.board[square]:
            placement = Placement(target.board[square], square)
            if position.why_not(placement):
                return
            placements.append(placement)
            position = position.play_unchecked(placement)
    if position.may_end():
        yield tuple(placements)


def turn_results(position: Position, history: History = NO_HISTORY) -> dict[Position, Turn]:
    """Return the distinct positions that one whole turn can make, each with a shortest such turn.

    If the position is within a turn, that turn is continued.

    Limits: a middle game has some 20,000 of them, a crowded one up to 100,000.
    """
    results: dict[Position, Turn] = {}
    seen = {(position.board, position.pull, position.push)}
    front: list[tuple[Position, Turn]] = [(position, ())]
    while front:
        reached = []
        for before, turn in front:
            if before.may_end(history):
                results.setdefault(before.play_unchecked(END), turn)
            for step in before.possible_steps():
                after = before.play_unchecked(step)
                # A position reached with fewer steps leads to all positions that follow from here.
                state = (after.board, after.pull, after.push)
                if state not in seen:
                    seen.add(state)
                    reached.append((after, (*turn, step)))
        front = reached
    return results
