"""A visit to another house, which answers challenges, plays games and keeps the connection."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from msgspec import structs

from trine.cli.away.link import HouseLink, LostError, RefusedError
from trine.cli.away.sitting import FIRST_PAUSE, LONGEST_PAUSE, Open, Sitting, Tell
from trine.core.clock import parse_time_control
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.engine.protocol import api
from trine.games import open_room
from trine.play.record.agreed_terms import Terms

ACCEPTED: Final = 10.0
"""Units: seconds; how long after the end of a challenge its game may be announced."""
CLOSED: Final = 2.0
"""Units: seconds; how long the end of a game waits for its program to exit."""
FAREWELL: Final = 10.0
"""Units: seconds; how long the end of the visit waits for games to be resigned."""


@dataclass(frozen=True)
class VisitSettings:
    """The settings of a visit."""

    games: Sequence[str]
    """The games that are accepted: ``arimaa``, or ``corridor/great-wall``."""
    only: str = ""
    """``rated`` or ``casual``."""
    sources: frozenset[str] = frozenset()
    """The names, in lower case, whose challenges are accepted; if empty, everybody's."""
    untimed: bool = False
    """Whether games without a clock, or with days for a turn, are accepted."""
    most: int = 2
    """The largest number of games at once."""
    think: float = 5.0
    """Units: seconds; the time for a turn of a game without a clock."""
    challenge: api.NewChallenge | None = None
    """The challenge to send, if any."""
    rounds: int = 1
    """The number of challenges to send."""
    tournament: str = ""
    """The id of the tournament to join, if any."""

    def refusal(self, challenge: api.Challenge) -> Text | None:
        """Return the reason to refuse a challenge; None if it fits.

        >>> side = api.Side("Anna")
        >>> told = (side, side, "tzaar", "official", {}, "5+3", False, None, 0.0)
        >>> wish = api.Challenge("x", False, *told)
        >>> str(VisitSettings(["arimaa"]).refusal(wish)), VisitSettings(["tzaar"]).refusal(wish)
        ('tzaar/official is not accepted', None)
        """
        name = f"{challenge.game}/{challenge.rules}"
        if challenge.game not in self.games and name not in self.games:
            return text("{game} is not accepted", game=name)
        if self.only and (self.only == "rated") != challenge.rated:
            return text("only rated games") if self.only == "rated" else text("only casual games")
        try:
            options = dict(challenge.start)
            room, position = open_room(challenge.game), options.pop("Start", "")
            terms = Terms.agree(room, challenge.rules, options, position)
            room.check_search(terms.start)
        except TrineError as error:
            return text("{problem}", problem=error.message)
        long = not challenge.clock or parse_time_control(challenge.clock).by_days
        if long and not self.untimed:
            return text("only games on a clock, without days")
        if self.sources and challenge.by.name.lower() not in self.sources:
            return text("{name} is not accepted", name=challenge.by.name)
        return None


