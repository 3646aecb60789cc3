"""The conversation of puzzles: it shows a position, takes a turn, and says whether it solves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, overload

from trine.cli.terminal.lessons import WORDS, LessonDialogue
from trine.cli.terminal.vocabulary import LOOKING, Command
from trine.core.contract.attempt import AttemptState
from trine.core.contract.lesson import Lesson
from trine.core.play import Play
from trine.core.text.sentence import Text, ntext, text
from trine.engine.puzzles.answering import ANOTHER, Answer, is_solved_by, known_reply, reply_text
from trine.engine.puzzles.exercise import exercise, themes_told, written_line
from trine.engine.puzzles.puzzle import Puzzle

OWN_WORDS: Final[Mapping[str, Command]] = {
    "again": Command("again", text("begin the puzzle anew")),
    "solution": Command("solution", text("show the solution, and what follows"), LOOKING),
    "next": Command("next", text("go on to the next puzzle")),
    "back": Command("back", text("go back to the puzzle before")),
    "list": Command("list", text("list the puzzles, and which of them are solved"), LOOKING),
}
"""The meanings of some words of lessons here."""

Search = Callable[[Puzzle, Play], Answer]
"""A search that answers the turn with which a play ends."""


class _Exercises(Sequence[Lesson]):
    """The exercises of puzzles, each made when it is asked for: that takes some work."""

    def __init__(self, puzzles: Sequence[Puzzle]) -> None:
        self._puzzles = puzzles

    def __len__(self) -> int:
        return len(self._puzzles)

    @overload
    def __getitem__(self, at: int) -> Lesson: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Lesson]: ...
    def __getitem__(self, at: int | slice) -> Lesson | Sequence[Lesson]:
        if isinstance(at, slice):
            return [exercise(puzzle) for puzzle in self._puzzles[at]]
        return exercise(self._puzzles[at])


@dataclass
class PuzzleDialogue(LessonDialogue):
    """A conversation about puzzles of a rule set, one after the other."""

    puzzles: Sequence[Puzzle] = ()
    search: Search | None = None
    """The search that answers turns of which the file knows nothing; None for no answers."""
    solved: int = 0
    """The number of puzzles solved in this conversation."""
    words: ClassVar[Sequence[Command]] = [OWN_WORDS.get(one.usage, one) for one in WORDS]
    _answers: dict[str, Text] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lessons = _Exercises(self.puzzles)
        super().__post_init__()

    @property
    def puzzle(self) -> Puzzle:
        """The present puzzle."""
        return self.puzzles[self.index]

    def _heading(self) -> Text:
        return text(
            "{game}, puzzle {number} of {count}",
            game=self.room.title,
            number=self.index + 1,
            count=len(self.lessons),
        )

    def _status(self, play: Play) -> list[Text]:
        return list(self.room.status(play.position))

    def _judge(self) -> None:
        """Show whether the turn solves the puzzle; one that is as good as the solution does."""
        why = self._why_missed() if self.attempt.state is AttemptState.MISSED else None
        if self.attempt.state is AttemptState.MISSED and why is None:
            self.attempt.state = AttemptState.SOLVED
        if self.attempt.state is AttemptState.SOLVED:
            self._praise()
        elif why is not None:
            self.screen.say(text("Not enough: {line}", line=why))
            self.screen.say(text("Enter begins anew; hint says what may help"))

    def _why_missed(self) -> Text | None:
        """Return why the turn does not solve the puzzle; None if it is as good."""
        play = self.attempt.play
        if known := known_reply(self.puzzle, play):
            return known
        if self.search is None:
            return ANOTHER
        answer = self.search(self.puzzle, play)
        if is_solved_by(self.puzzle, answer):
            return None
        return reply_text(self.puzzle, answer.reply, answer.chance)

    def _praise(self) -> None:
        self.solved += 1
        self.screen.say(text("Right! {success}", success=self.lesson.success))
        self.screen.say(text("themes: {themes}", themes=themes_told(self.puzzle)))
        self._keep()
        if self.index + 1 < len(self.lessons):
            self.screen.say(text("Enter goes on to the next puzzle"))
        else:
            self.screen.say(text("That was the last puzzle."))

    def _solution(self) -> None:
        self.screen.say_all([written_line(self.puzzle, self.puzzle.line)])

    def _farewell(self) -> None:
        told = ntext("{count} puzzle solved", "{count} puzzles solved", self.solved)
        self.screen.say(told)
