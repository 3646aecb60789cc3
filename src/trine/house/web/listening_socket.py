"""A socket on which the house only sends: the page answers nothing but pings."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.websockets import WebSocket

from trine.core.text.language import open_language
from trine.house.web.frame import Frame
from trine.house.web.messages import Pong, decode_json
from trine.house.web.socket import PageSocket

_DECODER = msgspec.json.Decoder(Pong)


class ListeningSocket(PageSocket):
    """An open page that only hears of changes."""

    def __init__(self, frame: Frame[Any], socket: WebSocket) -> None:
        super().__init__(frame, socket)
        self._language = open_language(frame.language_of(socket))

    def read(self, words: str | bytes) -> Any:
        """Read a message."""
        return decode_json(_DECODER, words)

    def may_speak(self) -> bool:
        """Whether there is credit for one more message."""
        of_page = self.frame.watchers.take(f"{self.address} {id(self)}")
        return of_page and self.frame.addresses.take(self.address)

    async def handle(self, message: Any) -> None:
        """Ignore a message."""

    def say(self, sentence: Any) -> str:
        """Return a sentence in the language of the page."""
        return self._language.say(sentence)
