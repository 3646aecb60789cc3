"""The sending of letters by e-mail: the settings of a house, and its mail server."""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import partial
from pathlib import Path
from typing import Final

from trine.core.errors import MalformedError
from trine.core.text.sentence import text
from trine.core.text.words import quoted
from trine.house.house_settings import FILE, HouseSettings, read_section
from trine.house.refusals import HouseError, TooMuchError

SECURITY: Final = ("tls", "starttls", "none")
TIMEOUT: Final = 30.0
"""Units: seconds; the longest wait for a mail server."""
MOST_WAITING: Final = 64
"""The largest number of letters that wait for the mail server."""
LONGEST: Final = 254
"""Units: characters of an address."""
_NO_MAILBOX: Final = re.compile(rb"5\.(1\.[1236]|2\.1)\b")
"""What says of a mailbox that it is not there, in the codes of RFC 3463. All other refusals may be
about the letter, the house or a block list; a plain 550 is too."""
_LOCAL: Final = re.compile(r"[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+(\.[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN: Final = re.compile(r"([0-9a-z]([0-9a-z-]{0,61}[0-9a-z])?\.)+[0-9a-z-]{2,63}")


@dataclass(frozen=True)
class MailSettings:
    """The settings for a mail server, and for the contents of letters."""

    server: str
    sender: str
    """The address from which letters come."""
    address: str = ""
    """The address of the house in links, if it is another one than that of ``[house]``."""
    port: int = 587
    security: str = "starttls"
    """``tls``, ``starttls`` or ``none``."""
    user: str = ""
    password: str = ""

    def __post_init__(self) -> None:
        if self.security not in SECURITY:
            raise MalformedError(
                "security is {given}; expected {choices}",
                given=quoted(self.security),
                choices=", ".join(SECURITY),
            )
        if self.address and not self.address.startswith(("https://", "http://")):
            raise MalformedError("address is an address such as https://example.org")
        parse_email(self.sender)


FORM: Final = EmailPolicy(max_line_length=998, cte_type="7bit")
"""The form of letters, with the longest lines that RFC 5322 allows: mail providers look for a link
in a header as it is, which would be encoded where it is folded."""
Carrier = Callable[[EmailMessage], object]
"""Sends a letter, which may take long; an `OSError` says that it could not be sent now."""


class NoMailboxError(HouseError):
    """The error of an address at which, as its mail server says, there is no mailbox."""

    default_text = text("the e-mail was refused: there is no such mailbox")


def send_by(one: MailSettings, message: EmailMessage) -> None:
    context = ssl.create_default_context()
    if one.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            one.server, one.port, timeout=TIMEOUT, context=context
        )
    else:
        server = smtplib.SMTP(one.server, one.port, timeout=TIMEOUT)
    with server:
        if one.security == "starttls":
            server.starttls(context=context)
        if one.user:
            server.login(one.user, one.password)
        server.send_message(message)


class Mail:
    """A sender of letters, one after the other, beside the event loop."""

    def __init__(self, sender: str, address: str, carrier: Carrier) -> None:
        self.sender, self.address = sender, address.rstrip("/")
        self._carrier = carrier
        self._thread = ThreadPoolExecutor(1, "letters")
        self._waiting = 0
        self.sent, self.failed, self.why = 0, 0, ""
        """The number of letters that were sent, and that failed; and why the last one failed."""

    @classmethod
    def of(cls, settings: MailSettings) -> Mail:
        return cls(settings.sender, settings.address, partial(send_by, settings))

    async def send(self, message: EmailMessage) -> None:
        """Send a letter.

        Raises:
            NoMailboxError: the address does not exist.
            HouseError: the letter could not be sent now.
        """
        if self._waiting >= MOST_WAITING:
            raise TooMuchError
        self._waiting += 1
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._carrier, message)
            self.sent += 1
        except OSError as error:  # those of smtplib are some, too
            self.failed, self.why = self.failed + 1, repr(error)[:LONGEST]
            if any(map(_NO_MAILBOX.match, _said(error))):
                raise NoMailboxError from error
            raise HouseError("the e-mail could not be sent; try again later") from error
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Stop sending; a letter being sent may be cut off."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _said(error: OSError) -> list[bytes]:
    """Return what a mail server has said of the recipients of a letter."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [told for _, told in error.recipients.values()]
    told = error.smtp_error if isinstance(error, smtplib.SMTPDataError) else b""
    return [told.encode() if isinstance(told, str) else told]


def read_settings(folder: Path) -> MailSettings | None:
    """Return the settings for letters; None if the house sends none.

    Raises:
        MalformedError: something is missing or wrong.
    """
    settings = read_section(folder, "mail", MailSettings)
    if settings and not (address := house_address(folder)):
        raise MalformedError("address of [house] is missing in {file}", file=FILE)
    return settings and replace(settings, address=address)


def house_address(folder: Path) -> str:
    """Return the address at which people reach a house, by its settings; empty if none has it."""
    house = read_section(folder, "house", HouseSettings)
    mail = read_section(folder, "mail", MailSettings)
    address = mail.address if mail and mail.address else house.address if house else ""
    return address.rstrip("/")


def parse_email(given: str) -> str:
    """Read an e-mail address.

    Raises:
        MalformedError: it is none.

    >>> parse_email(" Anna@Example.org ")
    'Anna@example.org'
    """
    words = given.strip()
    local, _, domain = words.rpartition("@")
    try:
        domain = domain.lower().encode("idna").decode()
    except UnicodeError:
        domain = ""
    fits = len(words) <= LONGEST and len(local) <= 64
    if not (fits and _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain)):
        raise MalformedError("{given} is no e-mail address", given=quoted(given[:80]))
    return f"{local}@{domain}"
