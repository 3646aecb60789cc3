"""Passwords: hashed and checked in threads, a few at a time."""

import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from trine.core.errors import MalformedError
from trine.core.work.cpu_account import in_thread
from trine.house.refusals import OverloadedError
from trine.house.store.secrets import new_token

Result = TypeVar("Result")
MIN_LENGTH, MAX_LENGTH = 8, 128  # characters
MAX_CONCURRENT: Final = 2  # each takes 19 MiB and about 30 ms
MAX_WAITING: Final = 32
HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""Source: OWASP Password Storage Cheat Sheet, Argon2id."""


class Passwords:
    """Hashes and checks passwords."""

    def __init__(self, hasher: PasswordHasher = HASHER) -> None:
        self._hasher = hasher
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT, "passwords")
        self._waiting = 0
        self._dummy_hash = ""
        """The hash of a random password, so that unknown names take as long to check."""

    async def hash(self, password: str) -> str:
        """Return the hash of a new password; raises `MalformedError` or `OverloadedError`."""
        if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
            raise MalformedError(
                "a password has {least} to {most} characters", least=MIN_LENGTH, most=MAX_LENGTH
            )
        if len(set(password.casefold())) < 4:
            raise MalformedError("this password is too simple; use more different characters")
        if await self._do(partial(_is_common, password)):
            raise MalformedError("this is a common password; choose another")
        return await self._do(partial(self._hasher.hash, _plain(password)))

    async def is_right(self, hashed: str | None, password: str) -> bool:
        """Return whether a password matches a hash; False without one, after equal time."""
        if len(password) > MAX_LENGTH:
            hashed, password = None, ""
        return await self._do(partial(self._compare, hashed, _plain(password)))

    def is_old(self, hashed: str) -> bool:
        """Return whether a hash was made with other Argon2 settings."""
        return self._hasher.check_needs_rehash(hashed)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _compare(self, hashed: str | None, password: str) -> bool:
        if not hashed:
            self._dummy_hash = self._dummy_hash or self._hasher.hash(new_token())
        try:
            return self._hasher.verify(hashed or self._dummy_hash, password) and bool(hashed)
        except (VerificationError, InvalidHashError):
            return False

    async def _do(self, call: Callable[[], Result]) -> Result:
        if self._waiting >= MAX_WAITING:
            raise OverloadedError
        self._waiting += 1
        try:
            return await in_thread(call, self._threads)
        finally:
            self._waiting -= 1


def _is_common(password: str) -> bool:
    return password.casefold() in common_passwords()


@cache
def common_passwords() -> frozenset[str]:
    """Return the 30,000 most common passwords."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])


def _plain(password: str) -> str:
    """Normalize a password, since keyboards encode the same letters differently."""
    return unicodedata.normalize("NFKC", password)
