"""Attempts at lessons, and the referee's verdict on any line that a reader tries."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from trine.core.contract.checked import CheckedLine
from trine.core.contract.lesson import Lesson, Reached
from trine.core.contract.position import Action, Turn
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, TrineError
from trine.core.play import Play, describe, names
from trine.core.text.sentence import Text, text, typed_line


class AttemptState(Enum):
    """The state of an attempt at a lesson."""

    OPEN = "open"
    SOLVED = "solved"
    MISSED = "missed"
    """The turns are used up, or the play has left the solution."""


MISSED: Final = text("That is legal, but it does not do what was asked for.")
"""The message about an attempt that missed the goal."""


class Attempt:
    """A reader's attempt at a lesson.

    >>> from trine.games import open_room
    >>> corridor = open_room("corridor")
    >>> attempt = Attempt(corridor, "quoridor", corridor.lessons("quoridor")[0])
    >>> attempt.enter(attempt.lesson.solution[0])
    >>> attempt.state
    <AttemptState.SOLVED: 'solved'>
    """

    def __init__(self, room: Room, rules: str, lesson: Lesson) -> None:
        self.room, self.rules, self.lesson = room, rules, lesson
        self.hints_given = 0
        self.restart()

    def restart(self) -> None:
        """Start over; hints already given are kept."""
        start = self.room.rules.parse_position(self.lesson.position, self.rules)
        self.play = Play(self.room, start)
        self.state = AttemptState.OPEN
        self.turns_made = 0
        """Units: whole turns of the learner."""
        self.answered: list[Turn] = []
        """The opponents' answers to the learner's last turn."""

    @property
    def turns_left(self) -> int:
        return self.lesson.turns - self.turns_made

    def act(self, action: Action) -> None:
        """Play an action of the learner; after an `IllegalError` nothing has changed."""
        self.check_goes_on()
        self.follow(self.play.check([action]))

    def enter(self, line: str) -> None:
        """Play the actions that the learner typed, of at most one turn, all or none."""
        self.check_goes_on()
        self.follow(self.play.interpret(line))

    def check_goes_on(self) -> None:
        if self.state is not AttemptState.OPEN:
            raise IllegalError("this attempt is over; begin anew")

    def follow(self, line: CheckedLine) -> None:
        """Play a line checked from here; raises `IllegalError` past the learner's turn."""
        self.check_goes_on()
        if any(step.closes for step in line.steps[:-1]):
            raise IllegalError("one turn at a time: the other side moves after yours")
        self.play.follow(line)
        self.answered = []
        if line.steps[-1].closes:
            self._end_turn()

    def _end_turn(self) -> None:
        self.turns_made += 1
        turn = self.play.turns[-1]
        reached = Reached(self.play.start, turn.after, turn.actions, self.play.outcome)
        if self.lesson.goal(reached):
            self.state = AttemptState.SOLVED
        elif self.play.outcome or not self.turns_left or not self._answer():
            self.state = AttemptState.MISSED

    def _answer(self) -> bool:
        """Play the answer to the learner's turn; return false if it is illegal here."""
        made = len(self.play.turns)
        try:
            self.play.enter(self.lesson.answers[self.turns_made - 1])
        except TrineError:
            return False
        self.answered = self.play.turns[made:]
        return self.play.outcome is None and self.play.mover == self.play.start.mover

    def undo(self) -> None:
        """Take back the last action of the open turn, or restart a failed attempt."""
        if self.state is AttemptState.MISSED:
            self.restart()
        else:
            self.play.undo()

    def hint(self) -> Text:
        """The next hint; after the last hint, a turn that solves the lesson."""
        turn = min(self.turns_made, self.lesson.turns - 1)
        hints = (*self.lesson.hints, typed_line(self.lesson.solution[turn]))
        self.hints_given = min(self.hints_given + 1, len(hints))
        return hints[self.hints_given - 1]


@dataclass(frozen=True)
class Verdict:
    """The referee's verdict on a line that a reader has tried."""

    legal: bool
    after: Play
    """The play after the line; unchanged if the line is refused."""
    text: Text | None
    """Why the line is refused, or how the play ends after the line; None if neither."""

    def about(self, line: str) -> Text:
        if self.text is None:
            return text("{step} is legal", step=typed_line(line))
        if self.legal:
            return text("{step} is legal: {outcome}", step=typed_line(line), outcome=self.text)
        return text("{step} is not legal: {reason}", step=typed_line(line), reason=self.text)


def verdict_on(room: Room, rules: str, position: str, line: str) -> Verdict:
    """Try actions in a position.

    Raises:
        MalformedError: the position or the line cannot be read.

    >>> from trine.games import open_room
    >>> arimaa = open_room("arimaa")
    >>> print(verdict_on(arimaa, "official", "2g r7/8/8/8/8/R7/8/8", "a3s").about("a3s"))
    a3s is not legal: a rabbit does not step backward
    """
    play = Play(room, room.rules.parse_position(position, rules))
    try:
        play.enter(line)
    except IllegalError as error:
        reason = error.message.values.get("reason")
        return Verdict(False, play, reason if isinstance(reason, Text) else error.message)
    ended = describe(names(play.position.seats), play.outcome) if play.outcome else None
    return Verdict(True, play, ended)
