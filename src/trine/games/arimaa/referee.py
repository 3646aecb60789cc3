"""The referee of Arimaa: positions, legal actions, and the results of plays."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from trine.core.contract.position import NO_HISTORY, History, Outcome, Reason, Seat
from trine.games.arimaa.board import (
    ARMY,
    DIRECTION_TO,
    EMPTY,
    EMPTY_BOARD,
    GOAL_RANKS,
    GOLD,
    HOME_RANKS,
    OFF_BOARD,
    PIECES,
    RABBITS,
    SEATS,
    SIDE,
    SIDE_LETTERS,
    SIDES,
    SILVER,
    SQUARES,
    STEPS_FROM,
    STRENGTH,
)
from trine.games.arimaa.rules import (
    END,
    STEPS,
    STEPS_IN_TURN,
    Action,
    End,
    Placement,
    RuleSet,
    Step,
    ThirdOccurrence,
    own_steps,
    push_starts,
    pushers,
    shift,
)

FULL_HAND = "".join(kind * count for kind, count in ARMY.items())


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull that may follow: a piece has left a square, and may draw a weaker enemy onto it."""

    left: int  # the square that the puller left; the puller itself may have been removed since
    strength: int

    def draws(self, rules: RuleSet, board: str, victim: int) -> bool:
        """Return whether the enemy piece on a square can be pulled by the next step."""
        return STRENGTH[board[victim]] < self.strength and victim in rules.reach[self.left]

    def victims(self, rules: RuleSet, board: str, mover: int) -> list[int]:
        """Return the squares of the enemy pieces that can be pulled by the next step."""
        return [
            square
            for square in rules.reach[self.left]
            if 0 < STRENGTH[board[square]] < self.strength and SIDE[board[square]] != mover
        ]


@dataclass(frozen=True, slots=True)
class Push:
    """A push begun: an enemy piece has been moved off a square, which its pusher is to take."""

    square: int
    pushers: tuple[int, ...]
    """The squares of the pieces that may complete the push: stronger, unfrozen, near its start."""
    due: bool
    """Whether the push must be completed.

    False if the same step was also the second half of a pull: both readings stay open.
    """
    victim: str = field(default="E", compare=False)  # the piece pushed, if known; for `why_not`


