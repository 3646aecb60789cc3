"""The operations of the API, from which its routes and its description are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from trine.engine.protocol import api
from trine.house.api.programs import CHALLENGE, PLAY, PUBLIC, READ, TOURNAMENT
from trine.house.games import messages

ROOT: Final = "/api"


@dataclass(frozen=True)
class Operation:
    """An operation of the API."""

    name: str
    method: str
    path: str
    scope: str
    """The right that the token must have; `PUBLIC` where none is needed."""
    told: str
    gives: Any
    """The type of the answer, or a union of types."""
    takes: Any = None
    """The type of the request's body."""
    stream: bool = False
    """Whether the answer is a stream of lines of JSON."""
    asks: Mapping[str, str] = field(default_factory=dict)
    """The fields of the query, each with its description."""


OPERATIONS: Final = (
    Operation("account", "GET", "/account", READ, "The account of the token.", api.Account),
    Operation(
        "events",
        "GET",
        "/events",
        READ,
        "The stream of what concerns the account: the challenges that stand and its running games, "
        "then whatever changes, and a ping at least every 6 seconds. Each account has one stream; "
        "a new one ends the one before. While it is open the account is there in all its games.",
        api.Event,
        stream=True,
    ),
    Operation(
        "people",
        "GET",
        "/people",
        READ,
        "The accounts whose names begin so, page by page.",
        api.People,
        asks={
            "name": "The beginning of a name; those that look alike are found too.",
            "after": "What was answered as that with the page before.",
        },
    ),
    Operation(
        "games",
        "GET",
        "/games",
        READ,
        "Games that everybody may watch, and those of the account, page by page.",
        api.Games,
        asks={
            "player": "The name of an account that plays.",
            "against": "The name of another one.",
            "mine": "`1`: the account of the token plays.",
            "game": "`arimaa`, `tzaar` or `corridor`.",
            "rules": "A rule set of the game.",
            "players": "`2`, `3` or `4`.",
            "kind": "`rated` or `casual`.",
            "pace": "`live` or `days`.",
            "result": "`won`, `lost` or `drawn` by the player, or else by the side that began; "
            "`over` or `running`.",
            "since": "A day, such as `2026-11-22`, by universal time.",
            "until": "Likewise; the last day.",
            "after": "What was answered as that with the page before.",
        },
    ),
    Operation("game", "GET", "/games/{id}", READ, "A game as it stands.", api.Game),
    Operation(
        "command",
        "POST",
        "/games/{id}",
        PLAY,
        "Do something in a game of the account, by the messages of the pages. A command that comes "
        "again under the same id is answered, and not done again.",
        api.Ok | api.Reason | api.No,
        messages.Command,
    ),
    Operation(
        "bots",
        "GET",
        "/bots",
        PUBLIC,
        "The accounts of programs, page by page. It needs no token.",
        api.Bots,
        asks={"after": "What was answered as that with the page before."},
    ),
    Operation(
        "tournaments",
        "GET",
        "/tournaments",
        READ,
        "Tournaments: those of the account, then the listed ones that run, are open to join, or "
        "are over, as the page has them.",
        list[api.TournamentListed],
    ),
    Operation("tournament", "GET", "/tournaments/{id}", READ, "A tournament.", api.Tournament),
    Operation(
        "enter",
        "POST",
        "/tournaments/{id}",
        TOURNAMENT,
        "Join a tournament, or leave it. Once more does nothing more.",
        api.Tournament,
        api.Entry,
    ),
    Operation("challenges", "GET", "/challenges", READ, "The challenges.", list[api.Challenge]),
    Operation(
        "challenge",
        "POST",
        "/challenges",
        CHALLENGE,
        "Challenge an account. The same challenge again is still one.",
        api.Challenge,
        api.NewChallenge,
    ),
    Operation(
        "reply",
        "POST",
        "/challenges/{id}",
        CHALLENGE,
        "Accept or decline a challenge, or withdraw one of the account.",
        api.Begun,
        api.Reply,
    ),
)
