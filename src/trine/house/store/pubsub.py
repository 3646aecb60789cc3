"""Publish and subscribe between the processes that share a database, by LISTEN and NOTIFY.

Messages are batched and sent once a second on a connection of their own: not within the transaction
of a turn, because commits with a NOTIFY wait for each other. A message is kept until it is sent. A
listener that reconnects learns that messages may have been missed.
"""

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Connection, func, select, text

from trine.house.store.database import Database, is_away
from trine.house.store.postgres import call_listener

CHANNEL: Final = "trine"
BATCH_INTERVAL: Final = 1.0  # seconds
RETRY_DELAY: Final = 0.5
"""Units: seconds; the wait before reconnecting, too short for this process to count as dead."""
MAX_LENGTH: Final = 7_000  # bytes; PostgreSQL's own limit is 8,000

_LOG: Final = logging.getLogger(__name__)

Messages = Mapping[str, list[Any]]  # messages by kind, such as the ids of games under ``drop``


class PubSub:
    """The messages between the processes of a house."""

    def __init__(
        self,
        database: Database,
        name: str,
        heard: Callable[[str, Messages], object],
        missed: Callable[[], object],
    ) -> None:
        """Start listening, and prepare to send, as the process ``name``.

        In a thread, ``heard`` is called with the name and the messages of another process, and
        ``missed`` after a possible loss of messages.
        """
        self._database, self._name = database, name
        self._heard, self._missed = heard, missed
        self._lock = threading.Lock()
        self._news: dict[str, list[Any]] = {}
        self._unsent: deque[Messages] = deque()
        """Messages not sent yet, each short enough for one NOTIFY; used only by the thread."""
        self._closing = threading.Event()
        self.listens: Final = threading.Event()  # set once this process has listened
        self._thread = threading.Thread(target=self._run, name="store pubsub", daemon=True)
        self._thread.start()

    def publish(self, kind: str, *messages: Any) -> None:
        """Send messages to the other processes, with the next batch."""
        with self._lock:
            known = self._news.setdefault(kind, [])
            known += [one for one in messages if one not in known]

    def close(self) -> None:
        """Send the remaining messages, then stop."""
        self._closing.set()
        self._thread.join()

    # --- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            closing = self._closing.is_set()  # one last connection sends the remaining messages
            try:
                with self._database.listener() as connection:
                    connection.execute(call_listener(self._name))
                    connection.execute(text(f"LISTEN {CHANNEL}"))
                    self.listens.set()
                    self._missed()
                    while True:
                        closing_now = self._closing.is_set()
                        self._listen(connection)
                        self._send(connection)
                        if closing_now:
                            return
            except Exception as error:
                if not (is_away(error) or _is_of_driver(error)):
                    _LOG.exception("the news of other processes could not be heard")
                if closing:
                    return
                self._closing.wait(RETRY_DELAY)

    def _listen(self, connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        late = time.monotonic() + BATCH_INTERVAL
        while not self._closing.is_set() and (left := late - time.monotonic()) > 0:
            for one in driver.notifies(timeout=min(left, 0.2), stop_after=1):
                message = json.loads(one.payload)
                if message["from"] != self._name:
                    self._heard(message["from"], message["news"])

    def _send(self, connection: Connection) -> None:
        with self._lock:
            news, self._news = self._news, {}
        self._unsent += parts(news)
        while self._unsent:
            message = {"from": self._name, "news": self._unsent[0]}
            notify = func.pg_notify(CHANNEL, json.dumps(message, separators=(",", ":")))
            connection.execute(select(notify))
            self._unsent.popleft()


def parts(news: Messages, longest: int = MAX_LENGTH) -> Iterator[Messages]:
    """Yield messages in parts that are short enough for one NOTIFY.

    >>> list(parts({"drop": ["a", "b", "c"], "live": []}, 7))
    [{'drop': ['a', 'b']}, {'drop': ['c']}, {'live': []}]
    """
    for kind, messages in news.items():
        some: list[Any] = []
        size = 0
        for message in messages:
            more = len(json.dumps(message))
            if some and size + more > longest:
                yield {kind: some}
                some, size = [], 0
            some.append(message)
            size += more
        yield {kind: some}


def _is_of_driver(error: Exception) -> bool:
    return type(error).__module__.partition(".")[0] == "psycopg"
