"""A push service for tests, with devices: it takes messages as those of browsers do, and reads them.

What a device does with a message is written here once more, from RFC 8188 and RFC 8291.
"""

import json
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from trine.house.notify.push import decode, encode

CONTACT = "mailto:host@example.org"


class Receiver:
    """The half of a device that only the device has."""

    def __init__(self, private: ec.EllipticCurvePrivateKey | None = None, secret: bytes = b""):
        self.private = private or ec.generate_private_key(ec.SECP256R1())
        self.point = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        self.key, self.auth = encode(self.point), secret or os.urandom(16)
        self.secret = encode(self.auth)

    def read(self, encrypted: bytes) -> bytes:
        salt, (record, length) = encrypted[:16], struct.unpack("!LB", encrypted[16:21])
        sender, body = encrypted[21 : 21 + length], encrypted[21 + length :]
        assert len(body) <= record and len(encrypted) <= 4096
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + self.point + sender
        first = HKDF(hashes.SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(first)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(first)
        words, mark, filling = AESGCM(key).decrypt(nonce, body, None).rpartition(b"\2")
        assert mark and not filling.strip(b"\0")
        return words


@dataclass
class Post:
    path: str
    headers: dict[str, str]
    told: dict[str, Any]


@dataclass
class Answering:
    status: int = 201
    headers: dict[str, str] = field(default_factory=dict)


class PushService(ThreadingHTTPServer):
    """The messages that have come, all checked and read."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"
        self.receivers: dict[str, Receiver] = {}
        self.posts: list[Post] = []
        self.asked = 0
        self.answering = Answering()

    def device(self, name: str = "one") -> dict[str, str]:
        receiver = self.receivers[f"/push/{name}"] = Receiver()
        return {
            "endpoint": f"{self.origin}/push/{name}",
            "key": receiver.key,
            "secret": receiver.secret,
        }

    def settings(self, folder: Path) -> None:
        """Have a house send its messages here."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "house.toml").write_text(
            f'[push]\ncontact = "{CONTACT}"\nservices = ["{self.origin}"]\n'
        )


def check_signature(header: str, origin: str, now: float) -> str:
    """Check what a message is signed with: the public key of its sender."""
    scheme, _, rest = header.partition(" ")
    given = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid" and set(given) == {"t", "k"}
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(given["k"]))
    options: Any = {"verify_exp": False, "require": ["aud", "exp", "sub"]}
    claims = jwt.decode(given["t"], key, ["ES256"], options=options, audience=origin)
    assert claims["sub"] == CONTACT and now < claims["exp"] <= now + 86_400
    return given["k"]


class _Handler(BaseHTTPRequestHandler):
    server: PushService
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        service = self.server
        service.asked += 1
        body = self.rfile.read(int(self.headers["content-length"]))
        if service.answering.status < 300:
            told = json.loads(service.receivers[self.path].read(body))
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.posts.append(Post(self.path, headers, told))
        self.send_response(service.answering.status)
        for name, value in {**service.answering.headers, "content-length": "0"}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *given: Any) -> None:
        """Nothing."""


@contextmanager
def a_push_service() -> Iterator[PushService]:
    with PushService() as service:
        thread = threading.Thread(target=service.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield service
        finally:
            service.shutdown()
            thread.join()
