"""Encryption and keyed hashes: a stolen database reveals no secrets without the key.

The key is stored outside the database: in a file that only its owner can read, or the environment.
"""

import hmac
import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Final

from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, text

FILE: Final = "house.key"
VARIABLE: Final = "TRINE_KEY"
_BYTES: Final = 32
_NONCE: Final = 12
_ENCRYPTED: Final = "1:"
"""The prefix of encrypted texts: the number of the method, AES-GCM with 256 bits."""


class Encryption:
    """Encryption and keyed hashes with the key of a house.

    Without a ``key``, a temporary one is used: it must not encrypt anything, and its keyed hashes
    are valid in this process only.
    """

    def __init__(self, key: bytes | None) -> None:
        self.persistent: Final = key is not None  # whether the key outlives the process
        self._house = key or secrets.token_bytes(_BYTES)
        self._key, self._marking = self.derive("secrets"), self.derive("marks")

    def derive(self, purpose: str) -> bytes:
        """Derive a key of 32 bytes for a purpose; it reveals nothing about other keys."""
        return hmac.digest(self._house, purpose.encode(), "sha256")

    def keyed_hash(self, words: str) -> str:
        return hmac.digest(self._marking, words.encode(), "sha256").hex()

    def encrypt(self, words: str, person_id: str) -> str:
        """Encrypt a text, to be decrypted only for the person with the id ``person_id``.

        >>> house = Encryption(b"k" * 32)
        >>> encrypted = house.encrypt("ABCD", "anna")
        >>> house.decrypt(encrypted, "anna"), house.decrypt(encrypted, "bela")
        ('ABCD', None)
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(_NONCE)
        data = AESGCM(self._key).encrypt(nonce, words.encode(), person_id.encode())
        return _ENCRYPTED + urlsafe_b64encode(nonce + data).decode()

    def decrypt(self, encrypted: str, person_id: str) -> str | None:
        """Decrypt a text; return None if it was encrypted for another person, or by another key."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            data = urlsafe_b64decode(encrypted.removeprefix(_ENCRYPTED))
            words = AESGCM(self._key).decrypt(data[:_NONCE], data[_NONCE:], person_id.encode())
        except (InvalidTag, ValueError):
            return None
        return words.decode()


def read_encryption(folder: Path, *, shared: bool = False, used: bool = False) -> Encryption:
    """Return the encryption with the key in the environment, or in the folder of the house.

    Args: ``shared``: several processes serve the house and need one key, so none is generated;
        without one the encryption is temporary. ``used``: data or devices already depend on the
        key, so it must not be replaced.

    Raises:
        MalformedError: the key is malformed, or missing though used, or other users can read its
            file.
    """
    if value := os.environ.get(VARIABLE, "").strip():
        return Encryption(_parse(value, VARIABLE))
    path = folder / FILE
    if not path.exists():
        if used:
            raise MalformedError(missing(folder))
        if shared:
            return Encryption(None)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(f"{secrets.token_hex(_BYTES)}\n".encode())
            file.flush()
            os.fsync(file.fileno())
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise MalformedError("{path} can be read by others; make it 0600", path=str(path))
    return Encryption(_parse(path.read_text(encoding="ascii", errors="replace").strip(), str(path)))


def missing(folder: Path) -> Text:
    """Return the message that the key is missing, and must not be generated."""
    return text(
        "{path} is missing: put the key of this house there, or a new one; docs/guides/host.md "
        "says how",
        path=str(folder / FILE),
    )


def _parse(value: str, where: str) -> bytes:
    try:
        key = bytes.fromhex(value)
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise MalformedError("{where} holds no key; expected 64 hexadecimal digits", where=where)
    return key
