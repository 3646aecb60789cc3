"""Notifications on people's devices, by web push: encrypted for the device, signed by the house.

A browser supplies the URL that gets its messages, so any account could choose where the house sends
requests. Therefore the house sends them only to known push services, over TLS, which verifies the
host name before anything is sent, and follows no redirect.

Source: RFC 8030; RFC 8188 and RFC 8291 (the encryption), RFC 8292 (the signature, known as VAPID).
"""

from __future__ import annotations

import os
import re
import ssl
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPSConnection
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from trine.core.clock import DAY
from trine.core.errors import MalformedError
from trine.core.text.language import open_language
from trine.core.text.sentence import quoted, text
from trine.core.work.cpu_account import in_thread
from trine.core.work.extras import how_to_install
from trine.house.house_settings import read_section
from trine.house.notify import notices
from trine.house.notify import tables as devices
from trine.house.notify.mail import parse_email
from trine.house.notify.notices import News, NewsOf, news_of, title_of
from trine.house.notify.tables import Device, device_id
from trine.house.people.encryption import Encryption, missing
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

SERVICES: Final = {
    "fcm.googleapis.com": "Google",
    "jmt17.google.com": "Google",  # for Chromium builds without Google's API keys
    ".push.services.mozilla.com": "Mozilla",
    ".notify.windows.com": "Microsoft",
    ".push.apple.com": "Apple",
}
"""The owners of push services by host name; a leading dot stands for any subdomain."""
MAX_ENDPOINT_LENGTH: Final = 1024  # characters
SERVICE_TIMEOUT: Final = 10.0  # seconds
MAX_CONCURRENT: Final = 4
NOTICE_TTL, LIVE_TTL = DAY, 600.0
"""Units: seconds; how long a message may wait, here or at the push service of a device that is off.
`LIVE_TTL` is for messages that are useless if late."""
LINES: Final = 4  # maximum number of sentences in a message
GONE_STATUSES: Final = (404, 410)
"""The status codes of a push service for a device that does not exist any more."""
RECORD_SIZE: Final = 4096  # bytes; the length of a message's only record
PADDED_SIZE: Final = 2048  # bytes; the padded length of all messages, which so reveals nothing
POINT, SECRET = 65, 16  # bytes; the lengths of a public key, and of a device's secret
TOKEN_TTL: Final = 12 * 3600.0  # seconds; push services accept at most a day
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256: private keys are below it."""
_ENDPOINT: Final = re.compile(r"(https?://([a-z0-9.-]+)(?::\d{1,5})?)/[!-\"$-~]*")
_ORIGIN: Final = re.compile(
    r"https://[a-z0-9.-]+(:\d{1,5})?|http://(127\.0\.0\.1|localhost)(:\d{1,5})?"
)


class UnknownServiceError(HouseError):
    """The endpoint belongs to no known push service."""

    def __init__(self, endpoint: str) -> None:
        host = "".join(endpoint.split("/")[2:3])  # the path is a secret of the device
        super().__init__(text("{host} is no push service that this house knows", host=quoted(host)))


@dataclass(frozen=True)
class PushSettings:
    """The settings for push notifications."""

    contact: str  # a contact for push services: a ``mailto:`` URL, or a page
    services: tuple[str, ...] = ()
    """The origins of further push services; one without TLS must be on this machine."""

    def __post_init__(self) -> None:
        for origin in self.services:
            if not _ORIGIN.fullmatch(origin):
                raise MalformedError(
                    "{given} is no address such as https://push.example.org", given=quoted(origin)
                )
        scheme, _, rest = self.contact.partition(":")
        if scheme == "mailto":
            parse_email(rest)
        elif not self.contact.startswith("https://"):
            raise MalformedError(
                "contact is {given}; expected mailto:host@example.org or an address with https",
                given=quoted(self.contact),
            )


@dataclass(frozen=True)
class PushClient:
    """The client of push services."""

    key: HouseKey
    contact: str
    services: Collection[str] = ()
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    def owner(self, endpoint: str) -> str:
        """Return the owner of the push service of a device; raise an error if it is unknown."""
        if len(endpoint) <= MAX_ENDPOINT_LENGTH and (found := _ENDPOINT.fullmatch(endpoint)):
            origin, host = found.groups()
            if origin in self.services:
                return host
            for name, owner in SERVICES.items():
                if origin.removesuffix(":443") == f"https://{host}" and (
                    host == name or (name[0] == "." and host.endswith(name))
                ):
                    return owner
        raise UnknownServiceError(endpoint)

    def post(self, endpoint: str, headers: Mapping[str, str], body: bytes, now: float) -> int:
        """Post a message to a known push service, blocking; return the status code."""
        self.owner(endpoint)
        to = urlsplit(endpoint)
        assert to.hostname
        if to.scheme == "https":
            connection: HTTPConnection = HTTPSConnection(
                to.hostname, to.port, timeout=SERVICE_TIMEOUT, context=self.tls
            )
        else:
            connection = HTTPConnection(to.hostname, to.port, timeout=SERVICE_TIMEOUT)
        signature = self.key.signature(f"{to.scheme}://{to.netloc}", self.contact, now)
        target = endpoint.removeprefix(f"{to.scheme}://{to.netloc}")
        try:
            connection.request("POST", target, body, {"authorization": signature, **headers})
            return connection.getresponse().status
        finally:
            connection.close()


def read_push(folder: Path, encryption: Encryption) -> PushClient | None:
    """Return the client with the settings of a house, None without any; raises `MalformedError`."""
    settings = read_section(folder, "push", PushSettings)
    if not settings:
        return None
    if not (find_spec("cryptography") and find_spec("jwt")):
        raise MalformedError(
            "{path} needs more libraries; install them with: {command}",
            path="[push]",
            command=how_to_install("push"),
        )
    if not encryption.persistent:
        raise MalformedError(missing(folder))
    return PushClient(HouseKey(encryption.derive("push")), settings.contact, settings.services)


@dataclass(frozen=True)
class PushNotifications:
    """Sends messages to people's devices; without a client it sends none."""

    store: Store
    means: PushClient | None
    other_news: Mapping[str, NewsOf]
    threads: ThreadPoolExecutor = field(
        default_factory=partial(ThreadPoolExecutor, MAX_CONCURRENT, "push notifications")
    )

    def close(self) -> None:
        """Stop sending; a message being sent may be cut off."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    @property
    def key(self) -> str:
        """The house's public key for browsers; empty if the house sends no messages."""
        return self.means.key.public if self.means else ""

    async def of(self, person: Person) -> Sequence[Device]:
        return await self.store.fetch(devices.devices_of, person_id=person.id)

    def owner(self, device: Device) -> str:
        try:
            return self.means.owner(device.endpoint) if self.means else ""
        except UnknownServiceError:
            return ""

    async def switch_on(
        self, person: Person, session: str, endpoint: str, key: str, secret: str, language: str
    ) -> None:
        """Switch notifications on for a device, with the subscription of its browser.

        ``session`` is the token of the person's session in the browser.
        """
        if not self.means:
            raise HouseError("this house sends no notifications")
        if not person.has_account:
            raise HouseError("log in first")
        self.means.owner(endpoint)
        check_keys(key, secret)
        name, hashed, now = device_id(endpoint), token_hash(session), self.store.now()
        device = Device(
            id=name,
            person=person.id,
            session=hashed,
            endpoint=endpoint,
            key=key,
            secret=secret,
            language=language,
            made_at=now,
        )
        await self.store.commit(devices.keep_device, device=device)

    async def switch_off(self, person: Person, device: str) -> bool:
        return await self.store.commit(devices.drop_device, device=device, person_id=person.id)

    async def write(self, name: str) -> None:
        """Send a device its pending notices, except those older than `NOTICE_TTL`.

        Raises an error if the message could not be sent; the task is then retried.
        """
        now = self.store.now()
        device = await self.store.fetch(devices.read_device, device=name)
        if not device or not self.means:
            await self.store.commit(devices.forget_news, device=name)
            return
        known = await self.store.fetch(notices.notices_of, device.person, name)
        fresh = [notice for notice in known if notice.at > now - NOTICE_TTL]
        news = await self.store.fetch(news_of, device.person, fresh, now, self.other_news)
        try:
            status = await self._post(self.means, device, news) if news else None
        except UnknownServiceError:
            status = GONE_STATUSES[0]
        if status in GONE_STATUSES:
            await self.store.commit(devices.drop_device, device=name, person_id=device.person)
        elif status and status >= 300:
            raise HouseError("the answer was {status}", status=status)
        else:
            sent = now if status else None
            await self.store.commit(notices.finish_notices, device.person, known, sent, name)

    async def _post(self, means: PushClient, device: Device, news: Sequence[News]) -> int:
        live = all(item.live for item in news)
        headers = {
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(int(LIVE_TTL if live else NOTICE_TTL)),
            "urgency": "high" if live else "normal",
        }
        body = encrypt(message_of(news, device.language), device.key, device.secret)
        post = partial(means.post, device.endpoint, headers, body, self.store.now())
        return await in_thread(post, self.threads)


