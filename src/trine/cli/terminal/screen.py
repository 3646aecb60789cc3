"""Output to the terminal: boards, sentences, legends; in colour, unless it is a pipe.

If a console lacks some characters, ASCII replaces lines, arrows and dots.
"""

import os
import shlex
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.containers import Lines
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text as RichText

from trine.cli.terminal.vocabulary import as_typed
from trine.core.contract.position import Position
from trine.core.contract.room import Room
from trine.core.errors import TrineError
from trine.core.scene.canvas import Look, Row, TextBoard
from trine.core.text.language import Language
from trine.core.text.sentence import Text, text

_UNCOLOURED: Final = {
    **dict.fromkeys(("line", "gap", "border", "meaning"), Style(dim=True)),
    **dict.fromkeys(("wall", "white"), Style(bold=True)),
}
_STYLES: Final = {
    **_UNCOLOURED,
    "light": Style(bgcolor="#57493c", color="#8a7a69"),
    "dark": Style(bgcolor="#463a2f", color="#8a7a69"),
    "trap": Style(bgcolor="#6e2b26", color="#b98a80"),
    "last": Style(bgcolor="#4d5a34", color="#ffffff"),
    "black": Style(color="#d7a100", bold=True),
    "red": Style(color="#f0604f", bold=True),
    "blue": Style(color="#4a97ea", bold=True),
    "gold": Style(color="#ffd75f", bold=True),
    "silver": Style(color="#e2ebff", bold=True),
    "coordinate": Style(dim=True),
    "frozen": Style(color="#8fc7ff", bold=True),
    "capturable": Style(color="#ff6a5a", bold=True),
    "dislodgeable": Style(color="#ffab6b", bold=True),
    "goal": Style(color="#7dff9a", bold=True),
    "sole": Style(color="#e58cff", bold=True),
    "towering": Style(color="#53c26f", bold=True),
    "safe": Style(color="#58b5c9"),
    "way": Style(color="#58b5c9", bold=True),
    "target": Style(color="#53c26f"),
    "trapped": Style(color="#ff6a5a", bold=True),
}
"""The style of each role of a text board; roles without an entry are plain.

The squares of Arimaa have their own background. The other boards keep the background of the
terminal, dark or light, so White has its foreground colour, and Black a colour that fits both.
"""

_HELD: Final = str.maketrans("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}", "\ue000\ue001")
_LET_GO: Final = {stand_in: space for space, stand_in in _HELD.items()}
"""Two tables, used while lines are wrapped: from no-break spaces to private-use characters, and
back."""

MIN_PANEL_WIDTH: Final = 28
"""Units: columns; with less space beside a board, sentences are put below it if they fit. Guess."""
NARROWEST_PANEL: Final = 18  # columns; with less space, sentences are never beside the board. Guess
INPUT_ROWS: Final = 2  # rows; the space for the input line and the clock below it


def visible(message: str) -> str:
    r"""Return a text with its control characters replaced, which could control the terminal.

    >>> visible("An\x1b[2Jna")
    'An�[2Jna'
    """
    return "".join(
        "�" if unicodedata.category(letter) == "Cc" and letter not in "\n\t" else letter
        for letter in message
    )


def drawn_width(drawn: RichText) -> int:
    """Return the number of columns of a drawn board; an animal emoji takes two."""
    return max(line.cell_len for line in drawn.split("\n"))


_FEW_COLOURS: Final = {
    **_UNCOLOURED,
    "trap": Style(bgcolor="red"),
    "gold": Style(color="yellow", bold=True),
    "silver": Style(color="white", bold=True),
    "frozen": Style(color="cyan"),
    "capturable": Style(color="red", bold=True),
    "dislodgeable": Style(color="magenta"),
    "goal": Style(color="green", bold=True),
    "black": Style(color="yellow", bold=True),
    "red": Style(color="red", bold=True),
    "blue": Style(color="magenta", bold=True),
    "sole": Style(color="magenta", bold=True),
    "towering": Style(color="green"),
    "safe": Style(color="cyan"),
    "way": Style(color="cyan"),
    "target": Style(color="green"),
    "trapped": Style(color="red", bold=True),
}
"""The styles for terminals with 8 or 16 colours, without backgrounds that could hide a sign."""


