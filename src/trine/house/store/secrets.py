"""Ids that cannot be guessed, and secrets that are stored only as hashes."""

import hashlib
import secrets
import string
from typing import Final

_LETTERS: Final = string.ascii_letters + string.digits
_LENGTH: Final = 12  # characters, of 62 kinds each: 71 bits, more than can be tried over a network

_TOKEN_LETTERS: Final = frozenset(_LETTERS + "-_")
_TOKEN_LENGTH: Final = 43  # characters, of 64 kinds each: 32 bytes


def new_id() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def new_token() -> str:
    """Return a new secret of 256 bits, for a link or a cookie."""
    return secrets.token_urlsafe(32)


def is_token(raw: str) -> bool:
    """Return whether a text has the form of a token.

    >>> is_token(new_token()), is_token("x" * 5000)
    (True, False)
    """
    return len(raw) == _TOKEN_LENGTH and set(raw) <= _TOKEN_LETTERS


def token_hash(token: str) -> str:
    """Return the hash that is stored for a token, without salt: 256 bits cannot be guessed."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
