"""The main loop of a bot at another house: it answers challenges, plays games and reconnects."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from msgspec import structs

from trine.cli.away.api_client import ApiClient, RefusedError, UnreachableError
from trine.cli.away.remote_game import (
    FIRST_RETRY_DELAY,
    MAX_RETRY_DELAY,
    OpenPlayer,
    RemoteGamePlayer,
    Report,
)
from trine.core.clock import parse_time_control
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.engine.protocol import api
from trine.games import open_room
from trine.play.record.agreed_terms import Terms

ANNOUNCE_TIMEOUT: Final = 10.0
"""Units: seconds; the longest time between the end of a challenge and the news of its game."""
EXIT_TIMEOUT: Final = 2.0  # seconds; after a game, the longest wait for its program to exit
RESIGN_TIMEOUT: Final = 10.0  # seconds; on exit, the longest wait for each game to be resigned


@dataclass(frozen=True)
class BotSettings:
    """The settings of a bot: the games it accepts and the challenges it sends."""

    games: Sequence[str]  # the games that are accepted: ``arimaa``, or ``corridor/great-wall``
    only: str | None = None  # ``rated``, ``casual``, or None for both
    sources: frozenset[str] = frozenset()
    """The accounts, in lower case, whose challenges are accepted; empty for all."""
    untimed: bool = False  # whether games without a clock, or with days for a turn, are accepted
    max_games: int = 2  # the largest number of games played at once
    think: float = 5.0  # seconds; the time for a turn of a game without a clock
    challenge: api.NewChallenge | None = None
    rounds: int = 1  # number of challenges to send
    tournament: str = ""  # id of the tournament to join, if any

    def refusal(self, challenge: api.Challenge) -> Text | None:
        """Return the reason to refuse a challenge; None if it is acceptable.

        >>> side = api.Side("Anna")
        >>> terms = (side, side, "tzaar", "official", {}, "5+3", False, None, 0.0)
        >>> sent = api.Challenge("x", False, *terms)
        >>> str(BotSettings(["arimaa"]).refusal(sent)), BotSettings(["tzaar"]).refusal(sent)
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