class Screen:
    """The output of a dialogue in one language."""

    def __init__(
        self, language: Language, console: Console | None = None, *, bare: bool = False
    ) -> None:
        self.language = language
        self.console = console or Console(highlight=False, markup=False, emoji=False)
        self.bare = bare  # whether the output has no styles: no colour, bold or dim text
        self.last_line = ""  # the line that was typed last; messages quote its words as typed

    @property
    def plain(self) -> bool:
        """Whether the output is not a terminal, and gets only plain text."""
        return not self.console.is_terminal

    def say(self, sentence: Text | str) -> None:
        self._write(self.language.say(sentence))

    def say_command(self, sentence: Text) -> None:
        """Write a sentence with a command in one line, so that it can be copied from a terminal."""
        self._write(self.language.say(sentence), is_one_line=True)

    def say_all(self, sentences: Iterable[Text | str], indent: str = "  ") -> None:
        for sentence in sentences:
            self._write(self.language.say(sentence), indent=indent)

    def say_meanings(self, meanings: Iterable[tuple[str, Text]]) -> None:
        """Write terms and their meanings in two columns."""
        if self.plain:
            self.say_all(f"{word:<20}  {self.language.say(meaning)}" for word, meaning in meanings)
            return
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True, min_width=20)
        for word, meaning in meanings:
            grid.add_row(self._fit(word), _Sentences(self._fit(self.language.say(meaning))))
        self.console.print(Padding(grid, (0, 0, 0, 2)))

    def complain(self, error: TrineError | Text) -> None:
        self._write(self.language.say(error), style="bold red")

    def show_board(self, board: TextBoard, beside: Sequence[Text]) -> None:
        """Show a board with sentences to its right, or below it if there is no space."""
        if self.plain:
            self._write(str(board))
            self.say_all(beside)
            self.say_all(f"{sign.sign} {self.language.say(sign.meaning)}" for sign in board.legend)
            return
        self.console.print(self._arrange(board, beside))
        columns, rows = drawn_width(self._rich_board(board.rows)), len(board.rows) + INPUT_ROWS
        width, height = self.console.size
        if width < columns or height < rows:
            needed, given = f"{columns}x{rows}", f"{width}x{height}"
            self.say(
                text(
                    "the board needs a terminal of {needed}; yours has {given}: enlarge it",
                    needed=needed,
                    given=given,
                )
            )

    def fits(self, board: TextBoard, beside: Sequence[Text]) -> bool:
        """Return whether a board and its sentences fit a terminal, above the input line."""
        return not self.plain and self._fits(self._arrange(board, beside))

    def _fits(self, grid: Table) -> bool:
        return len(self.console.render_lines(grid, pad=False)) <= self.console.height - INPUT_ROWS

    def _arrange(self, board: TextBoard, beside: Sequence[Text]) -> Table:
        """Return a board with sentences to its right, below it or, if neither fits, above it."""
        drawn, panel = self._rich_board(board.rows), self._panel(board, beside)
        width = drawn_width(drawn)
        space = self.console.width - width
        to_the_right, below = _grid(width, [drawn, panel]), _grid(width, [drawn], [panel])
        if space >= MIN_PANEL_WIDTH:
            return to_the_right
        if self._fits(below):
            return below
        if space >= NARROWEST_PANEL and self._fits(to_the_right):
            return to_the_right
        return _grid(width, [panel], [drawn])

    def _panel(self, board: TextBoard, beside: Sequence[Text]) -> RichText:
        panel = _Sentences("\n")
        for sentence in beside:
            panel.append(self._fit(self.language.say(sentence)) + "\n")
        if board.legend:
            panel.append("\n")
        for sign in board.legend:
            panel.append(self._fit(sign.sign), self._style(sign.roles))
            meaning = self._fit(self.language.say(sign.meaning))
            panel.append(f" {meaning}\n", self._style("meaning"))
        return panel

    def _rich_board(self, rows: tuple[Row, ...]) -> RichText:
        board = RichText()
        for row in rows:
            for span in row:
                board.append(self._fit(span.text), self._style(span.roles))
            board.append("\n")
        return board

    def _style(self, roles: str) -> Style:
        if self.bare:
            return Style()
        styles = _STYLES if self.console.color_system in ("256", "truecolor") else _FEW_COLOURS
        style = Style()
        for role in roles.split():
            style += styles.get(role, Style())
        return style

    def shows(self, board: TextBoard) -> bool:
        """Return whether the console can show all signs of a board, or ASCII replacements."""
        signs = "".join(sign.sign for sign in board.legend)
        return has_all(self.console.encoding, self._fit(f"{board}{signs}"))

    def _fit(self, message: str) -> str:
        return in_letters_of(self.console.encoding, message)

    def _write(
        self, message: str, style: str = "", indent: str = "", *, is_one_line: bool = False
    ) -> None:
        message = self._fit(visible(as_typed(message, self.last_line, self.language)))
        try:
            if self.plain:
                print(indent + message, file=self.console.file, flush=True)
            else:
                line = _Sentences(message, style="" if self.bare else style)
                padded = Padding(line, (0, 0, 0, len(indent)))
                self.console.print(line if is_one_line else padded, soft_wrap=is_one_line)
        except UnicodeEncodeError:
            encoding = self.console.encoding
            print((indent + message).encode(encoding, "replace").decode(encoding), flush=True)


