"""The turns of computer players in a game, from their thinking to what is shown of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from trine.core.doors import Action
from trine.core.errors import FileError
from trine.core.play import Play, Turn
from trine.core.stop import Stop
from trine.core.text import Text, text
from trine.core.wording import written_actions
from trine.engine.assessment import info_text, score_text
from trine.engine.forfeits import as_forfeit, keep_transcript, play_after, transcripts_path
from trine.engine.player import Decision, ForfeitError, Info, Player, Told
from trine.record.live import LiveGame
from trine.terminal.opponents import Opponents
from trine.terminal.readying import Latecomer, compiling_text
from trine.terminal.thinking import MOVE_NOW, Thinking
from trine.terminal.view import View

Result = TypeVar("Result")


@dataclass
class ComputerTurns:
    """Lets computer players take part in a game that is shown."""

    view: View
    opponents: Opponents
    thinking: Thinking
    _broken: dict[int, ForfeitError] = field(default_factory=dict)

    @property
    def game(self) -> LiveGame:
        """The game."""
        return self.view.game

    def begin(self) -> None:
        """Tell all computer players of the game as it stands now."""
        play = self.game.play
        for seat, player in self.opponents.players.items():
            preparing = text("{player} gets ready", player=self.view.player(seat))
            try:
                with self.game.paused():
                    self._run(partial(_begin, player, play), preparing)
            except ForfeitError as error:
                self._broken[seat] = error

    def take_turn(self) -> None:
        """Let the computer player to move play its turn; if it cannot, it forfeits."""
        game, seat = self.game, self.game.play.mover
        while game.play.open_actions:
            game.undo()  # it was broken off within the turn, and begins anew
        try:
            decision = self._decide(seat)
            if game.time_left < 0:
                return  # that is judged like anybody's time
            if not decision.resigns:
                play_after(game.play, decision)  # raises an error if that is no turn
        except ForfeitError as error:
            self._forfeit(seat, error)
            return
        told = self._told(seat, decision)
        if decision.info:
            self.opponents.thoughts[seat] = decision.info
        if decision.resigns:
            game.resign()
        else:
            for action in decision.actions:
                game.act(action)
        self.view.screen.say(told)
        self.view.show()

    def take_back(self) -> None:
        """Take back the last turn of a person, and those of computer players behind it."""
        game = self.game
        game.take_back()
        while game.play.mover in self.opponents and game.play.turns:
            game.take_back()
        self.begin()
        self.view.show()

    def take_back_placement(self) -> None:
        """Take back a person's last placement, and those of computer players behind it.

        Raises:
            IllegalError: no person has placed a piece.
        """
        if not any(map(self.is_by_person, self.game.play.turns)):
            self.game.undo()  # says so
        self.take_back()

    def is_by_person(self, turn: Turn) -> bool:
        """Whether a person has played a turn."""
        return turn.player not in self.opponents

    def _decide(self, seat: int) -> Decision:
        if seat in self._broken:
            raise self._broken[seat]
        game, player = self.game, self.opponents.players[seat]
        if isinstance(player, Latecomer) and not player.is_open:
            self._open(seat, player)
        play, limits = game.play.copy(), self.opponents.limits(game)
        room, position = play.room, play.position

        def known(info: Info) -> Text:
            told = info_text(room, position, info)
            return text("{player}: {told}", player=self.view.player(seat), told=told)

        thinks = text("{player} is thinking", player=self.view.player(seat))
        return self._run(
            lambda told, stop: player.choose(play, limits, told, stop),
            thinks,
            known,
            game.time_left,
            MOVE_NOW,
        )

    def _open(self, seat: int, player: Latecomer) -> None:
        """Wait until a bot can think; that takes nobody's time."""
        name, title = self.view.player(seat), self.game.play.room.title

        def preparing() -> Text:
            told = compiling_text(title, player.compilation.progress)
            return text("{player}: {told}", player=name, told=told)

        with self.game.paused():
            self._run(lambda told, stop: player.open(), preparing)

    def _run(
        self,
        work: Callable[[Told, Stop], Result],
        beginning: Text | Callable[[], Text],
        show: Callable[[Info], Text] | None = None,
        left: float = math.inf,
        hurry: Text | None = None,
    ) -> Result:
        """Let a player do something; whatever goes wrong is its own fault."""
        try:
            return self.thinking.run(work, beginning, show, left, hurry)
        except Exception as error:
            raise as_forfeit(error) from None

    def _told(self, seat: int, decision: Decision) -> Text:
        """What a computer player does, and what it thinks, before it is played."""
        play, player = self.game.play, self.view.player(seat)
        if decision.resigns:
            return text("{player} resigns", player=player)
        if play.room.sets_up_whole(play.position):
            return text("{player} has set up", player=player)
        turn = self._written(decision.actions)
        info = decision.info
        if not info:
            return text("{player} plays {turn}", player=player, turn=turn)
        return text(
            "{player} plays {turn}, and thinks: {score} (depth {depth})",
            player=player,
            turn=turn,
            score=score_text(play.room, play.position, info.score, info.pv),
            depth=info.depth,
        )

    def _written(self, actions: tuple[Action, ...]) -> str:
        play = self.game.play
        return written_actions(play.room, play.position, actions)

    def _forfeit(self, seat: int, error: ForfeitError) -> None:
        screen, player = self.view.screen, self.view.player(seat)
        tag = self.game.play.turn_tag
        screen.say(text("{player} forfeits: {problem}", player=player, problem=error.message))
        if error.transcript:
            path = self.game.log.path
            head = f"{tag}, {self.game.terms.names[seat]}: {error.message}"
            try:
                keep_transcript(path, head, error.transcript)
                kept = str(transcripts_path(path))
                screen.say(text("what it said is kept in {file}", file=kept))
            except FileError as trouble:
                screen.complain(trouble)
        self.game.forfeit(str(error.message))
        if not self.game.play.outcome:
            self.view.show()


def _begin(player: Player, play: Play, told: Told, stop: Stop) -> None:
    player.begin(play)
