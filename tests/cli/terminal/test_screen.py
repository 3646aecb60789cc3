import io

import pytest
from rich.console import Console

from playing import ARIMAA, DUEL, plain_screen, shown, terms
from trine.cli.terminal.screen import Screen
from trine.core.errors import IllegalError
from trine.core.scene.canvas import Look, TextBoard
from trine.core.text.language import open_language
from trine.core.text.sentence import text


def board(look: Look | None = None) -> TextBoard:
    return ARIMAA.view.text_board(terms(start=DUEL).start, look or Look())


def terminal(colour: bool = True) -> Screen:
    console = Console(
        file=io.StringIO(),
        force_terminal=True,
        width=120,
        color_system="truecolor",
        no_color=not colour,
        highlight=False,
        markup=False,
        emoji=False,
    )
    return Screen(open_language("en"), console)


@pytest.mark.parametrize("pieces", ARIMAA.view.piece_sets)
def test_without_a_terminal_only_plain_text_is_written(pieces: str) -> None:
    screen = plain_screen()
    screen.say(text("hello"))
    screen.complain(IllegalError(text("no")).at("game.txt", 3))
    screen.show_board(board(Look(pieces, last=frozenset({"d4"}))), [text("beside")])
    words = shown(screen)
    assert words.startswith("hello\ngame.txt:3: no\n")
    assert "\x1b" not in words
    assert "  beside\n" in words


def test_a_terminal_has_colours_and_the_sentences_beside_the_board() -> None:
    screen = terminal()
    screen.show_board(board(), [text("beside the board")])
    lines = shown(screen).splitlines()
    assert any("\x1b[" in line for line in lines)
    (line,) = (line for line in lines if "beside the board" in line)
    assert not line.strip().startswith("beside")


def test_a_board_without_colours_says_the_same() -> None:
    screen = terminal(colour=False)
    screen.show_board(board(), [text("beside")])
    assert "38;2" not in shown(screen)


@pytest.mark.parametrize("screen", [plain_screen(), terminal()])
def test_a_long_word_does_not_run_into_its_meaning(screen: Screen) -> None:
    screen.say_meanings(
        [("enregistrer sous FICHIER", text("write a copy")), ("aide", text("help"))]
    )
    lines = [line.rstrip() for line in shown(screen).splitlines()]
    assert "  enregistrer sous FICHIER  write a copy" in lines
    assert any(line.startswith("  aide  ") for line in lines)


@pytest.mark.parametrize("words", ["[bold]x[/bold]", ":cat:", "[/]", "{given}", "a\u00a0b", "é😀"])
def test_what_is_said_is_never_read_as_markup(words: str) -> None:
    for screen in (plain_screen(), terminal()):
        screen.say(text("{given}", given=words))
        screen.complain(text("{given}", given=words))
        assert shown(screen).count(words) == 2


def test_no_line_breaks_at_a_no_break_space() -> None:
    screen = terminal()
    screen.console.width = 12
    screen.say("abcdefgh ij\N{NO-BREAK SPACE}: 12345\N{NARROW NO-BREAK SPACE}234")
    rows = [row.strip(" ") for row in shown(screen).splitlines()]
    assert rows == ["abcdefgh", "ij\N{NO-BREAK SPACE}:", "12345\N{NARROW NO-BREAK SPACE}234"]


def test_a_command_stays_in_one_line() -> None:
    screen = terminal()
    screen.console.width = 12
    screen.say_command(text("to continue, run: {command}", command="trine resume 'a game.txt'"))
    assert shown(screen) == "to continue, run: trine resume 'a game.txt'\n"
