"""A game at another house, and the thread of the local player that plays it."""

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread
from typing import Any, Final

from trine.cli.away.api_client import ApiClient, RefusedError, UnreachableError
from trine.core.clock import MINUTE, Clock, Limits, parse_time_control
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, ForfeitError, Player
from trine.engine.protocol import api
from trine.engine.protocol.turn_words import read_turn
from trine.games import open_room
from trine.play.record.agreed_terms import Terms
from trine.play.session.state import DRAW, PAUSE

NETWORK_RESERVE: Final = 0.3
"""Units: seconds; the part of a turn's time that is reserved for the network. Guess."""


class RemoteGame:
    """A local copy of a two-player game at a house."""

    def __init__(self, game: api.Game) -> None:
        """Set up the game as the house sent it; raises `TrineError`."""
        options = dict(game.start)
        position = options.pop("Start", "")
        room = open_room(game.game)
        self._control = parse_time_control(game.clock) if game.clock else None
        self._terms = Terms.agree(room, game.rules, options, position, clock=self._control)
        self._notation: list[str] = []
        self.play = Play(room, self._terms.start)

    @property
    def name(self) -> str:
        return f"{self._terms.room.name}/{self._terms.rules}"

    def follow(self, game: api.Game) -> None:
        """Play and take back turns to match the house; raises `TrineError` if a turn is illegal."""
        lines = [turn.words for turn in game.turns]
        same = 0
        while same < min(len(lines), len(self._notation)) and lines[same] == self._notation[same]:
            same += 1
        while len(self.play.turns) > same:
            self.play.take_back()
        del self._notation[same:]
        for line in lines[same:]:
            try:
                self.play.act_unchecked(*read_turn(self.play, line))
            except TrineError as error:
                raise TrineError(
                    "the house has played {line}: {problem}", line=line, problem=error.message
                ) from None
            self._notation.append(line)

    def limits(self, game: api.Game, think: float, spent: float) -> Limits:
        """Return the limits for thinking about the open turn. Units: seconds.

        ``think`` is the time for games without a clock, or with days for a turn; ``spent`` is the
        time since the house sent the turn.
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
        for turn, sent in zip(self.play.turns, game.turns, strict=True):
            used[turn.player] += sent.used or 0.0
            turns[turn.player] += 1
        clock = Clock(control, tuple(reserves), tuple(used), tuple(turns))
        return Limits(clock=clock, used=game.elapsed + spent + NETWORK_RESERVE)


FIRST_RETRY_DELAY, MAX_RETRY_DELAY = 0.5, 30.0
"""Units: seconds; the first and the longest wait between attempts to reconnect."""
REFUSAL_TIMEOUT: Final = 5.0
"""Units: seconds; after a refused turn, the longest wait for a newer state of the game."""
FIRST_TURN_TIMEOUT: Final = 900.0
"""Units: seconds; the wait for the opponent's first turn in a game without a clock. Guess."""
MAX_ATTEMPTS: Final = 2  # maximum number of attempts to choose one turn, each by a new process
OpenPlayer = Callable[[str], Player]
"""A function that opens a player of a game such as ``corridor/quoridor``."""
Report = Callable[[Text], None]


def _will_never_begin(game: api.Game, own: int) -> bool:
    """Return whether the opponent has not begun, and no clock will end the game."""
    begun = len(game.turns) > (1 if own == 0 and not game.rated else 0)
    return not (game.clock or begun)


