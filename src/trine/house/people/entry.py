"""The entry of the house: what is done, and looked at, where a browser becomes an account's.

Who was kept out does not come in again as somebody else. A ban holds in the browsers in which the
banned person has logged in, for as long as it lasts; and for the network addresses of their last
day, for a day.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from trine.core.text.sentence import text
from trine.house.background import Now
from trine.house.people.browsers import browser_of, keep_browser, people_in
from trine.house.people.neighbours import Neighbours
from trine.house.people.sanctions import BAN, Sanctions
from trine.house.people.tables import Person, drop_token
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.web.frame import Frame


class Doors:
    """The doors of a house.

    Args: ``neighbours`` know from where people have lately been here.
    """

    def __init__(self, store: Store, sanctions: Sanctions, neighbours: Neighbours) -> None:
        self._store, self._sanctions, self._neighbours = store, sanctions, neighbours

    async def check_browser(self, browser: str) -> None:
        """Check that nobody who is kept out has logged in in a browser.

        Raises:
            HouseError: somebody has.
        """
        people = await self._store.fetch(people_in, browser) if browser else []
        if any(self._sanctions.holds(person, BAN) for person in people):
            raise HouseError(text("an account that was used in this browser is kept out"))

    async def check_newcomer(self, browser: str, address: str) -> None:
        """Check that nobody who is kept out would create another account.

        Raises:
            HouseError: it may be.
        """
        await self.check_browser(browser)
        if not self._sanctions.banned.isdisjoint(await self._neighbours.people_from(address)):
            raise HouseError(
                text("no account can be created from this network for now; try again tomorrow")
            )


class Entry:
    """The entry of a house."""

    def __init__(self, frame: Frame[Person], store: Store, now: Now, doors: Doors) -> None:
        self._frame, self._store, self._now, self._doors = frame, store, now, doors

    async def check_newcomer(self, request: Request) -> None:
        """Check that a browser may create an account.

        Raises:
            HouseError: somebody who is kept out has used it, or comes from there.
        """
        await self._doors.check_newcomer(browser_of(request), self._frame.address_of(request))

    async def admit(self, request: Request, response: Response, token: str) -> Response:
        """Let a browser keep the token of its new session, and be known again.

        Raises:
            HouseError: somebody who is kept out has used it; the session ends.
        """
        try:
            await self._doors.check_browser(browser_of(request))
        except HouseError:
            await self._store.commit(drop_token, token)
            raise
        await keep_browser(self._store, request, response, token, self._now())
        return self._frame.remember(request, response, token)
