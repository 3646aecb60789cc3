"""The status report of a house, for the web page and the command line.

Each process stores its metrics three times a minute in the database, so that they can be read for
all processes, even for one that was killed.
"""

import shutil
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, func, select
from sqlalchemy import text as sql
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine import __version__
from trine.core.clock import DAY
from trine.core.text.sentence import Text, join, number, text, verbatim
from trine.house.background import Now, Report
from trine.house.games.storage.tables import Stage, count_games
from trine.house.games.view.game_choices import days, time_text
from trine.house.house_settings import BackupSettings
from trine.house.moderation.routes import administrator
from trine.house.moderation.tables import VERSION, AuditRow, add_audit, last_audit, names_of
from trine.house.notify.notices import EMAIL
from trine.house.notify.tables import EMAIL_ADDRESS
from trine.house.people.accounts import Accounts
from trine.house.people.browsers import BROWSER_LIFETIME
from trine.house.people.tables import Person
from trine.house.processes.tables import all_figures
from trine.house.retention import Retention
from trine.house.store.database import last_revision, revision_of
from trine.house.store.postgres import is_shared
from trine.house.store.scheduled_tasks import SCHEDULED_TASK
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from trine.house.web.frame import Frame
from trine.house.web.metrics import LoopStall
from trine.house.web.pages import minute

POLL_INTERVAL: Final = 20.0  # seconds; the interval between two stores of the metrics
STALE_AFTER: Final = 60.0  # seconds; a process whose metrics are older counts as gone
FAULTS_SHOWN: Final = 5  # number of latest faults that are shown
MAX_TRACEBACK: Final = 2000
"""Units: characters; the maximum length of a traceback, which is cut at its beginning."""
LOW_DISK_SHARE: Final = 0.05  # the report warns if a smaller share of the disk is free. Guess
NO_DELAY: Final[Mapping[str, Any]] = asdict(LoopStall())
_FILES: Final = {
    "records": text("Records of games"),
    "archive": text("Archive"),
    "backups": text("Backups"),
    "log": text("Access log"),
}
"""The kinds of files outside the database."""
_TABLES_OF_SQLITE: Final = """
    SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name)
    WHERE aggregate = TRUE GROUP BY tbl_name ORDER BY 2 DESC LIMIT 5
"""
_TABLES_OF_POSTGRES: Final = """
    SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables
    WHERE schemaname = current_schema() ORDER BY 2 DESC LIMIT 5
"""


class Faults:
    """A fault reporter that logs each fault, counts faults, and keeps the last ones."""

    def __init__(self, report: Report, now: Now) -> None:
        self._report, self._now = report, now
        self.count = 0
        self.last: deque[Mapping[str, Any]] = deque(maxlen=FAULTS_SHOWN)

    def __call__(self, words: str, error: BaseException | None = None, **about: Any) -> None:
        self._report(words, error, **about)
        if error:
            self.count += 1
            trace = "".join(traceback.format_exception(error))[-MAX_TRACEBACK:]
            message = f"{words}: {error!r}"[:MAX_TRACEBACK]
            self.last.append({"at": self._now(), "told": message, "trace": trace})


@dataclass(frozen=True)
class StatusLine:
    """A line of the report, with one figure or several."""

    topic: Text
    value: Text
    more: str = ""
    wrong: bool = False  # whether the host should do something about it


@dataclass(frozen=True)
class StatusSection:
    """A section of the report."""

    title: Text
    lines: Sequence[StatusLine]


