"""One game at another house: a thread in which a local player thinks."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread
from typing import Any, Final

from trine.cli.away.link import HouseLink, LostError, RefusedError
from trine.core.clock import MINUTE, Clock, parse_time_control
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, ForfeitError, Player
from trine.engine.protocol import api
from trine.engine.protocol.turn_words import read_turn
from trine.games import open_room
from trine.play.record.agreed_terms import Terms
from trine.play.session.offers import DRAW, PAUSE

NET: Final = 0.3
"""Units: seconds; the part of a turn's time that is left for the network. Guess."""


class RemoteGame:
    """A game of two players, as far as the house has sent it."""

    def __init__(self, game: api.Game) -> None:
        """Start with a game that the house has sent; raises `TrineError`."""
        options = dict(game.start)
        position = options.pop("Start", "")
        room = open_room(game.game)
        self._control = parse_time_control(game.clock) if game.clock else None
        self._terms = Terms.agree(room, game.rules, options, position, clock=self._control)
        self._told: list[str] = []
        self.play = Play(room, self._terms.start)

    @property
    def name(self) -> str:
        return f"{self._terms.room.name}/{self._terms.rules}"

    def follow(self, game: api.Game) -> None:
        """Update the play to the game as it stands; raises `TrineError` if our rules disagree."""
        words = [turn.words for turn in game.turns]
        same = 0
        while same < min(len(words), len(self._told)) and words[same] == self._told[same]:
            same += 1
        while len(self.play.turns) > same:
            self.play.take_back()
        del self._told[same:]
        for line in words[same:]:
            try:
                self.play.act_unchecked(*read_turn(self.play, line))
            except TrineError as error:
                raise TrineError(
                    "the house has played {line}: {problem}", line=line, problem=error.message
                ) from None
            self._told.append(line)

    def limits(self, game: api.Game, think: float, spent: float) -> Limits:
        """Return the limits for thinking about the open turn.

        Args: ``think``, in seconds, is for games without a clock, or with days for a turn;
        ``spent`` are the seconds since the house has told of the turn.
        """
        if not self._control or self._control.by_days:
            return Limits(hard=think)
        control, own = self._control, self.play.mover
        minute = MINUTE if self.play.room.sets_up_whole(self.play.position) else 0
        reserves, used, turns = [], [0.0, 0.0], [0, 0]
        for seat, left in enumerate(game.left):
            whole = (left or 0.0) + (game.elapsed if seat == own else 0.0)
            move = max(control.move, minute) if seat == own else control.move
            reserves.append(max(0.0, whole - move))
        for turn, told in zip(self.play.turns, game.turns, strict=True):
            used[turn.player] += told.used or 0.0
            turns[turn.player] += 1
        clock = Clock(control, tuple(reserves), tuple(used), tuple(turns))
        return Limits(clock=clock, used=game.elapsed + spent + NET)


FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Units: seconds; the waits between attempts to reach a lost house."""
GONE_ON: Final = 5.0
"""Units: seconds; how long a refused turn waits for news that the game has gone on."""
UNBEGUN: Final = 900.0
"""Units: seconds; how long a game without a clock waits for the opponent's first turn. Guess."""
TRIES: Final = 2
"""The attempts of a player at one turn, each with a new process."""
Open = Callable[[str], Player]
"""A function that opens a player of a game."""
Tell = Callable[[Text], None]


def _never_begins(game: api.Game, own: int) -> bool:
    """Return whether an opponent who lets a game wait has not begun, and nothing else ends it."""
    begun = len(game.turns) > (1 if own == 0 and not game.rated else 0)
    return not (game.clock or begun)


