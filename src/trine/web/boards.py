"""The boards of scenes, by their digests: the half that a browser fetches once and keeps."""

from __future__ import annotations

from collections import OrderedDict
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from trine.core.language import open_language
from trine.core.scene import Board
from trine.web.headers import FOR_EVER, packed
from trine.web.visitors import asked_for

MOST: Final = 512


class Boards:
    """The boards that were shown lately."""

    def __init__(self) -> None:
        self._boards: OrderedDict[str, Board] = OrderedDict()

    def __contains__(self, digest: str) -> bool:
        return digest in self._boards

    def keep(self, board: Board) -> None:
        """Keep a board."""
        self._boards[board.digest] = board
        self._boards.move_to_end(board.digest)
        while len(self._boards) > MOST:
            self._boards.popitem(last=False)

    def answer(self, request: Request, digest: str) -> Response:
        """Answer with a board, in the language that is asked for.

        Raises:
            HTTPException: it is not kept.
        """
        board = self._boards.get(digest)
        if not board:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        say = open_language(asked_for(request)).say
        plain = msgspec.json.encode(board.as_data(say))
        return packed(request, plain, "application/json", FOR_EVER)