@dataclass(frozen=True)
class StatusReport:
    """The status report of a house.

    ``folder`` has the house's settings and records; None if there is no such folder. Only `measure`
    needs ``archive`` and ``log``, the name of the access log.
    """

    keep: Retention
    backup: BackupSettings | None
    folder: Path | None
    archive: Path | None = None
    log: str = ""

    def read(self, connection: Connection, now: float) -> Sequence[StatusSection]:
        """Return all sections; ``now`` is in seconds since 1970."""
        kind = "PostgreSQL" if is_shared(connection) else "SQLite"
        version = StatusLine(text("Version"), verbatim(f"trine {__version__}, {kind}"))
        now_at, needed = revision_of(connection), last_revision(SCHEMA)
        if now_at != needed:
            late = text(
                "{revision}; this program needs {needed}, and makes it so when the house opens",
                revision=str(now_at),
                needed=str(needed),
            )
            schema = StatusLine(text("Schema"), late, "", wrong=True)
            return [StatusSection(text("House"), [version, schema])]
        processes = sorted(all_figures(connection).items(), key=lambda one: one[1]["at"])
        alive = [
            one for one in processes if one[1]["at"] > now - STALE_AFTER and not one[1]["ended"]
        ]
        if not is_shared(connection):
            alive = alive[-1:]  # SQLite has one process; an older one was killed a moment ago
        here, is_open = dict(alive or processes[-1:]), bool(alive)
        newest = max((one["at"] for one in here.values()), default=0.0)
        at_work = (
            text("yes; figures of {minute}", minute=minute(newest))
            if is_open
            else text("no; last figures of {minute}", minute=minute(newest) if newest else "–")
        )
        return [
            StatusSection(
                text("House"),
                [
                    version,
                    StatusLine(text("Schema"), verbatim(str(now_at))),
                    StatusLine(text("Last upgrade"), _last_upgrade(connection)),
                    StatusLine(text("Is open"), at_work, "", not is_open),
                    *_people(connection, here.values() if is_open else ()),
                ],
            ),
            *(_load(name if len(here) > 1 else "", one) for name, one in here.items()),
            StatusSection(text("Disk"), [*self._disk(connection, here.values())]),
            StatusSection(text("Backups"), [self._backups(now)]),
            StatusSection(text("What expires"), [*self._retention_lines(here.values())]),
            StatusSection(text("E-mail"), [*_letters(connection, here.values(), now)]),
            StatusSection(text("Faults since the start"), [*_faults(here.values())]),
        ]

    def measure(self, connection: Connection) -> dict[str, Any]:
        """Measure disk usage; this scans everything, so the report shows the last result.

        Returns: the number and the total bytes of files by kind, and the bytes of the largest
            tables.
        """
        files: dict[str, Iterable[Path]] = {}
        if self.folder:
            files["records"] = (self.folder / "games").glob("*.trine")
        if self.archive:
            files["archive"] = self.archive.rglob("*")
        if self.backup:
            files["backups"] = self.backup.files()
        if self.folder and self.log:
            log = self.folder / self.log
            files["log"] = log.parent.glob(f"{log.name}*")
        asked = _TABLES_OF_POSTGRES
        if not is_shared(connection):
            known = "SELECT sqlite_compileoption_used('ENABLE_DBSTAT_VTAB')"
            asked = _TABLES_OF_SQLITE if connection.execute(sql(known)).scalar() else ""
        tables = connection.execute(sql(asked)) if asked else ()
        return {
            "files": {kind: _room_of(paths) for kind, paths in files.items()},
            "tables": {name: int(room) for name, room in tables},
        }

    def _disk(
        self, connection: Connection, processes: Collection[Mapping[str, Any]]
    ) -> Iterable[StatusLine]:
        size = (
            "pg_database_size(current_database())"
            if is_shared(connection)
            else "page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        )
        stored = connection.execute(sql(f"SELECT {size}")).scalar_one()
        yield StatusLine(text("Database"), _size(stored))
        newest: Mapping[str, Any] = max(processes, key=lambda one: float(one["at"]), default={})
        measured = newest.get("disk") or {"tables": {}, "files": {}}
        tables = [
            join([verbatim(f"{table} "), _size(room)], "")
            for table, room in measured["tables"].items()
        ]
        if tables:
            yield StatusLine(text("Largest tables"), join(tables))
        for kind, (count, room) in measured["files"].items():
            value = text("{size} in {count} files", size=_size(room), count=count)
            yield StatusLine(_FILES[kind], value)
        if self.folder and self.folder.is_dir():
            disk = shutil.disk_usage(self.folder)
            free = text("{size} of {all}", size=_size(disk.free), all=_size(disk.total))
            yield StatusLine(text("Free space"), free, "", disk.free < disk.total * LOW_DISK_SHARE)

    def _backups(self, now: float) -> StatusLine:
        topic = text("Last one")
        if not self.backup:
            return StatusLine(topic, text("none is set up: [backup] in house.toml"), "", wrong=True)
        if not (made := self.backup.files()):
            none = text("none in {folder}", folder=self.backup.folder)
            return StatusLine(topic, none, "", wrong=True)
        at, size = made[-1].stat().st_mtime, made[-1].stat().st_size
        value = text(
            "{file}, {size}, {time} ago; {count} are kept",
            file=made[-1].name,
            size=_size(size),
            time=time_text(now - at),
            count=len(made),
        )
        return StatusLine(topic, value, "", now - at > 2 * DAY)

    def _retention_lines(self, processes: Collection[Mapping[str, Any]]) -> Iterable[StatusLine]:
        keep = self.keep
        for name, topic, after in (
            ("guests", text("Inactive guests"), keep.guests),
            ("analyses", text("Analyses of guests"), keep.analyses),
            ("unbegun", text("Games and tournaments that never began"), keep.unbegun),
            ("moderation", text("Closed reports, sanctions and old log entries"), keep.moderation),
            ("browsers", text("Unused browsers"), round(BROWSER_LIFETIME / DAY)),
            ("sessions", text("Logins without a visit"), keep.guests),
        ):
            went = sum(one["went"].get(name, 0) for one in processes)
            value = text("after {days}; {count} went since the start", days=days(after), count=went)
            yield StatusLine(topic, value)


def _room_of(paths: Iterable[Path]) -> tuple[int, int]:
    """Return the number of files, and their bytes in total."""
    sizes = []
    for path in paths:
        with suppress(OSError):  # deleted since it was listed
            if path.is_file():
                sizes.append(path.stat().st_size)
    return len(sizes), sum(sizes)


def note_version(connection: Connection, now: float) -> None:
    """Write an audit entry if another version of the program serves the house than before."""
    version = f"trine {__version__}, {revision_of(connection)}"
    before = last_audit(connection, 1, VERSION)
    if not before or before[0].detail != version:
        add_audit(
            connection, AuditRow(at=now, actor=None, what=VERSION, person=None, detail=version)
        )


def _last_upgrade(connection: Connection) -> Text:
    noted = last_audit(connection, FAULTS_SHOWN, VERSION)
    newest = noted[0] if noted else None
    former = next((one for one in noted if newest and one.detail != newest.detail), None)
    if newest and former:
        return text("{minute}, from {version}", minute=minute(newest.at), version=former.detail)
    return text("none since {minute}", minute=minute(newest.at) if newest else "–")


def _people(connection: Connection, here: Collection[Mapping[str, Any]]) -> Iterable[StatusLine]:
    online = sorted(
        names_of(connection, {one for metrics in here for one in metrics["online"]}).values()
    )
    games = count_games(connection)
    yield StatusLine(text("Online"), verbatim(", ".join(online) or "0"))
    yield StatusLine(
        text("Games"),
        text(
            "{waiting} games wait for players, {playing} are played, {over} are over",
            waiting=games[Stage.WAITING],
            playing=games[Stage.PLAYING],
            over=games[Stage.OVER],
        ),
    )


def _load(process: str, metrics: Mapping[str, Any]) -> StatusSection:
    figures = metrics["figures"]

    def count(name: str) -> Text:
        return number(round(figures.get(f"trine_{name}", 0)))

    def seconds(count: float) -> Text:
        return text("{seconds} s", seconds=number(count, 2))

    longest, last = metrics.get("longest", NO_DELAY), figures["trine_loop_late_last_minute_seconds"]
    late = [
        text(
            "{last} in the last minute, {longest} since the start",
            last=seconds(last),
            longest=seconds(longest["seconds"]),
        )
    ]
    if longest["calls"]:
        task = longest["task"] or "–"
        late.append(text("{minute}, by {task}", minute=minute(longest["at"]), task=task))
    return StatusSection(
        text("Process {name}", name=process) if process else text("Process"),
        [
            StatusLine(text("Open since"), verbatim(minute(metrics["since"]))),
            StatusLine(text("Open pages"), count("sockets")),
            StatusLine(text("Games in memory"), count("games")),
            StatusLine(text("Load of the machine"), number(metrics["load"], 2)),
            StatusLine(text("Longest delay"), join(late, "; "), longest["calls"], last > 1),
            StatusLine(text("Writes waiting"), count("writes_waiting")),
            StatusLine(text("Computations waiting"), count("bots_waiting")),
            StatusLine(
                text("Requests"),
                text(
                    "{waiting} wait, {refused} were refused",
                    waiting=count("requests_waiting"),
                    refused=count("requests_refused"),
                ),
            ),
        ],
    )


def _letters(
    connection: Connection, here: Collection[Mapping[str, Any]], now: float
) -> Iterable[StatusLine]:
    late = select(func.count()).where(SCHEDULED_TASK.c.kind == EMAIL, SCHEDULED_TASK.c.at < now)
    rest = select(func.count()).where(EMAIL_ADDRESS.c.suspended_at.is_not(None))
    yield StatusLine(text("E-mails waiting"), number(connection.execute(late).scalar_one()))
    yield StatusLine(
        text("Addresses without a mailbox"), number(connection.execute(rest).scalar_one())
    )
    for metrics in here:
        if emails := metrics["emails"]:
            count = text("{sent} sent, {failed} failed", **emails)
            yield StatusLine(text("Since the start"), count)
            if emails["why"]:
                yield StatusLine(text("Last failure"), verbatim(emails["why"]), "", wrong=True)


def _faults(here: Collection[Mapping[str, Any]]) -> Iterable[StatusLine]:
    yield StatusLine(text("How many"), number(sum(metrics["faults"]["count"] for metrics in here)))
    for metrics in here:
        for one in reversed(metrics["faults"]["last"]):
            yield StatusLine(
                verbatim(minute(one["at"])), verbatim(one["told"]), one["trace"], wrong=True
            )


def _size(count: float) -> Text:
    """Return a size in words; ``count`` is in bytes.

    >>> str(_size(3 * 2**30)), str(_size(1.5 * 2**20))
    ('3.0 GiB', '1.5 MiB')
    """
    if count >= 2**30:
        return text("{size} GiB", size=number(count / 2**30, 1))
    return text("{size} MiB", size=number(count / 2**20, 1))


def routes(
    frame: Frame[Person],
    accounts: Accounts,
    store: Store,
    desk: StatusReport,
    keep_figures: Callable[[], Awaitable[None]],
) -> list[Route]:
    """Return the route of the status page; ``keep_figures`` stores this process's metrics."""

    async def show(request: Request) -> Response:
        await administrator(frame, accounts, request)
        await keep_figures()
        parts = await store.fetch(desk.read, store.now())
        return await frame.show(request, "house.html", parts=parts)

    return [Route("/house", show)]
