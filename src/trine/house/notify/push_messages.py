"""Web push messages: encrypted for the device, and signed by the house.

Source: RFC 8188 and RFC 8291 (the encryption), RFC 8292 (the signature, known as VAPID).
"""

from __future__ import annotations

import os
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Final

from trine.core.errors import MalformedError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

RECORD: Final = 4096
"""Units: bytes; the length of the only record of a message."""
SIZE: Final = 2048
"""Units: bytes; the padded length of all messages, which so reveals nothing."""
POINT, SECRET = 65, 16
"""Units: bytes; the lengths of a public key, and of a device's secret."""
GOOD_FOR: Final = 12 * 3600.0
"""Units: seconds; the validity of a signature; push services accept at most a day."""
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256: private keys are below it."""


class HouseKey:
    """The key that identifies a house to push services (VAPID), derived from a secret.

    ``secret`` is 32 bytes that only the house knows.
    """

    def __init__(self, secret: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        number = int.from_bytes(secret) % (_ORDER - 1) + 1
        self._private = ec.derive_private_key(number, ec.SECP256R1())
        self.public: Final = encode(_point(self._private))
        """The public key, for browsers."""

    def signature(self, origin: str, contact: str, now: float) -> str:
        """Return the header that identifies the sender to a push service."""
        import jwt

        claims = {"aud": origin, "exp": int(now + GOOD_FOR), "sub": contact}
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
    size: int = SIZE,
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
    head = salt + struct.pack("!LB", RECORD, len(mine)) + mine
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
