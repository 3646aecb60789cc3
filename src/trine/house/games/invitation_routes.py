"""Invitations: where the link to a free seat leads, and how the seat is taken."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.text.sentence import text
from trine.house.games.game_choices import CLOCKS
from trine.house.games.game_page import scene_after
from trine.house.games.games import Games
from trine.house.games.views import seats_of_board
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError
from trine.house.web.boards import shape
from trine.house.web.frame import Frame


def routes(frame: Frame[Person], games: Games) -> list[Route]:
    """The routes of invitations."""

    async def invitation(request: Request) -> Response:
        frame.charge(request, 5)
        found = await games.invited_to(request.path_params["token"])
        if not found:
            raise HouseError(text("this link leads nowhere; ask for a new one"))
        host, seat = found
        board = shape(scene_after(host.snapshot, 0, seat).board)
        return await frame.show(
            request,
            "join.html",
            snapshot=host.snapshot,
            seat=seat,
            seats=seats_of_board(host.snapshot),
            clocks=CLOCKS,
            across=board["across"],
            down=board["down"],
        )

    async def join(request: Request) -> Response:
        form = await frame.form_of(request)
        await games.invited_to(request.path_params["token"])  # before a guest is made
        person, token = await frame.known(request, form.get("name", "").strip())
        game = await games.join(request.path_params["token"], person)
        return frame.remember(request, RedirectResponse(f"/game/{game}", 303), token)

    return [
        Route("/join/{token}", invitation),
        Route("/join/{token}", join, methods=["POST"]),
    ]
