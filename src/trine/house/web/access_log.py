"""The access log: a line for each request, in the combined format of web servers.

Queries and tokens in paths are left out, and a referring page is logged only by its site: nothing
in the log gives access to anything.
"""

import logging
import time
from datetime import datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Final
from urllib.parse import quote

from starlette.datastructures import Headers as RequestHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trine.house.store.secrets import is_token
from trine.house.web.headers import split_url

_LINE: Final = '%s - - [%s] "%s %s HTTP/%s" %d %d "%s" "%s"'


class AccessLog:
    """An ASGI app that logs a line for each response of another app, once the response has ended.

    The file may be moved away, as by logrotate; then a new one is begun. Raises `OSError`.
    """

    def __init__(self, app: ASGIApp, path: Path) -> None:
        self._app = app
        path.touch(0o640)
        self._log = logging.Logger("access")
        self._log.addHandler(WatchedFileHandler(path, encoding="utf-8"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        status, sent = 500, 0

        async def send_counted(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "websocket.accept":
                status = 101
            else:
                status = message.get("status", status)
                sent += len(message.get("body", b""))
            await send(message)

        came = time.time()
        try:
            await self._app(scope, receive, send_counted)
        finally:
            self._write(scope, came, status, sent)

    def _write(self, scope: Scope, came: float, status: int, sent: int) -> None:
        headers = RequestHeaders(scope=scope)
        client = scope.get("client")
        referer = split_url(headers.get("referer", ""))
        self._log.info(
            _LINE,
            client[0] if client else "-",
            datetime.fromtimestamp(came).astimezone().strftime("%d/%b/%Y:%H:%M:%S %z"),
            scope.get("method", "GET"),
            redacted_path(scope),
            scope.get("http_version", "1.1"),
            status,
            sent,
            _plain(f"{referer.scheme}://{referer.netloc}/" if referer.netloc else "-"),
            _plain(headers.get("user-agent", "-")),
        )


def redacted_path(scope: Scope) -> str:
    """Return the path of a request with its tokens masked."""
    parts = ("*" if is_token(one) else one for one in scope["path"].split("/"))
    return quote("/".join(parts), safe="/*")


def _plain(raw: str) -> str:
    r"""Return a user-agent or referrer for a log line, between quotation marks.

    >>> _plain('a "b"\n')
    'a \\"b\\"\\n'
    """
    return raw.encode("unicode_escape").decode("ascii").replace('"', '\\"')
