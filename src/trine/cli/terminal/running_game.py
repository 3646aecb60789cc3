"""A running game: its board on the screen, the turns of computer players, requests for consent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Final

from trine.cli.terminal.opponents import DeferredPlayer, Opponents, compiling_text
from trine.cli.terminal.screen import Screen, board_for
from trine.cli.terminal.thinking import MOVE_NOW, InterruptibleRunner
from trine.core.clock import format_seconds
from trine.core.contract.position import Action
from trine.core.errors import FileError, IllegalError, MalformedError
from trine.core.play import Play, describe, last_turn, written_actions
from trine.core.scene.canvas import Look, TextBoard
from trine.core.text.sentence import Text, join, text, typed, verbatim
from trine.core.work.stop import Stop
from trine.engine.players.assessment import info_text, value_text
from trine.engine.players.player import (
    Decision,
    ForfeitError,
    Player,
    as_forfeit,
    check_turn,
    keep_transcript,
    transcripts_path,
)
from trine.engine.players.stand_in import StandIn, stand_in_note, strategy_of
from trine.engine.search.info import Info, OnInfo
from trine.play.session import commands
from trine.play.session.file_journal import FileJournal
from trine.play.session.game import Game
from trine.play.session.seats import BOT, bot_display_name, turns_to_take_back
from trine.play.session.state import DRAW, PAUSE, TAKEBACK, WISHES, Offer

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
    pieces: str  # the piece set; empty for the default
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

        At a terminal, the message is put next to the board, after the usual lines or instead of
        them; if it is too long for that, above the board. In a pipe it follows the board.
        """
        play, screen = self.game.play, self.screen
        board, beside = self.board(play, marks), self._side_lines(play)
        bare = board if marks else replace(board, legend=())
        for shown_board, sentences in ((board, [*beside, EMPTY_LINE, *message]), (bare, message)):
            if screen.fits(shown_board, sentences):
                screen.show_board(shown_board, sentences)
                return
        screen.say_all(() if screen.plain else message)
        screen.show_board(board, beside)
        screen.say_all(message if screen.plain else ())

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


@dataclass
class ComputerTurns:
    """Plays the turns of the computer players in a game on the screen."""

    view: ScreenView
    opponents: Opponents
    thinking: InterruptibleRunner

    @property
    def game(self) -> Game[FileJournal]:
        return self.view.game

    def begin(self) -> None:
        """Give the current play to all computer players; a player that fails forfeits."""
        for seat, player in self.opponents.players.items():
            if seat not in self.game.state.staying or self.game.over:
                continue
            preparing = text("{player} gets ready", player=self.view.player(seat))
            try:
                with self.game.preparing(), _as_forfeit():
                    self.thinking.run(partial(_begin, player, self.game.play), preparing)
            except ForfeitError as error:
                self._forfeit(seat, error)

    def take_turn(self) -> None:
        """Let the computer player to move play its turn; a failure is a forfeit."""
        game, seat = self.game, self.game.play.mover
        if begun := len(game.play.open_actions):
            game.do(commands.Undo(begun))  # the interrupted turn is started again
        try:
            decision = self._decide(seat)
            if game.time_left < 0:
                return  # the caller declares the loss on time, as for people
            command = (
                commands.Resign(seat)
                if decision.resigns
                else commands.Act(check_turn(game.play, decision))
            )
        except ForfeitError as error:
            self._forfeit(seat, error)
            return
        message = self._turn_text(seat, decision)
        if decision.info:
            self.opponents.thoughts[seat] = decision.info
        game.do(command)
        self.view.screen.say(message)
        self.view.show()

    @property
    def people(self) -> set[int]:
        return set(range(len(self.game.play.position.seats))) - set(self.opponents.players)

    def take_back_placement(self) -> None:
        """Take back the last placement of a person, and the computers' placements after it."""
        turns = turns_to_take_back(self.game.play, self.people)
        self.game.do(
            commands.TakeBack(turns) if turns else commands.Undo()
        )  # `Undo` raises the right error
        self.begin()
        self.view.show()

    def _decide(self, seat: int) -> Decision:
        game, player = self.game, self.opponents.players[seat]
        if isinstance(player, DeferredPlayer) and not player.is_open:
            people_wait = not self.view.screen.plain  # a script gets exactly the bot it named
            if people_wait and player.stand_in and not player.is_ready():
                return self._stand_in(seat, player, player.stand_in)
            self._open(seat, player)
        play, limits = game.play.copy(), self.opponents.limits(game)
        room, position = play.room, play.position

        def describe(info: Info) -> Text:
            on_info = info_text(room, position, info)
            return text("{player}: {told}", player=self.view.player(seat), told=on_info)

        thinks = text("{player} is thinking", player=self.view.player(seat))
        with _as_forfeit():
            return self.thinking.run(
                lambda on_info, stop: player.choose(play, limits, on_info, stop),
                thinks,
                describe,
                game.time_left,
                MOVE_NOW,
            )

    def _stand_in(self, seat: int, player: DeferredPlayer, stand_in: StandIn) -> Decision:
        """Let a stand-in choose for a bot that is not ready; say so, also in the record."""
        room, strategy = self.game.play.room, strategy_of(self.game.play.room)
        self.view.screen.say(
            text(
                "{player} is not ready ({told}); until then the strategy {name} plays for it",
                player=self.view.player(seat),
                told=compiling_text(room.title, player.compilation.progress),
                name=typed(strategy),
            )
        )
        decision = stand_in.choose(self.game.play.copy(), self.opponents.limits(self.game))
        self.game.do(commands.Remark(stand_in_note(room, f"{player.name} was not ready"), seat))
        return decision

    def _open(self, seat: int, player: DeferredPlayer) -> None:
        """Wait until a bot is ready, with the clock stopped."""
        name, title = self.view.player(seat), self.game.play.room.title

        def preparing() -> Text:
            on_info = compiling_text(title, player.compilation.progress)
            return text("{player}: {told}", player=name, told=on_info)

        with self.game.preparing(), _as_forfeit():
            self.thinking.run(lambda on_info, stop: player.open(), preparing)

    def _turn_text(self, seat: int, decision: Decision) -> Text:
        """Return a sentence on a computer player's turn and evaluation, before it is played."""
        play, player = self.game.play, self.view.player(seat)
        if decision.resigns:
            return text("{player} resigns", player=player)
        if play.room.sets_up_whole(play.position):
            return text("{player} has set up", player=player)
        turn = written_actions(play.room, play.position, decision.actions)
        info = decision.info
        if not info:
            return text("{player} plays {turn}", player=player, turn=turn)
        return text(
            "{player} plays {turn}, and thinks: {score} (depth {depth})",
            player=player,
            turn=turn,
            score=value_text(play.room, play.position, info),
            depth=info.depth,
        )

    def _forfeit(self, seat: int, error: ForfeitError) -> None:
        screen, player = self.view.screen, self.view.player(seat)
        tag = self.game.play.turn_tag
        screen.say(text("{player} forfeits: {problem}", player=player, problem=error.message))
        if error.transcript:
            path = self.game.journal.path
            head = f"{tag}, {self.game.terms.names[seat]}: {error.message}"
            try:
                keep_transcript(path, head, error.transcript)
                kept = str(transcripts_path(path))
                screen.say(text("what it said is kept in {file}", file=kept))
            except FileError as trouble:
                screen.complain(trouble)
        self.game.do(commands.Forfeit(seat, str(error.message)))
        if not self.game.over:
            self.view.show()


