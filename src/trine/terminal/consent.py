"""What the other side must agree to: draws, takebacks, words of the game such as ``fill``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trine.core.errors import IllegalError, MalformedError
from trine.core.play import Turn
from trine.core.text import Text, text
from trine.record.live import LiveGame
from trine.terminal.screen import Screen
from trine.terminal.turns import ComputerTurns


@dataclass
class Request:
    """Something that the other side must agree to."""

    line: str
    """What was asked for: ``draw``, ``takeback``, or a line of the game such as ``fill``."""
    asked_by: int
    """The player who asked."""
    waiting: list[int]
    """Who has yet to answer, in turn order; all must accept."""


@dataclass
class Consent:
    """Asks for what others must agree to; computer players answer at once."""

    computers: ComputerTurns
    enter: Callable[[str], None]
    """Plays a line of the game."""
    _request: Request | None = None

    @property
    def game(self) -> LiveGame:
        """The game."""
        return self.computers.game

    @property
    def screen(self) -> Screen:
        """Where it is talked about."""
        return self.computers.view.screen

    def ask_takeback(self, words: list[str]) -> None:
        """Ask to take back the last turn; of a computer player, with the person's before it."""
        self.game.terms.check_takebacks()
        if not self.game.play.turns:
            raise IllegalError(text("there is no turn to take back"))
        if not any(map(self.computers.is_by_person, self.game.play.turns)):
            raise IllegalError(text("no person has played a turn yet"))
        self._ask("takeback", text("to take back the last turn"))

    def ask_draw(self, words: list[str]) -> None:
        """Offer a draw."""
        if [word.lower() for word in words] != ["draw"]:
            raise MalformedError(text("only a draw can be offered: offer draw"))
        self.game.terms.check_draws()
        play = self.game.play
        self.game.remark(f"{play.position.seats[play.mover].tag} offers a draw")
        self._ask("draw", text("for a draw"))

    def ask_for(self, line: str) -> None:
        """Ask for a line of the game."""
        self.game.play.interpret(line)  # says so if it cannot be done
        self._ask(line, text("for: {line}", line=line))

    def accept(self, words: list[str]) -> None:
        """Accept what was asked for, for the one whose turn it is to answer."""
        request = self._request
        if not request:
            raise IllegalError(text("nothing was asked for"))
        request.waiting.pop(0)
        if request.waiting:
            self._ask_next(request)
            return
        self._request = None
        if request.line == "draw":
            self.game.agree_draw()
        elif request.line == "takeback":
            self.computers.take_back()
        else:
            self.enter(request.line)

    def decline(self, words: list[str]) -> None:
        """Decline it."""
        if not self._request:
            raise IllegalError(text("nothing was asked for"))
        self._request = None
        self.game.remark("declined")
        self.screen.say(text("declined; play goes on"))

    def forget(self) -> None:
        """Nothing is asked for any more."""
        self._request = None

    def forget_after(self, turns: Sequence[Turn]) -> None:
        """Forget what turns that were played have settled."""
        if not self._request:
            return
        if self._request.line != "draw" and turns:
            self._request = None  # another turn is the last one now
        elif any(turn.player != self._request.asked_by for turn in turns):
            self._request = None  # who was asked has played on instead

    def _ask(self, line: str, wish: Text) -> None:
        play = self.game.play
        playing = play.position.playing
        place = playing.index(play.mover)
        waiting = [*playing[place + 1 :], *playing[:place]]
        self._request = Request(line, play.mover, waiting)
        asker = self.computers.view.player(play.mover)
        self.screen.say(text("{player} asks {wish}", player=asker, wish=wish))
        self._ask_next(self._request)

    def _ask_next(self, request: Request) -> None:
        seat, opponents = request.waiting[0], self.computers.opponents
        player = self.computers.view.player(seat)
        if seat not in opponents:
            self.screen.say(text("{player}: accept or decline?", player=player))
        elif opponents.agrees(seat, request.line):
            self.screen.say(text("{player} accepts", player=player))
            self.accept([])
        else:
            self.screen.say(text("{player} declines", player=player))
            self.decline([])
