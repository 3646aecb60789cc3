"""Running a match: workers play its games, results go to the ledger, a test can end it.

The ledger is a file: a header with the terms of the match, then the records of finished games. The
header is one comment line of JSON, so the file is a valid file of records. A game is written as a
whole when it is over, and is on disk before the next result counts. After a power cut or ``kill
-9``, a torn record at the end is cut off, and all games before it count.

Workers are processes, this process, or a cluster. They are not threads: Python code of one player
must not take time from another's clock, and a crash of compiled code must not end the match.
Starting a process takes a second. Before processes exit, or if this one is killed, they close their
players, engines included.
"""

import json
import re
import threading
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from trine.core.compiled.ahead import Show
from trine.core.contract.record import Record, format_record, read_records
from trine.core.errors import FileError, TrineError
from trine.core.work.files import file_error
from trine.core.work.stop import Stop
from trine.core.work.workers import IN_PROCESS, Backend, PendingJobs, Workers
from trine.engine.arena.contest import Forfeited
from trine.engine.arena.match import ROUND, Match, Played, play_fixture
from trine.engine.arena.schedule import Fixture
from trine.engine.arena.standings import Standings
from trine.engine.players.player import (
    Player,
    PlayerFactory,
    PlayerResources,
    keep_transcript,
    transcripts_path,
)
from trine.engine.protocol.players import open_player
from trine.play.record.log import Log

HEAD: Final = "# trine match "
_WHOLE: Final = re.compile(rb"(?m)^\[Result \"[^\n]*\n\[Reason \"[^\n]*\n")

Terms = Mapping[str, Any]  # the terms of a match, which determine its games, as JSON


