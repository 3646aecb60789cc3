"""A lesson: a small position with something to do in it, and the referee to say whether it is done.

A room keeps its lessons in ``view/lessons.py``. A surface, a terminal or a page, shows the board of
an `Attempt` and passes on what the learner does; it needs to know nothing of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from trine.core.checked import CheckedLine
from trine.core.errors import IllegalError, TrineError
from trine.core.outcome import Outcome, Reason
from trine.core.play import Play, Turn
from trine.core.text import Text, text

if TYPE_CHECKING:
    from trine.core.doors import Action, Room


@dataclass(frozen=True)
class Reached:
    """What a learner has come to with a whole turn."""

    start: Any
    """The position of the lesson, as its room has it."""
    position: Any
    """The position after the turn, as the room has it."""
    actions: tuple[Any, ...]
    """The actions of the turn, the end of it included where the game has one."""
    outcome: Outcome | None

    @property
    def learner(self) -> int:
        """The player who learns."""
        player: int = self.start.mover
        return player


Goal = Callable[[Reached], bool]
"""Whether a lesson's goal is reached; asked when a turn of the learner is over."""


@dataclass(frozen=True)
class Lesson:
    """One idea of a game, and a position to try it in. The learner is the player to move there."""

    name: str
    """A word by which progress is kept; lessons of one name teach the same in all rule sets."""
    title: Text
    words: Text
    """The idea, in two or three sentences."""
    task: Text
    """What to do, in one sentence."""
    position: str
    """As text; ``{rules}`` in it stands for the name of the rule set."""
    goal: Goal
    solution: tuple[str, ...]
    """The learner's turns on one way to the goal, as a person types them."""
    success: Text
    """What is said when the goal is reached."""
    hints: tuple[Text, ...]
    """The first one points the way, the last one all but says it."""
    answers: tuple[str, ...] = ()
    """The turns of the other players between the learner's, a line each."""
    wrong: tuple[str, ...] = ()
    """First turns that a learner may well try, and that are illegal or miss the goal."""
    only: tuple[str, ...] = ()
    """The rule sets that have it; empty for all."""

    @property
    def turns(self) -> int:
        """In how many turns the learner must reach the goal."""
        return len(self.answers) + 1


def lessons_of(rules: str, book: Iterable[Lesson], **blanks: str) -> list[Lesson]:
    """The lessons of a rule set, in their order, with positions of that rule set.

    Args: ``blanks`` fill what else in the positions depends on the rule set.
    """
    return [
        replace(lesson, position=lesson.position.format(rules=rules, **blanks))
        for lesson in book
        if not lesson.only or rules in lesson.only
    ]


# --- goals of every game -------------------------------------------------------------------------


def wins(reason: Reason) -> Goal:
    """The learner has won, for this reason."""
    return lambda reached: reached.outcome == Outcome(reached.learner, reason)


def draws(reason: Reason) -> Goal:
    """The play is drawn, for this reason."""
    return lambda reached: reached.outcome == Outcome(None, reason)


def all_of(*goals: Goal) -> Goal:
    """All of several goals at once."""
    return lambda reached: all(goal(reached) for goal in goals)


# --- taking a lesson -----------------------------------------------------------------------------


class State(Enum):
    """How an attempt at a lesson stands."""

    OPEN = "open"
    SOLVED = "solved"
    MISSED = "missed"
    """The turns are used up, or the play has taken another way."""


MISSED: Final = text("That is legal, but it does not do what was asked for.")
"""What is said of an attempt that missed the goal."""


class Attempt:
    """An attempt at a lesson.

    >>> from trine.games import open_room
    >>> corridor = open_room("corridor")
    >>> attempt = Attempt(corridor, "quoridor", corridor.lessons("quoridor")[0])
    >>> attempt.enter(attempt.lesson.solution[0])
    >>> attempt.state
    <State.SOLVED: 'solved'>
    """

    def __init__(self, room: Room, rules: str, lesson: Lesson) -> None:
        self.room, self.rules, self.lesson = room, rules, lesson
        self.hints_given = 0
        self.restart()

    def restart(self) -> None:
        """Begin anew; the hints that were given stay given."""
        start = self.room.parse_position(self.lesson.position, self.rules)
        self.play = Play(self.room, start)
        self.state = State.OPEN
        self.turns_made = 0
        """The learner's whole turns."""
        self.answered: list[Turn] = []
        """The turns with which the last one was answered."""

    @property
    def turns_left(self) -> int:
        """How many turns the learner has left."""
        return self.lesson.turns - self.turns_made

    def act(self, action: Action) -> None:
        """Play an action of the learner.

        Raises:
            IllegalError: it is not legal, or the attempt is over; nothing has changed.
        """
        self.check_goes_on()
        self.follow(self.play.check([action]))

    def enter(self, line: str) -> None:
        """Play what the learner typed: actions of one turn, or of a part of it.

        Raises:
            MalformedError, IllegalError: a word of it is not right; nothing has changed.
        """
        self.check_goes_on()
        self.follow(self.play.interpret(line))

    def check_goes_on(self) -> None:
        """Raise an error if the attempt is over.

        Raises:
            IllegalError: it is.
        """
        if self.state is not State.OPEN:
            raise IllegalError(text("this attempt is over; begin the lesson anew"))

    def follow(self, line: CheckedLine) -> None:
        """Play a line that was judged from here; what stands behind the learner's turn is refused.

        Raises:
            IllegalError: it goes on past the turn, or the attempt is over; nothing has changed.
        """
        self.check_goes_on()
        if any(step.closes for step in line.steps[:-1]):
            raise IllegalError(text("one turn at a time: the other side moves after yours"))
        self.play.follow(line)
        self.answered = []
        if line.steps[-1].closes:
            self._end_turn()

    def _end_turn(self) -> None:
        self.turns_made += 1
        turn = self.play.turns[-1]
        reached = Reached(self.play.start, turn.after, turn.actions, self.play.outcome)
        if self.lesson.goal(reached):
            self.state = State.SOLVED
        elif self.play.outcome or not self.turns_left or not self._answer():
            self.state = State.MISSED

    def _answer(self) -> bool:
        """Play the answer to the learner's turn; false if it is not possible here any more."""
        made = len(self.play.turns)
        try:
            self.play.enter(self.lesson.answers[self.turns_made - 1])
        except TrineError:
            return False
        self.answered = self.play.turns[made:]
        return self.play.outcome is None and self.play.mover == self.play.start.mover

    def undo(self) -> None:
        """Take back the last action of the learner's open turn, or, after it, the attempt.

        Raises:
            IllegalError: there is nothing to take back.
        """
        if self.state is State.MISSED:
            self.restart()
        else:
            self.play.undo()

    def hint(self) -> Text:
        """The next hint; once all are given, the last one again."""
        hints = self.lesson.hints
        self.hints_given = min(self.hints_given + 1, len(hints))
        return hints[self.hints_given - 1]
