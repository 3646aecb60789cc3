"""E-mails to people: confirmations of addresses, password resets, and notices about games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from functools import partial
from typing import Final

from sqlalchemy import Connection

from trine.core.clock import DAY
from trine.core.text.language import open_language
from trine.core.text.sentence import Text, text, verbatim
from trine.house.background import Background, Report
from trine.house.notify import notices
from trine.house.notify import tables as addresses
from trine.house.notify.mail import FORM, Mail, NoMailboxError, parse_email
from trine.house.notify.notices import News, NewsOf, news_of, title_of
from trine.house.notify.tables import EmailAddress
from trine.house.people.accounts import Accounts
from trine.house.people.credentials import EndedSessions, set_password
from trine.house.people.factors import drop_factor
from trine.house.people.names import fold
from trine.house.people.tables import Person, account_named, read_account, read_person
from trine.house.refusals import HouseError
from trine.house.store.store import Store

CONFIRM, RESET = "confirm", "reset"  # the kinds of e-mailed links
LINK_TTL: Final = {CONFIRM: 86_400.0, RESET: 3600.0}
"""Units: seconds; how long a link of each kind is valid."""
RETRY_LIMIT: Final = DAY  # seconds of retries for an e-mail with notices
MANUAL_LINK_TTL: Final = 86_400.0  # seconds; the validity of a password link passed on by hand


def reset_by_hand(connection: Connection, person_id: str, now: float, *, lost: bool = False) -> str:
    """Return the path of a link for a new password, which the host passes on by hand.

    Earlier links for a new password become invalid. With ``lost``, the link also switches off the
    second factor.
    """
    addresses.drop_expired_keys(connection, now)
    expires_at = now + MANUAL_LINK_TTL
    key = addresses.make_key(connection, person_id, RESET, {"lost": lost}, expires_at)
    return f"/letters/reset/{key}"


@dataclass(frozen=True)
class Emails:
    """Sends e-mails; without mail settings it sends none."""

    store: Store
    background: Background
    report: Report
    accounts: Accounts
    mail: Mail | None
    other_news: Mapping[str, NewsOf]

    async def of(self, person: Person) -> EmailAddress | None:
        return await self.store.fetch(addresses.address_of, person_id=person.id)

    async def ask_address(
        self, person: Person, email: str, password: str, language: str, session: str = ""
    ) -> None:
        """E-mail a link that confirms an address; ``session`` is a token. Raises `TrineError`."""
        parsed = parse_email(email)
        account = await self.accounts.check_password(person, password, session)
        about = {"email": parsed, "language": language}
        token = await self._key(person.id, CONFIRM, about, account.credentials_epoch)
        await self._send(
            parsed,
            language,
            text("Confirm your e-mail address"),
            [
                text("{name} wants to get e-mails at this address.", name=verbatim(person.name)),
                text("If that is you, open this link within a day:"),
                self._link(f"/letters/confirm/{token}"),
                text("If it is not, ignore this e-mail; you will get no more."),
            ],
        )

    async def confirm(self, token: str) -> bool:
        """Confirm the address that got a link; return whether the link was valid."""
        now = self.store.now()

        def write(connection: Connection) -> bool:
            if key := addresses.use_key(connection, token, CONFIRM, now):
                addresses.drop_keys(connection, key.person)  # sent to the former address
                addresses.set_address(connection, key.person, **key.about)
            return key is not None

        return await self.store.commit(write)

    async def want(self, person: Person, *, wanted: bool) -> None:
        await self.store.commit(addresses.set_wanted, person_id=person.id, wanted=wanted)

    async def drop(self, person: Person) -> None:
        def write(connection: Connection) -> None:
            addresses.drop_address(connection, person.id)
            notices.erase_notices(connection, person.id)
            addresses.drop_keys(connection, person.id)

        await self.store.commit(write)

    async def stop(self, leave: str) -> bool:
        return await self.store.commit(addresses.stop_by, leave=leave)

    def ask_reset(self, name: str, *, tried: bool = False) -> None:
        """E-mail a link for a new password in the background, if the name or address exists.

        The caller does not learn whether it exists. ``tried``: failed logins have used up the login
        attempts of the account, perhaps not the owner's.
        """
        self.background.run(partial(self._reset_of, name, tried), "an e-mail for a new password")

    async def _reset_of(self, name: str, tried: bool) -> None:
        if "@" in name:
            people = await self.store.fetch(addresses.people_at, email=name.strip())
        else:
            account = await self.store.fetch(account_named, fold(name))
            people = [account.person] if account else []
        for person in people:
            await self._send_reset(person, tried)

    async def _send_reset(self, person_id: str, tried: bool) -> None:
        address = await self.store.fetch(addresses.address_of, person_id=person_id)
        known = await self.store.fetch(read_person, person_id)
        if not address or not known:
            return
        token, name = await self._key(person_id, RESET, {}), verbatim(known.name)
        why = text("A new password was requested for {name}.", name=name)
        if tried:
            why = text(
                "Many passwords were tried for {name}. For a quarter of an hour, only browsers "
                "that you have used can log in.",
                name=name,
            )
        await self._send_known(
            address,
            text("A new password"),
            [
                why,
                text("If that is you, open this link within an hour:"),
                self._link(f"/letters/reset/{token}"),
                text("If it is not, ignore this e-mail; your password does not change."),
            ],
        )

    async def may_reset(self, token: str) -> bool:
        now = self.store.now()
        key = await self.store.fetch(addresses.read_key, token=token, kind=RESET, now=now)
        return key is not None

    async def reset(self, token: str, password: str) -> tuple[str, EndedSessions]:
        """Set a new password with a link, which can be used once; raises `TrineError`.

        Returns: the folded name, and the person's sessions, which have all ended.
        """
        hashed = await self.accounts.passwords.hash(password)
        now = self.store.now()

        def write(connection: Connection) -> tuple[str, EndedSessions] | None:
            link = addresses.use_key(connection, token, RESET, now)
            account = read_account(connection, link.person) if link else None
            if not link or not account:
                return None
            if link.about.get("lost"):
                drop_factor(connection, account.person)
            ended = set_password(connection, account.person, hashed, link.credentials_epoch)
            addresses.drop_keys(connection, account.person)
            return account.folded, ended

        done = await self.store.commit(write)
        if done is None:
            raise HouseError("this link is no longer valid; ask for a new one")
        return done

    async def write(self, person_id: str) -> None:
        """E-mail a person's pending notices."""
        now = self.store.now()
        address = await self.store.fetch(addresses.address_of, person_id=person_id)
        known = await self.store.fetch(notices.notices_of, person_id)
        news = await self.store.fetch(news_of, person_id, known, now, self.other_news)
        written_at = None
        if address and address.tells and news and self.mail:
            try:
                await self._send_notices(address, news)
                written_at = now
            except HouseError as error:
                if now - known[0].at < RETRY_LIMIT:
                    raise  # the scheduled task is retried
                self.report("an e-mail was given up", error)
        await self.store.commit(notices.finish_notices, person_id, known, written_at)

    async def _send_notices(self, address: EmailAddress, news: Sequence[News]) -> None:
        assert self.mail
        stop = f"{self.mail.base_url}/letters/stop/{address.leave}"
        lines: list[Text] = []
        for item in news:
            lines += [item.sentence, self._link(item.place)]
        lines += [text("To get no more of these e-mails: {link}", link=verbatim(stop))]
        await self._send_known(address, title_of(news), lines, stop)

    def _link(self, path: str) -> Text:
        return verbatim(f"{self.mail.base_url if self.mail else ''}{path}")

    async def _key(
        self, person_id: str, kind: str, about: Mapping[str, str], epoch: int | None = None
    ) -> str:
        expires_at = self.store.now() + LINK_TTL[kind]

        def write(connection: Connection) -> str:
            addresses.drop_expired_keys(connection, self.store.now())
            return addresses.make_key(connection, person_id, kind, about, expires_at, epoch)

        return await self.store.commit(write)

    async def _send_known(
        self, address: EmailAddress, title: Text, lines: Sequence[Text], stop: str = ""
    ) -> None:
        """E-mail a confirmed address; suspend the address if its mailbox does not exist."""
        since = None
        try:
            await self._send(address.email, address.language, title, lines, stop)
        except NoMailboxError as error:
            self.report("an address does not exist", error)
            since = self.store.now()
        if since != address.suspended_at:
            await self.store.commit(addresses.set_suspended, address=address, since=since)

    async def _send(
        self, email: str, code: str, title: Text, lines: Sequence[Text], stop: str = ""
    ) -> None:
        if not self.mail:
            raise HouseError("this house sends no e-mail")
        say = open_language(code).say
        message = EmailMessage(FORM)
        message["From"], message["To"] = self.mail.sender, email
        message["Subject"] = f"trine: {say(title)}"
        message["Date"] = format_datetime(datetime.fromtimestamp(self.store.now(), UTC))
        message["Message-ID"] = make_msgid(domain=self.mail.sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        if stop:
            message["List-Unsubscribe"] = f"<{stop}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content("\n\n".join(say(line) for line in lines) + "\n")
        await self.mail.send(message)
