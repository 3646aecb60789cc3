"""The part of the interface of the store that is about people and the browsers that know them."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Final

from trine.store import people
from trine.store.access import Access
from trine.store.people import Person, Session

LIFETIME: Final = 180 * 86_400.0
"""Units: seconds; the time for which a browser is recognised. Guess."""


class PeopleStore(Access):
    """The people of a store, guests as well as accounts, and the tokens that recognise them."""

    def create_guest(self, name: str) -> Future[Person]:
        """Create a guest."""
        return self.write(people.create_guest, name, self._now())

    def rename(self, person: str, name: str) -> Future[None]:
        """Give a person another name."""
        return self.write(people.rename, person, name)

    def get(self, person: str) -> Person | None:
        """Return the person of an id, or None."""
        return self.read(people.read_person, person)

    def create_token(self, person: str, lifetime: float = LIFETIME) -> Future[str]:
        """Make a token by which a browser is recognised for a time; only its hash is stored."""
        return self.write(people.create_token, person, self._now(), lifetime)

    def of_token(self, token: str) -> Person | None:
        """Return the person of a token, or None if the token is unknown or has expired."""
        return self.read(people.person_of, token, self._now())

    def drop_token(self, token: str) -> Future[None]:
        """Invalidate a token."""
        return self.write(people.drop_token, token)

    def drop_expired_tokens(self) -> Future[int]:
        """Remove the expired tokens; the result is their number."""
        return self.write(people.drop_expired_tokens, self._now())

    def sessions_of(self, person: str) -> list[Session]:
        """Return the browsers in which a person is recognised, the newest first."""
        return self.read(people.sessions_of, person, self._now())

    def end_session(self, person: str, hashed: str) -> Future[None]:
        """Invalidate a token of a person, given its hash."""
        return self.write(people.end_session, person, hashed)

    def end_sessions(self, person: str, but: str = "") -> Future[None]:
        """Invalidate all tokens of a person, except one."""
        return self.write(people.end_sessions, person, but)
