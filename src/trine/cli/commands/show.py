"""`trine show`: showing a record or a position in the terminal, or as a picture."""

from pathlib import Path

import click
from msgspec import structs

from trine.cli.commands import options, speech
from trine.cli.commands.places import play_from_arguments, turns_before
from trine.cli.commands.speech import LANGUAGE, option, say, usage_error
from trine.cli.terminal.reader import at_a_terminal
from trine.cli.terminal.screen import Screen, board_for, open_screen
from trine.core.contract.position import Position, Turn
from trine.core.contract.record import Record
from trine.core.contract.room import Room
from trine.core.play import Play, changed_cells, describe, last_turn, names
from trine.core.scene.canvas import Look
from trine.core.text.sentence import Text, text
from trine.play.draw.svg import draw_svg
from trine.play.record.log import check_not_played
from trine.play.record.text_files import check_other_file, open_to_write


@speech.command(
    "show",
    text(
        "Show the game in FILE, a record in any known format; if FILE holds several, --game "
        "chooses one. With --position, show a position; FILE is then the name of its game."
    ),
)
@click.argument("file", metavar="[FILE]", required=False)
@options.game_option
@options.turn_option
@option("--replay", "replays", is_flag=True, meaning=text("Every turn, one after the other."))
@option("--position", metavar="TEXT", meaning=text("A position instead of a file."))
@options.from_option
@options.rules_option
@option("--insight", is_flag=True, meaning=text("Also show threats and other insights."))
@option(
    "--svg",
    metavar="OUT",
    type=click.Path(path_type=Path, allow_dash=True),
    meaning=text("Write a picture to OUT instead; - is standard output."),
)
@options.look_options
def command(
    file: str | None,
    game_number: int,
    turn: str | None,
    replays: bool,
    position: str | None,
    form: str | None,
    rules: str | None,
    insight: bool,
    svg: Path | None,
    pieces: str | None,
    colour: bool | None,
    flip: bool,
) -> None:
    if svg and replays:
        raise usage_error(text("give either --svg or --replay"))
    play, record, wrong = play_from_arguments(file, position, game_number, form or "", rules or "")
    screen = open_screen(LANGUAGE, colour=colour)
    view = _PlayView(screen, play, pieces, flip, insight)
    if replays:
        view.all_turns(record)
    else:
        turns = turns_before(play, turn) if turn else play.turns
        while turn and play.open_actions:
            play.undo()  # the position to show has no open turn
        if svg:
            # The picture overwrites neither the source nor the log of a running game.
            check_other_file(file or "", svg)
            check_not_played(svg)
            with open_to_write(svg) as stream:
                stream.write(view.picture(turns))
        else:
            view.tags(record)
            view.board(turns)
    if wrong:
        raise wrong  # after showing the part of the play before the error


class _PlayView:
    def __init__(
        self, screen: Screen, play: Play, pieces: str | None, flipped: bool, insight: bool
    ) -> None:
        self._screen = screen
        self._play = play
        self._room: Room = play.room
        self._pieces = options.piece_set(play.room, pieces)
        self._drawn = pieces or ""  # pictures show drawings unless a piece set is requested
        self._flipped = flipped
        self._insight = insight

    def tags(self, record: Record) -> None:
        self._screen.say_all([f"{tag}: {value}" for tag, value in record.tags.items()])

    def board(self, turns: list[Turn]) -> None:
        position = self._position_after(turns)
        seen = self._room.view.insight(position) if self._insight else None
        marks = seen.marks() if seen else {}
        look = Look(self._pieces, self._flipped, self._last_cells(turns), marks)
        beside = self._headline(turns, position)
        if not self._is_end(turns):
            beside += self._room.view.status(position)
        self._screen.show_board(board_for(self._screen, self._room, position, look), beside)
        if seen:
            self._screen.say_all(seen.sentences())

    def all_turns(self, record: Record) -> None:
        """Show every turn; at a terminal, wait for Enter after each."""
        self.tags(record)
        waits = at_a_terminal()
        for index in range(len(self._play.turns) + 1):
            self.board(self._play.turns[:index])
            if waits and index < len(self._play.turns):
                click.pause(say(text("Enter goes on, Ctrl-C stops")))

    def picture(self, turns: list[Turn]) -> str:
        position = self._position_after(turns)
        marks = self._room.view.insight(position).marks() if self._insight else {}
        scene = self._room.view.scene(
            position,
            seat=opposite_seat(self._play.position) if self._flipped else 0,
            last=self._last_cells(turns),
            marks=marks,
            pieces=self._drawn,
        )
        if self._is_end(turns):
            scene = structs.replace(
                scene, status=describe(names(position.seats), self._play.outcome)
            )
        return draw_svg(scene, language=LANGUAGE, legend=self._insight)

    def _is_end(self, turns: list[Turn]) -> bool:
        return self._play.outcome is not None and len(turns) == len(self._play.turns)

    def _position_after(self, turns: list[Turn]) -> Position:
        # The last position of the record includes an open turn.
        if len(turns) == len(self._play.turns):
            return self._play.position
        return turns[-1].after if turns else self._play.start

    def _last_cells(self, turns: list[Turn]) -> frozenset[str]:
        if not turns:
            return frozenset()
        return changed_cells(self._room, turns[-1].before, turns[-1].actions)

    def _headline(self, turns: list[Turn], position: Position) -> list[Text]:
        lines = last_turn(self._room, turns)
        if self._is_end(turns) and self._play.outcome:
            return [*lines, describe(names(position.seats), self._play.outcome)]
        tag = self._room.tag(position)
        mover = position.seats[position.mover].name
        return [*lines, text("{turn}: {player} to move", turn=tag, player=mover)]


def opposite_seat(position: Position) -> int:
    """Return the seat at the far side of the board, opposite the first seat."""
    return (len(position.seats) + 1) // 2
