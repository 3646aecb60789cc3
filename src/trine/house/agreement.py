"""The agreement before a game in the house, as it lies in the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Final, Self

from trine.core.clock import parse_time_control
from trine.core.doors import Room
from trine.core.errors import MalformedError
from trine.core.text import text
from trine.core.words import quoted
from trine.engine.levels import parse_level
from trine.games import open_room
from trine.record.terms import Terms
from trine.session.seats import BOT

ME, LINK = "me", "link"
"""The wishes for a seat, besides a bot: whoever creates the game, whoever has a link."""

SEED: Final = "Seed"
"""The tag of what is left to chance."""


@dataclass(frozen=True)
class Agreement:
    """The agreement before a game.

    >>> agreed = Agreement.make("corridor", options={"Players": "4"}, clock="5+3")
    >>> agreed.seats, Agreement.from_data(agreed.as_data()) == agreed
    (4, True)
    """

    game: str
    rules: str
    start: Mapping[str, str] = field(default_factory=dict)
    """The tags of records that make the position in which the game begins."""
    seats: int = 2
    clock: str = ""
    takebacks: bool = True
    draws: bool = True
    casual: bool = True
    """Whether a player may ask for hints."""
    listed: bool = False
    """Whether the game is shown to everybody."""
    show: bool = False
    """Whether it is played only while it is looked at."""
    rated: bool = False
    """Whether the game counts for the ratings of its players."""
    tournament: str = ""
    """The tournament to which the game belongs."""
    event: Mapping[str, str] = field(default_factory=dict)
    """The tags of records that name the tournament and the round."""

    @classmethod
    def make(
        cls,
        game: str,
        rules: str = "",
        options: Mapping[str, str] | None = None,
        position: str = "",
        *,
        clock: str = "",
        takebacks: bool = True,
        draws: bool = True,
        casual: bool = True,
        listed: bool = False,
        show: bool = False,
        rated: bool = False,
    ) -> Self:
        """Agree on a game; what is left to chance is chosen here.

        In a rated one there are no hints and no takebacks, and everybody may watch.

        Raises:
            TrineError: something of it cannot be read, or does not fit the game.
        """
        room, control = open_room(game), parse_time_control(clock) if clock else None
        takebacks, casual, listed = takebacks and not rated, casual and not rated, listed or rated
        terms = Terms.agree(
            room, rules, options or {}, position, clock=control, takebacks=takebacks, draws=draws
        )
        if rated:
            _check_rated(terms, options or {}, position)
        return cls(
            game,
            terms.rules,
            dict(terms.start_tags),
            len(terms.names),
            clock,
            takebacks,
            terms.draws,
            casual,
            listed,
            show,
            rated,
        )

    @cached_property
    def by_days(self) -> bool:
        """Whether it is played by correspondence, with days for a turn."""
        return bool(self.clock) and parse_time_control(self.clock).by_days

    @property
    def room(self) -> Room:
        """The game."""
        return open_room(self.game)

    def terms(self, names: Mapping[str, str] | None = None) -> Terms:
        """The terms of the game, once it is known who plays.

        Args: ``names`` by the tags of the seats.
        """
        options = dict(self.start)
        position = options.pop("Start", "")
        return Terms.agree(
            self.room,
            self.rules,
            options,
            position,
            names=names or {},
            clock=parse_time_control(self.clock) if self.clock else None,
            takebacks=self.takebacks,
            draws=self.draws,
            event=self.event,
        )

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the game that were chosen, without what was left to chance."""
        return {k: v for k, v in self.start.items() if k not in (SEED, "Start")}

    def again(self) -> Agreement:
        """The same agreement for another game; what is left to chance is chosen anew."""
        return Agreement.make(
            self.game,
            self.rules,
            self.options,
            self.start.get("Start", ""),
            clock=self.clock,
            takebacks=self.takebacks,
            draws=self.draws,
            casual=self.casual,
            listed=self.listed,
            rated=self.rated,
        )

    def as_data(self) -> dict[str, Any]:
        """The agreement as JSON has it."""
        return {**asdict(self), "start": dict(self.start), "event": dict(self.event)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """An agreement as `as_data` gives it."""
        return cls(**data)


def check_wish(room: Room, wish: str) -> str:
    """A wish for a seat, if it is one.

    Raises:
        MalformedError: nobody is called so.
    """
    if wish in (ME, LINK):
        return wish
    if not wish.startswith(BOT):
        raise MalformedError(text("nobody of the name {given} can sit here", given=quoted(wish)))
    given = wish.removeprefix(BOT)
    if given not in room.strategists:
        parse_level(given)
    return wish


def _check_rated(terms: Terms, options: Mapping[str, str], position: str) -> None:
    """Check that a game can be rated: what is not usual of it is the number of players alone.

    Raises:
        MalformedError: it cannot.
    """
    usual = Terms.agree(terms.room, terms.rules, {}, "")
    tags, others = (
        {k: v for k, v in one.start_tags.items() if k != SEED} for one in (terms, usual)
    )
    special = len(dict(tags.items() ^ others.items()))
    count = len(terms.names) != len(usual.names)
    if position or SEED in options or special > count or not terms.clock or terms.clock.untimed:
        raise MalformedError(text("a rated game has a clock, and begins as the rules have it"))
