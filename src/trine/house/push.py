"""Telling people news on their devices, by web push.

What is to be told is gathered in rows, as for letters; what cannot be sent is tried again later, by
whichever process then has the duty.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from trine.core.clock import DAY
from trine.core.errors import TrineError
from trine.core.language import open_language
from trine.core.text import text
from trine.house.news import News, news_of, title_of
from trine.house.push_messages import SIZE, check_keys, seal
from trine.house.push_services import Answer, UnknownServiceError, UnreachableError
from trine.house.push_settings import Push
from trine.house.refusals import HouseError
from trine.store import devices, notices
from trine.store.devices import PUSH, Device, device_id
from trine.store.notices import Notice
from trine.store.people import Person
from trine.store.refusals import HeldError
from trine.store.tokens import token_hash

if TYPE_CHECKING:
    from trine.house.house import House

DUTY: Final = "push"
"""The duty of the process that sends messages, of several."""
LOOKS: Final = 5.0
"""Units: seconds; so often what is due is looked for."""
TOGETHER: Final = 16
"""Messages that are sent at once."""
FIRST: Final = 60.0
"""Units: seconds; after so long a message is tried again, then after twice as long, and so on."""
TRIES: Final = 9
"""So often a message is tried, over four hours; then what it tells is old."""
KEPT, LIVE = DAY, 600.0
"""Units: seconds; so long a push service keeps a message for a device that is switched off, and
one that is of no use later."""
LINES: Final = 4
"""The sentences of one message."""


class Pushes:
    """The messages of a house to devices; none are sent where there is no means to."""

    def __init__(self, house: House, means: Push | None) -> None:
        self._house, self._store, self._means = house, house.store, means

    @property
    def key(self) -> str:
        """The public key of the house, which browsers want to know; empty where none are sent."""
        return self._means.key.public if self._means else ""

    # --- devices ----------------------------------------------------------------------------------

    async def of(self, person: Person) -> Sequence[Device]:
        """The devices on which somebody is told news, the oldest first."""
        return await asyncio.to_thread(self._store.read, devices.devices_of, person=person.id)

    def owner(self, device: Device) -> str:
        """The owner of the push service that reaches a device."""
        try:
            return self._means.services.read(device.endpoint).owner if self._means else ""
        except UnknownServiceError:
            return ""

    async def switch_on(
        self, person: Person, session: str, endpoint: str, key: str, secret: str, language: str
    ) -> None:
        """Tell somebody news on a device from now on.

        Args: ``session`` is the token by which the person is recognised there; the others are what
        the browser has of its push service.

        Raises:
            TrineError: the house sends none, or not there.
        """
        if not self._means:
            raise HouseError(text("this house sends no notices to devices"))
        if not person.has_account:
            raise HouseError(text("log in first"))
        self._means.services.read(endpoint)
        check_keys(key, secret)
        device = Device(
            *(device_id(endpoint), person.id, token_hash(session), endpoint, key, secret),
            *(language, self._house.now()),
        )
        await asyncio.wrap_future(self._store.write(devices.keep_device, device=device))

    async def switch_off(self, person: Person, device: str) -> bool:
        """Tell somebody no more news on a device; whether it was one of theirs."""
        return await asyncio.wrap_future(
            self._store.write(devices.drop_device, device=device, person=person.id)
        )

    # --- sending ----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Send what is due, for ever."""
        while self._means:
            try:
                await self._house.lease.take_duty(DUTY)
                await self.tick()
            except HeldError:
                pass  # another process sends
            except TrineError as error:
                self._house.report("messages that are due could not be looked for", error)
            await asyncio.sleep(LOOKS)

    async def tick(self) -> None:
        """Send all that is due by now."""
        while True:
            now = self._house.now()
            due = await asyncio.to_thread(self._store.due_of, PUSH, now, TOGETHER)
            await asyncio.gather(*(self._send(one.ref) for one in due))
            if len(due) < TOGETHER:
                return

    async def _send(self, name: str) -> None:
        """Send to a device what there is to tell."""
        now = self._house.now()
        device = await asyncio.to_thread(self._store.read, devices.read_device, device=name)
        if not device or not self._means:
            await asyncio.wrap_future(self._store.write(devices.forget_news, device=name))
            return
        known = await asyncio.to_thread(self._store.read, notices.notices_of, device.person, name)
        news = await asyncio.to_thread(self._store.read, news_of, device.person, known, now)
        if not news:
            await self._told(device, known, None)
            return
        try:
            answer = await self._post(self._means, device, news)
        except UnknownServiceError as error:  # known once, but not now
            self._house.report("a device cannot be reached any more", error)
            answer = Answer(410)
        except UnreachableError as error:
            await self._failed(device, error, None)
            return
        if answer.taken:
            await self._told(device, known, now)
        elif answer.gone:
            await asyncio.wrap_future(
                self._store.write(devices.drop_device, device=device.id, person=device.person)
            )
        else:
            why = HouseError(text("the answer was {status}", status=answer.status))
            await self._failed(device, why, answer.wait)

    async def _post(self, means: Push, device: Device, news: Sequence[News]) -> Answer:
        to = means.services.read(device.endpoint)
        live = all(one.live for one in news)
        headers = {
            "authorization": means.key.signature(to.origin, means.contact, self._house.now()),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(int(LIVE if live else KEPT)),
            "urgency": "high" if live else "normal",
        }
        sealed = seal(message_of(news, device.language), device.key, device.secret)
        return await means.services.post(to, headers, sealed)

    async def _told(
        self, device: Device, known: Sequence[Notice], written_at: float | None
    ) -> None:
        await asyncio.wrap_future(
            self._store.write(notices.told, device.person, known, written_at, device.id)
        )

    async def _failed(self, device: Device, error: TrineError, wait: float | None) -> None:
        """Try again later, or give up what was to be told."""
        host, tries = device.endpoint.split("/")[2], device.tries + 1
        self._house.report("a message to a device could not be sent", error, host=host, tries=tries)
        later = max(FIRST * 2 ** (tries - 1), min(wait or 0.0, KEPT))
        await asyncio.wrap_future(
            self._store.write(
                devices.put_off,
                device=device,
                tries=tries % TRIES,
                due=self._house.now() + later if tries < TRIES else None,
            )
        )


def message_of(news: Sequence[News], language: str) -> bytes:
    """The message to the service worker of a page: what to show, and where it leads."""
    say = open_language(language).say
    alone, games = len(news) == 1, [one for one in news if one.place.startswith("/game/")]
    told = {
        "title": "trine" if alone else say(title_of(news)),
        "to": news[0].place if alone or not games else "/next",
        "tag": news[0].place if alone else "news",
        "language": language,
    }
    lines = [say(one.sentence) for one in news[:LINES]]
    while len(words := msgspec.json.encode({**told, "body": "\n".join(lines)})) >= SIZE:
        lines.pop()
    return words
