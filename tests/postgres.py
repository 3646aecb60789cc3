"""A server of PostgreSQL for tests: one for the whole run of a process, in a folder that goes with it.

It is started with what is installed (`postgres` on the path, or where Debian keeps it) and listens
at a socket in its folder alone. As root, who may not run it, it is run by another user. Each test
has a database under a name of its own: the database of a test that is over, without its rows, or a
copy of an empty one. Copying and dropping one takes a third of a second of a processor.
"""

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import URL, Engine, NullPool, create_engine, text

from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from waiting import PATIENCE, wait_until

EMPTY = "trine_empty"
UNSAFE = ("fsync=off", "full_page_writes=off", "max_connections=60", "shared_buffers=16MB")
"""Durability is off: no test kills the server."""
HANG_UP = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = :name"
CLEAR = """
DO $$ DECLARE name regclass; BEGIN
  SET LOCAL session_replication_role = replica;  -- foreign keys ask for no order then
  FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relname <> 'alembic_version'
    AND relnamespace = 'public'::regnamespace
  LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
END $$
"""
SIGNATURE = """
SELECT array_agg((attrelid::regclass, attnum, attname, atttypid, attnotnull) ORDER BY attrelid, attnum)::text,
  (SELECT count(*) FROM pg_constraint), (SELECT count(*) FROM pg_trigger),
  (SELECT array_agg(version_num) FROM alembic_version)
FROM pg_attribute WHERE attrelid IN
  (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
"""
"""What a test may change besides rows."""


def program(name: str) -> Path | None:
    """Return a program of the newest installed PostgreSQL."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=_version)
    found = shutil.which(name)
    return debian[-1] if debian else Path(found) if found else None


def _version(path: Path) -> int:
    return int(path.parts[-3]) if path.parts[-3].isdecimal() else 0


def why_missing() -> str:
    """Return why no server can run here; empty if one can."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed"
    if not (program("initdb") and program("postgres")):
        return "PostgreSQL is not installed (scripts/postgres installs it where apt-get can)"
    return ""


class Server:
    def __init__(self, folder: Path, *options: str) -> None:
        self._folder = folder
        self._user = _unprivileged()
        if self._user:
            os.chown(folder, self._user.pw_uid, self._user.pw_gid)
        data = folder / "data"
        made = ["-D", str(data), "-U", "trine", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"]
        self._run("initdb", *made).communicate(timeout=PATIENCE)
        given = [word for option in (*UNSAFE, *options) for word in ("-c", option)]
        listen = ["-c", "listen_addresses=", "-k", str(folder)]
        self.process = self._run("postgres", "-D", str(data), *listen, *given)
        self.url = URL.create(
            "postgresql", "trine", database="postgres", query={"host": str(folder)}
        )
        self._engine = create_engine(
            self.url.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
        )
        self._wait()
        self.do(f"CREATE DATABASE {EMPTY}")
        Store.open(self.url_of(EMPTY), SCHEMA).close()
        self._signature = self._clear(EMPTY)
        self._spare: list[str] = []

    @property
    def engine(self) -> Engine:
        return self._engine

    def do(self, statement: str) -> None:
        with self._engine.connect() as connection:
            connection.execute(text(statement))

    def url_of(self, database: str) -> str:
        return self.url.set(database=database).render_as_string(hide_password=False)

    @contextmanager
    def database(self, *, empty: bool = False) -> Iterator[str]:
        """Yield the URL of a new database, with the tables of a house or without tables."""
        name = f"trine_{secrets.token_hex(6)}"
        if self._spare and not empty:
            self.do(f"ALTER DATABASE {self._spare.pop()} RENAME TO {name}")
        else:
            self.do(f"CREATE DATABASE {name} TEMPLATE {'template1' if empty else EMPTY}")
        try:
            yield self.url_of(name)
        finally:
            if not empty and self._clear(name) == self._signature:
                self._spare.append(name)
            else:
                self.do(f"DROP DATABASE {name} WITH (FORCE)")

    def _clear(self, name: str) -> object:
        """Delete the rows of all tables; return the signature of the database."""
        with self._engine.connect() as connection:
            connection.execute(text(HANG_UP), {"name": name})
        engine = create_engine(self._engine.url.set(database=name), poolclass=NullPool)
        with engine.begin() as connection:
            connection.execute(text(CLEAR))
            return connection.execute(text(SIGNATURE)).one()

    def close(self) -> None:
        self._engine.dispose()
        self.process.terminate()
        self.process.wait(PATIENCE)

    def _run(self, name: str, *given: str) -> subprocess.Popen[bytes]:
        found = program(name)
        assert found
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [found, *given],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=_environment(),
                user=self._user.pw_uid if self._user else None,
                group=self._user.pw_gid if self._user else None,
                extra_groups=[] if self._user else None,
            )

    def _wait(self) -> None:
        def answers() -> bool:
            with suppress(Exception):
                self.do("SELECT 1")
                return True
            assert self.process.poll() is None, (self._folder / "log").read_text()
            return False

        wait_until(answers)


def _unprivileged() -> pwd.struct_passwd | None:
    """Return another user to run the server if this is root; else None."""
    if os.geteuid() != 0:
        return None
    known = {one.pw_name: one for one in pwd.getpwall()}
    return known.get("postgres") or known["nobody"]


def _environment() -> Mapping[str, str]:
    return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}


@contextmanager
def a_postgres(*options: str, within: Path | None = None) -> Iterator[Server]:
    """Run a server in its own folder, with settings such as ``fsync=on``.

    The folder's path is short, because the path of a socket is limited to about 100 characters.
    """
    folder = Path(tempfile.mkdtemp(prefix="trine-pg-", dir=within))
    try:
        server = Server(folder, *options)
        try:
            yield server
        finally:
            server.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
