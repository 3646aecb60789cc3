"""The server process of a house: it serves a house's folder until it is stopped."""

import asyncio
import gc
import logging
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import uvicorn
from prometheus_client import start_http_server

from trine.house.analysis.analysis_worker import AnalysisBots
from trine.house.app import House, home_name
from trine.house.background import log_plainly, report
from trine.house.house_settings import SECTIONS, BackupSettings, HouseSettings, read_section
from trine.house.notify.mail import Mail, MailSettings, base_url_of, read_settings
from trine.house.notify.push import PushSettings, read_push
from trine.house.notify.tables import has_devices
from trine.house.people.encryption import read_encryption
from trine.house.people.factors import has_encrypted
from trine.house.people.quotas import Quotas
from trine.house.retention import Retention, read_retention
from trine.house.site import Site
from trine.house.store.sqlite import lock_folder
from trine.house.store.store import Store
from trine.house.store.store_errors import UnusableError
from trine.house.tables import open_store
from trine.house.web.access_log import AccessLog
from trine.house.web.headers import Origins
from trine.house.web.messages import FRAME
from trine.house.web.metrics import Metrics
from trine.house.web.protocols import PageProtocol, SocketProtocol
from trine.house.web.rate_limits import ADDRESS_MESSAGES

DRAIN_TIMEOUT: Final = 4  # seconds; how long a shutdown waits for open requests
GC_THRESHOLDS: Final = (1_000, 20, 2_500)
"""Garbage-collection thresholds. A collection pauses all games, so each one is small, and full ones
are rare, since almost nothing is part of a cycle. Measured: docs/why/measuring-house.md."""
SWITCH_INTERVAL: Final = 0.001
"""Units: seconds; the maximum time slice of the writer's thread while the event loop waits."""
_CLIENT_FAULTS: Final = (
    "Invalid HTTP request",
    "Unsupported upgrade request",
    "No supported WebSocket",
    "Invalid UTF-8 sequence",
)
DATABASE: Final = "house.db"
GAMES: Final = "games"
SETTINGS: Final[Mapping[str, type]] = dict(
    zip(
        SECTIONS,
        (HouseSettings, Retention, MailSettings, PushSettings, BackupSettings),
        strict=True,
    )
)
"""The class of the settings of each section."""


@dataclass(frozen=True)
class ServeSettings:
    """The command-line options for serving a house."""

    folder: Path
    host: str = "127.0.0.1"
    port: int = 8040
    origins: Sequence[str] = ()  # further origins of the house, such as that of a proxy
    metrics_port: int | None = None
    metrics_token: str = ""
    workers: int | None = None
    address_credits: int = ADDRESS_MESSAGES  # number of messages that one address may send in 20 s
    share_address: bool = False  # whether people behind one network address may meet in rated games
    database: str = ""
    """The URL of a database that several processes share; empty for a file in the folder."""
    node: str = ""
    """This process's address for a proxy, as ``host:port``; empty for the listening address."""
    archive: Path | None = None  # the folder of the archive that the explorer searches


def serve(serving: ServeSettings, opened: Callable[[str], None], **given: Any) -> None:
    """Serve until Ctrl-C; ``opened`` is called with the URL when the house is open.

    ``given`` are services of the house that replace those made from its settings.

    Raises:
        MalformedError: the settings of e-mails or push notifications are wrong.
        OSError: the port is not available.
        StoreError: the database cannot be opened.
    """
    log_plainly()
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(*GC_THRESHOLDS)
    folder, mail = serving.folder, read_settings(serving.folder)
    serving = replace(serving, origins=(*serving.origins, base_url_of(folder)))
    place = serving.database or folder / DATABASE
    with lock_folder(folder) if not serving.database else nullcontext(), open_store(place) as store:
        used = store.read(has_devices) or store.read(has_encrypted)
        encryption = read_encryption(folder, shared=store.shared, used=used)
        parts = {
            "mail": Mail.of(mail) if mail else None,
            "push": read_push(folder, encryption),
            "encryption": encryption,
            "settings": read_section(folder, "house", HouseSettings),
            "backup": read_section(folder, "backup", BackupSettings),
            "keep": read_retention(folder),
            "archive": serving.archive,
            "open_store": partial(open_store, place),
        }
        asyncio.run(serve_store(serving, store, opened, **parts | given))


