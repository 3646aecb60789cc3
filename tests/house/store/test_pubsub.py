"""News between processes: kept until sent, and a listener that comes back hears that it may have
missed some."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from postgres import Server
from trine.house.store import pubsub
from trine.house.store.postgres import listeners
from trine.house.store.pubsub import PubSub, parts
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from waiting import PATIENCE


class BrokenLine:
    """A database whose connections are lost at some of the messages."""

    def __init__(self, *fails: int) -> None:
        self.fails = {*fails}
        self.tries = 0
        self.sent: queue.Queue[Any] = queue.Queue()
        self.connection = SimpleNamespace(driver_connection=self)

    @contextmanager
    def listener(self) -> Iterator[BrokenLine]:
        yield self

    def notifies(self, **limits: Any) -> list[Any]:
        return []

    def execute(self, statement: Any) -> None:
        given = statement.compile().params
        message = next((value for value in given.values() if str(value).startswith("{")), None)
        if message is None:
            return
        self.tries += 1
        if self.tries in self.fails:
            raise OperationalError("pg_notify", {}, OSError("the connection is lost"))
        self.sent.put(json.loads(message)["news"])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubsub, "BATCH_INTERVAL", 0.01)
    monkeypatch.setattr(pubsub, "RETRY_DELAY", 0.01)


@pytest.mark.usefixtures("quick")
def test_news_are_kept_until_they_are_sent() -> None:
    line: Any = BrokenLine(1, 3, 4)
    news = {"cut": [f"{number:064}" for number in range(300)], "gone": ["anna"]}
    sender = PubSub(line, "one", lambda name, news: None, lambda: None)
    for kind, things in news.items():
        sender.publish(kind, *things)
    heard: dict[str, list[str]] = {kind: [] for kind in news}
    for _ in parts(news):
        for kind, things in line.sent.get(timeout=PATIENCE).items():
            heard[kind] += things
    sender.close()
    assert heard == news
    assert line.sent.empty(), "each once"


@pytest.mark.usefixtures("quick")
def test_what_is_told_before_the_end_is_sent_though_the_connection_is_lost() -> None:
    line: Any = BrokenLine(1)
    sender = PubSub(line, "one", lambda name, news: None, lambda: None)
    sender.publish("gone", "anna")
    sender.close()
    assert line.sent.get_nowait() == {"gone": ["anna"]}


@pytest.mark.usefixtures("quick")
def test_a_listener_that_comes_back_hears_of_it(postgres_server: Server) -> None:
    missed: queue.Queue[None] = queue.Queue()
    heard: queue.Queue[Any] = queue.Queue()
    with postgres_server.database() as url, Store.open(url, SCHEMA) as one:
        first = one.pubsub("one", lambda name, news: None, lambda: None)
        second = one.pubsub("two", lambda name, news: heard.put(news), lambda: missed.put(None))
        assert first and second
        missed.get(timeout=PATIENCE)
        assert one.read(listeners) >= {"two"}
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
        one.read(lambda connection: connection.execute(text(f"{ended}'trine of two'")).all())
        missed.get(timeout=PATIENCE)
        first.publish("cut", "a hash")
        assert heard.get(timeout=PATIENCE) == {"cut": ["a hash"]}
        first.close()
        second.close()
