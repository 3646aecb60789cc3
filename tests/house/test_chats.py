"""The chat of a game, as the pages that look on hear it."""

import asyncio
from typing import Any

import pytest

from house.houses import two_at_a_board
from trine.house.app import House
from trine.house.talk.chat import PLAYERS, PageChat
from trine.house.talk.tables import ChatLine, last_lines


class Page(PageChat):
    def __init__(self) -> None:
        self.heard: list[int] = []
        self.cleared = 0

    def said(self, line: ChatLine) -> None:
        self.heard.append(line.number)

    def deleted(self) -> None:
        self.cleared += 1


async def test_what_is_said_or_deleted_while_the_first_page_reads_is_known_to_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, one, two = await two_at_a_board(house)
    snapshot, chats, fetch = host.snapshot, house.chats, house.store.fetch
    has_read, may_go_on = asyncio.Event(), asyncio.Event()

    async def slowly(statement: Any, *given: Any, **named: Any) -> Any:
        found = await fetch(statement, *given, **named)
        if statement is last_lines:
            has_read.set()
            await may_go_on.wait()
        return found

    first = await chats.say(one, snapshot, PLAYERS, "", "hello")
    second = await chats.say(two, snapshot, PLAYERS, "", "luck")
    monkeypatch.setattr(house.store, "fetch", slowly)
    page, other = Page(), Page()
    entering = asyncio.create_task(chats.enter(host.id, page))
    await has_read.wait()
    third = await chats.say(one, snapshot, PLAYERS, "", "thanks")
    await chats.delete(host.id, first.number)
    alongside = asyncio.create_task(chats.enter(host.id, other))
    may_go_on.set()
    expected = [second.number, third.number]
    assert [line.number for line in await entering] == expected
    assert [line.number for line in await alongside] == expected
    assert page.heard == [third.number] and page.cleared == 1


async def test_a_chat_that_could_not_be_read_is_read_by_the_next_page(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, one, _ = await two_at_a_board(house)
    said = await house.chats.say(one, host.snapshot, PLAYERS, "", "hello")

    async def broken(*given: Any, **named: Any) -> Any:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "fetch", broken)
        with pytest.raises(OSError, match="disk"):
            await house.chats.enter(host.id, Page())
    assert [line.number for line in await house.chats.enter(host.id, Page())] == [said.number]
