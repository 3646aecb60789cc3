"""A client of a house's API: requests and the stream of events, over HTTP."""

import http.client
import itertools
import json
import secrets
import ssl
import time
from collections.abc import Iterator
from contextlib import closing
from threading import Lock
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from trine.core.errors import MalformedError, TrineError, system_words
from trine.core.text.sentence import quoted, text
from trine.engine.protocol import api

IDLE_TIMEOUT: Final = 20.0
"""Units: seconds; a stream silent for this long is lost, since the house sends every 6 s."""
REQUEST_TIMEOUT: Final = 15.0  # seconds; the longest wait for a response
REQUEST_INTERVAL: Final = 0.21
"""Units: seconds; the mean interval of requests. A house allows 100 requests in 20 s."""
MAX_BURST: Final = 20  # number of requests that may be sent at once after a pause
LOOPBACK_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
DECODE_ERRORS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
Kind = TypeVar("Kind")


class UnreachableError(TrineError):
    """The house cannot be reached at the moment."""


class RefusedError(TrineError):
    """The house refused a request; repeating it does not help."""


class ApiClient:
    """A thread-safe client of a house, with the token of an account."""

    def __init__(self, server: str, token: str) -> None:
        """Prepare the client, without sending yet.

        Raises:
            MalformedError: ``server`` is not an HTTP URL, or the token would be sent unencrypted.
        """
        try:
            parts = urlsplit(server)
        except ValueError:  # an incomplete IPv6 address
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise MalformedError(
                "{given} is no address such as https://example.org", given=quoted(server)
            )
        if parts.scheme == "http" and parts.hostname not in LOOPBACK_HOSTS:
            raise MalformedError(
                "a token is not sent unencrypted to another machine; use https://{host}",
                host=parts.netloc,
            )
        self._secure, self._host = parts.scheme == "https", parts.netloc
        self._root = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._page, self._numbers = secrets.token_hex(4), itertools.count(1)
        self._lock = Lock()
        self._free = time.monotonic() - REQUEST_INTERVAL * MAX_BURST
        """The monotonic time of the next free slot for a request."""

    def new_id(self) -> str:
        return f"{self._page}.{next(self._numbers)}"

    def account(self) -> api.Account:
        return self._request("GET", "/api/account", api.Account)

    def game(self, game_id: str) -> api.Game:
        return self._request("GET", f"/api/games/{game_id}", api.Game)

    def command(self, game_id: str, message: dict[str, Any]) -> api.Ok | api.No | api.Reason:
        """Send a command to a game; return the house's answer, which may be a refusal."""
        kind: Any = api.Ok | api.No | api.Reason
        path = f"/api/games/{game_id}"
        answer: api.Ok | api.No | api.Reason = self._request("POST", path, kind, message)
        return answer

    def challenge(self, challenge: api.NewChallenge) -> api.Challenge:
        return self._request("POST", "/api/challenges", api.Challenge, challenge)

    def reply(self, challenge_id: str, what: str) -> str:
        """Reply to a challenge; return the id of the game that began, empty if none did."""
        path = f"/api/challenges/{challenge_id}"
        return self._request("POST", path, api.Begun, {"what": what}).game

    def join(self, tournament_id: str) -> api.Tournament:
        """Join a tournament; joining twice does no harm."""
        path = f"/api/tournaments/{quote(tournament_id, safe='')}"
        return self._request("POST", path, api.Tournament, {"what": "join"})

    def _request(self, method: str, path: str, kind: type[Kind], body: object = None) -> Kind:
        """Send a request and decode the response.

        Raises:
            UnreachableError: no response came; the house may still have carried out the request.
            RefusedError: the house refuses the request.
        """
        self._wait_for_slot()
        packed = msgspec.json.encode(body) if body is not None else None
        try:
            with closing(self._connection(REQUEST_TIMEOUT)) as connection:
                connection.request(method, self._root + path, packed, self._headers)
                response = connection.getresponse()
                content = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(error) from None
        self._check(response.status, content)
        try:
            return msgspec.json.decode(content, type=kind)
        except DECODE_ERRORS as error:
            raise RefusedError(
                text("this is no house of trine: {problem}", problem=str(error))
            ) from None

    def _check(self, status: int, content: bytes) -> None:
        if status == http.client.OK:
            return
        try:
            data = json.loads(content)
        except (ValueError, RecursionError):
            data = {}
        if status == http.client.CONFLICT and data.get("t") == "no":
            return
        why = str(data.get("error", "")) if isinstance(data, dict) else ""
        if status == http.client.TOO_MANY_REQUESTS or status >= 500:
            raise UnreachableError(
                text("the house answers {status}: {why}", status=status, why=why)
            )
        raise RefusedError(text("the house refuses it: {why}", why=why or str(status)))

    def _wait_for_slot(self) -> None:
        """Wait until another request stays within the rate limit of a house."""
        with self._lock:
            self._free = (
                max(self._free, time.monotonic() - REQUEST_INTERVAL * MAX_BURST) + REQUEST_INTERVAL
            )
            delay = self._free - time.monotonic()
        if delay > 0:
            time.sleep(delay)

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        if self._secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, timeout=timeout, context=context)
        return http.client.HTTPConnection(self._host, timeout=timeout)

    def events(self) -> Iterator[api.Event]:
        """Yield the events of the stream until the stream ends.

        Raises:
            UnreachableError: the connection is lost; reconnecting may help.
            RefusedError: the house refuses the request.
        """
        self._wait_for_slot()
        try:
            with closing(self._connection(IDLE_TIMEOUT)) as connection:
                connection.request("GET", f"{self._root}/api/events", headers=self._headers)
                response = connection.getresponse()
                if response.status != http.client.OK:
                    self._check(response.status, response.read())
                while line := response.readline():
                    yield api.EVENTS.decode(line)
        except (OSError, http.client.HTTPException, *DECODE_ERRORS) as error:
            raise _unreachable(error) from None
        raise UnreachableError(text("the house has closed the connection"))


def _unreachable(error: Exception) -> UnreachableError:
    problem = system_words(error) if str(error) else repr(error)
    return UnreachableError(text("the house cannot be reached: {problem}", problem=problem))
