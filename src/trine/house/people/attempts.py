"""The limits on attempts at passwords, and on new accounts."""

from __future__ import annotations

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.house.people.names import fold
from trine.house.web import guard


class TooOftenError(TrineError):
    """The error of too many attempts."""

    def __init__(self) -> None:
        super().__init__(text("Too many attempts; wait a quarter of an hour, then try again."))


class Attempts:
    """The attempts of all visitors."""

    def __init__(self) -> None:
        self._logins, self._new = guard.Logins(), guard.Credits(guard.NEW, guard.HOUR)

    def check_password(self, name: str, address: str) -> None:
        """Count an attempt at the password of an account, from an address.

        Raises:
            TooOftenError: too many were.
        """
        if not self._logins.may_try(fold(name), address):
            raise TooOftenError

    def check_newcomer(self, address: str) -> None:
        """Count the creation of an account.

        Raises:
            TooOftenError: too many were, from this address.
        """
        if not self._new.take(address):
            raise TooOftenError
