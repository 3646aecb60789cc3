"""Following: a person has others at hand, who are not told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.text.sentence import text
from trine.house.background import Now
from trine.house.people import follow_rows
from trine.house.people.account_rows import Account
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError
from trine.house.store.store import Store

MOST: Final = 200


class Following:
    """The followers and the followed among the people of a house."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store, self._now = store, now

    async def follow(self, person: Person, other: Account, *, on: bool = True) -> None:
        """Follow an account, or follow it no more; once more does nothing more.

        Raises:
            HouseError: it is one's own, or too many are followed.
        """
        if other.person == person.id:
            raise HouseError(text("you cannot follow yourself"))
        if not await self._store.commit(
            follow_rows.set_follow,
            person=person.id,
            followed=other.person,
            now=self._now(),
            most=MOST,
            on=on,
        ):
            raise HouseError(text("you follow {count} people already", count=MOST))

    async def of(self, person: Person) -> Sequence[Account]:
        """Return the accounts that a person follows, in the order of their names."""
        return await self._store.fetch(follow_rows.followed_by, person=person.id)

    async def follows(self, person: Person | None, account: Account) -> bool:
        """Return whether a person follows an account."""
        if not person or not person.has_account:
            return False
        return await self._store.fetch(
            follow_rows.follows, person=person.id, followed=account.person
        )
