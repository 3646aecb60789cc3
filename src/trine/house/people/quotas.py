"""Quotas: how much the house stores for one person, and for one network address.

Two tables hold them: how much may exist at once, and how much may be added in a day.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from trine.core.clock import DAY
from trine.core.text.sentence import Text, text
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.web.rate_limits import RateLimiter


class QuotaKind(StrEnum):
    """The kinds of quotas."""

    GUEST = "guest"  # a guest, created by the first form of an unknown visitor
    SEAT = "seat"  # an open seat in the lobby
    GAME = "game"
    STUDY = "study"  # an analysis
    MOMENT = "moment"  # a sent moment of a game
    EVENT = "event"  # a turn, an offer or any other event in the journal of a game
    LINE = "line"  # a line of chat


@dataclass(frozen=True, slots=True)
class Quota:
    """The maximum number of one kind, per guest, account and network address."""

    guest: int
    account: int
    address: int | None = None
    """The limit for all people with one network address; None if there is none."""

    def of(self, person: Person) -> int:
        return self.account if person.has_account else self.guest


MAX_AT_ONCE: Final[Mapping[QuotaKind, Quota]] = {
    QuotaKind.SEAT: Quota(guest=3, account=6, address=30),
    QuotaKind.GAME: Quota(guest=20, account=100),
    QuotaKind.STUDY: Quota(guest=20, account=200),
    QuotaKind.MOMENT: Quota(guest=20, account=200),
}
"""The maximum that may exist at once. Guesses."""
MAX_PER_DAY: Final[Mapping[QuotaKind, Quota]] = {
    QuotaKind.GUEST: Quota(guest=1, account=1, address=500),
    QuotaKind.GAME: Quota(guest=100, account=300, address=2000),
    QuotaKind.STUDY: Quota(guest=30, account=100, address=200),
    QuotaKind.MOMENT: Quota(guest=30, account=100, address=200),
    QuotaKind.EVENT: Quota(guest=10_000, account=30_000, address=200_000),
    QuotaKind.LINE: Quota(guest=500, account=2000, address=10_000),
}
"""The maximum that may be added in a day, refilled continuously. Guesses."""


class QuotaError(HouseError):
    """A quota is exhausted."""


class DailyQuotaError(QuotaError):
    """A quota of a day is exhausted; one more is allowed after some ``seconds``."""

    def __init__(self, reason: Text, seconds: int) -> None:
        super().__init__(reason)
        self.seconds = seconds


class Quotas:
    """Checks the quotas of people and network addresses.

    Additions per day are counted in memory, by each process; what exists at once is counted by the
    package that stores it. ``limit_factor`` multiplies the limits, for benchmarks.

    >>> from trine.house.people.tables import PersonKind
    >>> guest = Person("4tQz", PersonKind.GUEST, "Guest 1234", 0.0)
    >>> quotas = Quotas(a_day={QuotaKind.GAME: Quota(guest=1, account=9, address=9)})
    >>> quotas.spend(QuotaKind.GAME, guest)
    >>> quotas.spend(QuotaKind.GAME, guest)
    Traceback (most recent call last):
    trine.house.people.quotas.DailyQuotaError: you have reached ...limit; try again in some hours
    """

    def __init__(
        self,
        at_once: Mapping[QuotaKind, Quota] = MAX_AT_ONCE,
        a_day: Mapping[QuotaKind, Quota] = MAX_PER_DAY,
        limit_factor: float = 1.0,
    ) -> None:
        self._at_once, self._more = {**MAX_AT_ONCE, **at_once}, limit_factor
        self._a_day = {
            (kind, field): RateLimiter(most * limit_factor, DAY)
            for kind, quota in {**MAX_PER_DAY, **a_day}.items()
            for field, most in asdict(quota).items()
            if most
        }

    def most(self, kind: QuotaKind, person: Person) -> int:
        return int(self._at_once[kind].of(person) * self._more)

    def check(self, kind: QuotaKind, person: Person, mine: int, all_there: int = 0) -> None:
        """Raise `QuotaError` unless a person with ``mine`` of a kind may have one more.

        ``all_there`` is the total of all people at the person's network address.
        """
        if mine >= (most := self.most(kind, person)):
            raise QuotaError(_too_many(kind, most))
        of_address = self._at_once[kind].address
        if of_address and all_there >= of_address * self._more:
            raise QuotaError(_OF_ADDRESS)

    def spend(self, kind: QuotaKind, person: Person) -> None:
        """Count one addition of a kind against the daily limits of the person and the address."""
        field = "account" if person.has_account else "guest"
        _take(self._a_day[kind, field], person.id, _A_DAY)
        self.spend_of(kind, person.address)

    def spend_of(self, kind: QuotaKind, address: str) -> None:
        """Count one addition of a kind against the daily limit of a network address, if known."""
        if address and (kind, "address") in self._a_day:
            _take(self._a_day[kind, "address"], address, _OF_ADDRESS)


def _take(limiter: RateLimiter, key: str, reason: Text) -> None:
    if not limiter.take(key):
        raise DailyQuotaError(reason, max(1, limiter.retry_after(key)))


_A_DAY: Final = text("you have reached today's limit; try again in some hours")
_OF_ADDRESS: Final = text("your network address has reached its limit; try again in some hours")


def _too_many(kind: QuotaKind, most: int) -> Text:
    if kind is QuotaKind.SEAT:
        return text("you have {count} open seats already", count=most)
    return text("you have {count} games running already; end one of them first", count=most)