class Sitting:
    """A game in which the account of the link has a seat."""

    def __init__(
        self, link: HouseLink, game: api.Game, open_player: Open, think: float, tell: Tell
    ):
        self.id: Final = game.id
        self.rated: Final = game.rated
        self._link, self._open, self._think, self._tell = link, open_player, think, tell
        self._own = game.own[0]
        self._news = Condition()
        self.game, self._at = game, time.monotonic()
        self._gives_up = self._leaves = False
        self._acted = 0
        """The number of the last event that was ours."""
        self._answered: set[tuple[int, str]] = set()
        self._stop = Stop()
        self._player: Player | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        return not self._thread.is_alive()

    @property
    def opponent(self) -> str:
        return next(
            (side.name for seat, side in enumerate(self.game.seats) if seat != self._own), ""
        )

    def tell(self, game: api.Game) -> None:
        with self._news:
            if game.seq < self.game.seq:
                return
            other_turn = len(game.turns) != len(self.game.turns) or game.stage == "over"
            self.game, self._at = game, time.monotonic()
            if other_turn:
                self._stop.set()
            self._news.notify_all()

    def end(self, *, resigns: bool) -> None:
        """Give the game up, or leave it as it is."""
        with self._news:
            self._gives_up, self._leaves = resigns, not resigns
            self._stop.set()
            self._news.notify_all()

    def wait(self, seconds: float) -> None:
        self._thread.join(seconds)

    # --- in the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._play()
        except TrineError as error:
            self._tell(text("game {game}: {problem}", game=self.id, problem=error.message))
            self._end_game()
        finally:
            self._close()

    def _play(self) -> None:
        board = RemoteGame(self.game)
        while True:
            game = self._await_work()
            if game.stage == "over" or self._leaves:
                return
            if self._gives_up:
                self._end_game()
                return
            self._answer_offers(game)
            if game.mover != self._own or game.paused or game.seq < self._acted:
                continue
            board.follow(game)
            if decision := self._choose(board, game):
                self._act(game, decision)

    def _await_work(self) -> api.Game:
        with self._news:
            while not self._has_work():
                if not self._news.wait(UNBEGUN) and _never_begins(self.game, self._own):
                    self._gives_up = True
            self._stop = Stop()
            return self.game

    def _has_work(self) -> bool:
        game = self.game
        if game.stage == "over" or self._gives_up or self._leaves or self._offers(game):
            return True
        return game.mover == self._own and not game.paused and game.seq >= self._acted

    def _offers(self, game: api.Game) -> list[api.Offered]:
        return [
            one
            for one in game.offers
            if self._own in one.waiting and (game.seq, one.what) not in self._answered
        ]

    def _answer_offers(self, game: api.Game) -> None:
        """Accept takebacks, but no draw, and no pause, which only the other side would end."""
        for offer in self._offers(game):
            self._answered.add((game.seq, offer.what))
            yes = offer.what not in (DRAW, PAUSE)
            self._send({"t": "answer", "what": offer.what, "yes": yes})

    def _choose(self, board: RemoteGame, game: api.Game) -> Decision | None:
        """Return a decision; None where the game has gone on meanwhile. Raises `ForfeitError`."""
        for attempt in range(TRIES):
            stop = self._stop
            if stop.is_set:
                return None
            try:
                player = self._player
                if player is None:
                    player = self._player = self._open(board.name)
                    player.begin(board.play)
                limits = board.limits(game, self._think, time.monotonic() - self._at)
                decision = player.choose(board.play.copy(), limits, None, stop)
            except ForfeitError as error:
                self._close()
                if stop.is_set:
                    return None
                if attempt == TRIES - 1:
                    raise
                told = text("game {game}: {problem}", game=self.id, problem=error.message)
                self._tell(told)
            else:
                return None if stop.is_set else decision
        return None

    def _act(self, game: api.Game, decision: Decision) -> None:
        """Play a turn, or resign. Raises `ForfeitError`: the house does not take the turn."""
        if decision.resigns:
            self._end_game()
            return
        actions = [str(action) for action in decision.actions]
        answer = self._send({"t": "turn", "at": game.seq, "a": actions})
        if isinstance(answer, api.Ok):
            self._acted = answer.seq
        elif isinstance(answer, api.No):
            with self._news:  # the game has gone on, or its time is over, or we do not agree
                if not self._news.wait_for(lambda: self.game.seq > game.seq, GONE_ON):
                    raise ForfeitError(text("the house refuses it: {why}", why=answer.why))

    def _end_game(self) -> None:
        """Abort the game, or resign it if a turn has been played."""
        with suppress(RefusedError):
            answer = self._send({"t": "do", "what": "abort"})
            if isinstance(answer, api.No):
                self._send({"t": "do", "what": "resign"})

    def _send(self, message: dict[str, Any]) -> api.Ok | api.No | api.Reason | None:
        """Send a command until it is answered; the house carries it out only once."""
        message = {**message, "id": self._link.new_id()}
        pause = FIRST_PAUSE
        while not (self._leaves or self.game.stage == "over"):
            try:
                return self._link.command(self.id, message)
            except LostError:
                with self._news:
                    self._news.wait(pause)
                pause = min(LONGEST_PAUSE, pause * 1.7)
        return None

    def _close(self) -> None:
        player, self._player = self._player, None
        if player:
            player.close()
