"""Push services: the addresses at which browsers receive messages.

A browser names the address, so anybody with an account could choose where the house sends requests.
It therefore sends them only to known push services, over HTTPS, to public addresses, and follows no
redirect.

Source: RFC 8030.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

import h11

from trine.core.errors import MalformedError
from trine.core.text.sentence import text
from trine.core.text.words import quoted
from trine.house.refusals import HouseError

SERVICES: Final = {
    "fcm.googleapis.com": "Google",
    "jmt17.google.com": "Google",  # Chromium without Google's own keys
    ".push.services.mozilla.com": "Mozilla",
    ".notify.windows.com": "Microsoft",
    ".push.apple.com": "Apple",
}
"""The owners of push services by host name; a leading dot stands for any subdomain."""
LONGEST: Final = 1024
"""Units: characters; the longest endpoint."""
PATIENCE: Final = 10.0
"""Units: seconds; the longest wait for a push service."""
ADDRESSES: Final = 3
"""The number of addresses of a name that are tried."""
READ: Final = 4096
"""Units: bytes; h11 takes no head of an answer of more than 16 KiB, and no body is read."""
_PLAIN: Final = re.compile(r"[!-~]+")


class UnreachableError(HouseError):
    """The error of a push service that could not be reached or did not answer."""

    def __init__(self, host: str) -> None:
        super().__init__(text("{host} could not be reached", host=host))


@dataclass(frozen=True)
class Endpoint:
    """The address of a device at a push service."""

    host: str
    port: int
    origin: str
    target: str
    """The part of the address after its origin."""
    named: bool
    """Whether the settings of the house name the service, which may then be in the local
    network."""

    @property
    def owner(self) -> str:
        return SERVICES.get(_suffix(self.host), self.host)


@dataclass(frozen=True)
class PushReply:
    """The answer of a push service."""

    status: int
    wait: float | None = None
    """Units: seconds; how long the service asks to wait."""

    @property
    def taken(self) -> bool:
        return 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        return self.status in (404, 410)


class PushServices:
    """The push services that a house uses."""

    def __init__(self, more: Sequence[str] = (), tls: ssl.SSLContext | None = None) -> None:
        self._more = frozenset(more)
        self._tls = tls or ssl.create_default_context()

    def read(self, given: str) -> Endpoint:
        """Read an endpoint, which must be at a known push service."""
        try:
            parts = urlsplit(given)
            port = parts.port
        except ValueError:
            raise UnknownServiceError(given) from None
        host, plain = parts.hostname or "", _PLAIN.fullmatch(given) and len(given) <= LONGEST
        if not plain or "@" in parts.netloc or "#" in given:
            raise UnknownServiceError(host)
        origin = f"{parts.scheme}://{parts.netloc.lower()}"
        usual = parts.scheme == "https" and port in (None, 443) and _suffix(host) in SERVICES
        if not usual and origin not in self._more:
            raise UnknownServiceError(host)
        secure = parts.scheme == "https"
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Endpoint(host, port or (443 if secure else 80), origin, target, not usual)

    async def post(self, to: Endpoint, headers: Mapping[str, str], body: bytes) -> PushReply:
        """Post a message to a push service.

        Raises:
            UnreachableError: the service cannot be reached, or does not answer in time.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await self._open(to)
                try:
                    return await _ask(reader, writer, to, headers, body)
                finally:
                    writer.transport.abort()
        except (OSError, h11.ProtocolError) as error:
            raise UnreachableError(to.host) from error

    async def _open(self, to: Endpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection; the address is checked before anything is sent."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(to.host, to.port, type=socket.SOCK_STREAM)
        known = dict.fromkeys(str(one[4][0]) for one in found)
        addresses = [one for one in known if to.named or _is_open(one)]
        secure = to.origin.startswith("https:")
        failed: OSError = OSError("no address of the open net")
        for address in addresses[:ADDRESSES]:
            try:
                return await asyncio.open_connection(
                    address,
                    to.port,
                    ssl=self._tls if secure else None,
                    server_hostname=to.host if secure else None,
                )
            except OSError as error:
                failed = error
        raise failed


class UnknownServiceError(HouseError):
    """The error of an address at no known push service."""

    def __init__(self, host: str) -> None:
        super().__init__(text("{host} is no push service that this house knows", host=quoted(host)))


def read_origin(given: str) -> str:
    """Read the origin of a push service from the settings.

    Without HTTPS it must be on this machine.

    Raises:
        MalformedError: it is none.

    >>> read_origin("https://Push.example.org/"), read_origin("http://127.0.0.1:8100")
    ('https://push.example.org', 'http://127.0.0.1:8100')
    """
    origin = given.lower().rstrip("/")
    found = re.fullmatch(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?", origin)
    if not found or (found[1] == "http" and found[2] not in ("127.0.0.1", "localhost", "[::1]")):
        raise MalformedError(
            "{given} is no address such as https://push.example.org", given=quoted(given)
        )
    return origin


async def _ask(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    to: Endpoint,
    headers: Mapping[str, str],
    body: bytes,
) -> PushReply:
    talk = h11.Connection(h11.CLIENT)
    told = {
        "host": to.origin.partition("://")[2],
        **headers,
        "content-length": str(len(body)),
        "connection": "close",
    }
    request = h11.Request(method="POST", target=to.target, headers=list(told.items()))
    for event in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(talk.send(event) or b"")
    await writer.drain()
    while True:
        heard = talk.next_event()
        if heard is h11.NEED_DATA:
            talk.receive_data(await reader.read(READ))
        elif isinstance(heard, h11.Response):
            wait = dict(heard.headers).get(b"retry-after", b"")
            return PushReply(heard.status_code, _seconds(wait.decode("latin-1")))


def _seconds(given: str) -> float | None:
    """Return the wait that a service asks for, given in seconds or as a time."""
    if given.isascii() and given.isdigit():
        return float(given)
    try:
        moment = parsedate_to_datetime(given)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _suffix(host: str) -> str:
    if host in SERVICES:
        return host
    return next((one for one in SERVICES if one[0] == "." and host.endswith(one)), "")


def _is_open(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_global
