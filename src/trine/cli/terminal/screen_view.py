"""The view of a running game: the board and the lines next to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from trine.cli.terminal.screen import Screen, board_for
from trine.core.clock import format_seconds
from trine.core.contract.position import Action
from trine.core.play import Play, describe, last_turn, written_actions
from trine.core.scene.canvas import Look, TextBoard
from trine.core.text.sentence import Text, join, text, verbatim
from trine.play.session.file_journal import FileJournal
from trine.play.session.game import Game
from trine.play.session.seats import BOT, bot_display_name

Marks = Mapping[str, frozenset[str]]
NO_MARKS: Final[Marks] = MappingProxyType({})
EMPTY_LINE: Final = verbatim("")


def ready_action(play: Play) -> Action | None:
    """Return what an empty line plays: the end of the turn if it wins, or the only legal action."""
    legal, end = play.legal_actions(), play.room.rules.end
    if end is not None and end in legal and len(legal) > 1:
        ended = play.after([end]).outcome
        return end if ended and ended.winner == play.mover else None
    return legal[0] if len(legal) == 1 else None


@dataclass
class ScreenView:
    """A game on a screen."""

    game: Game[FileJournal]
    screen: Screen
    pieces: str
    """The piece set; empty for the default."""
    flipped: bool
    display_names: Mapping[int, str] = field(default_factory=dict)
    """The names that computer players report for themselves, by seat."""

    def show(
        self, marks: Marks = NO_MARKS, targets: Iterable[Action] = (), play: Play | None = None
    ) -> None:
        """Show the board with marks and targets of actions, and the player to move next to it.

        ``play`` is shown instead of the play of the game.
        """
        play = play or self.game.play
        self.screen.show_board(self.board(play, marks, targets), self._side_lines(play))

    def show_telling(self, message: Sequence[Text], marks: Marks = NO_MARKS) -> None:
        """Show the board with a message.

        The message is put next to the board, after the usual lines or, if they do not both fit,
        instead of them; if it is too long even then, above the board.
        """
        play, screen = self.game.play, self.screen
        board, beside = self.board(play, marks), self._side_lines(play)
        if screen.plain:
            screen.show_board(board, beside)
            screen.say_all(message)
            return
        bare = board if marks else replace(board, legend=())
        for shown_board, sentences in ((board, [*beside, EMPTY_LINE, *message]), (bare, message)):
            if screen.fits(shown_board, sentences):
                screen.show_board(shown_board, sentences)
                return
        screen.say_all(message)
        screen.show_board(board, beside)

    def board(
        self, play: Play, marks: Marks = NO_MARKS, targets: Iterable[Action] = ()
    ) -> TextBoard:
        target_names = frozenset(map(str, targets))
        pieces = self.pieces or next(iter(play.room.view.piece_sets))
        look = Look(pieces, self.flipped, play.last_cells, marks, target_names)
        return board_for(self.screen, play.room, play.position, look)

    def _side_lines(self, play: Play) -> list[Text]:
        lines = last_turn(play.room, play.turns, self.player)
        if play.outcome:
            return [*lines, self.outcome(play)]
        lines.append(
            text("{turn}: {player} to move", turn=play.turn_tag, player=self.player(play.mover))
        )
        if play.open_actions and not play.room.sets_up_whole(play.turn_start):
            steps = written_actions(play.room, play.turn_start, play.open_actions)
            lines.append(text("so far: {steps}", steps=steps))
        lines += play.room.view.status(play.position)
        if play is not self.game.play:
            return lines
        if (ready := ready_action(play)) is None:
            pass
        elif ready == play.room.rules.end:
            ends = text("Enter ends the turn; undo takes back")
            wins = text("Enter ends the turn and wins; undo takes back")
            outcome = play.after([ready]).outcome
            lines.append(wins if outcome and outcome.winner == play.mover else ends)
        else:
            lines.append(text("Enter plays {action}: nothing else is legal", action=str(ready)))
        if self.game.clock and self.screen.plain:  # a terminal shows it below the input line
            lines.append(self.clock_line())
        return lines

    def outcome(self, play: Play) -> Text:
        players = [self.player(player) for player in range(len(play.position.seats))]
        return describe(players, play.outcome)

    def clock_line(self) -> Text:
        game, clock = self.game, self.game.clock
        assert clock is not None
        parts = []
        position = game.play.position
        for player in position.playing:
            left = game.time_left if player == position.mover else clock.left(player)
            time_text = "∞" if left == float("inf") else format_seconds(int(max(left, 0)))
            name = position.seats[player].name
            parts.append(text("{player} {time}", player=name, time=time_text))
        return text("clock: {times}", times=join(parts))

    def player(self, player: int) -> Text:
        seat = self.game.play.position.seats[player]
        name = self.display_names.get(player, self.game.terms.names[player])
        if name in (seat.tag, self.screen.language.say(seat.name)):
            return seat.name  # the player has no other name
        display_name = bot_display_name(name) if name.lower().startswith(BOT) else name
        return text("{side} ({name})", side=seat.name, name=display_name)
