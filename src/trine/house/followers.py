"""Those who hear of what begins for a person, such as a program that plays under an account."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol


class Follower(Protocol):
    """A listener; what it is told must take no time."""

    def begun(self, game: str) -> None:
        """A game in which the person has a seat has begun."""

    def challenged(self) -> None:
        """The challenges of the person have changed."""


class Followers:
    """The followers of people.

    >>> followers = Followers()
    >>> followers.game_begun(["nobody"], "g")
    """

    def __init__(self) -> None:
        self._of: defaultdict[str, set[Follower]] = defaultdict(set)

    def add(self, person: str, follower: Follower) -> None:
        """Let a follower hear from here on."""
        self._of[person].add(follower)

    def remove(self, person: str, follower: Follower) -> None:
        """Let a follower go."""
        self._of[person].discard(follower)
        if not self._of[person]:
            del self._of[person]

    def game_begun(self, people: Iterable[str | None], game: str) -> None:
        """Tell that a game of some people has begun."""
        for person in {one for one in people if one in self._of}:
            for follower in list(self._of[person or ""]):
                follower.begun(game)

    def challenges_changed(self, people: Iterable[str]) -> None:
        """Tell that challenges of some people have changed."""
        for person in {one for one in people if one in self._of}:
            for follower in list(self._of[person]):
                follower.challenged()
