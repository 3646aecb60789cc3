"""The message of the socket of a tournament; a page asks nothing there."""

from __future__ import annotations

from typing import TypeAlias

from trine.house.web.messages import Go, Ping, Sent


class TournamentLists(Sent, tag="tournament"):
    """The part of the page that changes, as HTML."""

    html: str


Outgoing: TypeAlias = TournamentLists | Go | Ping
