"""`trine lessons`: learning a game in small lessons, at a terminal or over a pipe."""

from __future__ import annotations

import click

from trine.cli.commands import speech
from trine.cli.commands.options import look_options, piece_set
from trine.cli.commands.places import parse_game_argument
from trine.cli.commands.speech import LANGUAGE, option, say, usage_errors
from trine.cli.terminal.lessons import (
    LessonDialogue,
    LessonsDone,
    converse,
    first_to_do,
    lesson_index,
    lesson_list,
    progress_file,
)
from trine.cli.terminal.screen import open_screen
from trine.core.text.sentence import text
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
    dialogue = LessonDialogue(room, rules, screen, progress, index, men, flip)
    converse(dialogue)


def _list_games(progress: LessonsDone) -> None:
    for name in ROOMS:
        room = open_room(name)
        for rules in room.rule_sets:
            lessons = room.lessons(rules)
            done = progress.count(name, lessons)
            progress_text = text("{done} of {count} lessons done", done=done, count=len(lessons))
            click.echo(f"{f'{name}/{rules}':<21}{say(progress_text)}")
