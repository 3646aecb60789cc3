"""The file of a match: a header with the terms of the match, then the records of finished games.

The header is one comment line of JSON, so the file is a valid file of records. A game is written as
a whole when it is over, and is on disk before the next result counts. After a power cut or ``kill
-9``, a torn record at the end is cut off, and all games before it count.
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from trine.core.contract.record import Record, format_record, read_records
from trine.core.errors import FileError, TrineError
from trine.core.work.files import file_error
from trine.engine.arena.contest import Forfeited
from trine.engine.players.forfeits import keep_transcript, transcripts_path
from trine.play.record.log import Log

HEAD: Final = "# trine match "
ROUND: Final = "Round"
"""The tag of the number of a game."""
_WHOLE: Final = re.compile(rb"(?m)^\[Result \"[^\n]*\n\[Reason \"[^\n]*\n")

Terms = Mapping[str, Any]
"""The terms of a match, which determine its games, as JSON."""


@dataclass
class Ledger:
    """The finished games of a match, and its open file, if any."""

    log: Log | None
    records: dict[int, Record]
    """The finished games by number."""

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
