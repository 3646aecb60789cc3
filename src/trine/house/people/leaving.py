"""The work of higher subjects when an account is deleted, or a guest logs in to one.

It is handed over as functions, since this subject knows no higher one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from sqlalchemy import Connection

from trine.house.people.person_rows import Person
from trine.house.people.takeout import Tell

Forget = Callable[[Connection, str], None]
"""Removes what is kept of a person, in the transaction in which the account goes."""
Leave = Callable[[Person], AbstractAsyncContextManager[Forget | None]]
"""Is entered before that transaction, for which it may give a part, and left after it."""
Bring = Callable[[Person, Person], Awaitable[None]]
"""Gives an account what is a guest's."""


@dataclass(frozen=True)
class Belongings:
    """The belongings of people in higher subjects: their deletion and transfer."""

    tell: Sequence[Tell]
    forget: Sequence[Forget]
    leave: Sequence[Leave]
    bring: Bring
    rename: Callable[[Person], Awaitable[None]]
    """Has the present name of a person stand in what has not ended."""
