"""Letters to people: their addresses, a new password, and what happens in their games."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from trine.core.errors import TrineError
from trine.core.language import open_language
from trine.core.text import Text, text, verbatim
from trine.house.mail import Mail, RefusedError, parse_email
from trine.house.names import fold
from trine.house.news import News, news_of, title_of
from trine.house.refusals import HouseError
from trine.store import account_rows, addresses, notices, people
from trine.store.addresses import Address, Key
from trine.store.people import Person

if TYPE_CHECKING:
    from trine.house.house import House

CONFIRM, RESET = "confirm", "reset"
"""The kinds of links."""
GOOD_FOR: Final = {CONFIRM: 86_400.0, RESET: 3600.0}
"""Units: seconds; how long a link is good."""


class Letters:
    """The letters of a house; none are sent where there is no mail."""

    def __init__(self, house: House, mail: Mail | None) -> None:
        self._house, self._store, self.mail = house, house.store, mail

    # --- addresses --------------------------------------------------------------------------------

    async def of(self, person: Person) -> Address | None:
        """The address that somebody has confirmed."""
        return await asyncio.to_thread(self._store.read, addresses.address_of, person=person.id)

    async def ask_address(
        self, person: Person, email: str, password: str, language: str, session: str = ""
    ) -> None:
        """Send a link to an address, by which its owner confirms it.

        Args: ``session`` is the token of whoever asks.

        Raises:
            TrineError: it is no address, the password is wrong, or no letter can be sent.
        """
        known = parse_email(email)
        await self._house.accounts.check_password(person, password, session)
        token = await self._key(person.id, CONFIRM, email=known, language=language)
        await self._send(
            known,
            language,
            text("Confirm your e-mail address"),
            [
                text("{name} wants to be written to at this address.", name=verbatim(person.name)),
                text("If that is you, open this link within a day:"),
                self._link(f"/letters/confirm/{token}"),
                text("If it is not, do nothing; nothing more will come."),
            ],
        )

    async def confirm(self, token: str) -> bool:
        """Keep the address to which a link was sent; whether the link was good."""
        key = await self._use(token, CONFIRM)
        if key:
            email, language = key.about["email"], key.about["language"]
            await asyncio.wrap_future(
                self._store.write(
                    addresses.set_address, person=key.person, email=email, language=language
                )
            )
        return key is not None

    async def want(self, person: Person, *, wanted: bool) -> None:
        """Note whether somebody wants to be told what happens in games."""
        await asyncio.wrap_future(
            self._store.write(addresses.set_wanted, person=person.id, wanted=wanted)
        )

    async def drop(self, person: Person) -> None:
        """Forget the address of somebody."""

        def write(connection: Connection) -> None:
            addresses.drop_address(connection, person.id)
            notices.forget(connection, person.id)
            for kind in GOOD_FOR:
                addresses.drop_keys(connection, person.id, kind)

        await asyncio.wrap_future(self._store.write(write))

    async def stop(self, leave: str) -> bool:
        """Write no more notices to whoever has a link; whether the link is one of ours."""
        return await asyncio.wrap_future(self._store.write(addresses.stop_by, leave=leave))

    # --- a new password ---------------------------------------------------------------------------

    def ask_reset(self, given: str) -> None:
        """Send a link for a new password, if there is such a name or address.

        Whoever asks does not learn whether there is.
        """
        self._house.spawn(self._try_reset(given))

    async def _try_reset(self, given: str) -> None:
        try:
            for person in await asyncio.to_thread(self._people_of, given):
                await self._send_reset(person)
        except TrineError as error:
            self._house.report("a letter could not be sent", error)

    def _people_of(self, given: str) -> list[str]:
        if "@" in given:
            return self._store.read(addresses.people_at, email=given.strip())
        account = self._store.accounts.named(fold(given))
        return [account.person] if account else []

    async def _send_reset(self, person: str) -> None:
        address = await asyncio.to_thread(self._store.read, addresses.address_of, person=person)
        known = await asyncio.to_thread(self._store.people.get, person)
        if not address or not known:
            return
        token = await self._key(person, RESET)
        await self._send(
            address.email,
            address.language,
            text("A new password"),
            [
                text("Somebody wants a new password for {name}.", name=verbatim(known.name)),
                text("If that is you, open this link within an hour:"),
                self._link(f"/letters/reset/{token}"),
                text("If it is not, do nothing; your password stays as it is."),
            ],
        )

    async def may_reset(self, token: str) -> bool:
        """Whether a link for a new password is good."""
        now = self._house.now()
        key = await asyncio.to_thread(
            self._store.read, addresses.read_key, token=token, kind=RESET, now=now
        )
        return key is not None

    async def reset(self, token: str, password: str) -> list[str]:
        """Set a new password by a link, which is good no more.

        Returns: the hashes of the sessions that were ended, which are all.

        Raises:
            TrineError: the link is not good, or the password cannot be had.
        """
        hashed = await self._house.accounts.passwords.hash(password)
        now = self._house.now()

        def write(connection: Connection) -> list[str] | None:
            key = addresses.use_key(connection, token, RESET, now)
            account = account_rows.read_account(connection, key.person) if key else None
            if not account:
                return None
            account_rows.set_password(connection, account.person, hashed, account.password)
            ended = [one.hash for one in people.sessions_of(connection, account.person, 0.0)]
            people.end_sessions(connection, account.person)
            return ended

        ended = await asyncio.wrap_future(self._store.write(write))
        if ended is None:
            raise HouseError(text("this link is no longer good; ask for a new one"))
        return ended

    # --- what happens in games --------------------------------------------------------------------

    async def write(self, person: str) -> None:
        """Write to somebody what there is to tell.

        Raises:
            TrineError: the letter cannot be sent now.
        """
        now = self._house.now()
        address = await asyncio.to_thread(self._store.read, addresses.address_of, person=person)
        known = await asyncio.to_thread(self._store.read, notices.notices_of, person)
        news = await asyncio.to_thread(self._store.read, news_of, person, known, now)
        written_at = None
        if address and address.wanted and news and self.mail:
            try:
                await self._send_notices(address, news)
                written_at = now
            except RefusedError as error:
                self._house.report("an address does not exist", error)
                await asyncio.wrap_future(self._store.write(addresses.drop_address, person=person))
        await asyncio.wrap_future(self._store.write(notices.told, person, known, written_at))

    async def _send_notices(self, address: Address, news: Sequence[News]) -> None:
        assert self.mail
        stop = f"{self.mail.address}/letters/stop/{address.leave}"
        told: list[Text] = []
        for one in news:
            told += [one.sentence, self._link(one.place)]
        told += [text("No more such letters: {link}", link=verbatim(stop))]
        await self._send(address.email, address.language, title_of(news), told, stop)

    # --- sending ----------------------------------------------------------------------------------

    def _link(self, path: str) -> Text:
        return verbatim(f"{self.mail.address if self.mail else ''}{path}")

    async def _key(self, person: str, kind: str, **about: str) -> str:
        expires_at = self._house.now() + GOOD_FOR[kind]

        def write(connection: Connection) -> str:
            addresses.drop_expired_keys(connection, self._house.now())
            return addresses.make_key(connection, person, kind, about, expires_at)

        return await asyncio.wrap_future(self._store.write(write))

    async def _use(self, token: str, kind: str) -> Key | None:
        return await asyncio.wrap_future(
            self._store.write(addresses.use_key, token=token, kind=kind, now=self._house.now())
        )

    async def _send(
        self, email: str, code: str, title: Text, lines: Sequence[Text], stop: str = ""
    ) -> None:
        if not self.mail:
            raise HouseError(text("this house sends no letters"))
        say = open_language(code).say
        message = EmailMessage()
        message["From"], message["To"] = self.mail.sender, email
        message["Subject"] = f"trine: {say(title)}"
        message["Date"] = format_datetime(datetime.fromtimestamp(self._house.now(), UTC))
        message["Message-ID"] = make_msgid(domain=self.mail.sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        if stop:
            message["List-Unsubscribe"] = f"<{stop}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content("\n\n".join(say(line) for line in lines) + "\n")
        await self.mail.send(message)