@dataclass
class Ledger:
    """The finished games of a match, and its open file, if any."""

    log: Log | None
    records: dict[int, Record]  # the finished games by number

    @classmethod
    def in_memory(cls) -> Self:
        return cls(None, {})

    @classmethod
    def open(cls, path: Path, terms: Terms) -> Self:
        """Create or resume a file; raises `FileError` or `LockedError`."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError as error:
            raise file_error(path, error) from None
        log, content = Log.open(path)
        try:
            head, line_break, _ = content.partition(b"\n")
            if content and not content.startswith(HEAD.encode()[: len(content)]):
                raise FileError("{file} exists, and is not the file of a match", file=str(path))
            if not line_break:
                if content:
                    log.cut(0)
                log.append(f"{HEAD}{json.dumps(terms, ensure_ascii=False)}\n")
                return cls(log, {})
            _check_same(path, terms, head)
            whole = len(head) + 1
            for found in _WHOLE.finditer(content):
                whole = found.end()
            if content[whole:].strip():
                log.cut(whole)
            lines = content[:whole].decode("utf-8").splitlines(keepends=True)
            records = {int(record.tags[ROUND]): record for record in read_records(lines, str(path))}
        except (KeyError, ValueError) as error:
            log.close()
            if isinstance(error, FileError):
                raise
            raise FileError("{file} is not a complete file of a match", file=str(path)) from None
        return cls(log, records)

    def add(self, number: int, record: Record, forfeits: tuple[Forfeited, ...] = ()) -> None:
        """Append a finished game; the transcripts of its forfeits go to a separate file."""
        assert number not in self.records, number
        if self.log:
            for forfeit in forfeits:
                head = f"game {number}, {forfeit.turn}, {forfeit.name}: {forfeit.message}"
                keep_transcript(self.log.path, head, forfeit.transcript)
            self.log.append("\n" + format_record(record))
        self.records[number] = record

    def keep_fault(self, number: int, error: Exception) -> TrineError:
        """Write the traceback of our own error to the transcripts; return a readable error."""
        problem = f"{type(error).__name__}: {error}"
        if not self.log:
            return TrineError("game {number} failed: {problem}", number=number, problem=problem)
        trace = "".join(traceback.format_exception(error))
        keep_transcript(self.log.path, f"game {number}: {problem}", trace)
        return TrineError(
            "game {number} failed: {problem}; more is in {file}",
            number=number,
            problem=problem,
            file=str(transcripts_path(self.log.path)),
        )

    def close(self) -> None:
        if self.log:
            self.log.close()


def _check_same(path: Path, terms: Terms, head: bytes) -> None:
    held = json.loads(head.decode("utf-8").removeprefix(HEAD))
    # Values that JSON does not distinguish, such as tuples and lists, are equal.
    asked = json.loads(json.dumps(terms))
    for what in {**asked, **held}:
        if held.get(what) != (wanted := asked.get(what)):
            raise FileError(
                "{file} holds a match with other {what}: {held}, not {wanted}",
                file=str(path),
                what=what,
                held=json.dumps(held.get(what), ensure_ascii=False),
                wanted=json.dumps(wanted, ensure_ascii=False),
            )


CLOSE_TIMEOUT: Final = 10.0
"""Units: seconds; the time for players to close when a match is aborted, which includes killing
programs that do not quit. Guess."""


def play_game_of(match: Match, factory: PlayerFactory, fixture: Fixture) -> Played:
    try:
        return play_fixture(match, fixture, partial(_open, factory), _Work.stop)
    finally:
        _Work.players.clear()


class _Work:
    """The state of a worker process."""

    players: Final[list[Player]] = []
    stop: Final = Stop()  # set when the process has to exit
    lock: Final = threading.Lock()  # held while a player is opened


def close_players() -> None:
    """Close the players of this process before it exits."""
    # Wait for a player that is being opened, to close it too; then no player can be opened.
    _Work.lock.acquire(timeout=CLOSE_TIMEOUT)
    _Work.stop.set()
    # Not daemons: the game may fail by this, and the process must not exit before they end.
    threads = [threading.Thread(target=_close, args=(player,)) for player in list(_Work.players)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(CLOSE_TIMEOUT)


def _close(player: Player) -> None:
    with suppress(Exception):
        player.close()


def _open(
    factory: PlayerFactory,
    words: str,
    game: str,
    settings: PlayerResources,
    show: Show | None = None,
) -> Player:
    with _Work.lock:
        player = factory(words, game, settings, show)
        _Work.players.append(player)
    return player


@dataclass(frozen=True)
class Started:
    """Event: a game has begun."""

    fixture: Fixture


Event = Started | Played


def run_match(
    match: Match,
    standings: Standings,
    ledger: Ledger,
    *,
    backend: Backend = IN_PROCESS,
    factory: PlayerFactory = open_player,
) -> Generator[Event, None, None]:
    """Play the missing games of a match; yield an event when a game begins and ends.

    When the end of a game is yielded, the game is in the ledger and in the standings. Closing the
    generator aborts running games; another run plays them again. ``backend`` plays as many games in
    parallel as it has workers.

    Raises:
        FileError: a game cannot be written to the ledger.
        TrineError: an entrant names no player, a worker died, or a game failed.
    """
    missing = standings.missing()
    if not missing:
        return
    with closing(backend.open(len(missing), close_players)) as workers:
        play = partial(play_game_of, match, factory)
        yield from _play_all(workers, play, missing, standings, ledger)


def _play_all(
    workers: Workers,
    play: Callable[[Fixture], Played],
    missing: list[Fixture],
    standings: Standings,
    ledger: Ledger,
) -> Generator[Event, None, None]:
    waiting = iter(missing)
    playing: PendingJobs[Fixture, Played] = PendingJobs(workers)
    try:
        while True:
            while playing.has_capacity and (fixture := next(waiting, None)):
                yield Started(fixture)
                playing.submit(fixture, partial(play, fixture))
            done = sorted(playing.wait(), key=lambda one: one[0].number)
            if not done:
                return
            for fixture, game in done:
                if not game.exception():
                    with _game_named_in_errors(fixture, ledger):
                        played = game.result()
                        ledger.add(played.fixture.number, played.record, played.forfeits)
                        standings.add(played.fixture.number, played.record)
                    yield played
            for fixture, game in done:
                with _game_named_in_errors(fixture, ledger):
                    game.result()  # raises the error of the game, after all results are stored
            if standings.verdict:
                return
    except BrokenExecutor:
        raise TrineError(
            "a process that was playing a game has died; with --out, the same command goes on "
            "with the match"
        ) from None


@contextmanager
def _game_named_in_errors(fixture: Fixture, ledger: Ledger) -> Iterator[None]:
    """Within the block, replace an error of our own code by one that names the game."""
    try:
        yield
    except (TrineError, BrokenExecutor):
        raise
    except Exception as error:
        raise ledger.keep_fault(fixture.number, error) from error
