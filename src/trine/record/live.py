"""A game that is being played now: the play, its log and its clock, kept in step.

Whatever happens is written to the log first, and counts only when it is safe there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Self

from trine.core.clock import Clock
from trine.core.doors import Action
from trine.core.outcome import Outcome, Reason
from trine.core.play import Play
from trine.core.record import STOPS, TAKEBACK, UNDO, format_comment, format_tag
from trine.record.log import Log
from trine.record.replay import closing_tags
from trine.record.resume import Damage, resume
from trine.record.terms import Terms
from trine.record.time_notes import as_remark, format_paused, format_used

Now = Callable[[], float]
"""Gives a time in seconds that only ever grows."""


class LiveGame:
    """A game that is being played now."""

    def __init__(
        self, terms: Terms, play: Play, log: Log, clock: Clock | None, now: Now, spent: float = 0.0
    ) -> None:
        self.terms = terms
        self.play = play
        self.log = log
        self.clock = clock
        self._now = now
        self._began = now() - spent

    @classmethod
    def begin(cls, terms: Terms, path: Path, now: Now = time.monotonic) -> Self:
        """Begin a game, and its log.

        Raises:
            TrineError: the terms do not fit the rules.
            FileError: the log cannot be begun.
        """
        play = Play(terms.room, terms.start)
        log = Log.create(path, terms.tags(date.today()))
        clock = Clock.start(terms.clock, len(terms.names)) if terms.clock else None
        game = cls(terms, play, log, clock, now)
        game._write_outcome()
        return game

    @classmethod
    def resume(cls, path: Path, now: Now = time.monotonic) -> tuple[Self, Damage | None]:
        """Go on with a game from its log; also what of the log was damaged, if anything.

        Raises:
            TrineError: the log cannot be gone on with; see `trine.record.resume.resume`.
        """
        resumed = resume(path)
        play = resumed.play
        terms = Terms.from_tags(play.room, play.start, resumed.record.tags)
        game = cls(terms, play, resumed.log, resumed.clock, now, resumed.spent)
        if "Result" not in resumed.record.tags:
            if game.clock and game.clock.game_over() and not play.outcome:
                game._score()
            else:
                game._write_outcome()
        return game, resumed.damage

    # --- time ------------------------------------------------------------------------------------

    @property
    def elapsed(self) -> float:
        """Units: seconds, to the tenth; how long the open turn has taken."""
        return round(self._now() - self._began, 1)

    @property
    def time_left(self) -> float:
        """Units: seconds; what the player to move has for this turn, infinite without a clock."""
        if not self.clock or self.play.outcome:
            return float("inf")
        own = self.clock.left(self.play.mover, setup=self._in_setup)
        return min(own, self.clock.game_left()) - self.elapsed

    @property
    def _in_setup(self) -> bool:
        return self.play.room.sets_up_whole(self.play.turn_start)

    def check_time(self) -> bool:
        """Let the player to move lose by time if it is up; whether that is so."""
        if not self.clock or self.play.outcome or self.time_left >= 0:
            return False
        if self.clock.overstepped(self.play.mover, self.elapsed, setup=self._in_setup):
            self._leave("lost")
        else:
            self._score()
        return True

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside, no time passes for the players: the house prepares something."""
        stopped = self._now()
        try:
            yield
        finally:
            self._began += self._now() - stopped

    # --- playing ---------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        """Play an action: check it, write it, and only then let it count.

        Raises:
            IllegalError: the action is not legal.
            FileError: it could not be written; then it does not count.
        """
        play = self.play
        play.check_legal(action)
        words = play.room.format_action(play.position, action)
        closes = play.closes_turn(action)
        written = self._head() + (f"{words} " if words else "")
        used = self.elapsed
        clock = self.clock
        if closes:
            if clock:
                clock = clock.after_turn(play.mover, used, setup=self._in_setup)
            written += f"{format_comment(self._time_comment(used, clock))}\n"
        self.log.append(written)
        play.act_unchecked(action)
        if closes:
            self.clock = clock
            self._began = self._now()
            if clock and clock.game_over() and not play.outcome:
                self._score()
            else:
                self._write_outcome()

    def enter(self, line: str) -> None:
        """Play what a person typed; the whole line is checked before its first action counts."""
        for action in self.play.interpret(line):
            self.act(action)

    def undo(self) -> Action:
        """Take back the last action of the open turn; the log keeps it, marked."""
        self.play.check_goes_on()
        if not self.play.open_actions:
            self.play.undo()  # says why not
        self.log.append(f"{UNDO} ")
        return self.play.undo()

    def take_back(self) -> None:
        """Take back the last whole turn; the log keeps it, marked.

        Raises:
            IllegalError: the terms do not allow it, or there is none.
        """
        self.play.check_goes_on()
        if not self.play.turns:
            self.play.take_back()  # says why not
        if not self.is_last_placement:
            self.terms.check_takebacks()
        while self.play.open_actions:
            self.undo()
        if self.log.line_open:
            # An open line with nothing left in it becomes the line of the takeback itself.
            self.log.append(f"{TAKEBACK}\n")
        else:
            self.log.append(f"{self.play.turn_tag} {TAKEBACK}\n")
        turn = self.play.take_back()
        if self.clock:
            self.clock = self.clock.without_turn(turn.player)
        self._began = self._now()

    @property
    def is_last_placement(self) -> bool:
        """Whether the last turn placed one piece, which can be taken back without consent."""
        play = self.play
        return (
            bool(play.turns)
            and play.turns[-1].before.in_setup
            and not play.room.whole_setups
            and not play.turns[-1].left
        )

    def resign(self) -> None:
        """The player to move gives up: of two the other wins, of more the others play on."""
        self._leave("resigns")

    def agree_draw(self) -> None:
        """All agree on a draw.

        Raises:
            IllegalError: the terms do not allow it.
        """
        self.terms.check_draws()
        self.play.check_goes_on()
        self.log.append(f"{self._head()}drawn\n")
        self.play.conclude(Outcome(None, STOPS["drawn"]))
        self._write_outcome()

    def forfeit(self, why: str) -> None:
        """The player to move cannot go on, as a program that has failed: of two the other wins.

        Of several players who play on, records know only that one has lost.
        """
        play = self.play
        play.check_goes_on()
        while play.open_actions:
            self.undo()
        self.remark(f"forfeit: {why}")
        if len(play.position.playing) > 2:
            self._leave("lost")
            return
        winner = next(player for player in play.position.playing if player != play.mover)
        play.conclude(Outcome(winner, Reason.FORFEIT))
        self._write_outcome()

    def remark(self, words: str) -> None:
        """Write a comment into the log."""
        self._comment(as_remark(words))

    def close(self) -> None:
        """Break off or finish; the log notes the time that the open turn has taken."""
        if not self.play.outcome and (self.clock or self.play.open_actions):
            self._comment(format_paused(self.elapsed))
        self.log.close()

    # --- writing ---------------------------------------------------------------------------------

    def _head(self) -> str:
        """What begins the line of a turn, where it has not begun."""
        return "" if self.log.line_open else f"{self.play.turn_tag} "

    def _comment(self, words: str) -> None:
        self.log.append(f"{self._head()}{format_comment(words)} ")

    def _time_comment(self, used: float, clock: Clock | None) -> str:
        timed = clock and not clock.control.untimed
        return format_used(used, clock.reserve(self.play.mover) if clock and timed else None)

    def _leave(self, word: str) -> None:
        play, clock, used = self.play, self.clock, self.elapsed
        play.check_goes_on()
        written = f"{self._head()}{word}"
        if len(play.position.playing) > 2:  # the others play on, and the clock with them
            clock = clock.after_turn(play.mover, used) if clock else None
            written += f" {format_comment(self._time_comment(used, clock))}"
        self.log.append(f"{written}\n")
        play.leave(STOPS[word])
        self.clock = clock
        self._began = self._now()
        self._write_outcome()

    def _score(self) -> None:
        """The clock has stopped the whole game: the board decides."""
        winner_of = self.play.room.score_winner
        positions = [self.play.start, *(turn.after for turn in self.play.turns)]
        winner = winner_of(positions) if winner_of else None
        while self.play.open_actions:
            self.undo()
        if self.log.line_open:
            self.log.append("\n")
        self.play.conclude(Outcome(winner, Reason.SCORE))
        self._write_outcome()

    def _write_outcome(self) -> None:
        outcome = self.play.outcome
        if outcome is None:
            return
        if self.log.line_open:
            self.log.append("\n")
        tags = closing_tags(self.play.position.seats, outcome)
        self.log.append("".join(f"{format_tag(*tag)}\n" for tag in tags.items()))