@dataclass(frozen=True, slots=True)
class Referee:
    """All that decides which actions are legal, except the history. Immutable and hashable.

    Two positions are equal if the same play can follow; turn numbers do not count.
    """

    rules: RuleSet
    board: str
    mover: int = GOLD
    number: int = field(default=2, compare=False)
    """The number of the turn, as in ``2g``; the setups are turn 1."""
    steps: int = 0  # number of actions in the open turn
    start: str = ""  # the board at the beginning of the open turn
    pull: Pull | None = None
    push: Push | None = None
    hands: tuple[str, str] | None = None
    """The pieces that Gold and Silver have yet to place; None after the setup."""
    spent_pull: Pull | None = field(default=None, compare=False)
    """The pull that would follow the last step if it had not completed a push; for `why_not`."""

    @classmethod
    def of(cls, rules: RuleSet, board: str, mover: int, number: int = 2) -> Self:
        """Return a position at the beginning of a turn, after the setup."""
        return cls(rules, board, mover, number, start=board)

    @classmethod
    def before_setup(
        cls, rules: RuleSet, hands: tuple[str, str] = (FULL_HAND, FULL_HAND.lower())
    ) -> Self:
        """Return the empty board; a handicap leaves pieces out of a hand."""
        return cls(rules, EMPTY_BOARD, number=1, start=EMPTY_BOARD, hands=hands)

    # --- the state -------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[Seat, ...]:
        return SEATS

    @property
    def key(self) -> str | None:
        """The key that finds repetitions: side to move and board. None during the setup."""
        return None if self.hands else SIDE_LETTERS[self.mover] + self.board

    @property
    def in_setup(self) -> bool:
        return self.hands is not None

    @property
    def turn_open(self) -> bool:
        return self.steps > 0

    @property
    def steps_left(self) -> int:
        return STEPS_IN_TURN - self.steps

    # --- legal actions ---------------------------------------------------------------------------

    def legal_actions(self, history: History = NO_HISTORY) -> tuple[Action, ...]:
        """Return the actions that leave a way to end this turn legally, each once.

        Guarantee: not empty, unless `outcome` says how the play ended.
        """
        if self.hands:
            return self._placements()
        actions: list[Action] = [
            step for step in self.possible_steps() if self.leads_to_an_end(step, history)
        ]
        if self.may_end(history):
            actions.append(END)
        return tuple(actions)

    def _placements(self) -> tuple[Action, ...]:
        assert self.hands is not None
        hand = self.hands[self.mover]
        if not hand:
            return (END,)
        return tuple(
            Placement(piece, square)
            for piece in dict.fromkeys(hand)
            for square in HOME_RANKS[self.mover]
            if self.board[square] == EMPTY
        )

    def possible_steps(self) -> dict[Step, None]:
        """Return the steps that the laws of the board allow next, however the turn may end.

        Returns: an ordered set. A step that can be read in two ways (a push begun, a pull
            completed) is in it once; `play_unchecked` keeps both readings open.
        """
        steps: list[Step] = []
        if self.steps_left:
            for square, piece in enumerate(self.board):
                if piece != EMPTY:
                    steps += self.steps_of(square)
        return dict.fromkeys(steps)

    def steps_of(self, square: int) -> list[Step]:
        """Return the possible steps of the piece on a square: its own, or those displacing it."""
        steps: list[Step] = []
        piece = self.board[square]
        if self.hands or not self.steps_left or piece == EMPTY:
            return steps
        if self.push:
            if square in self.push.pushers:
                steps.append(STEPS[piece, square, DIRECTION_TO[square, self.push.square]])
            if self.push.due:
                return steps
        if SIDE[piece] == self.mover:
            return steps + own_steps(self.rules, self.board, square)
        pull = self.pull
        if pull and pull.draws(self.rules, self.board, square):
            steps.append(STEPS[piece, square, DIRECTION_TO[square, pull.left]])
        if self.steps_left >= 2:
            steps += push_starts(self.rules, self.board, square)
        return steps

    def may_end(self, history: History = NO_HISTORY) -> bool:
        return not self.law_against_end(history)

    def law_against_end(self, history: History) -> str:
        """Return the name of the law that forbids ending the open turn here; empty if none does.

        It needs a step, no half-done push, and a changed board. Source: official; French, "Un tour
        doit provoquer un changement"; Hungarian, "meg kell változtatnia".
        """
        if self.hands:
            return "pieces-left" if self.hands[self.mover] else ""
        if not self.steps:
            return "no-step"
        if self.push and self.push.due:
            return "push-due"
        if self.board == self.start:
            return "no-change"
        return "third-time" if self.end_repeats(history) else ""

    def end_repeats(self, history: History) -> bool:
        """Return whether ending the turn here would be an illegal third repetition.

        Source: official; Russian, "такой ход считается запрещенным".
        """
        return (
            history.repeated
            and self.rules.repetition is ThirdOccurrence.ILLEGAL
            and history.times(SIDE_LETTERS[1 - self.mover] + self.board) >= 2
        )

    def leads_to_an_end(self, step: Step, history: History) -> bool:
        """Return whether a possible step leaves a way to end the turn legally.

        If no position has occurred twice, each of the first two steps of a turn does, since one
        more step can always change the board again. So only later steps are tried, or all steps
        after a repetition.
        """
        if self.steps < 2 and not history.repeated:
            return True
        return self.play_unchecked(step).can_be_completed(history)

    def can_be_completed(self, history: History) -> bool:
        """Return whether the open turn can be ended legally, now or after further steps."""
        return self.may_end(history) or any(
            self.play_unchecked(step).can_be_completed(history) for step in self.possible_steps()
        )

    # --- playing an action -----------------------------------------------------------------------

    def play_unchecked(self, action: Action) -> Self:
        if isinstance(action, Step):
            return self._after_step(action)
        if isinstance(action, End):
            return self.passed()
        return self._after_placement(action)

    def removal(self, step: Step) -> int:
        return shift(self.board, step.origin, step.target)[1]

    def _after_step(self, step: Step) -> Self:
        board, _ = shift(self.board, step.origin, step.target)
        steps = self.steps + 1
        pull = spent = push = None
        if SIDE[step.piece] == self.mover:
            if steps < STEPS_IN_TURN:
                pull = self._pull_after(step, board)
            if self._completes_push_only(step):
                pull, spent = None, pull
        else:
            push = self._push_after(step)
        start = self.start
        return type(self)(
            self.rules, board, self.mover, self.number, steps, start, pull, push, None, spent
        )

    def _completes_push_only(self, step: Step) -> bool:
        """Return whether a step completes a push and is not an ordinary step as well.

        The step that completes a push is not also the first half of a pull. Source: official;
        French, "impossible de pousser et de tirer simultanément"; all alike.
        """
        if not self.push or step.target != self.push.square:
            return False
        # A pusher was not frozen when the push began, and is not now: the pushed piece is weaker,
        # and its step has taken no piece from the pusher's side.
        ways = (target for _, target in STEPS_FROM[step.origin])
        return self.push.due or step.target not in ways

    def _pull_after(self, step: Step, board: str) -> Pull | None:
        pull = Pull(step.origin, STRENGTH[step.piece])
        return pull if pull.victims(self.rules, board, self.mover) else None

    def _push_after(self, step: Step) -> Push | None:
        if self.steps_left < 2 or step.target not in (
            OFF_BOARD,
            *(target for _, target in STEPS_FROM[step.origin]),
        ):
            return None
        by = pushers(self.rules, self.board, step.origin)
        due = not self._completes_pull(step)
        return Push(step.origin, by, due, step.piece) if by else None

    def _completes_pull(self, step: Step) -> bool:
        return (
            self.pull is not None
            and step.target == self.pull.left
            and self.pull.draws(self.rules, self.board, step.origin)
        )

    def passed(self) -> Self:
        """Return the position after a null turn: only the side to move changes."""
        hands = self.hands if self.hands and self.mover == GOLD else None
        number = self.number + (self.mover == SILVER)
        return type(self)(
            self.rules, self.board, 1 - self.mover, number, start=self.board, hands=hands
        )

    def _after_placement(self, action: Placement) -> Self:
        assert self.hands is not None
        board = self.board[: action.square] + action.piece + self.board[action.square + 1 :]
        hand = self.hands[self.mover].replace(action.piece, "", 1)
        hands = (hand, self.hands[SILVER]) if self.mover == GOLD else (self.hands[GOLD], hand)
        return replace(self, board=board, hands=hands, steps=self.steps + 1)

    # --- the result ------------------------------------------------------------------------------

    def outcome(self, history: History = NO_HISTORY) -> Outcome | None:
        """Return the result, judged when a turn has ended: at the beginning of the next one.

        The order follows the official rules, for all rule sets: goal of the player who ended
        the turn, goal of the other, rabbits, repetition, no legal turn.
        """
        if self.hands or self.turn_open:
            return None
        ended = 1 - self.mover
        for side in (ended, self.mover):
            if any(self.board[square] == RABBITS[side] for square in GOAL_RANKS[side]):
                return Outcome(side, Reason.GOAL)
        if outcome := self._judge_rabbits(ended):
            return outcome
        if self.rules.repetition is ThirdOccurrence.LOSES and history.times(self.key) >= 3:
            return Outcome(self.mover, Reason.REPETITION)
        return self._judge_mobility(ended, history)

    def _judge_rabbits(self, ended: int) -> Outcome | None:
        """Return the result if one side, or both, have no rabbits left.

        Source: official, Russian: such a side loses; French, Hungarian: a draw once both have none.
        """
        gone = [side for side in (self.mover, ended) if RABBITS[side] not in self.board]
        if gone and self.rules.no_rabbits_loses:
            return Outcome(1 - gone[0], Reason.ELIMINATION)
        return Outcome(None, Reason.ELIMINATION) if len(gone) == len(SIDES) else None

    def _judge_mobility(self, ended: int, history: History) -> Outcome | None:
        """Return the result if there is no legal turn.

        Source: official; French, "Immobilisation"; all alike.
        """
        # Any first step can be completed to a turn that changes the board, so one is enough,
        # unless repetition forbids its ends. It is found sooner from the mover's side of the board.
        if not any(map(self.steps_of, SQUARES[:: 1 - 2 * self.mover])):
            return Outcome(ended, Reason.IMMOBILIZATION)
        if history.repeated and not self.can_be_completed(history):
            return Outcome(ended, Reason.REPETITION)
        return None


def score_winner(positions: Sequence[Referee]) -> int:
    """Return the winner by the number of pieces, if the clock stops the whole game.

    The side with more pieces wins, or else the side that last had more; Silver if neither ever had.

    Args: ``positions`` are at the beginning of each turn, in order.

    Source: official, "Game Limit": the player with more pieces, or who last had more.
    """
    for position in reversed(positions):
        if position.in_setup:
            break
        gold, silver = (sum(map(position.board.count, PIECES[side])) for side in SIDES)
        if gold != silver:
            return int(silver > gold)
    return 1
