"""Push services: which are known, and what a house does when they do not answer well."""

import asyncio
import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from house.houses import until
from trine.house.notify import push
from trine.house.notify.push import HouseKey, PushClient, UnknownServiceError

UNREACHABLE = (OSError, HTTPException)


def means(*services: str, tls: ssl.SSLContext | None = None) -> PushClient:
    return PushClient(
        HouseKey(b"k" * 32),
        "mailto:host@example.org",
        services,
        tls or ssl.create_default_context(),
    )


async def posted(to: PushClient, endpoint: str, body: bytes = b"") -> int:
    return await asyncio.to_thread(to.post, endpoint, {"ttl": "1"}, body, 0.0)


def test_endpoints_are_those_of_known_push_services_alone() -> None:
    house = means("https://push.example.org:8443")
    for good, owner in [
        ("https://fcm.googleapis.com/fcm/send/x:y-z", "Google"),
        ("https://updates.push.services.mozilla.com/wpush/v2/gAA", "Mozilla"),
        ("https://wns2-par02p.notify.windows.com:443/w/?token=BQ%2b", "Microsoft"),
        ("https://web.push.apple.com/QAbc", "Apple"),
        ("https://push.example.org:8443/up?x", "push.example.org"),
    ]:
        assert house.owner(good) == owner
    for bad in [
        "",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com@evil.example/x",
        "https://user:word@fcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evilfcm.googleapis.com/x",
        "https://xpush.apple.com/x",
        "https://push.apple.com/x",
        "https://evil.example/fcm.googleapis.com",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://push.example.org/x",
        "http://push.example.org:8443/x",
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\r\nX-Y: z",
        "https://fcm.googleapis.com/é",
        "https://fcm.googleapis.com/#x",
        "https://fcm.googleapis.com/" + "x" * 1000,
        "https://fcm.googleapis.com:99999/x",
        "file:///etc/passwd",
    ]:
        with pytest.raises(UnknownServiceError):
            house.owner(bad)


async def test_a_service_that_does_not_answer_well_is_left_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that says nothing, one that never ends its head, and one that speaks another language."""
    monkeypatch.setattr(push, "SERVICE_TIMEOUT", 1.0)
    endless = b"HTTP/1.1 201 Created\r\n" + b"x: y\r\n" * 20_000
    answers = [b"", endless, b"220 mail.example.org\r\n"]
    left: list[object] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answers[len(left)])
        with suppress(OSError):
            await reader.read()
        left.append(writer.get_extra_info("peername"))
        writer.transport.abort()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    there = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    for count in range(1, len(answers) + 1):
        with pytest.raises(UNREACHABLE):
            await posted(means(there), f"{there}/x")
        await until(lambda count=count: len(left) == count)  # type: ignore[misc]
    server.close()


async def test_a_service_is_reached_over_tls_and_only_with_a_good_certificate(
    tmp_path: Path,
) -> None:
    heard: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        heard.append(await reader.readexactly(4))
        writer.write(b"HTTP/1.1 201 Created\r\nlocation: /m/1\r\n\r\n")
        writer.close()

    one, other = (a_certificate(tmp_path / name, name) for name in ("localhost", "example.org"))
    for certificate, good in ((one, True), (other, False)):
        mine = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        mine.load_cert_chain(certificate)
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=mine)
        there = f"https://localhost:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(UNREACHABLE):
            await posted(means(there), f"{there}/x?y", b"word")
        assert heard == []
        trust = ssl.create_default_context(cafile=str(certificate))
        post = posted(means(there, tls=trust), f"{there}/x?y", b"word")
        if good:
            assert await post == 201
            head, body = heard
            assert head.startswith(b"POST /x?y HTTP/1.1\r\n") and body == b"word"
            assert b"ttl: 1\r\n" in head.lower() and there[8:].encode() in head
            heard.clear()
        else:
            with pytest.raises(UNREACHABLE):
                await post
        server.close()


def a_certificate(path: Path, name: str) -> Path:
    """A key, and a certificate for a name that it has signed itself."""
    own = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(who, who, own.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(own, hashes.SHA256())
    )
    key = own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(key + made.public_bytes(Encoding.PEM))
    return path