def _grid(width: int, *rows: Sequence[RichText]) -> Table:
    grid = Table.grid(padding=(0, 3))
    grid.add_column(no_wrap=True, min_width=width)
    for row in rows:
        grid.add_row(*row)
    return grid


class _Sentences(RichText):
    """Rich text that does not wrap at no-break spaces; rich itself treats them as spaces."""

    def wrap(self, *args: Any, **options: Any) -> Lines:
        held = self.copy()
        held.plain = self.plain.translate(_HELD)
        wrapped = RichText.wrap(held, *args, **options)
        for line in wrapped:
            line.plain = line.plain.translate(_LET_GO)
        return wrapped


def board_for(screen: Screen, room: Room, position: Position, look: Look) -> TextBoard:
    """Return a board, in the default piece set if the screen cannot show the requested one."""
    board = room.view.text_board(position, look)
    usual = next(iter(room.view.piece_sets))
    if look.pieces == usual or screen.shows(board):
        return board
    return room.view.text_board(position, replace(look, pieces=usual))


def open_screen(language: Language, *, colour: bool | None = None) -> Screen:
    """Return a screen on standard output; ``colour`` forces colour on or off."""
    console = Console(
        highlight=False,
        markup=False,
        emoji=False,
        no_color=None if colour is None else not colour,
        force_terminal=True if colour else None,
        file=sys.stdout,
    )
    return Screen(language, console, bare=colour is False)


_STAND_INS: Final = {
    "·": ".",
    "•": "o",
    "↑": "^",
    "↓": "v",
    "←": "<",
    "→": ">",
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "x",
    "«": '"',
    "»": '"',
    "’": "'",
    "½": "1/2",
    "\N{NARROW NO-BREAK SPACE}": " ",
    "\N{NO-BREAK SPACE}": " ",
}


def in_letters_of(encoding: str, message: str) -> str:
    """Replace characters that an encoding lacks, as far as there are replacements.

    >>> in_letters_of("ascii", "┣━━┫ → ·")
    '#==# > .'
    >>> in_letters_of("utf-8", "┣━━┫")
    '┣━━┫'
    """
    if has_all(encoding, message):
        return message
    return "".join(
        letter if has_all(encoding, letter) else _stand_in(letter) or letter for letter in message
    )


def has_all(encoding: str, message: str) -> bool:
    try:
        message.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _stand_in(letter: str) -> str:
    name = unicodedata.name(letter, "")
    if not name.startswith("BOX DRAWINGS"):
        return _STAND_INS.get(letter, "")
    if "HEAVY" in name or "DOUBLE" in name:  # walls must differ from the lines of the board
        return "=" if letter in "━═" else "#"
    return {"─": "-", "│": "|"}.get(letter, "+")


COMMAND_VARIABLE: Final = "TRINE_STARTED_AS"
"""The environment variable that the script of a checkout sets to its own path."""


def program_command() -> str:
    """Return the shell command that starts this program: ``trine`` or ``./trine``."""
    command = os.environ.get(COMMAND_VARIABLE, "trine")
    name = Path(command).name
    on_path = shutil.which(name)
    with suppress(OSError):
        if on_path and Path(on_path).samefile(command):
            return shlex.quote(name)
    return shlex.quote(command)
