"""Serving a house: one process, from its folder, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import structlog
import uvicorn
from structlog.stdlib import ProcessorFormatter
from structlog.typing import Processor

from trine.house.bots import Bots
from trine.house.demo import run_demo
from trine.house.house import House, home_name
from trine.house.mail import Mail, read_settings
from trine.house.passwords import Passwords
from trine.house.push_settings import Push, read_push
from trine.house.shared_bots import SharedBots
from trine.store.store import Store
from trine.web.guard import ADDRESS, Origins
from trine.web.messages import FRAME
from trine.web.protocols import PageProtocol, SocketProtocol
from trine.web.site import Site, report

DRAIN: Final = 4
"""Units: seconds; after so long what is still under way is broken off."""
COLLECT: Final = (20_000, 50, 50)
"""Thresholds of the search for garbage: seldom, since almost nothing is part of a cycle. Guess."""
SWITCH: Final = 0.001
"""Units: seconds; the thread that writes may hold up the event loop for so long at once."""
DATABASE: Final = "house.db"
GAMES: Final = "games"


@dataclass(frozen=True)
class Serving:
    """The settings with which a house is served."""

    folder: Path
    host: str = "127.0.0.1"
    port: int = 8040
    demo: bool = False
    origins: Sequence[str] = ()
    """Under which other names pages of the house are reached, as through a proxy."""
    metrics_port: int | None = None
    metrics_token: str = ""
    workers: int | None = None
    address_credits: int = ADDRESS
    """Messages that one address may send in 20 s."""
    database: str = ""
    """The URL of a database that several processes share; empty for a file in the folder."""
    node: str = ""
    """Where a proxy reaches this process, as ``host:port``; empty for where it listens."""


def serve(
    serving: Serving,
    opened: Callable[[str], None],
    bots: Bots | None = None,
    passwords: Passwords | None = None,
    mail: Mail | None = None,
) -> None:
    """Serve until Ctrl-C; ``opened`` is told the address.

    Args: ``bots`` think; without them there are worker processes, which are made ready at once.
    ``passwords`` are hashed as those do it. ``mail`` sends letters; without it the settings in
    the folder say how, if there are some.

    Raises:
        MalformedError: the settings of letters, or of notices to devices, are wrong.
        OSError: the port cannot be had.
        StoreError: the database cannot be opened.
    """
    log_plainly()
    sys.setswitchinterval(SWITCH)
    if mail is None and (settings := read_settings(serving.folder)):
        mail = Mail.of(settings)
    with Store.open(serving.database or serving.folder / DATABASE) as store:
        push = read_push(serving.folder, shared=store.homes.shared)
        asyncio.run(_serve(serving, store, opened, bots, passwords, mail, push))


async def _serve(
    serving: Serving,
    store: Store,
    opened: Callable[[str], None],
    bots: Bots | None,
    passwords: Passwords | None,
    mail: Mail | None,
    push: Push | None,
) -> None:
    sockets = [listen(serving.host, serving.port)]
    port = sockets[0].getsockname()[1]

    async def open_house() -> House:
        shared = SharedBots(store, serving.workers) if store.homes.shared else None
        thinkers = bots or shared or Bots(serving.workers)
        house = await House.open(
            store,
            bots=thinkers,
            games=serving.folder / GAMES,
            report=report,
            home=home_name(),
            address=serving.node or f"{_reached_at(serving.host)}:{port}",
            passwords=passwords,
            mail=mail,
            push=push,
        )
        thinkers.warm()
        return house

    async def after(house: House) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(_spare(house))
            if serving.demo:
                group.create_task(run_demo(house))
            if serving.metrics_port is not None:
                group.create_task(_serve_metrics(site, serving.metrics_port))

    site = Site(
        open_house,
        origins=Origins(serving.origins),
        metrics_token=serving.metrics_token,
        opened=after,
        address_credits=serving.address_credits,
    )
    config = uvicorn.Config(
        site.app,
        host=serving.host,
        port=serving.port,
        log_config=None,
        access_log=False,
        server_header=False,
        http=PageProtocol,
        ws=SocketProtocol,
        ws_max_size=FRAME,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=DRAIN,
        timeout_keep_alive=30,
    )
    shown = "localhost" if serving.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else serving.host
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    server = _Server(config, lambda: opened(f"http://{shown}:{port}/"), site.streams.end_all)
    with sockets[0], suppress(asyncio.CancelledError):
        await server.serve(sockets)


def _reached_at(host: str) -> str:
    """The name under which this machine is reached by others, where nobody has said it."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


async def _spare(house: House) -> None:
    """Have the search for garbage hold up nobody: what is there at the start is not looked at."""
    await house.recovered.wait()
    gc.freeze()
    gc.set_threshold(*COLLECT)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; small messages leave it at once.

    Raises:
        OSError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The event loop turns Nagle's algorithm off only where the protocol is named.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening


class _Server(uvicorn.Server):
    """Tells when it is open, and when it is about to close."""

    def __init__(
        self, config: uvicorn.Config, opened: Callable[[], None], closes: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._opened, self._closes = opened, closes

    async def startup(self, sockets: list[Any] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        if self.started:
            self._opened()

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """End; answers that would go on for ever end first."""
        self._closes()
        await super().shutdown(sockets)


async def _serve_metrics(site: Site, port: int) -> None:
    """Tell the figures on a port of their own, to this machine alone."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.TimeoutError, asyncio.LimitOverrunError, ValueError):
            async with asyncio.timeout(5):
                await reader.readuntil(b"\r\n\r\n")
                figures = site.metrics.exposition(site.house)
                head = (
                    f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {len(figures)}"
                )
                writer.write(f"{head}\r\nConnection: close\r\n\r\n".encode() + figures)
                await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port) as server:
        await server.serve_forever()


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a line says more than that the house is closed while it opens."""
    return not record.getMessage().rstrip().endswith("CancelledError")


def log_plainly() -> None:
    """Write the log to standard error, one JSON object a line; tokens and queries are not in it."""
    ours: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*ours, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # Libraries have loggers of the standard library.
    theirs = logging.StreamHandler(sys.stderr)
    lines: list[Processor] = [
        ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(),
    ]
    theirs.setFormatter(ProcessorFormatter(foreign_pre_chain=ours, processors=lines))
    logging.basicConfig(level=logging.WARNING, handlers=[theirs])
