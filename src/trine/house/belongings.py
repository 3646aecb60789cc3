"""The belongings of a person in all subjects: their deletion, and their transfer to an account."""

from __future__ import annotations

from typing import Final

from trine.house.analysis import tables as analysis
from trine.house.api import tables as api
from trine.house.games import own_data as games
from trine.house.lessons import tables as lessons
from trine.house.letters import notices as letters
from trine.house.lobby import tables as lobby
from trine.house.moderation import tables as moderation
from trine.house.people import browsers, neighbours, passkey_rows, relations, sanctions
from trine.house.puzzles import tables as puzzles
from trine.house.ratings import tables as ratings
from trine.house.search import tables as search
from trine.house.talk import tables as talk
from trine.house.tournaments import tables as tournaments

FORGET: Final = (
    letters.forget_person,
    talk.forget_person,
    lobby.forget_person,
    analysis.forget_person,
    browsers.forget_person,
    neighbours.forget_person,
    relations.forget_person,
    passkey_rows.forget_person,
    lessons.forget_person,
    ratings.forget_leaves,
    puzzles.forget_person,
    api.forget_person,
)
"""Remove the private data of an account from the database, and the name from the rest."""
TELL: Final = (
    relations.tell_person,
    browsers.tell_person,
    sanctions.tell_person,
    api.tell_person,
    moderation.tell_person,
    lobby.tell_person,
    ratings.tell_leaves,
    lessons.tell_person,
    puzzles.tell_person,
    talk.tell_person,
    letters.tell_person,
    ratings.tell_person,
    tournaments.tell_person,
    games.tell_person,
    analysis.tell_person,
)
"""Add the data of a person to the export for that person."""
HAND_OVER: Final = (search.hand_over, lessons.hand_over, analysis.hand_over, tournaments.hand_over)
"""Give the belongings of a guest to an account."""
