"""The protocol of all players, their levels and settings, and forfeits.

Bots have levels from 1, for beginners, to 10, full strength. Weaker bots err as people do: they
search less deeply, and overlook some actions of all players. They evaluate as well as strong bots.
"""

import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from trine.core.clock import Limits
from trine.core.compiled.ahead import Show
from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.heuristics import Heuristics
from trine.core.contract.position import Action
from trine.core.errors import CompilingError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, quoted, text
from trine.core.work.files import file_error
from trine.core.work.stop import Stop
from trine.engine.search.info import Info as Info
from trine.engine.search.info import OnInfo as OnInfo
from trine.games import heuristics_module, kernel_module


@dataclass(frozen=True)
class Decision:
    """A player's choice of a turn."""

    actions: tuple[Action, ...]  # the rest of the turn, to its end; empty if the player resigns
    info: Info | None = None  # the last result of the search; None without a search
    resigns: bool = False


class ForfeitError(TrineError):
    """A player crashed, does not answer, or answered with an illegal turn."""

    def __init__(self, message: Text, transcript: str = "") -> None:
        super().__init__(message)
        self.transcript = transcript  # the lines exchanged with a program


class Player(Protocol):
    """A player that chooses turns; only one thread calls its methods."""

    @property
    def name(self) -> str: ...

    def begin(self, play: Play) -> None:
        """Begin or resume a game, and drop the state of other games; raises `ForfeitError`."""

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        """Choose the turn of the player to move, or the rest of the turn; raises `ForfeitError`.

        Any thread can set ``stop``; the player then returns at once, with its best turn so far.
        """

    def close(self) -> None:
        """Release the resources of the player; it cannot be used afterwards."""


@dataclass(frozen=True)
class Level:
    """The strength of a bot: the nodes of its search, and the actions that it overlooks."""

    nodes: int | None  # positions searched for a turn; None: the limits decide
    overlook_rate: int
    """Units: 1/1024; the share of actions that the bot overlooks, its own and its opponents'."""


# In each game each level beats the one below by 100 Elo or more, as docs/why/measuring.md shows.
LEVELS: Final = {
    1: Level(10, 830),
    2: Level(30, 680),
    3: Level(100, 540),
    4: Level(400, 400),
    5: Level(1_600, 300),
    6: Level(7_000, 180),
    7: Level(25_000, 80),
    8: Level(90_000, 20),
    9: Level(350_000, 0),
    10: Level(None, 0),
}
FULL: Final = 10


def level_of(heuristics: Heuristics, number: int) -> Level:
    """Return a level in a game, which can set its own overlook rate."""
    level = LEVELS[number]
    return replace(level, overlook_rate=heuristics.overlook_rates.get(number, level.overlook_rate))


def parse_level(words: str) -> int:
    """Read the number of a level.

    Raises:
        MalformedError: there is no such level.

    >>> parse_level("7")
    7
    """
    if words not in map(str, LEVELS):
        raise MalformedError(
            "no level {given}; the levels are 1 to {most}", given=quoted(words), most=FULL
        )
    return int(words)


@dataclass(frozen=True)
class PlayerResources:
    """The memory that a player may use, its level and its seed."""

    hash_mb: int = 64  # MiB
    level: int = FULL  # the level of a bot whose specification names none
    seed: int = 0


DEFAULTS: Final = PlayerResources()


class PlayerFactory(Protocol):
    """A function that opens players by specification, such as ``bot:7``."""

    def __call__(
        self, words: str, game: str, settings: PlayerResources, show: Show | None = None
    ) -> Player:
        """Open a player of ``GAME/RULES``; raises `ForfeitError` or `TrineError`."""


ALPHA_BETA = "trine.engine.search.alphabeta"
TREE = "trine.engine.search.tree"
GAMES = "trine.engine.selfplay.game"


def thinking_modules(game: str, seats: int = 2) -> tuple[str, ...]:
    """Return the modules that a search of a game needs, for `trine.core.compiled.ahead`.

    >>> thinking_modules("tzaar")[0]
    'trine.engine.search.alphabeta'
    """
    search = ALPHA_BETA if seats == 2 else TREE
    return (search, kernel_module(game), heuristics_module(game))


def playing_modules(game: str) -> tuple[str, ...]:
    """Return the modules that whole games of bots need, for `trine.core.compiled.ahead`."""
    return (*thinking_modules(game), GAMES)


MAX_TRANSCRIPT: Final = 1 << 16  # characters; only the end of a longer transcript is stored. Guess


def as_forfeit(error: Exception) -> ForfeitError:
    """Wrap any error of a player as a forfeit, so that it does not end the match.

    >>> str(as_forfeit(ZeroDivisionError("by accident")).message)
    'it failed: ZeroDivisionError: by accident'
    """
    if isinstance(error, ForfeitError):
        return error
    if isinstance(error, CompilingError):
        return ForfeitError(text("it failed: {problem}", problem=error.message))
    message = text("it failed: {problem}", problem=f"{type(error).__name__}: {error}")
    return ForfeitError(message, "".join(traceback.format_exception(error)))


def check_turn(play: Play, decision: Decision) -> CheckedLine:
    """Check that a decision is a legal, complete turn.

    Raises:
        ForfeitError: the decision is no legal turn.

    >>> from trine.games import new_play
    >>> start = new_play("corridor")
    >>> str(check_turn(start, Decision(tuple(start.interpret("e2")))).actions[0])
    'e2'
    >>> check_turn(start, Decision(()))
    Traceback (most recent call last):
    trine.engine.players.player.ForfeitError: its turn is not complete
    """
    checker = Checker(play.position, play.history)
    for action in decision.actions:
        if checker.closed:
            raise ForfeitError(text("it answers with more than its turn"))
        try:
            if reason := checker.why_not(action):
                raise ForfeitError(text("illegal: {action}: {why}", action=str(action), why=reason))
            checker.play_unchecked(action)
        except Exception as error:  # a decision can contain objects that are not actions
            raise as_forfeit(error) from None
    if not checker.closed:
        raise ForfeitError(text("its turn is not complete"))
    return checker.line()


def transcripts_path(path: Path) -> Path:
    """Return the path of the transcripts of forfeits, next to a file of records."""
    return path.with_name(path.name + ".forfeits")


def keep_transcript(path: Path, head: str, transcript: str) -> None:
    """Append the transcript of a forfeit to the file next to a file of records."""
    path = transcripts_path(path)
    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(f"=== {head}\n{transcript[-MAX_TRANSCRIPT:].rstrip()}\n\n")
    except OSError as error:
        raise file_error(path, error) from None