class BotRunner:
    """The main loop of a bot, in the calling thread; each game runs in its own thread."""

    def __init__(
        self, client: ApiClient, settings: BotSettings, open_player: OpenPlayer, report: Report
    ) -> None:
        self._client, self._settings = client, settings
        self._open, self._report = open_player, report
        self._players_by_id: dict[str, RemoteGamePlayer] = {}
        self._waiting: dict[str, api.Challenge] = {}
        """The challenges to accept as soon as a game ends, by id."""
        self._closing = False
        self._sent: str | None = None  # id of our challenge whose game has not begun
        self._sent_is_listed = False  # whether the open stream has listed our challenge
        self._ended_at: float | None = None
        """The monotonic time when our challenge ended: accepted, declined or expired."""
        self._round = 0

    def run(self) -> None:
        """Play until Ctrl-C or until all rounds are played; raises `RefusedError`."""
        me = self._check(self._client.account())
        self._report(text("connected as {name}", name=me))
        if self._settings.tournament:
            joined = self._client.join(self._settings.tournament)
            self._report(text("{name} has joined {tournament}", name=me, tournament=joined.name))
        try:
            self._follow_events()
        except KeyboardInterrupt:  # on the second Ctrl-C
            for player in self._players_by_id.values():
                player.end(resigns=True)
            for player in self._players_by_id.values():
                player.wait(RESIGN_TIMEOUT)
            raise
        finally:
            for player in self._players_by_id.values():
                player.end(resigns=False)
            for player in self._players_by_id.values():
                player.wait(EXIT_TIMEOUT)

    def _follow_events(self) -> None:
        pause = FIRST_RETRY_DELAY
        while not self._done():
            try:
                self._sent_is_listed = False
                for event in self._client.events():
                    pause = FIRST_RETRY_DELAY
                    self._handle(event)
                    if self._done():
                        return
            except UnreachableError as error:
                try:
                    if not self._done():
                        self._report(error.message)
                        time.sleep(pause * SystemRandom().uniform(0.5, 1.5))
                except KeyboardInterrupt:
                    self._interrupt()
                pause = min(MAX_RETRY_DELAY, pause * 1.7)
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
        needed = {"read", "challenge", "play"}
        if self._settings.tournament:
            needed.add("tournament")
        missing = needed - set(account.scopes)
        if missing:
            raise RefusedError(
                text("the token does not allow this: {scope}", scope=", ".join(sorted(missing)))
            )
        return account.name

    def _done(self) -> bool:
        for name, player in list(self._players_by_id.items()):
            if player.over:
                del self._players_by_id[name]
                if (game := player.game).stage == "over":
                    over = text("game {game} is over: {result}", game=game.id, result=game.result)
                    self._report(over)
        if self._players_by_id:
            return False
        rounds = self._settings.challenge and self._round >= self._settings.rounds
        return self._closing or bool(rounds and self._sent is None)

    def _interrupt(self) -> None:
        """Handle Ctrl-C: accept no more challenges; the second time, resign all games."""
        if self._closing:
            raise KeyboardInterrupt
        self._closing = True
        if self._sent and self._ended_at is None:
            self._reply(self._sent, "withdraw")
        if self._players_by_id:
            self._report(
                text(
                    "finishing {count} games first; Ctrl-C again resigns them",
                    count=len(self._players_by_id),
                )
            )

    def _handle(self, event: api.Event) -> None:
        match event:
            case api.Challenge():
                self._consider(event)
            case api.Gone():
                self._waiting.pop(event.id, None)
                if event.id == self._sent:
                    self._ended_at = time.monotonic()
            case api.Ping():  # a stream lists all open challenges before its first ping
                if self._sent and not (self._sent_is_listed or self._ended_at):
                    self._ended_at = time.monotonic()
            case api.Game():
                self._follow_game(event)
            case api.End():
                error = UnreachableError if event.again else RefusedError
                raise error(text("the house has closed the connection: {why}", why=event.why))
        if not self._closing:
            self._accept()
            self._challenge()

    def _consider(self, challenge: api.Challenge) -> None:
        if challenge.own:
            self._note_sent(challenge.id)
            self._sent_is_listed, self._ended_at = True, None
        elif why := self._settings.refusal(challenge):
            self._report(text("a challenge of {name}: {why}", name=challenge.by.name, why=why))
            self._reply(challenge.id, "decline")
        else:
            self._waiting[challenge.id] = challenge

    def _note_sent(self, challenge_id: str) -> None:
        self._round += challenge_id != self._sent
        self._sent = challenge_id

    def _accept(self) -> None:
        while self._waiting and len(self._players_by_id) < self._settings.max_games:
            challenge = self._waiting.pop(next(iter(self._waiting)))
            if game := self._reply(challenge.id, "accept"):
                try:
                    self._follow_game(self._client.game(game))
                except UnreachableError:
                    return  # the stream will send the game

    def _reply(self, challenge_id: str, what: str) -> str:
        try:
            return self._client.reply(challenge_id, what)
        except UnreachableError:
            return ""
        except RefusedError as error:  # for example, the challenge was withdrawn
            self._report(error.message)
            return ""

    def _follow_game(self, game: api.Game) -> None:
        if player := self._players_by_id.get(game.id):
            player.update(game)
            if game.stage == "over":
                player.wait(EXIT_TIMEOUT)
            return
        if game.stage != "playing" or not game.own:
            return
        if len(game.seats) != 2:
            self._report(
                text("game {game} has more than two players, and is ignored", game=game.id)
            )
            return
        self._players_by_id[game.id] = player = RemoteGamePlayer(
            self._client, game, self._open, self._settings.think, self._report
        )
        if game.id == self._sent:
            self._sent = self._ended_at = None
        self._report(
            text(
                "game {game}: {kind}/{rules} against {name}",
                game=game.id,
                kind=game.game,
                rules=game.rules,
                name=player.opponent,
            )
        )

    def _check_was_played(self) -> None:
        """Forget our challenge if its game was played; raises `RefusedError` if it never began."""
        try:
            self._client.game(self._sent or "")
        except UnreachableError:
            return
        except RefusedError:
            raise RefusedError(text("the challenge was declined, or has ended")) from None
        self._sent = self._ended_at = None

    def _challenge(self) -> None:
        """Send the next challenge, unless one is open or a game is running."""
        wanted = self._settings.challenge
        if self._ended_at:
            if time.monotonic() - self._ended_at > ANNOUNCE_TIMEOUT:
                self._check_was_played()
            return
        if not wanted or self._sent or self._players_by_id or self._round >= self._settings.rounds:
            return
        side = self._round % 2 if self._settings.rounds > 1 else wanted.side
        try:
            self._note_sent(self._client.challenge(structs.replace(wanted, side=side)).id)
        except UnreachableError:
            return  # if the house got the challenge, the stream will list it
