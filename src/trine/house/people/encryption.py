"""The encryption of a house: a stolen database alone tells nobody its secrets.

Its key lies outside of the database, in a file of its owner alone or in the environment.
"""

from __future__ import annotations

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
"""The beginning of what is encrypted; the number is that of the method, AES-GCM with 256 bits."""


class Encryption:
    """A key, and what is made with it.

    Args: without a ``key`` there is one for as long as the process lasts, with which nothing can be
    encrypted; but what is marked in one process can be found by it.
    """

    def __init__(self, key: bytes | None) -> None:
        self.lasts: Final = key is not None
        """Whether what is encrypted can be decrypted later."""
        self._house = key or secrets.token_bytes(_BYTES)
        self._key, self._marking = self.derive("secrets"), self.derive("marks")

    def derive(self, purpose: str) -> bytes:
        """Return a key of 32 bytes for a purpose, which tells nothing of the others."""
        return hmac.digest(self._house, purpose.encode(), "sha256")

    def mark(self, words: str) -> str:
        """Return a mark, by which the same words are known again, and nothing else is.

        >>> one = Encryption(b"k" * 32)
        >>> one.mark("8.8.8.8") == one.mark("8.8.8.8") != one.mark("9.9.9.9")
        True
        """
        return hmac.digest(self._marking, words.encode(), "sha256").hex()

    def encrypt(self, words: str, whose: str) -> str:
        """Return encrypted words, which are decrypted for the same person alone.

        >>> one = Encryption(b"k" * 32)
        >>> encrypted = one.encrypt("ABCD", "anna")
        >>> one.decrypt(encrypted, "anna"), one.decrypt(encrypted, "bela")
        ('ABCD', None)
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(_NONCE)
        data = AESGCM(self._key).encrypt(nonce, words.encode(), whose.encode())
        return _ENCRYPTED + urlsafe_b64encode(nonce + data).decode()

    def decrypt(self, encrypted: str, whose: str) -> str | None:
        """Return what was encrypted for a person; None if it was encrypted by another key."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            data = urlsafe_b64decode(encrypted.removeprefix(_ENCRYPTED))
            words = AESGCM(self._key).decrypt(data[:_NONCE], data[_NONCE:], whose.encode())
        except (InvalidTag, ValueError):
            return None
        return words.decode()


def read_encryption(folder: Path, *, shared: bool = False, used: bool = False) -> Encryption:
    """Return the encryption of a house: by the key in the environment, or in its folder.

    Args: ``shared`` says that other processes have the same house, for which they need the same
    key; then none is made, and the encryption does not last if there is none. ``used`` says that
    something is encrypted already, which no new key would decrypt, or that devices know it.

    Raises:
        MalformedError: the key is none, or missing though it is used, or others may read its file.
    """
    if given := os.environ.get(VARIABLE, "").strip():
        return Encryption(_parse(given, VARIABLE))
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
    """Return the sentence on a key that is not there, and must not be made by itself."""
    return text(
        "{path} is missing: put the key of this house there, or a new one; docs/guides/host.md "
        "says how",
        path=str(folder / FILE),
    )


def _parse(given: str, where: str) -> bytes:
    try:
        key = bytes.fromhex(given)
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise MalformedError("{where} holds no key; expected 64 hexadecimal digits", where=where)
    return key
