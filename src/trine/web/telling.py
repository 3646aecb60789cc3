"""A socket on which the page asks nothing and is told all: it only answers our pings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket

from trine.core.language import open_language
from trine.web.messages import Pong
from trine.web.speaking import Speaking

if TYPE_CHECKING:
    from trine.web.site import Site

_DECODER = msgspec.json.Decoder(Pong)


class Telling(Speaking):
    """One open page that is only told of changes."""

    def __init__(self, site: Site, socket: WebSocket, code: str) -> None:
        super().__init__(site, socket)
        self._language = open_language(code)

    def read(self, words: str | bytes) -> Any:
        """Read a message."""
        return _DECODER.decode(words)

    def may_speak(self) -> bool:
        """Whether there is credit for one more message."""
        address = self.site.address_of(self.socket)
        return self.site.watchers.take(f"{address} {id(self)}") and self.site.addresses.take(
            address
        )

    async def handle(self, message: Any) -> None:
        """Nothing is asked here."""

    def say(self, sentence: Any) -> str:
        """A sentence in the language of the page."""
        return self._language.say(sentence)