class Visit:
    """A visit in the calling thread; each game has its own thread."""

    def __init__(
        self, link: HouseLink, wishes: VisitSettings, open_player: Open, tell: Tell
    ) -> None:
        self._link, self._wishes, self._open, self._tell = link, wishes, open_player, tell
        self._sittings: dict[str, Sitting] = {}
        self._waiting: dict[str, api.Challenge] = {}
        """Challenges that may be accepted."""
        self._ends = False
        self._sent: str | None = None
        """The challenge that was sent, whose game has not begun."""
        self._sent_is_told = False
        """Whether the stream that is open has told of it."""
        self._gone_at: float | None = None
        """When it was answered."""
        self._round = 0

    def run(self) -> None:
        """Play until Ctrl-C or until all rounds are played; raises `RefusedError`."""
        me = self._check(self._link.account())
        self._tell(text("{name} is at the house", name=me))
        if self._wishes.tournament:
            joined = self._link.join(self._wishes.tournament)
            self._tell(text("{name} has joined {tournament}", name=me, tournament=joined.name))
        try:
            self._stay()
        except KeyboardInterrupt:  # wherever the second one has come
            self._give_up()
            for sitting in self._sittings.values():
                sitting.wait(FAREWELL)
            raise
        finally:
            for sitting in self._sittings.values():
                sitting.end(resigns=False)
            for sitting in self._sittings.values():
                sitting.wait(CLOSED)

    def _stay(self) -> None:
        pause = FIRST_PAUSE
        while not self._done():
            try:
                self._sent_is_told = False
                for event in self._link.events():
                    pause = FIRST_PAUSE
                    self._take(event)
                    if self._done():
                        return
            except LostError as error:
                try:
                    if not self._done():
                        self._tell(error.message)
                        time.sleep(pause * SystemRandom().uniform(0.5, 1.5))
                except KeyboardInterrupt:
                    self._interrupt()
                pause = min(LONGEST_PAUSE, pause * 1.7)
            except KeyboardInterrupt:
                self._interrupt()

    def _check(self, account: api.Account) -> str:
        if not account.bot:
            raise RefusedError(
                text(
                    "{name} is not the account of a program; see docs/guides/api.md",
                    name=account.name,
                )
            )
        needed = {"read", "challenge", "play", *(["tournament"] if self._wishes.tournament else [])}
        missing = needed - set(account.scopes)
        if missing:
            raise RefusedError(
                text("the token does not allow this: {scope}", scope=", ".join(sorted(missing)))
            )
        return account.name

    def _done(self) -> bool:
        for name, sitting in list(self._sittings.items()):
            if sitting.over:
                del self._sittings[name]
                if (game := sitting.game).stage == "over":
                    told = text("game {game} is over: {result}", game=game.id, result=game.result)
                    self._tell(told)
        if self._sittings:
            return False
        rounds = self._wishes.challenge and self._round >= self._wishes.rounds
        return self._ends or bool(rounds and self._sent is None)

    def _interrupt(self) -> None:
        """Handle Ctrl-C: accept nothing more; the second time, resign all games."""
        if self._ends:
            raise KeyboardInterrupt
        self._ends = True
        if self._sent and self._gone_at is None:
            self._reply(self._sent, "withdraw")
        if self._sittings:
            self._tell(
                text(
                    "{count} games are finished first; Ctrl-C gives them up",
                    count=len(self._sittings),
                )
            )

    def _give_up(self) -> None:
        for sitting in self._sittings.values():
            sitting.end(resigns=True)

    # --- what the house tells ---------------------------------------------------------------------

    def _take(self, event: api.Event) -> None:
        match event:
            case api.Challenge():
                self._consider(event)
            case api.Gone():
                self._waiting.pop(event.id, None)
                if event.id == self._sent:
                    self._gone_at = time.monotonic()
            case api.Ping():  # a stream begins with all that there is
                if self._sent and not (self._sent_is_told or self._gone_at):
                    self._gone_at = time.monotonic()
            case api.Game():
                self._sit(event)
            case api.End():
                if not event.again:
                    raise RefusedError(text("the house has ended it: {why}", why=event.why))
                raise LostError(text("the house has ended it: {why}", why=event.why))
        if not self._ends:
            self._accept()
            self._challenge()

    def _consider(self, challenge: api.Challenge) -> None:
        if challenge.own:
            self._note_sent(challenge.id)
            self._sent_is_told, self._gone_at = True, None
        elif why := self._wishes.refusal(challenge):
            self._tell(text("a challenge of {name}: {why}", name=challenge.by.name, why=why))
            self._reply(challenge.id, "decline")
        else:
            self._waiting[challenge.id] = challenge

    def _note_sent(self, challenge: str) -> None:
        self._round += challenge != self._sent
        self._sent = challenge

    def _accept(self) -> None:
        while self._waiting and len(self._sittings) < self._wishes.most:
            challenge = self._waiting.pop(next(iter(self._waiting)))
            if game := self._reply(challenge.id, "accept"):
                try:
                    self._sit(self._link.game(game))
                except LostError:
                    return  # the stream tells of it

    def _reply(self, challenge: str, what: str) -> str:
        try:
            return self._link.reply(challenge, what)
        except LostError:
            return ""
        except RefusedError as error:  # it was withdrawn, for one
            self._tell(error.message)
            return ""

    def _sit(self, game: api.Game) -> None:
        if sitting := self._sittings.get(game.id):
            sitting.tell(game)
            if game.stage == "over":
                sitting.wait(CLOSED)
            return
        if game.stage != "playing" or not game.own:
            return
        if len(game.seats) != 2:
            self._tell(text("game {game} is not one of two, and is left alone", game=game.id))
            return
        self._sittings[game.id] = sitting = Sitting(
            self._link, game, self._open, self._wishes.think, self._tell
        )
        if game.id == self._sent:
            self._sent = self._gone_at = None
        self._tell(
            text(
                "game {game}: {kind}/{rules} against {name}",
                game=game.id,
                kind=game.game,
                rules=game.rules,
                name=sitting.opponent,
            )
        )

    def _check_was_played(self) -> None:
        """Go on if the game of the challenge is over; raises `RefusedError` if it has not been."""
        try:
            self._link.game(self._sent or "")
        except LostError:
            return
        except RefusedError:
            raise RefusedError(text("the challenge was declined, or has ended")) from None
        self._sent = self._gone_at = None

    def _challenge(self) -> None:
        """Send the challenge, unless one is waiting or a game is running."""
        wanted = self._wishes.challenge
        if self._gone_at:
            if time.monotonic() - self._gone_at > ACCEPTED:
                self._check_was_played()
            return
        if not wanted or self._sent or self._sittings or self._round >= self._wishes.rounds:
            return
        side = self._round % 2 if self._wishes.rounds > 1 else wanted.side
        try:
            self._note_sent(self._link.challenge(structs.replace(wanted, side=side)).id)
        except LostError:
            return  # if it was sent all the same, the stream tells of it
