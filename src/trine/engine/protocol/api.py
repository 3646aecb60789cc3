"""The messages of a house's API: what programs send to a house on the web, and what it answers.

One schema checks what comes in, writes what goes out, and makes the documentation. What programs
say in a game is what pages say there: see `trine.house.games.messages`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

Short = Annotated[str, Meta(max_length=64)]


class Message(msgspec.Struct, omit_defaults=False):
    """The root of all that the house tells."""


class Account(Message):
    """The account for which a token acts."""

    name: str
    bot: Annotated[bool, Meta(description="Whether it is the account of a program.")]
    scopes: Annotated[list[str], Meta(description="What the token allows.")]


class Side(Message):
    """A player of a game, or of a challenge."""

    name: str
    kind: Annotated[
        Literal["person", "bot", "free"],
        Meta(
            description="`bot` is a computer player of the house; a program with an account is a "
            "person here."
        ),
    ] = "person"
    bot: Annotated[
        bool, Meta(description="Whether a program plays under an account of this name.")
    ] = False
    guest: Annotated[
        bool, Meta(description="Whether this is the name of a guest, which anybody can choose.")
    ] = False
    rating: Annotated[
        str, Meta(description="For what is played; with a question mark while it is not sure.")
    ] = ""
    seat: Annotated[
        str, Meta(description="The side of the board, as records name it: Gold, White, South.")
    ] = ""


class Challenge(Message, tag_field="t", tag="challenge"):
    """A challenge that stands."""

    id: Annotated[str, Meta(description="Also the id of the game to which it will lead.")]
    own: Annotated[bool, Meta(description="Whether it is the account's own.")]
    by: Side
    to: Side
    game: str
    rules: str
    start: Annotated[
        dict[str, str],
        Meta(
            description="What is not usual of the start, by the tags of records; what chance "
            "decides is drawn when a game begins."
        ),
    ]
    clock: Annotated[
        str, Meta(description="In the notation of clocks, such as `5+3`; empty without one.")
    ]
    rated: bool
    side: Annotated[
        int | None, Meta(description="The seat of the challenger; null is left to chance.")
    ]
    until: Annotated[float, Meta(description="When it expires, in seconds since 1970.")]


class FoundPerson(Message):
    """An account that was found by its name."""

    name: str
    bot: Annotated[bool, Meta(description="Whether a program plays under it.")]
    since: Annotated[float, Meta(description="Units: seconds since 1970.")]


class People(Message):
    """Accounts, in the order of their names."""

    people: list[FoundPerson]
    after: Annotated[str, Meta(description="Given with the next request it goes on; may be empty.")]


class Bot(Message):
    """The account of a program."""

    name: str
    since: Annotated[float, Meta(description="Units: seconds since 1970.")]
    here: Annotated[
        bool, Meta(description="Whether it listens now, so that a challenge reaches it.")
    ]
    ratings: Annotated[
        dict[str, str],
        Meta(description="By game, rule set and speed, such as `corridor/quoridor blitz`."),
    ]


class Bots(Message):
    """Accounts of programs, in the order of their names."""

    bots: list[Bot]
    after: Annotated[str, Meta(description="Given with the next request it goes on; may be empty.")]


class FoundGame(Message):
    """A game that was found."""

    id: str
    at: Annotated[float, Meta(description="When it began, in seconds since 1970.")]
    game: str
    rules: str
    clock: str
    rated: bool
    players: Annotated[list[str], Meta(description="The names at its seats, in turn order.")]
    scores: Annotated[
        list[float | None],
        Meta(description="Of each seat: 1, 0.5 or 0; null while the game is played."),
    ]


class Games(Message):
    """Games, the newest first."""

    games: list[FoundGame]
    after: Annotated[str, Meta(description="Given with the next request it goes on; may be empty.")]


class TournamentListed(Message):
    """A tournament in a list."""

    id: str
    name: str
    format: Literal["swiss", "round-robin", "knockout", "arena", "challenge"]
    stage: Literal["open", "running", "over", "cancelled"]
    game: str
    rules: str
    start: Annotated[
        dict[str, str],
        Meta(
            description="What is not usual of the start, by the tags of records; what chance "
            "decides is drawn when a game begins."
        ),
    ]
    clock: str
    rated: bool
    entrants: Annotated[int, Meta(description="How many take part.")]
    most: Annotated[int, Meta(description="How many can take part.")]
    starts_at: Annotated[
        float | None,
        Meta(description="In seconds since 1970; null where its creator begins it by hand."),
    ]


class Place(Message):
    """A participant of a tournament, with the present place."""

    name: str
    kind: Annotated[
        Literal["person", "bot"],
        Meta(description="`bot` is a computer player of the house, as in a game."),
    ]
    bot: Annotated[bool, Meta(description="Whether a program plays under an account of this name.")]
    guest: Annotated[bool, Meta(description="Whether it is the name of a guest.")]
    number: Annotated[
        int | None, Meta(description="The number in pairings; null before the beginning.")
    ]
    rank: Annotated[int | None, Meta(description="Null before the beginning.")]
    points: float
    withdrawn: bool


class Paired(Message):
    """A game of a tournament, or a round without an opponent."""

    round: int
    numbers: Annotated[
        list[int], Meta(description="The participants, in turn order; one alone has a bye.")
    ]
    points: Annotated[
        list[float] | None, Meta(description="Of each of them; null while it is played.")
    ]
    played: Annotated[bool, Meta(description="Whether it was decided at the board.")]
    game: Annotated[str, Meta(description="The id of the game; empty where there is none.")]


class Tournament(TournamentListed):
    """A tournament as it stands."""

    by: Annotated[str, Meta(description="The name of its creator.")]
    joined: Annotated[bool, Meta(description="Whether the account takes part.")]
    own: Annotated[
        str, Meta(description="The game that the account is to play now; empty for none.")
    ]
    ends_at: Annotated[
        float | None,
        Meta(description="Of a running arena: when pairing ends, in seconds since 1970."),
    ]
    places: Annotated[list[Place], Meta(description="The best first; before that as they came.")]
    pairings: list[Paired]


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """Join a tournament, or leave it: once it has begun, withdraw."""

    what: Literal["join", "leave"]


class Gone(Message, tag_field="t", tag="challenge-gone"):
    """A challenge stands no more: it was accepted, declined or withdrawn, or has expired."""

    id: str


class PlayedTurn(Message):
    """A turn that was played."""

    tag: Annotated[str, Meta(description="Its number and side, such as `2g`.")]
    words: Annotated[str, Meta(description="Its actions as records write them.")]
    used: Annotated[
        float | None, Meta(description="Units: seconds; null where nothing was measured.")
    ] = None


class Offered(Message):
    """Something that a player asks for."""

    what: str
    seat: int
    waiting: Annotated[list[int], Meta(description="The seats that have not answered.")]


class Game(Message, tag_field="t", tag="game"):
    """The state of a game. It is told whole whenever something has changed."""

    id: str
    seq: Annotated[
        int,
        Meta(description="The number of the last event; a turn says from which it was thought."),
    ]
    game: str
    rules: str
    start: Annotated[
        dict[str, str],
        Meta(
            description="What makes the start, by the tags of records; one by chance is told as "
            "the position, `Start`."
        ),
    ]
    clock: str
    rated: bool
    stage: Literal["waiting", "playing", "over"]
    seats: list[Side]
    own: Annotated[list[int], Meta(description="The seats of the account.")]
    mover: Annotated[
        int | None, Meta(description="The seat to move; null when nothing can be played.")
    ]
    turns: list[PlayedTurn]
    elapsed: Annotated[
        float,
        Meta(description="Units: seconds; what the open turn had taken when this was written."),
    ]
    left: Annotated[
        list[float | None],
        Meta(
            description="Units: seconds; the time of each player at that moment. Empty without a "
            "clock; null is no limit."
        ),
    ]
    paused: bool
    offers: list[Offered]
    result: Annotated[str, Meta(description="The result in a sentence.")] = ""
    winner: int | None = None
    aborted: Annotated[
        bool, Meta(description="Whether it was broken off before its first turn.")
    ] = False
    next: Annotated[
        str, Meta(description="The game that was begun after this one by the same players.")
    ] = ""


class Ping(Message, tag_field="t", tag="ping"):
    """The house is there; nothing has happened."""

    now: float


class End(Message, tag_field="t", tag="end"):
    """The stream ends here."""

    why: str
    again: Annotated[bool, Meta(description="Whether it is worth while to come back.")]


Event: TypeAlias = Challenge | Gone | Game | Ping | End
"""A line of the stream of events."""


class NewChallenge(msgspec.Struct, forbid_unknown_fields=True):
    """Challenge an account to a game of two."""

    to: Annotated[str, Meta(min_length=1, max_length=64)]
    game: Short
    rules: Short = ""
    options: Annotated[
        dict[Short, Short], Meta(description="Options of the start, by the tags of records.")
    ] = {}
    clock: Short = ""
    rated: bool = False
    side: Annotated[int, Meta(ge=0, le=1)] | None = None
    """The seat that the challenger wants."""


class Reply(msgspec.Struct, forbid_unknown_fields=True):
    """Answer a challenge, or withdraw one's own."""

    what: Literal["accept", "decline", "withdraw"]


class Begun(Message):
    """The game to which a challenge has led; empty where it has led to none."""

    game: str


class Ok(Message, tag_field="t", tag="ok"):
    """A command was carried out, and is safe on disk."""

    id: str
    seq: int


class No(Message, tag_field="t", tag="no"):
    """A command was refused."""

    id: str
    why: str
    seq: int


class Reason(Message, tag_field="t", tag="why"):
    """Why something cannot be done."""

    id: str
    why: str


class Refusal(Message):
    """A request was refused."""

    error: str


EVENTS = msgspec.json.Decoder(Event)
"""Reads a line of the stream."""