class RemoteGamePlayer:
    """A player in its own thread, which plays one game for the account of the client."""

    def __init__(
        self,
        client: ApiClient,
        game: api.Game,
        open_player: OpenPlayer,
        think: float,
        report: Report,
    ):
        self.id: Final = game.id
        self.rated: Final = game.rated
        self._client, self._open, self._think, self._report = client, open_player, think, report
        self._seat = game.own[0]
        self._changed = Condition()
        self.game, self._at = game, time.monotonic()
        self._resigning = self._leaving = False
        self._acted = 0  # the sequence number of our last command that changed the game
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
            (side.name for seat, side in enumerate(self.game.seats) if seat != self._seat), ""
        )

    def update(self, game: api.Game) -> None:
        with self._changed:
            if game.seq < self.game.seq:
                return
            other_turn = len(game.turns) != len(self.game.turns) or game.stage == "over"
            self.game, self._at = game, time.monotonic()
            if other_turn:
                self._stop.set()
            self._changed.notify_all()

    def end(self, *, resigns: bool) -> None:
        """Stop playing: resign the game, or leave it running."""
        with self._changed:
            self._resigning, self._leaving = resigns, not resigns
            self._stop.set()
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        self._thread.join(seconds)

    # --- in the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._play()
        except TrineError as error:
            self._report(text("game {game}: {problem}", game=self.id, problem=error.message))
            self._end_game()
        finally:
            self._close()

    def _play(self) -> None:
        board = RemoteGame(self.game)
        while True:
            game = self._await_work()
            if game.stage == "over" or self._leaving:
                return
            if self._resigning:
                self._end_game()
                return
            self._answer_offers(game)
            if game.mover != self._seat or game.paused or game.seq < self._acted:
                continue
            board.follow(game)
            if decision := self._choose(board, game):
                self._act(game, decision)

    def _await_work(self) -> api.Game:
        with self._changed:
            while not self._has_work():
                if not self._changed.wait(FIRST_TURN_TIMEOUT) and _will_never_begin(
                    self.game, self._seat
                ):
                    self._resigning = True
            self._stop = Stop()
            return self.game

    def _has_work(self) -> bool:
        game = self.game
        if game.stage == "over" or self._resigning or self._leaving or self._offers(game):
            return True
        return game.mover == self._seat and not game.paused and game.seq >= self._acted

    def _offers(self, game: api.Game) -> list[api.Offered]:
        return [
            offer
            for offer in game.offers
            if self._seat in offer.waiting and (game.seq, offer.what) not in self._answered
        ]

    def _answer_offers(self, game: api.Game) -> None:
        """Accept takebacks; decline draws, and pauses, which only the opponent could end."""
        for offer in self._offers(game):
            self._answered.add((game.seq, offer.what))
            yes = offer.what not in (DRAW, PAUSE)
            self._send({"t": "answer", "what": offer.what, "yes": yes})

    def _choose(self, board: RemoteGame, game: api.Game) -> Decision | None:
        """Return a decision, None if it is no longer needed; raises `ForfeitError`."""
        for attempt in range(MAX_ATTEMPTS):
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
                if attempt == MAX_ATTEMPTS - 1:
                    raise
                message = text("game {game}: {problem}", game=self.id, problem=error.message)
                self._report(message)
            else:
                return None if stop.is_set else decision
        return None

    def _act(self, game: api.Game, decision: Decision) -> None:
        """Play a turn, or resign; raises `ForfeitError` if the house refuses the turn."""
        if decision.resigns:
            self._end_game()
            return
        actions = [str(action) for action in decision.actions]
        answer = self._send({"t": "turn", "at": game.seq, "a": actions})
        if isinstance(answer, api.Ok):
            self._acted = answer.seq
        elif isinstance(answer, api.No):
            with self._changed:  # the state is old, the time is up, or our rules differ
                if not self._changed.wait_for(lambda: self.game.seq > game.seq, REFUSAL_TIMEOUT):
                    raise ForfeitError(text("the house refuses it: {why}", why=answer.why))

    def _end_game(self) -> None:
        """Abort the game, or resign it if a turn has been played."""
        with suppress(RefusedError):
            answer = self._send({"t": "do", "what": "abort"})
            if isinstance(answer, api.No):
                self._send({"t": "do", "what": "resign"})

    def _send(self, message: dict[str, Any]) -> api.Ok | api.No | api.Reason | None:
        """Send a command until it is answered; its id makes the house carry it out only once."""
        message = {**message, "id": self._client.new_id()}
        pause = FIRST_RETRY_DELAY
        while not (self._leaving or self.game.stage == "over"):
            try:
                return self._client.command(self.id, message)
            except UnreachableError:
                with self._changed:
                    self._changed.wait(pause)
                pause = min(MAX_RETRY_DELAY, pause * 1.7)
        return None

    def _close(self) -> None:
        player, self._player = self._player, None
        if player:
            player.close()
