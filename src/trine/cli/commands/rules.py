"""`trine rules` prints the rules of a rule set with their sources; `trine about`, the history."""

from shutil import get_terminal_size
from typing import Final

import click

from trine.cli.commands import speech
from trine.cli.commands.places import parse_game_argument
from trine.cli.commands.speech import LANGUAGE, option, say, usage_errors
from trine.cli.terminal.screen import board_for, open_screen
from trine.core.contract.attempt import verdict_on
from trine.core.contract.handbook import Example
from trine.core.contract.room import Room
from trine.core.scene.canvas import Look
from trine.core.text.language import name_in
from trine.core.text.sentence import text
from trine.games import ROOMS, open_room
from trine.play.record.explained import explained

_MARGIN: Final = 5  # columns; the indentation of the text of a clause


@speech.command(
    "rules", text("Print the rules of GAME or GAME/RULES; without it, list the rule sets.")
)
@click.argument("game_name", metavar="[GAME[/RULES]]", required=False)
@option(
    "--examples",
    is_flag=True,
    meaning=text("Show positions with what is legal there, what is not, and why."),
)
def command(game_name: str | None, examples: bool) -> None:
    if game_name is None:
        for name in ROOMS:
            for rules in open_room(name).rule_sets_for(LANGUAGE.code):
                click.echo(paragraph(say(rules.differs), f"{f'{name}/{rules.name}':<21}", 21))
                click.echo(paragraph(f"[{say(rules.source)}]", margin=21))
        return
    with usage_errors():
        room, rule_set = parse_game_argument(game_name)
    click.echo(f"{name_in(LANGUAGE, room.title)}: {room.name}/{rule_set}")
    click.echo(paragraph(say(room.rule_sets[rule_set].differs), margin=0))
    chapter = ""
    for number, clause in enumerate(room.rulebook(rule_set), start=1):
        if (title := say(clause.chapter)) != chapter:
            chapter = title
            click.echo(f"\n{chapter}\n")
        click.echo(paragraph(say(clause.words), first=f"{number:>3}. "))
        click.echo(paragraph(f"[{say(clause.source)}]"))
        if clause.reading:
            click.echo(paragraph(say(text("Reading: {reason}", reason=clause.reading))))
        if examples and clause.example:
            _show_example(room, rule_set, clause.example)
    if room.name == "arimaa":
        _explain_record(rule_set)


def _explain_record(rules: str) -> None:
    click.echo(f"\n{say(text('The record'))}\n")
    click.echo(say(text("The log of a game is a text file. This is one, line by line:")))
    for line, meaning in explained(rules):
        click.echo(line)
        if meaning:
            click.echo(paragraph(say(meaning)))


def _show_example(room: Room, rules: str, example: Example) -> None:
    position = room.rules.parse_position(example.position, rules)
    screen = open_screen(LANGUAGE, colour=False)
    board = board_for(screen, room, position, Look(next(iter(room.view.piece_sets))))
    mover = text("{player} to move", player=position.seats[position.mover].name)
    click.echo()
    signs = (f"{sign.sign} {say(sign.meaning)}" for sign in board.legend)
    screen.say_all([*str(board).split("\n"), *signs], indent=" " * _MARGIN)
    click.echo(paragraph(say(mover)))
    for tried in example.tries:
        verdict = verdict_on(room, rules, example.position, tried.line)
        if tried.said:
            click.echo(paragraph(say(tried.said)))
        click.echo(paragraph(say(verdict.about(tried.line)), margin=_MARGIN + 2))
    click.echo()


def paragraph(sentence: str, first: str = "", margin: int = _MARGIN) -> str:
    width, space = min(92, get_terminal_size().columns - 1), " " * margin
    return click.wrap_text(sentence, width, initial_indent=first or space, subsequent_indent=space)


@speech.command(
    "about",
    text("Print who invented GAME, why, how it got its name, and who owns the name and the rules."),
)
@click.argument("game_name", metavar="GAME")
def about(game_name: str) -> None:
    with usage_errors():
        room, _ = parse_game_argument(game_name)
    click.echo(name_in(LANGUAGE, room.title))
    for words in room.handbook.about:
        click.echo()
        click.echo(paragraph(say(words), margin=0))
