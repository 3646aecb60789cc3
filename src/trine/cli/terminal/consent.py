"""Requests that need consent (draw, takeback, pause): asking and answering in a terminal."""

from __future__ import annotations

from dataclasses import dataclass

from trine.cli.terminal.screen import Screen
from trine.cli.terminal.turns import ComputerTurns
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Text, text
from trine.play.session.commands import Accept, Ask, Decline
from trine.play.session.file_journal import FileJournal
from trine.play.session.game import Game
from trine.play.session.seats import turns_to_take_back
from trine.play.session.state import DRAW, PAUSE, TAKEBACK, WISHES, Offer


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
        self.game.do(Accept(offer.waiting[0], offer.what))
        if any(open_offer.what == offer.what for open_offer in self.game.state.offers):
            self._ask_next()
        elif offer.what == PAUSE:
            self.remind()
        elif offer.what != DRAW:
            if offer.what == TAKEBACK:
                self.computers.begin()
            self.computers.view.show()

    def decline(self, args: list[str]) -> None:
        """Decline the latest request for the player who has to answer."""
        offer = self._latest()
        self.game.do(Decline(offer.waiting[0], offer.what))
        self.screen.say(text("declined; play goes on"))

    def remind(self) -> None:
        """Say that the game is paused, and show open requests, if any."""
        if self.game.state.paused is not None:
            self.screen.say(text("the game is paused and no time passes; type continue to go on"))
        if self.game.state.offers and not self.game.over:
            self._tell(self._latest())
            self._ask_next()

    def _ask(self, what: str, turns: int = 1) -> None:
        self.game.do(Ask(self.game.play.mover, what, turns))
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
