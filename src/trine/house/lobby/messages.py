"""The message of the socket of the lobby; a page asks nothing there."""

from __future__ import annotations

from typing import TypeAlias

from trine.house.web.messages import Go, Ping, Sent


class LobbyLists(Sent, tag="lobby"):
    """The lists of the lobby, as HTML."""

    html: str


Outgoing: TypeAlias = LobbyLists | Go | Ping
