"""The entry of the house: what is done, and looked at, where a browser becomes an account's."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from trine.house.background import Now
from trine.house.people.browsers import browser_of, keep_browser
from trine.house.people.doors import Doors
from trine.house.people.person_rows import Person, drop_token
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.web.frame import Frame


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
