"""The doors of the house: who was kept out does not come in again as somebody else.

A ban holds in the browsers in which the banned person has logged in, for as long as it lasts; and
for the network addresses of their last day, for a day.
"""

from __future__ import annotations

from trine.core.text.sentence import text
from trine.house.people.browsers import people_in
from trine.house.people.neighbours import Neighbours
from trine.house.people.sanctions import BAN, Sanctions
from trine.house.refusals import HouseError
from trine.house.store.store import Store


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
