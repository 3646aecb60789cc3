"""The static parts of scenes, by digest: a browser fetches each of them once."""

from __future__ import annotations

from collections import OrderedDict
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from trine.core.scene.scene import Board
from trine.core.text.language import open_language
from trine.house.web.headers import FOR_EVER, packed
from trine.house.web.visitors import asked_for

MAX_BOARDS: Final = 512


def shape(board: Board) -> dict[str, Any]:
    """Return the size of a board for pages, so that the layout does not shift while it loads."""
    across, down = board.size
    return {
        "size": f"{across:g}x{down:g}",
        "ratio": max(70, min(140, 5 * int(20 * across / down))),
        "across": round(100 * across),
        "down": round(100 * down),
        "players": len(board.players),
        "seat": board.seat,
    }


class Boards:
    """The boards that were shown recently."""

    def __init__(self) -> None:
        self._boards: OrderedDict[str, Board] = OrderedDict()

    def __contains__(self, digest: str) -> bool:
        return digest in self._boards

    def keep(self, board: Board) -> None:
        self._boards[board.digest] = board
        self._boards.move_to_end(board.digest)
        while len(self._boards) > MAX_BOARDS:
            self._boards.popitem(last=False)

    def answer(self, request: Request, digest: str) -> Response:
        """Respond with a board, in the requested language."""
        board = self._boards.get(digest)
        if not board:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        say = open_language(asked_for(request)).say
        plain = msgspec.json.encode(board, enc_hook=say)
        return packed(request, plain, "application/json", FOR_EVER)
