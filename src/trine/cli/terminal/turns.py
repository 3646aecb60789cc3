"""The turns of computer players: searching, playing and showing them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from trine.cli.terminal.opponents import DeferredPlayer, Opponents, compiling_text
from trine.cli.terminal.screen_view import ScreenView
from trine.cli.terminal.thinking import MOVE_NOW, InterruptibleRunner
from trine.core.errors import FileError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, text, typed
from trine.core.work.stop import Stop
from trine.engine.players.assessment import info_text, value_text
from trine.engine.players.player import (
    Decision,
    ForfeitError,
    Info,
    OnInfo,
    Player,
    as_forfeit,
    check_turn,
    keep_transcript,
    transcripts_path,
)
from trine.engine.players.stand_in import StandIn, stand_in_note, strategy_of
from trine.play.session.commands import Act, Forfeit, Remark, Resign, TakeBack, Undo
from trine.play.session.file_journal import FileJournal
from trine.play.session.game import Game
from trine.play.session.seats import turns_to_take_back


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
            game.do(Undo(begun))  # the interrupted turn is started again
        try:
            decision = self._decide(seat)
            if game.time_left < 0:
                return  # the caller declares the loss on time, as for people
            command = Resign(seat) if decision.resigns else Act(check_turn(game.play, decision))
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
        self.game.do(TakeBack(turns) if turns else Undo())  # `Undo` raises the right error
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
        self.game.do(Remark(stand_in_note(room, f"{player.name} was not ready"), seat))
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
        self.game.do(Forfeit(seat, str(error.message)))
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
