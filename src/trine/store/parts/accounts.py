"""The part of the interface of the store that is about accounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future

from trine.store import account_rows
from trine.store.access import Access
from trine.store.account_rows import Account


class AccountStore(Access):
    """The accounts of a store."""

    def create(self, person: str, name: str, folded: str, password: str) -> Future[None]:
        """Give a guest an account; the future raises a `NameTakenError` if the name is taken."""
        return self.write(account_rows.create_account, person, name, folded, password, self._now())

    def rename(self, person: str, name: str, folded: str) -> Future[None]:
        """Rename an account; the future raises a `NameTakenError` if the name is taken."""
        return self.write(account_rows.rename_account, person, name, folded)

    def set_password(self, person: str, password: str, before: str) -> Future[bool]:
        """Replace the hash of a password, unless it has been replaced meanwhile."""
        return self.write(account_rows.set_password, person, password, before)

    def set_role(self, person: str, role: str | None) -> Future[None]:
        """Give an account a role, or take it away."""
        return self.write(account_rows.set_role, person, role)

    def delete(self, person: str, tags: Mapping[str, Mapping[int, str]]) -> Future[None]:
        """Delete an account; games stay, without the name, which stands in these ``tags``."""
        return self.write(account_rows.delete_account, person, tags)

    def of(self, person: str) -> Account | None:
        """Return the account of a person, or None for others, such as guests."""
        return self.read(account_rows.read_account, person)

    def named(self, folded: str) -> Account | None:
        """Return the account of a folded name, or None."""
        return self.read(account_rows.account_named, folded)

    def of_all(self, people: Sequence[str]) -> dict[str, Account]:
        """Return the accounts of those among some people who have one, by their ids."""
        return self.read(account_rows.accounts_of, people)
