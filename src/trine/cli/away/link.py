"""The link to a house: requests, and the stream of events, over HTTP."""

from __future__ import annotations

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

from trine.core.errors import MalformedError, TrineError
from trine.core.text.sentence import text
from trine.core.text.words import quoted
from trine.engine.protocol import api

SILENCE: Final = 20.0
"""Units: seconds; a house that is silent for this long is gone. It sends something each 6 s."""
PATIENCE: Final = 15.0
"""Units: seconds; the longest wait for the answer to a request."""
PACE: Final = 0.21
"""Units: seconds; the mean interval of requests; a house allows 100 in 20 s."""
BURST: Final = 20
"""The number of requests that may be sent at once."""
LOCAL: Final = ("localhost", "127.0.0.1", "::1")
_NO_JSON: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
Kind = TypeVar("Kind")


class LostError(TrineError):
    """The error of a house that cannot be reached for now."""


class RefusedError(TrineError):
    """The error of a refused request; trying again does not help."""


class HouseLink:
    """A connection to a house, with the token of an account. Threads may share it."""

    def __init__(self, server: str, token: str) -> None:
        """Prepare the link; nothing is sent yet.

        Raises:
            MalformedError: the address is none of a house, or would send the token in the clear.
        """
        try:
            parts = urlsplit(server)
        except ValueError:  # half an address of IPv6
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise MalformedError(
                "{given} is no address such as https://example.org", given=quoted(server)
            )
        if parts.scheme == "http" and parts.hostname not in LOCAL:
            raise MalformedError(
                "a token is not sent unencrypted to another machine; use https://{host}",
                host=parts.netloc,
            )
        self._secure, self._host = parts.scheme == "https", parts.netloc
        self._root = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._page, self._numbers = secrets.token_hex(4), itertools.count(1)
        self._lock = Lock()
        self._free = time.monotonic() - PACE * BURST
        """From when on the next request may be sent, if none has been for long."""

    def new_id(self) -> str:
        return f"{self._page}.{next(self._numbers)}"

    # --- requests ---------------------------------------------------------------------------------

    def account(self) -> api.Account:
        return self._ask("GET", "/api/account", api.Account)

    def game(self, game: str) -> api.Game:
        return self._ask("GET", f"/api/games/{game}", api.Game)

    def command(self, game: str, message: dict[str, Any]) -> api.Ok | api.No | api.Reason:
        """Send a command to a game; a refusal by the referee is an answer."""
        kind: Any = api.Ok | api.No | api.Reason
        found: api.Ok | api.No | api.Reason = self._ask("POST", f"/api/games/{game}", kind, message)
        return found

    def challenge(self, wanted: api.NewChallenge) -> api.Challenge:
        return self._ask("POST", "/api/challenges", api.Challenge, wanted)

    def reply(self, challenge: str, what: str) -> str:
        """Answer a challenge; return the game that it led to, if any."""
        path = f"/api/challenges/{challenge}"
        return self._ask("POST", path, api.Begun, {"what": what}).game

    def join(self, tournament: str) -> api.Tournament:
        """Join a tournament; once more does nothing more."""
        path = f"/api/tournaments/{quote(tournament, safe='')}"
        return self._ask("POST", path, api.Tournament, {"what": "join"})

    def _ask(self, method: str, path: str, kind: type[Kind], body: object = None) -> Kind:
        """Send a request, and read the answer.

        Raises:
            LostError: there was no answer; it may have been done.
            RefusedError: the house refuses it.
        """
        self._wait()
        packed = msgspec.json.encode(body) if body is not None else None
        try:
            with closing(self._connection(PATIENCE)) as connection:
                connection.request(method, self._root + path, packed, self._headers)
                answer = connection.getresponse()
                told = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise _lost(error) from None
        self._check(answer.status, told)
        try:
            return msgspec.json.decode(told, type=kind)
        except _NO_JSON as error:
            raise RefusedError(
                text("this is no house of trine: {problem}", problem=str(error))
            ) from None

    def _check(self, status: int, told: bytes) -> None:
        if status == http.client.OK:
            return
        try:
            given = json.loads(told)
        except (ValueError, RecursionError):
            given = {}
        if status == http.client.CONFLICT and given.get("t") == "no":
            return
        why = str(given.get("error", "")) if isinstance(given, dict) else ""
        if status == http.client.TOO_MANY_REQUESTS or status >= 500:
            raise LostError(text("the house answers {status}: {why}", status=status, why=why))
        raise RefusedError(text("the house refuses it: {why}", why=why or str(status)))

    def _wait(self) -> None:
        """Wait as long as the pace that a house allows demands."""
        with self._lock:
            self._free = max(self._free, time.monotonic() - PACE * BURST) + PACE
            late = self._free - time.monotonic()
        if late > 0:
            time.sleep(late)

    def _connection(self, patience: float) -> http.client.HTTPConnection:
        if self._secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, timeout=patience, context=context)
        return http.client.HTTPConnection(self._host, timeout=patience)

    # --- the stream -------------------------------------------------------------------------------

    def events(self) -> Iterator[api.Event]:
        """Yield the events of the stream until it ends.

        Raises:
            LostError: the connection is lost; come back later.
            RefusedError: the house refuses it.
        """
        self._wait()
        try:
            with closing(self._connection(SILENCE)) as connection:
                connection.request("GET", f"{self._root}/api/events", headers=self._headers)
                answer = connection.getresponse()
                if answer.status != http.client.OK:
                    self._check(answer.status, answer.read())
                while line := answer.readline():
                    yield api.EVENTS.decode(line)
        except (OSError, http.client.HTTPException, *_NO_JSON) as error:
            raise _lost(error) from None
        raise LostError(text("the house has closed the connection"))


def _lost(error: Exception) -> LostError:
    return LostError(
        text("the house cannot be reached: {problem}", problem=str(error) or repr(error))
    )
