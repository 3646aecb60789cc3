"""A program as a player, in any protocol: it gets a greeting, games, and requests for turns.

A program that breaks the protocol forfeits the game and is killed; the next game starts another.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trine.core.clock import Limits
from trine.core.contract.position import Action
from trine.core.contract.score import WIN, Score
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, quoted, text
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, ForfeitError, Info, OnInfo
from trine.engine.protocol.program import Deadline, Program
from trine.engine.protocol.time_limits import time_limit
from trine.games import parse_game

NO_MOVE: Final = "none"
"""The word of UGI in place of a move if the game is over or ``go`` was refused; AEI has none."""


@dataclass(frozen=True)
class Timeouts:
    """Timeouts for programs. Units: seconds; all are guesses."""

    greeting: float = 10.0
    """For the answer to the greeting: programs should answer before they get ready."""
    readiness: float = 120.0  # for getting ready, which may include compiling code
    margin: float = 2.0  # for an answer after the time limit, or after ``stop``
    untimed_turn: float = 600.0
    """For a turn limited only by depth or nodes; then the program gets ``stop``."""
    farewell: float = 1.0  # for the program to exit after ``quit``


@dataclass
class Report:
    """The information about the current search that a program has sent so far."""

    depth: int = 0
    score: Score | None = None
    nodes: int = 0
    seconds: float = 0.0
    variation: str = ""

    def info(self, line: Sequence[Action]) -> Info | None:
        """Return the report as an `Info`; None without a score."""
        if self.score is None:
            return None
        return Info(self.depth, self.score, tuple(line), self.nodes, self.seconds)


def clamped_score(points: int) -> Score:
    """Return a program's score, clamped to the range of scores.

    >>> clamped_score(10**12) == Score(WIN)
    True
    """
    return Score(max(-WIN, min(WIN, points)))


class ProgramPlayer(ABC):
    """A player that is a program; subclasses implement a protocol."""

    PROTOCOL: str
    GREETING: str
    GREETED: str

    def __init__(
        self,
        command: Sequence[str],
        game: str,
        *,
        settings: dict[str, int] | None = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        """Start the program and greet it.

        ``settings`` are sent, by the names of `trine.engine.protocol.engine_session.NUMBERS`.

        Raises:
            FileError: the program cannot be started.
            ForfeitError: the program does not answer in the protocol.
        """
        self.room, _ = parse_game(game)
        self.settings = settings or {}
        self.timeouts = timeouts or Timeouts()
        self._command = list(command)
        self._program: Program | None = None
        self._names: dict[str, str] = {}
        self._running()

    @property
    def name(self) -> str:
        return self._names.get("name") or Path(self._command[0]).name

    def begin(self, play: Play) -> None:
        try:
            program = self._running()
            self.send_game(program, play)
            self.send_turns(program, play)
            self._await_ready(program, self.timeouts.readiness)
        except TrineError as error:
            raise self._close_broken(error) from None

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        began = time.monotonic()
        try:
            if self._program is None:
                self.begin(play)
            program = self._program or self._running()
            self.send_turns(program, play)
            self._await_ready(program, self.timeouts.readiness)
            self.ask(program, play, limits)
            left = began + self._longest(play, limits) - time.monotonic()
            with (stop or Stop()).after(left) as end:
                report, answer = self._await_answer(program, play, end, on_info)
            return self._decision(play, report, answer)
        except TrineError as error:
            raise self._close_broken(error) from None

    def close(self) -> None:
        program, self._program = self._program, None
        if program:
            program.send("quit")
            program.close(self.timeouts.farewell)

    # --- implemented by each protocol ------------------------------------------------------------

    def greeting_line(self, line: str) -> None:
        """Take a line of the program before the end of its greeting."""
        kind, _, rest = line.partition(" ")
        name, _, value = rest.strip().partition(" ")
        if kind == "id" and value:
            self._names[name] = value.strip()

    @abstractmethod
    def reset(self) -> None:
        """Reset the state of the protocol, for a new program."""

    @abstractmethod
    def send_game(self, program: Program, play: Play) -> None:
        """Announce a new game, its rules and its start."""

    @abstractmethod
    def send_turns(self, program: Program, play: Play) -> None:
        """Send the present state of the play."""

    @abstractmethod
    def ask(self, program: Program, play: Play, limits: Limits) -> None:
        """Ask for the turn of the player to move."""

    @abstractmethod
    def note(self, report: Report, words: str) -> bool:
        """Take the words after ``info``; return whether they complete a report."""

    @abstractmethod
    def read_answer(self, play: Play, words: str) -> tuple[Action, ...]:
        """Read the words after ``bestmove``. Raises `TrineError`."""

    @abstractmethod
    def read_variation(self, play: Play, words: str) -> list[Action]:
        """Read the legal part of a variation."""

    def _running(self) -> Program:
        if self._program and self._program.runs:
            return self._program
        self.close()
        self._program = program = Program(self._command)
        self.reset()
        try:
            program.send(self.GREETING)
            deadline = Deadline(self.timeouts.greeting)
            while (line := program.receive(deadline.left)) != self.GREETED:
                if line is None or not deadline.left:
                    raise ForfeitError(
                        text("it does not answer to {protocol}", protocol=self.PROTOCOL)
                    )
                self.greeting_line(line)
        except TrineError as error:
            raise self._close_broken(error) from None
        return program

    def _await_ready(self, program: Program, timeout: float) -> None:
        """Wait until the program has executed all commands, and drop its output until then."""
        program.send("isready")
        deadline = Deadline(timeout)
        while (line := program.receive(deadline.left)) != "readyok":
            if line is None or not deadline.left:
                raise ForfeitError(text("it does not get ready"))

    def _longest(self, play: Play, limits: Limits) -> float:
        """Return the seconds until the program gets ``stop``."""
        if (allowed := time_limit(play, limits)) is not None:
            return allowed
        return math.inf if limits.endless else self.timeouts.untimed_turn

    def _await_answer(
        self, program: Program, play: Play, end: Stop, on_info: OnInfo | None
    ) -> tuple[Report, str]:
        report, deadlines = Report(), list[Deadline]()

        def send_stop() -> None:
            program.send("stop")
            deadlines.append(Deadline(self.timeouts.margin))
            program.wake()

        with end.calls(send_stop):
            while True:
                if deadlines and not deadlines[0].left:
                    raise ForfeitError(text("it does not answer in time"))
                line = program.receive(deadlines[0].left if deadlines else None)
                kind, _, words = (line or "").partition(" ")
                if kind == "bestmove":
                    return report, words.strip()
                if kind == "info" and self.note(report, words.strip()) and on_info:
                    info = report.info(self.read_variation(play, report.variation))
                    if info and info.pv:
                        on_info(info)

    def _decision(self, play: Play, report: Report, answer: str) -> Decision:
        line = self.read_variation(play, report.variation)
        if answer == "resign":
            return Decision((), report.info(line), resigns=True)
        try:
            actions = self.read_answer(play, answer)
        except TrineError as error:
            given, problem = quoted(answer), error.message
            if answer.strip("()") in ("", NO_MOVE):
                problem = text("it means that there is no move, but the game is not over")
            raise ForfeitError(
                text("its answer {given} is not legal: {problem}", given=given, problem=problem)
            ) from None
        if tuple(line[: len(actions)]) != actions:
            line = list(actions)
        return Decision(actions, report.info(line))

    def _close_broken(self, error: TrineError) -> ForfeitError:
        """Return the error with a transcript; close the program, because its state is unknown."""
        program = self._program
        message: Text = error.message
        own = error.transcript if isinstance(error, ForfeitError) else ""
        transcript = own or (program.transcript if program else "")
        self.close()
        return ForfeitError(message, transcript)
