"""The seal of a house: what it stores so that a stolen database alone tells nobody what it is.

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
_SEALED: Final = "1:"
"""The beginning of what is sealed; the number is that of the method, AES-GCM with 256 bits."""


class Seal:
    """A key, and what is made with it.

    Args: without a ``key`` there is one for as long as the process lasts, with which nothing can be
    sealed; but what is marked in one process can be found by it.
    """

    def __init__(self, key: bytes | None) -> None:
        self.lasts: Final = key is not None
        """Whether what is sealed can be opened later."""
        key = key or secrets.token_bytes(_BYTES)
        self._sealing = hmac.digest(key, b"secrets", "sha256")
        self._marking = hmac.digest(key, b"marks", "sha256")

    def mark(self, words: str) -> str:
        """Return a mark, by which the same words are known again, and nothing else is.

        >>> seal = Seal(b"k" * 32)
        >>> seal.mark("8.8.8.8") == seal.mark("8.8.8.8") != seal.mark("9.9.9.9")
        True
        """
        return hmac.digest(self._marking, words.encode(), "sha256").hex()

    def close(self, words: str, whose: str) -> str:
        """Return sealed words, which open for the same person alone.

        >>> seal = Seal(b"k" * 32)
        >>> sealed = seal.close("ABCD", "anna")
        >>> is_sealed(sealed), seal.opened(sealed, "anna"), seal.opened(sealed, "bela")
        (True, 'ABCD', None)
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(_NONCE)
        closed = AESGCM(self._sealing).encrypt(nonce, words.encode(), whose.encode())
        return _SEALED + urlsafe_b64encode(nonce + closed).decode()

    def opened(self, sealed: str, whose: str) -> str | None:
        """Return what was sealed for a person; None if it was sealed by another key.

        What is not sealed is returned as it is.
        """
        if not is_sealed(sealed):
            return sealed
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        closed = urlsafe_b64decode(sealed.removeprefix(_SEALED))
        try:
            opened = AESGCM(self._sealing).decrypt(closed[:_NONCE], closed[_NONCE:], whose.encode())
        except InvalidTag:
            return None
        return opened.decode()


def is_sealed(words: str) -> bool:
    return words.startswith(_SEALED)


def read_seal(folder: Path, *, shared: bool = False, used: bool = False) -> Seal:
    """Return the seal of a house: by the key in the environment, or in its folder.

    Args: ``shared`` says that other processes have the same house, for which they need the same
    key; then none is made, and the seal does not last if there is none. ``used`` says that
    something is sealed already, which no new key would open.

    Raises:
        MalformedError: the key is none, or missing though it is used, or others may read its file.
    """
    if given := os.environ.get(VARIABLE, "").strip():
        return Seal(_parse(given, VARIABLE))
    path = folder / FILE
    if not path.exists():
        if used:
            raise MalformedError(missing(path))
        if shared:
            return Seal(None)
        write_secret(path, f"{secrets.token_hex(_BYTES)}\n".encode())
    check_private(path)
    return Seal(_parse(path.read_text(encoding="ascii", errors="replace").strip(), str(path)))


def missing(path: Path) -> Text:
    """Return the sentence on a key that is not there, and must not be made by itself."""
    return text(
        "{path} is missing: put the key of this house there, or a new one; docs/guides/host.md "
        "says how",
        path=str(path),
    )


def _parse(given: str, where: str) -> bytes:
    try:
        key = bytes.fromhex(given)
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise MalformedError("{where} holds no key; expected 64 hexadecimal digits", where=where)
    return key


def write_secret(path: Path, secret: bytes) -> None:
    """Write a new file that nobody else can read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())


def check_private(path: Path) -> None:
    """Check that nobody else can read a file.

    Raises:
        MalformedError: others can.
        OSError: there is none.
    """
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise MalformedError("{path} can be read by others; make it 0600", path=str(path))
