"""A device with passkeys, made of the same arithmetic as true ones."""

import hashlib
import json
import struct
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@dataclass
class Device:
    origin: str
    id: bytes = b"a passkey of one"
    key: ec.EllipticCurvePrivateKey = field(default_factory=_key)
    counter: int = 0
    handle: bytes = b""
    flags: int = PRESENT | VERIFIED

    def _seen(self, name: str, more: int = 0) -> bytes:
        self.counter += 1
        place = hashlib.sha256(name.encode()).digest()
        return place + bytes([self.flags | more]) + struct.pack(">I", self.counter)

    def _client(self, kind: str, asked: dict[str, Any]) -> bytes:
        told = {"type": kind, "challenge": asked["challenge"], "origin": self.origin}
        return json.dumps(told).encode()

    def register(self, options: str) -> str:
        """Make the passkey that is asked for."""
        asked = json.loads(options)
        self.handle = base64url_to_bytes(asked["user"]["id"])
        point = self.key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)}
        seen = self._seen(asked["rp"]["id"], ATTESTED)
        seen += bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(key)
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": seen})
        client = self._client("webauthn.create", asked)
        return self._answer(clientDataJSON=client, attestationObject=made)

    def sign(self, options: str) -> str:
        asked = json.loads(options)
        client, seen = self._client("webauthn.get", asked), self._seen(asked["rpId"])
        signed = self.key.sign(seen + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            clientDataJSON=client, authenticatorData=seen, signature=signed, userHandle=self.handle
        )

    def _answer(self, **response: bytes) -> str:
        name = bytes_to_base64url(self.id)
        told = {what: bytes_to_base64url(value) for what, value in response.items()}
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": told})
