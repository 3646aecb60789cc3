"""`trine puzzles`: positions in which one turn is far better than all others, to be solved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from trine.cli.commands.compiling import compile_thinking
from trine.cli.commands.conversing import converse
from trine.cli.commands.options import look_options, piece_set
from trine.cli.commands.puzzles_mine import mine
from trine.cli.commands.puzzles_verify import verify
from trine.cli.commands.speech import LANGUAGE, lang_option, say, usage_error
from trine.cli.terminal.progress import Progress, progress_file
from trine.cli.terminal.puzzles import PuzzleDialogue
from trine.cli.terminal.screen import open_screen
from trine.core.contract import Room
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.engine.puzzles.answering import Answer, searched
from trine.engine.puzzles.puzzle import Puzzle
from trine.engine.puzzles.puzzle_file import read_puzzles, shipped
from trine.engine.puzzles.themes import STAKES
from trine.games import ROOMS, open_room, parse_game

SOLVE = "solve"


class _Puzzles(click.Group):
    """A group whose first command may go without its name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asked = any(option in args for option in ctx.help_option_names)
        if not (args and (args[0] in self.commands or (asked and args[0].startswith("-")))):
            args = [SOLVE, *args]
        return super().parse_args(ctx, args)


@click.group(
    "puzzles",
    cls=_Puzzles,
    help=say(
        text(
            "Solve puzzles of GAME, or GAME/RULES: positions in which one turn is far better than "
            "all others. Without GAME, count the puzzles. mine finds new ones in games, and verify "
            "looks at them again."
        )
    ),
)
@lang_option
def command() -> None:
    """Solve puzzles."""


@command.command(
    SOLVE,
    help=say(
        text(
            "Solve puzzles of GAME, or GAME/RULES, the easiest that you have not solved first. "
            "Type help in a puzzle."
        )
    ),
)
@click.argument("game", metavar="[GAME[/RULES]]", required=False)
@click.option("--theme", metavar="THEME", help=say(text("Only puzzles with this theme.")))
@click.option(
    "--least", type=int, default=0, help=say(text("Only puzzles of this difficulty or more."))
)
@click.option(
    "--file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help=say(text("Puzzles of this file, in place of those that come with the program.")),
)
@look_options
@lang_option
def solve(
    game: str | None,
    theme: str | None,
    least: int,
    file: Path | None,
    pieces: str | None,
    colour: bool | None,
    flip: bool,
) -> None:
    """Solve puzzles."""
    if game is None:
        _count()
        return
    progress = Progress(progress_file())
    try:
        room, rules = parse_game(game)
        rules = rules or room.document(LANGUAGE.code).rules
        known = list(read_puzzles(file)) if file else shipped(room.name)
        puzzles = _chosen(room, known, rules, theme, least)
        men = piece_set(room, pieces)
    except TrineError as error:
        raise usage_error(error) from None
    dialogue = PuzzleDialogue(
        *(room, rules, open_screen(LANGUAGE, colour=colour), progress),
        *(_first_to_solve(room, puzzles, progress), men, flip),
        puzzles=puzzles,
        search=_search,
    )
    converse(dialogue)


command.add_command(mine)
command.add_command(verify)


def _count() -> None:
    for name in ROOMS:
        for rules in open_room(name).rule_sets:
            count = sum(puzzle.rules == rules for puzzle in shipped(name))
            click.echo(f"{f'{name}/{rules}':<21}{count}")


def _chosen(
    room: Room, known: Sequence[Puzzle], rules: str, theme: str | None, least: int
) -> list[Puzzle]:
    """Return the wanted puzzles of a rule set, the easiest first.

    Raises:
        TrineError: there are none, or no such theme.
    """
    themes = [*STAKES, *room.themes]
    if theme and theme not in themes:
        raise MalformedError(
            text("no theme {given}; there are {known}", given=theme, known=", ".join(themes))
        )
    chosen = [
        one
        for one in known
        if (one.game, one.rules) == (room.name, rules)
        and one.rating >= least
        and (not theme or theme in one.themes)
    ]
    if not chosen:
        raise IllegalError(text("there are no such puzzles"))
    return sorted(chosen, key=lambda one: (one.rating, one.name))


def _first_to_solve(room: Room, puzzles: Sequence[Puzzle], progress: Progress) -> int:
    """Return the index of the first puzzle not solved; 0 if all were."""
    left = (at for at, one in enumerate(puzzles) if not progress.has(room.name, one))
    return next(left, 0)


def _search(puzzle: Puzzle, play: Play) -> Answer:
    compile_thinking(puzzle.game)
    return searched(puzzle, play)
