"""The dialogue of lessons, and the file of the lessons done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from trine.cli.terminal import vocabulary
from trine.cli.terminal.reader import LineReader, PipeReader, TerminalReader, at_a_terminal
from trine.cli.terminal.screen import Screen, board_for, program_command
from trine.core.contract.attempt import MISSED, Attempt, AttemptState
from trine.core.contract.lesson import Lesson
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play, written_actions
from trine.core.scene.canvas import Look
from trine.core.text.sentence import Text, ntext, suggesting, text, typed, typed_line
from trine.core.work.files import file_error
from trine.engine.puzzles.puzzle import Puzzle
from trine.play.record.text_files import games_folder

WORDS: Final = (
    vocabulary.Phrase("hint", text("get a hint; each time a little more"), vocabulary.LOOKING),
    vocabulary.Phrase("why ACTION", text("say why an action is not legal"), vocabulary.LOOKING),
    vocabulary.Phrase("moves", text("show the legal actions"), vocabulary.LOOKING),
    vocabulary.Phrase("board", text("show the board again"), vocabulary.LOOKING),
    vocabulary.Phrase(
        "undo", text("take back the last action, or try again after a turn that missed")
    ),
    vocabulary.Phrase("again", text("start the lesson again")),
    vocabulary.Phrase("solution", text("show one way to do it"), vocabulary.LOOKING),
    vocabulary.Phrase("next", text("go on to the next lesson")),
    vocabulary.Phrase("back", text("go back to the lesson before")),
    vocabulary.Phrase(
        "list", text("list the lessons, and which of them are done"), vocabulary.LOOKING
    ),
    vocabulary.Phrase("help", text("show what can be typed"), vocabulary.LOOKING),
    vocabulary.Phrase("quit", text("stop here"), vocabulary.STOPPING),
)
"""The commands that can be typed in a lesson besides actions."""


@dataclass
class LessonDialogue:
    """A dialogue that goes through the lessons of a rule set."""

    room: Room
    rules: str
    screen: Screen
    progress: LessonsDone
    index: int = 0  # the index of the current lesson
    pieces: str = ""
    flipped: bool = False
    refused: int = 0  # number of lines that were refused
    interrupted: bool = False  # whether Ctrl-C ended the dialogue
    lessons: Sequence[Lesson] = ()  # the lessons; if empty, all lessons of the rule set
    attempt: Attempt = field(init=False)
    words: ClassVar[Sequence[vocabulary.Phrase]] = WORDS
    _over: bool = False

    def __post_init__(self) -> None:
        self.lessons = self.lessons or self.room.lessons(self.rules)
        self.attempt = Attempt(self.room, self.rules, self.lesson)

    @property
    def lesson(self) -> Lesson:
        return self.lessons[self.index]

    def candidates(self, line: str) -> list[str]:
        return vocabulary.candidates(self.attempt.play, line, self.screen.language, self.words)

    def run(self, reader: LineReader) -> None:
        """Run the dialogue until the lessons are over, or the person leaves."""
        try:
            self._introduce()
            while not self._over:
                try:
                    self.do(reader.read(f"{self.index + 1}> "))
                except TrineError as error:
                    self.refused += 1
                    self.screen.complain(error)
                    if isinstance(error, MalformedError):
                        self.screen.say(text("help lists what can be typed"))
        except EOFError:
            pass
        except KeyboardInterrupt:
            self.interrupted = True
        self._farewell()

    def do(self, line: str) -> None:
        """Carry out a line; raises `TrineError`, then nothing has changed."""
        self.screen.last_line = line
        line = vocabulary.read_line(line, self.screen.language)
        words = line.split()
        if not words:
            self._enter_nothing()
        elif handler := self._handlers().get(words[0].lower()):
            handler(" ".join(words[1:]))
        else:
            self._enter(line)

    def _handlers(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "hint": lambda _: self.screen.say(self.attempt.hint()),
            "why": self._why,
            "moves": lambda _: self._moves(),
            "board": lambda _: self._show(),
            "undo": lambda _: self._undo(),
            "again": lambda _: self._begin(self.index),
            "solution": lambda _: self._solution(),
            "next": lambda _: self._next(),
            "back": lambda _: self._begin(max(self.index - 1, 0)),
            "list": lambda _: self.screen.say_all(
                lesson_list(self.room, self.lessons, self.progress)
            ),
            "help": lambda _: self._help(),
            "?": lambda _: self._help(),
            "quit": lambda _: self._stop(),
            "exit": lambda _: self._stop(),
        }

    def _stop(self) -> None:
        self._over = True

    def _begin(self, index: int) -> None:
        if index != self.index or self.attempt.state is AttemptState.SOLVED:
            self.index = index
            self.attempt = Attempt(self.room, self.rules, self.lesson)
        else:
            self.attempt.restart()
        self._introduce()

    def _next(self) -> None:
        if self.index + 1 < len(self.lessons):
            self._begin(self.index + 1)
        else:
            self._over = True

    def _enter_nothing(self) -> None:
        """Handle an empty line: go to the next lesson, try again, or end the turn."""
        if self.attempt.state is AttemptState.SOLVED:
            self._next()
        elif self.attempt.state is AttemptState.MISSED:
            self._begin(self.index)
        elif self._can_end():
            self._enter(str(self.room.rules.end))
        else:
            example = vocabulary.example_of(self.attempt.play)
            self.screen.say(text("type an action such as {example}, or help", example=example))

    def _can_end(self) -> bool:
        play, end = self.attempt.play, self.room.rules.end
        return end is not None and bool(play.open_actions) and play.why_not(end) is None

    def _enter(self, line: str) -> None:
        if self.attempt.state is AttemptState.SOLVED:
            raise IllegalError("this is done; again repeats it, Enter goes on")
        if self.attempt.state is AttemptState.MISSED:
            self.attempt.restart()
        self.attempt.enter(line)
        self._show()
        self._judge()

    def _judge(self) -> None:
        if self.attempt.state is AttemptState.SOLVED:
            self._praise()
        elif self.attempt.state is AttemptState.MISSED:
            self.screen.say(MISSED)
            self.screen.say(text("press Enter to try again, or type hint"))

    def _praise(self) -> None:
        self.screen.say(text("Done! {success}", success=self.lesson.success))
        self._record_progress()
        if self.index + 1 < len(self.lessons):
            following = self.lessons[self.index + 1].title
            self.screen.say(text("Enter goes on with: {lesson}", lesson=following))
        else:
            self.screen.say(text("That was the last lesson."))

    def _record_progress(self) -> None:
        try:
            self.progress.add(self.room.name, self.lesson)
        except TrineError as error:
            self.screen.complain(error)

    def _undo(self) -> None:
        self.attempt.undo()
        self._show()

    def _introduce(self) -> None:
        self.screen.say(self._heading())
        self.screen.say_all([self.lesson.words])
        for quote in self.lesson.quotes:
            self.screen.say_all(quote.said_in(self.screen.language.code))
        self.screen.say_all([match.text for match in self.lesson.matches])
        self._show()

    def _heading(self) -> Text:
        return text(
            "{game}, lesson {number} of {count}: {title}",
            game=typed(self.room.title),
            number=self.index + 1,
            count=len(self.lessons),
            title=self.lesson.title,
        )

    def _show(self) -> None:
        play = self.attempt.play
        pieces = self.pieces or next(iter(self.room.view.piece_sets))
        look = Look(pieces, self.flipped, play.last_cells)
        board = board_for(self.screen, self.room, play.position, look)
        self.screen.show_board(board, self._side_lines())

    def _side_lines(self) -> list[Text]:
        attempt, play = self.attempt, self.attempt.play
        lines = [self.lesson.task]
        for turn in attempt.answered:
            steps = written_actions(self.room, turn.before, turn.actions)
            player = turn.before.seats[turn.player].name
            lines.append(text("{player} plays {turn}", player=player, turn=steps))
        if play.open_actions:
            steps = written_actions(self.room, play.turn_start, play.open_actions)
            lines.append(text("so far: {steps}", steps=steps))
        if play.outcome:
            lines.append(play.ended_for(play.start.mover))
        elif attempt.state is AttemptState.OPEN:
            lines += self._status(play)
            if self.lesson.turns > 1:
                lines.append(ntext("{count} turn left", "{count} turns left", attempt.turns_left))
            if self._can_end():
                lines.append(text("Enter ends the turn; undo takes back"))
        return lines

    def _status(self, play: Play) -> list[Text]:
        """Return the status lines that have changed since the start; others would hide the task."""
        at_start = self.room.view.status(play.start)
        return [line for line in self.room.view.status(play.position) if line not in at_start]

    def _why(self, line: str) -> None:
        play = self.attempt.play
        if not line:
            example = "a1" if play.outcome else vocabulary.example_of(play)
            raise MalformedError("why takes an action, such as why {example}", example=example)
        verdict, *warnings = vocabulary.legality_of(play, line)
        self.screen.say(verdict)
        self.screen.say_all(warnings)

    def _moves(self) -> None:
        play = self.attempt.play
        for heading, actions in self.room.view.group_actions(play.position, play.legal_actions()):
            listed = typed_line(" ".join(map(str, actions)))
            self.screen.say_all([text("{heading}: {actions}", heading=heading, actions=listed)])

    def _solution(self) -> None:
        for line in self.lesson.solution:
            self.screen.say_all([typed_line(line)])

    def _help(self) -> None:
        if not self.attempt.play.outcome:
            example = vocabulary.example_of(self.attempt.play)
            self.screen.say(
                text("type one or more actions, such as {example}, or:", example=example)
            )
        language = self.screen.language
        words = self.words if self.room.rules.end is None else (_END, *self.words)
        self.screen.say_all(
            f"{vocabulary.usage_in(word.usage, language):<14}{language.say(word.help)}"
            for word in words
        )

    def _farewell(self) -> None:
        done = self.progress.count(self.room.name, self.lessons)
        message = text("{done} of {count} lessons done", done=done, count=len(self.lessons))
        self.screen.say(message)
        if done < len(self.lessons):
            command = f"{program_command()} lessons {self.room.name}/{self.rules}"
            self.screen.say_command(text("to continue, run: {command}", command=command))
        else:
            command = f"{program_command()} play {self.room.name}/{self.rules}"
            self.screen.say_command(text("to play a game, run: {command}", command=command))


_END: Final = vocabulary.Phrase("end", text("end the turn (an empty line does it too)"))


def lesson_list(room: Room, lessons: Sequence[Lesson], progress: LessonsDone) -> list[Text]:
    """Return the numbered titles of the lessons; lessons that are done are marked."""
    lines = []
    for number, lesson in enumerate(lessons, start=1):
        label = f"{number:>2}."
        if progress.has(room.name, lesson):
            lines.append(text("{number} {lesson} (done)", number=label, lesson=lesson.title))
        else:
            lines.append(text("{number} {lesson}", number=label, lesson=lesson.title))
    return lines


def first_to_do(room: Room, lessons: Sequence[Lesson | Puzzle], progress: LessonsDone) -> int:
    """Return the index of the first lesson that is not done; 0 if all are."""
    undone = (at for at, lesson in enumerate(lessons) if not progress.has(room.name, lesson))
    return next(undone, 0)


def lesson_index(lessons: Sequence[Lesson], choice: str) -> int:
    """Return the index of a lesson by its number or name; raises `MalformedError`."""
    names = [lesson.name for lesson in lessons]
    if choice.isdecimal() and 1 <= int(choice) <= len(names):
        return int(choice) - 1
    if choice in names:
        return names.index(choice)
    message = text("no lesson {given}; there are 1 to {last}", given=choice, last=len(names))
    raise MalformedError(suggesting(message, choice, names))


def converse(dialogue: LessonDialogue) -> None:
    """Run a dialogue, at a terminal or over a pipe.

    Raises:
        SystemExit: the dialogue was interrupted; or, over a pipe, a line was refused or the last
            lesson is not solved, so that a script sees it in the exit code.
    """
    at_hand = at_a_terminal()
    reader: LineReader = TerminalReader(dialogue.candidates, str) if at_hand else PipeReader()
    dialogue.run(reader)
    if dialogue.interrupted:
        sys.exit(130)
    unsolved = dialogue.attempt.state is not AttemptState.SOLVED
    if not at_hand and (dialogue.refused or unsolved):
        sys.exit(1)


def progress_file() -> Path:
    """Return the file of the lessons done, next to the folder of games; it may not exist yet."""
    return games_folder().parent / "lessons.txt"


class LessonsDone:
    """The lessons and puzzles done in all games, stored in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: set[str] = set()
        with suppress(OSError):  # without the file, no lesson counts as done
            self._lines = set(path.read_text(encoding="utf-8", errors="replace").splitlines())

    def has(self, game_name: str, lesson: Lesson | Puzzle) -> bool:
        """Return whether a lesson was done, in any rule set."""
        return f"{game_name} {lesson.name}" in self._lines

    def count(self, game_name: str, lessons: Iterable[Lesson | Puzzle]) -> int:
        return sum(self.has(game_name, lesson) for lesson in lessons)

    def add(self, game_name: str, lesson: Lesson | Puzzle) -> None:
        """Record that a lesson was done, at least in memory; raises `FileError`."""
        if self.has(game_name, lesson):
            return
        line = f"{game_name} {lesson.name}"
        self._lines.add(line)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise file_error(str(self.path), error) from None