async def serve_store(
    serving: ServeSettings,
    store: Store,
    opened: Callable[[str], None],
    bots: AnalysisBots | None = None,
    **parts: Any,
) -> None:
    """Serve a house whose store is open, until stopped; ``parts`` are further services."""
    sockets = [listen(serving.host, serving.port)]
    port = sockets[0].getsockname()[1]

    settings: HouseSettings = parts.get("settings") or HouseSettings()
    more = settings.quotas * max(1.0, serving.address_credits / ADDRESS_MESSAGES)

    async def open_house() -> House:
        thinkers = bots or AnalysisBots(serving.workers)
        house = await House.open(
            store,
            bots=thinkers,
            records=serving.folder / GAMES,
            report=report,
            home=home_name(),
            share_address=serving.share_address,
            node_address=serving.node or f"{_reached_at(serving.host)}:{port}",
            quotas=Quotas(limit_factor=more),
            **parts,
        )
        thinkers.warm()
        return house

    replaced = False

    async def end_when_replaced(house: House) -> None:
        nonlocal replaced
        replaced = await house.database_watch.replaced.wait()
        server.should_exit = True

    def after(house: House) -> None:
        run = house.background.run
        run(partial(end_when_replaced, house), "the end without a database")
        run(partial(_spare, house), "the search for garbage")
        if serving.metrics_port is not None:
            run(partial(_serve_metrics, site.metrics, serving.metrics_port), "figures")

    site = Site(
        open_house,
        origins=Origins((*serving.origins, settings.address), serving.node),
        metrics_token=serving.metrics_token,
        opened=after,
        address_credits=serving.address_credits,
    )
    config = uvicorn.Config(
        AccessLog(site.app, serving.folder / log) if (log := settings.access_log) else site.app,
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
        timeout_graceful_shutdown=DRAIN_TIMEOUT,
        timeout_keep_alive=30,
    )
    shown = "localhost" if serving.host in ("127.0.0.1", "0.0.0.0", "::", "::1") else serving.host
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    server = _Server(config, lambda: opened(f"http://{shown}:{port}/"), site.end_streams)
    with sockets[0], suppress(asyncio.CancelledError):
        await server.serve(sockets)
    if replaced:  # a supervisor restarts the house with the new file
        raise UnusableError("another file has taken the place of the database")


def _reached_at(host: str) -> str:
    """Return the name of this machine for other machines, if none is configured."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


async def _spare(house: House) -> None:
    """Shorten garbage-collection pauses: exclude what exists after startup."""
    await house.recovery.done.wait()
    gc.freeze()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address, and sends at once; raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only if the socket's protocol is named.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening


class _Server(uvicorn.Server):
    """A server with callbacks for the end of startup and the beginning of shutdown."""

    def __init__(
        self, config: uvicorn.Config, opened: Callable[[], None], closes: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._opened, self._closes = opened, closes

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._opened()

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """Shut down, after ending the responses that would be endless."""
        self._closes()
        await super().shutdown(sockets)


async def _serve_metrics(metrics: Metrics, port: int) -> None:
    """Serve the metrics on a port of their own, to this machine only."""
    server, _ = start_http_server(port, "127.0.0.1", metrics.registry)
    try:
        await asyncio.Future()
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether a log line is of use to the host.

    Lines about malformed requests are not: any client could fill the log with them. Nor is a
    shutdown during startup.
    """
    message = record.getMessage().rstrip()
    return not message.startswith(_CLIENT_FAULTS) and not message.endswith("CancelledError")
