"""One game between players, from its opening to its outcome, and its record.

Nothing is adjudicated: a game ends by the rules, or because a player resigns, oversteps its time or
forfeits by answering what is no legal turn, or nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from trine.core.clock import Clock, TimeControl
from trine.core.limits import Limits
from trine.core.outcome import Outcome, Reason
from trine.core.play import Play
from trine.core.record import Record, WrittenTurn
from trine.core.stop import Stop
from trine.engine.forfeits import as_forfeit, play_after
from trine.engine.player import Decision, ForfeitError, Player
from trine.record.replay import record_of
from trine.record.time_notes import format_used

MARGIN: Final = 0.2
"""Units: seconds; how much longer than allowed a turn may seem to take, since a busy machine
answers late. Guess."""

Now = Callable[[], float]


@dataclass(frozen=True)
class Seated:
    """A player at the board."""

    name: str
    player: Player | ForfeitError
    """Or why there is none, so that the first turn is forfeited."""
    limits: Limits
    """For each turn."""


@dataclass(frozen=True)
class Forfeit:
    """A turn that a player could not make."""

    seat: int
    name: str
    turn: str
    """The tag of the turn, as in ``2g``."""
    message: str
    transcript: str


@dataclass
class Finished:
    """A game that is over."""

    play: Play
    opening: int
    """How many turns the opening had."""
    notes: dict[int, list[str]] = field(default_factory=dict)
    """Comments by the number of the turn, counted from 0; behind the last turn, on the end."""
    forfeits: list[Forfeit] = field(default_factory=list)
    lost_on_time: list[int] = field(default_factory=list)
    """The seats of those who overstepped their time."""

    @property
    def points(self) -> tuple[float, ...]:
        """What each seat has scored: the winner a point; a draw divides it."""
        assert self.play.outcome
        return points_of(len(self.play.position.seats), self.play.outcome)

    def record(self, tags: dict[str, str]) -> Record:
        """The game on paper, with further tags."""
        record = record_of(self.play, tags)
        for index, turn in enumerate(record.turns):
            turn.comments += self.notes.get(index, ())
        if on_the_end := self.notes.get(len(record.turns), []):
            position = self.play.position
            letter = position.seats[position.mover].letter
            record.turns.append(WrittenTurn(position.number, letter, comments=on_the_end))
        return record


def points_of(seats: int, outcome: Outcome) -> tuple[float, ...]:
    """What each seat has scored: the winner a point; a draw divides it.

    >>> points_of(2, Outcome(None, Reason.REPETITION)), points_of(3, Outcome(1, Reason.GOAL))
    ((0.5, 0.5), (0.0, 1.0, 0.0))
    """
    if outcome.winner is None:
        return (1 / seats,) * seats
    return tuple(float(seat == outcome.winner) for seat in range(seats))


def play_game(
    play: Play,
    seated: Sequence[Seated],
    *,
    control: TimeControl | None = None,
    margin: float = MARGIN,
    longest: int = 0,
    now: Now = time.monotonic,
    stop: Stop | None = None,
) -> Finished:
    """Play a game to its end, from a play in which the opening has been played.

    Args: ``control`` is that of a clock common to all. After ``longest`` turns a game is cut short:
    scored where the game has a score, drawn where the rules have draws, and played on where they
    have neither; 0 stands for never. The stop lets players think no longer.
    """
    assert len(seated) == len(play.position.seats)
    board = _Board(play, seated, margin, longest, now, stop or Stop())
    if control:
        board.clock = Clock.start(control, len(seated))
    return board.finish()


class _Board:
    """A game that is being played."""

    def __init__(
        self,
        play: Play,
        seated: Sequence[Seated],
        margin: float,
        longest: int,
        now: Now,
        stop: Stop,
    ) -> None:
        self.play = play
        self.seated = seated
        self.margin, self.longest, self.now, self.stop = margin, longest, now, stop
        self.done = Finished(play, len(play.turns))
        self.clock: Clock | None = None
        self.broken: dict[int, ForfeitError] = {}

    def finish(self) -> Finished:
        """Play on to the end."""
        for seat, one in enumerate(self.seated):
            try:
                if isinstance(one.player, ForfeitError):
                    raise one.player
                one.player.begin(self.play)
            except Exception as error:
                self.broken[seat] = as_forfeit(error)
        while not self.play.outcome:
            self._turn()
        self.done.play = self.play
        return self.done

    def _turn(self) -> None:
        """Let the player to move make a turn, and judge it."""
        seat = self.play.mover
        one, clock = self.seated[seat], self.clock
        setup = self.play.room.sets_up_whole(self.play.position)
        own, common = one.limits.hard or float("inf"), float("inf")
        if clock:
            own, common = min(own, clock.left(seat, setup=setup)), clock.game_left()
        began = self.now()
        try:
            if seat in self.broken:
                raise self.broken[seat]
            assert not isinstance(one.player, ForfeitError)
            decision = self._ask(one.player, one.limits, min(own, common))
            used = self.now() - began
            ahead = None if decision.resigns else play_after(self.play, decision)
        except Exception as error:
            self._forfeit(seat, as_forfeit(error))
            return
        if own < common and used > own + self.margin:
            self._lose_on_time(seat, used)
            return
        if clock:
            self.clock = clock.after_turn(seat, used, setup=setup)
        if used > common + self.margin:  # the game is halted, and nobody oversteps
            self._note([f"the time of the game was over after {common:.2f} s"])
            self._check_length()
            return
        if ahead is None:
            self.play.leave(Reason.RESIGNATION)
            return
        self._note(self._words(decision, used if clock or one.limits.hard else None))
        self.play = ahead
        self._check_length()

    def _ask(self, player: Player, limits: Limits, allowed: float) -> Decision:
        """Ask for a turn; a player that thinks too long is stopped, and loses only the game."""
        with self.stop.after(allowed + self.margin) as stop:
            return player.choose(self.play, replace(limits, clock=self.clock), None, stop)

    def _words(self, decision: Decision, used: float | None) -> list[str]:
        """Comments on a turn; times only where they matter, so that other games can be repeated."""
        words = []
        if used is not None:
            reserve = self.clock.reserve(self.play.mover) if self.clock else None
            words.append(format_used(used, reserve))
        if info := decision.info:
            words.append(f"score {info.score.points:+d}, depth {info.depth}, nodes {info.nodes}")
        return words

    def _note(self, words: list[str]) -> None:
        """Comment on the turn that is now played."""
        if words:
            self.done.notes.setdefault(len(self.play.turns), []).extend(words)

    def _forfeit(self, seat: int, error: ForfeitError) -> None:
        name, turn = self.seated[seat].name, self.play.turn_tag
        self.done.forfeits.append(Forfeit(seat, name, turn, str(error.message), error.transcript))
        self._note([f"forfeit: {error.message}"])
        # Of several players who play on, records know only that one has lost on time.
        self._leave(Reason.FORFEIT)

    def _lose_on_time(self, seat: int, used: float) -> None:
        self.done.lost_on_time.append(seat)
        self._note([f"lost on time after {used:.2f} s"])
        self._leave(Reason.TIME)

    def _leave(self, reason: Reason) -> None:
        others = [seat for seat in self.play.position.playing if seat != self.play.mover]
        if len(others) == 1:
            self.play.conclude(Outcome(others[0], reason))
        else:
            self.play.leave(Reason.TIME)

    def _check_length(self) -> None:
        """End a game that a clock, or the wish for no longer games, stops as a whole."""
        if self.play.outcome:
            return
        stopped = self.clock is not None and self.clock.game_over()
        too_long = 0 < self.longest <= len(self.play.turns)
        score = self.play.room.score_winner
        if (stopped or too_long) and score:
            positions = [self.play.start, *(turn.after for turn in self.play.turns)]
            self.play.conclude(Outcome(score(positions), Reason.SCORE))
        elif too_long and self.play.position.rules.draws:
            self.play.conclude(Outcome(None, Reason.AGREEMENT))
