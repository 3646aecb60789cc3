"""`trine lessons` and `trine puzzles`, at a terminal or over a pipe."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

import click

from trine.cli.commands import speech
from trine.cli.commands.options import look_options, piece_set
from trine.cli.commands.places import parse_game_argument
from trine.cli.commands.progress import compile_thinking
from trine.cli.commands.speech import LANGUAGE, option, say, usage_errors
from trine.cli.terminal.lessons import (
    WORDS,
    LessonDialogue,
    LessonsDone,
    converse,
    first_to_do,
    lesson_index,
    lesson_list,
    progress_file,
)
from trine.cli.terminal.screen import open_screen
from trine.cli.terminal.vocabulary import LOOKING, Phrase
from trine.core.contract.attempt import AttemptState
from trine.core.contract.lesson import Lesson
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, MalformedError
from trine.core.play import Play
from trine.core.text.sentence import Text, ntext, text, typed
from trine.engine.puzzles import exercise
from trine.engine.puzzles.puzzle import STAKES, Puzzle, read_puzzles, shipped
from trine.games import ROOMS, open_room


@speech.command(
    "lessons",
    text(
        "Learn GAME, or GAME/RULES, in small lessons: from the first that you have not done, "
        "or from lesson N. Without GAME, list the games. Type help in a lesson."
    ),
)
@click.argument("game_name", metavar="[GAME[/RULES]]", required=False)
@click.argument("number", metavar="[N]", required=False)
@option("--list", "lists", is_flag=True, meaning=text("List the lessons of the game."))
@look_options
def command(
    game_name: str | None,
    number: str | None,
    lists: bool,
    pieces: str | None,
    colour: bool | None,
    flip: bool,
) -> None:
    progress = LessonsDone(progress_file())
    if game_name is None:
        _list_games(progress)
        return
    with usage_errors():
        room, rules = parse_game_argument(game_name)
        lessons = room.lessons(rules)
        index = lesson_index(lessons, number) if number else first_to_do(room, lessons, progress)
        men = piece_set(room, pieces)
    screen = open_screen(LANGUAGE, colour=colour)
    if lists:
        screen.say_all(lesson_list(room, lessons, progress), indent="")
        return
    converse(LessonDialogue(room, rules, screen, progress, index, men, flip))


def _list_games(progress: LessonsDone) -> None:
    for name in ROOMS:
        room = open_room(name)
        for rules in room.rule_sets:
            lessons = room.lessons(rules)
            done = progress.count(name, lessons)
            progress_text = text("{done} of {count} lessons done", done=done, count=len(lessons))
            click.echo(f"{f'{name}/{rules}':<21}{say(progress_text)}")


OWN_WORDS: Final[Mapping[str, Phrase]] = {
    "again": Phrase("again", text("start the puzzle again")),
    "solution": Phrase("solution", text("show the solution, and what follows"), LOOKING),
    "next": Phrase("next", text("go on to the next puzzle")),
    "back": Phrase("back", text("go back to the puzzle before")),
    "list": Phrase("list", text("list the puzzles, and which of them are solved"), LOOKING),
}
"""The commands of lessons whose help text differs for puzzles."""

Search = Callable[[Puzzle, Play], exercise.Answer]
"""A function that searches the best reply to the last turn of a play."""


class _Exercises(Sequence[Lesson]):
    """The exercises of puzzles, each created on access, because that is slow."""

    def __init__(self, puzzles: Sequence[Puzzle]) -> None:
        self._puzzles = puzzles

    def __len__(self) -> int:
        return len(self._puzzles)

    def __getitem__(self, at: int) -> Lesson:  # type: ignore[override]
        return exercise.exercise(self._puzzles[at])


@dataclass
class PuzzleDialogue(LessonDialogue):
    """A dialogue that goes through the puzzles of a rule set."""

    puzzles: Sequence[Puzzle] = ()
    search: Search | None = None
    """The search for replies to turns that the puzzle file does not cover; None for no replies."""
    solved: int = 0  # number of puzzles solved in this dialogue
    words: ClassVar[Sequence[Phrase]] = [OWN_WORDS.get(one.usage, one) for one in WORDS]

    def __post_init__(self) -> None:
        self.lessons = _Exercises(self.puzzles)
        super().__post_init__()

    @property
    def puzzle(self) -> Puzzle:
        return self.puzzles[self.index]

    def _heading(self) -> Text:
        return text(
            "{game}, puzzle {number} of {count}",
            game=typed(self.room.title),
            number=self.index + 1,
            count=len(self.lessons),
        )

    def _status(self, play: Play) -> list[Text]:
        return list(self.room.view.status(play.position))

    def _judge(self) -> None:
        """Show whether the turn solves the puzzle; a turn as good as the solution counts."""
        why = self._why_missed() if self.attempt.state is AttemptState.MISSED else None
        if self.attempt.state is AttemptState.MISSED and why is None:
            self.attempt.state = AttemptState.SOLVED
        if self.attempt.state is AttemptState.SOLVED:
            self._praise()
        elif why is not None:
            self.screen.say(text("Not enough: {line}", line=why))
            self.screen.say(text("press Enter to try again, or type hint"))

    def _why_missed(self) -> Text | None:
        """Return why the turn does not solve the puzzle; None if it is as good as the solution."""
        play = self.attempt.play
        if reply := exercise.known_reply(self.puzzle, play):
            return reply
        if self.search is None:
            return exercise.ANOTHER
        answer = self.search(self.puzzle, play)
        if exercise.is_solved_by(self.puzzle, answer):
            return None
        return exercise.reply_text(self.puzzle, answer.reply, answer.chance)

    def _praise(self) -> None:
        self.solved += 1
        self.screen.say(text("Right! {success}", success=self.lesson.success))
        self.screen.say(text("themes: {themes}", themes=exercise.themes_text(self.puzzle)))
        self._record_progress()
        if self.index + 1 < len(self.lessons):
            self.screen.say(text("Enter goes on to the next puzzle"))
        else:
            self.screen.say(text("That was the last puzzle."))

    def _solution(self) -> None:
        self.screen.say_all([exercise.written_line(self.puzzle, self.puzzle.line)])

    def _farewell(self) -> None:
        message = ntext("{count} puzzle solved", "{count} puzzles solved", self.solved)
        self.screen.say(message)


@speech.command(
    "puzzles",
    text(
        "Solve puzzles of GAME, or GAME/RULES: positions in which one turn is far better than "
        "all others, the easiest that you have not solved first. Without GAME, count the "
        "puzzles. Type help in a puzzle."
    ),
)
@click.argument("game_name", metavar="[GAME[/RULES]]", required=False)
@option("--theme", metavar="THEME", meaning=text("Only puzzles with this theme."))
@option("--least", type=int, default=0, meaning=text("Only puzzles of this difficulty or more."))
@option(
    "--file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    meaning=text("Puzzles from this file, instead of those that come with the program."),
)
@look_options
def puzzles_command(
    game_name: str | None,
    theme: str | None,
    least: int,
    file: Path | None,
    pieces: str | None,
    colour: bool | None,
    flip: bool,
) -> None:
    if game_name is None:
        if file or theme or least:
            raise click.MissingParameter(param_hint="GAME", param_type="argument")
        _count()
        return
    progress = LessonsDone(progress_file())
    with usage_errors():
        room, rules = parse_game_argument(game_name)
        all_puzzles = list(read_puzzles(file)) if file else shipped(room.name)
        puzzles = _matching_puzzles(room, all_puzzles, rules, theme, least)
        pieces_used = piece_set(room, pieces)
    dialogue = PuzzleDialogue(
        *(room, rules, open_screen(LANGUAGE, colour=colour), progress),
        *(first_to_do(room, puzzles, progress), pieces_used, flip),
        puzzles=puzzles,
        search=_search,
    )
    converse(dialogue)


def _count() -> None:
    for name in ROOMS:
        for rules in open_room(name).rule_sets:
            count = sum(puzzle.rules == rules for puzzle in shipped(name))
            click.echo(f"{f'{name}/{rules}':<21}{count}")


def _matching_puzzles(
    room: Room, puzzles: Sequence[Puzzle], rules: str, theme: str | None, least: int
) -> list[Puzzle]:
    """Return a rule set's puzzles that pass the filters, easiest first; raises `TrineError`."""
    themes = [*STAKES, *room.handbook.themes]
    if theme and theme not in themes:
        raise MalformedError(
            "no theme {given}; there are {known}", given=theme, known=", ".join(themes)
        )
    chosen = [
        puzzle
        for puzzle in puzzles
        if (puzzle.game, puzzle.rules) == (room.name, rules)
        and puzzle.rating >= least
        and (not theme or theme in puzzle.themes)
    ]
    if not chosen:
        raise IllegalError("there are no such puzzles")
    return sorted(chosen, key=lambda puzzle: (puzzle.rating, puzzle.name))


def _search(puzzle: Puzzle, play: Play) -> exercise.Answer:
    compile_thinking(puzzle.game)
    return exercise.judge_by_search(puzzle, play)
