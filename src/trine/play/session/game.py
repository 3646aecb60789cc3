"""A running game: its state, its journal and the wall clock."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final, Generic, Self, TypeVar

from trine.core.clock import Clock
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.play.record.agreed_terms import Terms
from trine.play.session.commands import Act, Command, Flag, Pause, Resume
from trine.play.session.prepare import Prepared, beginning, play_line, prepare, settle
from trine.play.session.state import Entry, Journal, Kind, State

Now = Callable[[], float]  # a function that returns the time in seconds since 1970
J = TypeVar("J", bound=Journal)

MIN_RECORDED_PAUSE: Final = 0.1
"""Units: seconds; a shorter preparation of a bot is charged to the player's clock. Guess."""


def wall_clock() -> Now:
    """Return a function for the time in seconds since 1970, which never jumps or goes back."""
    offset = time.time() - time.monotonic()
    return lambda: time.monotonic() + offset


class Game(Generic[J]):
    """A running game.

    A command is prepared, its entries are written to the journal, and only then does the new state
    take effect. `do` does all three; a house, which writes the entries of many games together,
    calls `prepare`, writes, and calls `apply`.
    """

    def __init__(
        self, state: State, journal: J, now: Now | None = None, grace: float = 0.0
    ) -> None:
        """Set the initial state; actions may be ``grace`` seconds late, as over a slow network."""
        self.state = state
        self.journal = journal
        self.grace = grace
        self._now = now or wall_clock()
        self._behind = max(0.0, state.at - self._now())
        """Units: seconds; how far the system clock was set back since the last entry."""
        self._preparing = False

    @classmethod
    def begin(
        cls,
        terms: Terms,
        journal: J,
        now: Now | None = None,
        *,
        opening: Play | None = None,
        grace: float = 0.0,
    ) -> Self:
        """Begin a game and its journal; the turns of an ``opening`` are played in no time."""
        now = now or wall_clock()
        at = round(now(), 3)
        prepared = beginning(terms, at, terms.tags(datetime.fromtimestamp(at).date()))
        for turn in opening.turns if opening else ():
            play_line(prepared, prepared.state.play.check(turn.actions), timed=False)
        settle(prepared)
        journal.append(prepared.entries)
        return cls(prepared.state, journal, now, grace)

    @classmethod
    def resume(
        cls,
        state: State,
        journal: J,
        now: Now | None = None,
        *,
        last_heartbeat: float | None = None,
    ) -> Self:
        """Resume a game after the program was closed or crashed, from the journal's ``state``.

        The downtime costs no player time: the open turn keeps the time it had taken at the pause,
        or, after a crash, at ``last_heartbeat``, the last time when the program is known to have
        run.

        Raises:
            FileError: the journal cannot be written.
        """
        game = cls(state, journal, now)
        prepared = Prepared(state, game.now())
        settle(prepared)
        if not prepared.state.outcome and not prepared.state.by_consent:
            spent = state.elapsed(min(max(last_heartbeat or state.at, state.at), prepared.at))
            if prepared.state.play.turns != state.play.turns:
                spent = 0.0  # an entry that was torn off had ended the turn
            # Records have tenths of a second; only the start of a pause has milliseconds.
            spent = spent if state.paused is not None else round(spent, 1)
            prepared.write(Kind.RESUME, None, spent=spent)
        if prepared.entries:
            journal.append(prepared.entries)
            game.apply(prepared)
        return game

    def prepare(self, command: Command, at: float | None = None) -> Prepared:
        """Return the result of a command without applying it; raises `TrineError`."""
        return prepare(self.state, command, self.now() if at is None else at, self.grace)

    def apply(self, prepared: Prepared) -> None:
        """Apply a prepared result; raises `IllegalError` if the state has changed since."""
        if prepared.before is not self.state:
            raise IllegalError("the game has continued meanwhile")
        self.state = prepared.state

    def do(self, command: Command, at: float | None = None) -> Sequence[Entry]:
        """Carry out a command and return its entries; raises `TrineError`, then nothing changes."""
        prepared = self.prepare(command, at)
        self.journal.append(prepared.entries)
        self.apply(prepared)
        return prepared.entries

    def enter(self, line: str) -> None:
        """Play a line that a person typed, all of it or nothing; raises `TrineError`."""
        self.do(Act(self.play.interpret(line)))

    def check_time(self) -> bool:
        """End the game if the time of the player to move is up; return whether it was up."""
        at = self.now()
        if self.over or not self.state.time_is_up(at, self.grace):
            return False
        self.do(Flag(), at)
        return True

    @contextmanager
    def preparing(self) -> Iterator[None]:
        before, spent = self.state, self.elapsed
        self._preparing = True
        try:
            yield
        finally:
            self._preparing = False
            runs = self.state.paused is None and not self.over
            if runs and self.state is before and self.elapsed - spent >= MIN_RECORDED_PAUSE:
                self.do(Resume(spent))

    def close(self) -> None:
        runs = self.state.paused is None and not self.over
        if runs and (self.clock or self.play.open_actions):
            self.do(Pause())
        self.journal.close()

    def record_heartbeat(self) -> None:
        """Record that the program runs now; a later crash refunds no time before it."""
        if not (self._preparing or self.over or self.state.paused is not None):
            self.journal.record_heartbeat(self.now())

    @property
    def terms(self) -> Terms:
        return self.state.terms

    @property
    def play(self) -> Play:
        return self.state.play

    @property
    def clock(self) -> Clock | None:
        """The time left to each player at the start of the open turn."""
        return self.state.clock

    @property
    def over(self) -> bool:
        return self.state.outcome is not None

    @property
    def elapsed(self) -> float:
        """Units: seconds; the time of the open turn so far."""
        return self.state.elapsed(self.now())

    @property
    def time_left(self) -> float:
        """Units: seconds; the time left to the player to move, infinite without a limit."""
        return self.state.time_left(self.now())

    def now(self) -> float:
        """Return the time of a new entry: in milliseconds, and never before the last entry."""
        return max(round(self._now() + self._behind, 3), self.state.at)
