"""The e-mail client: its settings, and sending by a mail server (SMTP)."""

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
from typing import Final, Self

from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted, text
from trine.house.house_settings import FILE, HouseSettings, read_section
from trine.house.refusals import HouseError, OverloadedError

SECURITY: Final = ("tls", "starttls", "none")
TIMEOUT: Final = 30.0  # seconds
MAX_WAITING: Final = 64  # e-mails
MAX_ADDRESS_LENGTH: Final = 254  # characters
_NO_MAILBOX: Final = re.compile(rb"5\.(1\.[1236]|2\.1)\b")
"""RFC 3463 codes for a mailbox that does not exist. All other refusals, plain 550 too, may be about
the message, the house or a block list."""
_LOCAL: Final = re.compile(r"[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+(\.[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN: Final = re.compile(r"([0-9a-z]([0-9a-z-]{0,61}[0-9a-z])?\.)+[0-9a-z-]{2,63}")


@dataclass(frozen=True)
class MailSettings:
    """The settings for the mail server, and for the contents of e-mails."""

    server: str
    sender: str
    address: str = ""  # the URL of the house in links, if it differs from the one in ``[house]``
    port: int = 587
    security: str = "starttls"  # ``tls``, ``starttls`` or ``none``
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
"""The format of e-mails, with the longest lines that RFC 5322 allows: a link in a folded header
would be encoded, and mail providers would not find it."""
Carrier = Callable[[EmailMessage], object]
"""A function that sends an e-mail, blocking; raises an `OSError` if it cannot be sent now."""


class NoMailboxError(HouseError):
    """The mail server says that the address has no mailbox."""

    default_text = text("the e-mail was refused: there is no such mailbox")


def send_by(settings: MailSettings, message: EmailMessage) -> None:
    context = ssl.create_default_context()
    host, port = settings.server, settings.port
    if settings.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=context)
    else:
        server = smtplib.SMTP(host, port, timeout=TIMEOUT)
    with server:
        if settings.security == "starttls":
            server.starttls(context=context)
        if settings.user:
            server.login(settings.user, settings.password)
        server.send_message(message)


class Mail:
    """Sends e-mails one at a time, in a thread of its own."""

    def __init__(self, sender: str, base_url: str, carrier: Carrier) -> None:
        self.sender, self.base_url = sender, base_url.rstrip("/")
        self._carrier = carrier
        self._thread = ThreadPoolExecutor(1, "e-mails")
        self._waiting = 0
        self.sent, self.failed, self.why = 0, 0, ""
        """The numbers of e-mails sent and failed, and the reason of the last failure."""

    @classmethod
    def of(cls, settings: MailSettings) -> Self:
        return cls(settings.sender, settings.address, partial(send_by, settings))

    async def send(self, message: EmailMessage) -> None:
        """Send an e-mail; raises `NoMailboxError`, or a `HouseError` if it cannot be sent now."""
        if self._waiting >= MAX_WAITING:
            raise OverloadedError
        self._waiting += 1
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._carrier, message)
            self.sent += 1
        except OSError as error:  # the errors of smtplib are subclasses
            self.failed, self.why = self.failed + 1, repr(error)[:MAX_ADDRESS_LENGTH]
            if any(map(_NO_MAILBOX.match, _recipient_replies(error))):
                raise NoMailboxError from error
            raise HouseError("the e-mail could not be sent; try again later") from error
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Stop sending; an e-mail being sent may be cut off."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _recipient_replies(error: OSError) -> list[bytes]:
    """Return a mail server's replies about the recipients of an e-mail."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [reply for _, reply in error.recipients.values()]
    reply = error.smtp_error if isinstance(error, smtplib.SMTPDataError) else b""
    return [reply.encode() if isinstance(reply, str) else reply]


def read_settings(folder: Path) -> MailSettings | None:
    """Read the settings for e-mails, None if the house sends none; raises `MalformedError`."""
    settings = read_section(folder, "mail", MailSettings)
    if settings and not (address := base_url_of(folder)):
        raise MalformedError("address of [house] is missing in {file}", file=FILE)
    return settings and replace(settings, address=address)


def base_url_of(folder: Path) -> str:
    """Return the public URL of a house from its settings; empty if there is none."""
    house = read_section(folder, "house", HouseSettings)
    mail = read_section(folder, "mail", MailSettings)
    address = mail.address if mail and mail.address else house.address if house else ""
    return address.rstrip("/")


def parse_email(raw: str) -> str:
    """Normalize an e-mail address; raises `MalformedError`.

    >>> parse_email(" Anna@Example.org ")
    'Anna@example.org'
    """
    words = raw.strip()
    local, _, domain = words.rpartition("@")
    try:
        domain = domain.lower().encode("idna").decode()
    except UnicodeError:
        domain = ""
    fits = len(words) <= MAX_ADDRESS_LENGTH and len(local) <= 64
    if not (fits and _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain)):
        raise MalformedError("{given} is no e-mail address", given=quoted(raw[:80]))
    return f"{local}@{domain}"