def _begin(player: Player, play: Play, on_info: OnInfo, stop: Stop) -> None:
    player.begin(play)


@contextmanager
def _as_forfeit() -> Iterator[None]:
    """Within the block, convert any error of a player to a `ForfeitError`."""
    try:
        yield
    except Exception as error:
        raise as_forfeit(error) from None


@dataclass
class Consent:
    """The part of a dialogue that handles requests; computer players answer them at once."""

    computers: ComputerTurns

    @property
    def game(self) -> Game[FileJournal]:
        return self.computers.game

    @property
    def screen(self) -> Screen:
        return self.computers.view.screen

    def ask_takeback(self, args: list[str]) -> None:
        """Ask to take back the last turn of a person, and a computer's turn after it."""
        turns = turns_to_take_back(self.game.play, self.computers.people)
        if self.game.play.turns and not turns:
            raise IllegalError("no person has played a turn yet")
        self._ask(TAKEBACK, turns)

    def ask_draw(self, args: list[str]) -> None:
        if [word.lower() for word in args] != [DRAW]:
            raise MalformedError("only a draw can be offered: offer draw")
        self._ask(DRAW)

    def ask(self, wish: str, args: list[str]) -> None:
        if args:
            raise MalformedError("{word} stands alone", word=wish)
        self._ask(wish)

    def ask_for(self, line: str) -> None:
        self._ask(" ".join(line.lower().split()))

    def accept(self, args: list[str]) -> None:
        """Accept the latest request for the player who has to answer."""
        offer = self._latest()
        self.game.do(commands.Accept(offer.waiting[0], offer.what))
        if any(open_offer.what == offer.what for open_offer in self.game.state.offers):
            self._ask_next()
        elif offer.what == PAUSE:
            self.remind()
        elif offer.what != DRAW:
            if offer.what == TAKEBACK:
                self.computers.begin()
            self.computers.view.show()

    def decline(self, args: list[str]) -> None:
        offer = self._latest()
        self.game.do(commands.Decline(offer.waiting[0], offer.what))
        self.screen.say(text("declined; play goes on"))

    def remind(self) -> None:
        """Say that the game is paused, and show open requests, if any."""
        if self.game.state.paused is not None:
            self.screen.say(text("the game is paused and no time passes; type continue to go on"))
        if self.game.state.offers and not self.game.over:
            self._tell(self._latest())
            self._ask_next()

    def _ask(self, what: str, turns: int = 1) -> None:
        self.game.do(commands.Ask(self.game.play.mover, what, turns))
        self._tell(self._latest())
        self._ask_next()

    def _latest(self) -> Offer:
        if not self.game.state.offers:
            raise IllegalError("nothing was asked for")
        return self.game.state.offers[-1]

    def _tell(self, offer: Offer) -> None:
        sentence = WISHES.get(offer.what, text("{name} asks: {what}"))
        what = self.game.play.room.rules.setup_words.get(offer.what.split()[0], offer.what)
        name = self.computers.view.player(offer.seat)
        self.screen.say(Text(sentence.template, {"name": name, "what": what}))

    def _ask_next(self) -> None:
        offer, opponents = self._latest(), self.computers.opponents
        seat = offer.waiting[0]
        player = self.computers.view.player(seat)
        if seat not in opponents:
            self.screen.say(text("{player}: accept or decline?", player=player))
        elif opponents.agrees(seat, offer.what, self.game.play):
            self.screen.say(text("{player} accepts", player=player))
            self.accept([])
        else:
            self.screen.say(text("{player} declines", player=player))
            self.decline([])
