"""Listeners that hear of new games and challenges of a person, such as programs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Protocol


class Subscriber(Protocol):
    """A listener, whose methods must return at once."""

    def begun(self, game: str) -> None:
        """A game in which the person has a seat has begun."""

    def challenged(self) -> None:
        """The challenges of the person have changed."""


class Subscribers:
    """The subscribers of people.

    >>> subscribers = Subscribers()
    >>> subscribers.game_begun(["nobody"], "g")
    """

    def __init__(self) -> None:
        self._of: defaultdict[str, set[Subscriber]] = defaultdict(set)

    def add(self, person: str, subscriber: Subscriber) -> None:
        """Add a subscriber."""
        self._of[person].add(subscriber)

    def remove(self, person: str, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        self._of[person].discard(subscriber)
        if not self._of[person]:
            del self._of[person]

    def listens(self, person: str) -> bool:
        """Return whether a person has a subscriber."""
        return person in self._of

    def people(self) -> Collection[str]:
        """Return the people who have a subscriber."""
        return self._of.keys()

    def game_begun(self, people: Iterable[str | None], game: str) -> None:
        """Tell the subscribers of some people that a game has begun."""
        for person in {one for one in people if one in self._of}:
            for subscriber in list(self._of[person or ""]):
                subscriber.begun(game)

    def challenges_changed(self, people: Iterable[str]) -> None:
        """Tell the subscribers of some people that their challenges have changed."""
        for person in {one for one in people if one in self._of}:
            for subscriber in list(self._of[person]):
                subscriber.challenged()