def message_of(news: Sequence[News], language: str) -> bytes:
    """Return the message to the service worker: the text, and the path of the page to open."""
    say = open_language(language).say
    alone, games = len(news) == 1, [item for item in news if item.place.startswith("/game/")]
    message = {
        "title": "trine" if alone else say(title_of(news)),
        "to": news[0].place if alone or not games else "/next",
        "tag": news[0].place if alone else "news",
        "language": language,
    }
    lines = [say(item.sentence) for item in news[:LINES]]
    while len(encoded := msgspec.json.encode({**message, "body": "\n".join(lines)})) >= PADDED_SIZE:
        lines.pop()
    return encoded


class HouseKey:
    """The key that identifies a house to push services (VAPID), derived from a secret.

    ``secret`` is 32 bytes that only the house knows.
    """

    def __init__(self, secret: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        number = int.from_bytes(secret) % (_ORDER - 1) + 1
        self._private = ec.derive_private_key(number, ec.SECP256R1())
        self.public: Final = encode(_point(self._private))

    def signature(self, origin: str, contact: str, now: float) -> str:
        """Return the header that identifies the sender to a push service."""
        import jwt

        claims = {"aud": origin, "exp": int(now + TOKEN_TTL), "sub": contact}
        token = jwt.encode(claims, self._private, "ES256")
        return f"vapid t={token}, k={self.public}"


def check_keys(key: str, secret: str) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        point = decode(key)
        if len(point) != POINT or len(decode(secret)) != SECRET:
            raise ValueError
        if (encode(point), encode(decode(secret))) != (key, secret):  # not canonical base64url
            raise ValueError
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise MalformedError("the browser gave no keys for notifications") from None


def encrypt(
    words: bytes,
    key: str,
    secret: str,
    *,
    size: int = PADDED_SIZE,
    own: EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
) -> bytes:
    """Encrypt a message with the key and the secret of a device, padded to ``size``.

    ``own`` and ``salt`` are random for each message; only tests pass them.
    """
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    def derive(material: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, purpose).derive(material)

    own, salt = own or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(16)
    theirs, mine = decode(key), _point(own)
    device = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    shared = own.exchange(ec.ECDH(), device)
    both = b"WebPush: info\0" + theirs + mine
    material = derive(shared, decode(secret), both, 32)
    content = derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(material, salt, b"Content-Encoding: nonce\0", 12)
    filled = (words + b"\2").ljust(size, b"\0")
    head = salt + struct.pack("!LB", RECORD_SIZE, len(mine)) + mine
    return head + AESGCM(content).encrypt(nonce, filled, None)


def _point(private: EllipticCurvePrivateKey) -> bytes:
    """Return the public key of a private one, in the format of X9.62."""
    from cryptography.hazmat.primitives import serialization

    return private.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def encode(raw: bytes) -> str:
    r"""Encode bytes in base64url, without padding.

    >>> encode(b"\xff\xfe"), decode("__4")
    ('__4', b'\xff\xfe')
    """
    return urlsafe_b64encode(raw).decode().rstrip("=")


def decode(encoded: str) -> bytes:
    return urlsafe_b64decode(encoded.encode("ascii") + b"=" * (-len(encoded) % 4))
