"""The journal of a game as a text file, which is its record at any time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trine.core.contract.record import format_tag
from trine.core.contract.seat import Seat
from trine.play.record.log import Log
from trine.play.record.replay import closing_tags
from trine.play.record.resume import Damage, resume
from trine.play.record.terms import Terms
from trine.play.session.entries import Entry, Kind
from trine.play.session.game import Game, Now
from trine.play.session.reading import Reading
from trine.play.session.state import State
from trine.play.session.written import head_tags, written


@dataclass
class FileJournal:
    """A journal in a file, which is created with the first entry."""

    path: Path
    seats: Sequence[Seat]
    """The seats of the board."""
    _log: Log | None = field(default=None)

    @property
    def log(self) -> Log:
        """The file, which exists once the game has begun."""
        assert self._log
        return self._log

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries to the end of the file, and sync it to the disk."""
        first, *others = entries
        if first.kind is Kind.BEGIN:
            self._log = Log.create(self.path, head_tags(first))
            if result := first.data.get("result"):
                self.log.append("".join(f"{format_tag(*tag)}\n" for tag in result.items()))
        else:
            others = [first, *others]
        told, line_open = "", self.log.line_open
        for entry in others:
            told += written(entry, self.seats, line_open=line_open)
            line_open = not told.endswith("\n") if told else line_open
        if told:
            self.log.append(told)
        self.log.beat(entries[-1].at)

    def beat(self, at: float) -> None:
        """Set the modification time of the file."""
        self.log.beat(at)

    def close(self) -> None:
        """Close the file."""
        if self._log:
            self._log.close()


def begin_in_file(terms: Terms, path: Path, now: Now | None = None) -> Game[FileJournal]:
    """Begin a game with a new file as its journal.

    Raises:
        FileError: the file exists, or cannot be written.
    """
    return Game.begin(terms, FileJournal(path, terms.start.seats), now)


def resume_from_file(
    path: Path, now: Now | None = None, before: Callable[[State], None] | None = None
) -> tuple[Game[FileJournal], Damage | None]:
    """Resume a game from its file; also return the damaged part of the file, if any.

    Args: ``before`` is called before the game goes on, and prevents that by raising an error: then
        the file is as it was, except for a damaged end.

    Raises:
        TrineError: the file cannot be gone on with; see `trine.play.record.resume.resume`.
    """
    resumed = resume(path)
    try:
        log, reading = resumed.log, Reading(resumed.record)
        state = reading.state
        if before:
            before(state)
        journal = FileJournal(path, state.play.position.seats, log)
        if state.outcome:
            if "Result" not in resumed.record.tags:
                tags = closing_tags(journal.seats, state.outcome)
                broken = "\n" if log.line_open else ""
                log.append(broken + "".join(f"{format_tag(*tag)}\n" for tag in tags.items()))
            return Game(state, journal, now), resumed.damage
        alive = log.alive if reading.dated else None
        return Game.resume(state, journal, now, alive=alive), resumed.damage
    except BaseException:
        resumed.log.close()
        raise
