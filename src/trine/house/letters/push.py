"""Notifications on people's devices, by web push: the settings, and the sending.

Notices are gathered in rows, as for letters; a failed message is tried again later, by the process
that leads then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec

from trine.core.clock import DAY
from trine.core.errors import MalformedError
from trine.core.text.language import open_language
from trine.core.text.words import quoted
from trine.core.work.extras import how_to_install
from trine.house.background import Report
from trine.house.house_settings import read_section
from trine.house.letters import notices
from trine.house.letters import tables as devices
from trine.house.letters.mail import parse_email
from trine.house.letters.notices import News, NewsOf, Notice, news_of, title_of
from trine.house.letters.push_messages import SIZE, HouseKey, check_keys, encrypt
from trine.house.letters.push_services import (
    PushReply,
    PushServices,
    UnknownServiceError,
    read_origin,
)
from trine.house.letters.tables import PUSH, Device, device_id
from trine.house.people.encryption import missing
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.deadlines import due_of
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store

KEY: Final = "push.pem"
"""The name of the file with the key of the house, in the same folder."""


@dataclass(frozen=True)
class PushSettings:
    """The settings of messages to devices."""

    contact: str
    """A contact for push services: ``mailto:`` an address, or a page."""
    services: tuple[str, ...] = ()
    """The origins of further push services, beside those of the known browsers."""

    def __post_init__(self) -> None:
        for one in self.services:
            read_origin(one)
        scheme, _, rest = self.contact.partition(":")
        if scheme == "mailto":
            parse_email(rest)
        elif not self.contact.startswith("https://"):
            raise MalformedError(
                "contact is {given}; expected mailto:host@example.org or an address with https",
                given=quoted(self.contact),
            )


@dataclass(frozen=True)
class Push:
    """The means to send messages to devices."""

    key: HouseKey
    contact: str
    services: PushServices


def read_push(folder: Path, *, shared: bool = False, used: bool = False) -> Push | None:
    """Return the means in the folder of a house; None where no messages are sent.

    Args: ``shared`` says that other processes send messages of the same house, for which they need
    the same key, and ``used`` that devices know it; then none is made.

    Raises:
        MalformedError: something in the folder is wrong, or a library is not there.
    """
    settings = read_section(folder, "push", PushSettings)
    if not settings:
        return None
    if not (find_spec("cryptography") and find_spec("jwt")):
        raise MalformedError(
            "{path} needs more libraries; install them with: {command}",
            path="[push]",
            command=how_to_install("push"),
        )
    if (shared or used) and not (folder / KEY).exists():
        raise MalformedError(missing(folder / KEY))
    key = HouseKey.load(folder / KEY, make=not (shared or used))
    services = PushServices(tuple(map(read_origin, settings.services)))
    return Push(key, settings.contact, services)


LEADER: Final = "push"
"""The name of the leader that sends messages, one of several processes."""
LOOKS: Final = 5.0
"""Units: seconds; the interval of looking for due messages."""
TOGETHER: Final = 16
"""The number of messages sent at the same time."""
FIRST: Final = 60.0
"""Units: seconds; the wait before the second attempt, doubled for each further one."""
TRIES: Final = 9
"""The number of attempts at a message, over four hours; after that its news is old."""
KEPT, LIVE = DAY, 600.0
"""Units: seconds; how long a push service keeps a message for a device that is off, and one that is
of no use later."""
LINES: Final = 4
"""The largest number of sentences in a message."""


@dataclass(frozen=True)
class Pushes:
    """The messages of a house to devices; without a key none are sent."""

    store: Store
    report: Report
    means: Push | None
    other_news: Mapping[str, NewsOf]

    @property
    def key(self) -> str:
        """The public key of the house for browsers; empty where no messages are sent."""
        return self.means.key.public if self.means else ""

    # --- devices ----------------------------------------------------------------------------------

    async def of(self, person: Person) -> Sequence[Device]:
        """Return the devices of a person, the oldest first."""
        return await self.store.fetch(devices.devices_of, person=person.id)

    def owner(self, device: Device) -> str:
        try:
            return self.means.services.read(device.endpoint).owner if self.means else ""
        except UnknownServiceError:
            return ""

    async def switch_on(
        self, person: Person, session: str, endpoint: str, key: str, secret: str, language: str
    ) -> None:
        """Switch notifications on for a device of a person.

        Args: ``session`` is the token by which the person is recognised there; the others are what
        the browser has of its push service.

        Raises: TrineError: the house sends no messages, or not to this service.
        """
        if not self.means:
            raise HouseError("this house sends no notices to devices")
        if not person.has_account:
            raise HouseError("log in first")
        self.means.services.read(endpoint)
        check_keys(key, secret)
        device = Device(
            *(device_id(endpoint), person.id, token_hash(session), endpoint, key, secret),
            *(language, self.store.now()),
        )
        await self.store.commit(devices.keep_device, device=device)

    async def switch_off(self, person: Person, device: str) -> bool:
        return await self.store.commit(devices.drop_device, device=device, person=person.id)

    # --- sending ----------------------------------------------------------------------------------

    async def tick(self) -> None:
        while True:
            now = self.store.now()
            due = await self.store.fetch(due_of, PUSH, now, TOGETHER)
            await asyncio.gather(*(self._send(one.ref) for one in due))
            if len(due) < TOGETHER:
                return

    async def _send(self, name: str) -> None:
        now = self.store.now()
        device = await self.store.fetch(devices.read_device, device=name)
        if not device or not self.means:
            await self.store.commit(devices.forget_news, device=name)
            return
        known = await self.store.fetch(notices.notices_of, device.person, name)
        news = await self.store.fetch(news_of, device.person, known, now, self.other_news)
        if not news:
            await self._told(device, known, None)
            return
        try:
            answer = await self._post(self.means, device, news)
        except UnknownServiceError as error:  # known once, but not now
            self.report("a device cannot be reached any more", error)
            answer = PushReply(410)
        except Exception as error:  # other devices do not wait for this one
            await self._failed(device, error, None)
            return
        if answer.taken:
            await self._told(device, known, now)
        elif answer.gone:
            await self.store.commit(devices.drop_device, device=device.id, person=device.person)
        else:
            why = HouseError("the answer was {status}", status=answer.status)
            await self._failed(device, why, answer.wait)

    async def _post(self, means: Push, device: Device, news: Sequence[News]) -> PushReply:
        to = means.services.read(device.endpoint)
        live = all(one.live for one in news)
        headers = {
            "authorization": means.key.signature(to.origin, means.contact, self.store.now()),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(int(LIVE if live else KEPT)),
            "urgency": "high" if live else "normal",
        }
        encrypted = encrypt(message_of(news, device.language), device.key, device.secret)
        return await means.services.post(to, headers, encrypted)

    async def _told(
        self, device: Device, known: Sequence[Notice], written_at: float | None
    ) -> None:
        await self.store.commit(notices.told, device.person, known, written_at, device.id)

    async def _failed(self, device: Device, error: Exception, wait: float | None) -> None:
        """Try again later, or give the message up."""
        host, tries = device.endpoint.split("/")[2], device.tries + 1
        self.report("a message to a device could not be sent", error, host=host, tries=tries)
        later = max(FIRST * 2 ** (tries - 1), min(wait or 0.0, KEPT))
        await self.store.commit(
            devices.put_off,
            device=device,
            tries=tries % TRIES,
            due=self.store.now() + later if tries < TRIES else None,
        )


def message_of(news: Sequence[News], language: str) -> bytes:
    """Return the message to the service worker of a page: the text, and the page it leads to."""
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
