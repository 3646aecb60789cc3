"""The agreed terms of a game, as stored in the database."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final, Self

from trine.core.clock import TimeControl, parse_time_control
from trine.core.contract.room import Room
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, quoted, verbatim
from trine.engine.players.player import parse_level
from trine.games import open_room
from trine.play.record.agreed_terms import Terms
from trine.play.session.seats import BOT

ME, LINK = "me", "link"
"""The choices for a seat besides bots: the creator of the game, or a person with a link."""

SEED: Final = "Seed"
TURNS_OF_A_GAME: Final = 40
"""The number of turns per player that is assumed to estimate the length of a game. Guess."""
SPEEDS: Final = {"bullet": 180.0, "blitz": 480.0, "rapid": 1500.0, "slow": math.inf}
"""The speeds, each with its upper limit for a player's estimated time. Units: seconds."""
CORRESPONDENCE: Final = "correspondence"  # the speed of games with days per turn


def estimated_time(control: TimeControl) -> float:
    """Return the estimated time of a player for a game, in seconds.

    >>> estimated_time(TimeControl(3, 180))
    300
    """
    return control.reserve + TURNS_OF_A_GAME * control.move


def speed_of(clock: str) -> str:
    """Return the speed of a game, from the estimated time of a player.

    >>> speed_of("1+1"), speed_of("5+3"), speed_of("10+10"), speed_of("30+20"), speed_of("3d/7d/0")
    ('bullet', 'blitz', 'rapid', 'slow', 'correspondence')
    """
    if not clock:
        return "slow"
    control = parse_time_control(clock)
    if control.by_days:
        return CORRESPONDENCE
    return next(speed for speed, most in SPEEDS.items() if estimated_time(control) < most)


@dataclass(frozen=True)
class Agreement:
    """The agreed terms of a game.

    >>> agreed = Agreement.make("corridor", options={"Players": "4"}, clock="5+3")
    >>> agreed.seats, Agreement.from_data(agreed.as_data()) == agreed
    (4, True)
    """

    game: str
    rules: str
    start: Mapping[str, str] = field(default_factory=dict)
    """The tags in the record that determine the starting position."""
    seats: int = 2
    clock: str = ""
    takebacks: bool = True
    draws: bool = True
    casual: bool = True  # whether players may ask for hints
    listed: bool = False  # whether everyone may watch the game
    first: str = ""  # name of the first game that a beginner plays here; empty in all other games
    rated: bool = False
    tournament: str = ""
    claimed_time: bool = False
    """Whether a player who is out of days loses only if an opponent claims it."""
    event: Mapping[str, str] = field(default_factory=dict)
    """The tags in the record that name the tournament and the round."""

    def is_like(self, other: Self) -> bool:
        """Return whether another agreement differs at most in its random start.

        >>> one, other = (Agreement.make("tzaar", clock="5+5") for _ in range(2))
        >>> one == other, one.is_like(other)
        (False, True)
        """
        one, two = (replace(agreed, start=agreed.chosen_start) for agreed in (self, other))
        return one == two

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
        first: str = "",
        rated: bool = False,
        claimed_time: bool = False,
    ) -> Self:
        """Return a new agreement; a random start is drawn here.

        A rated game has no hints and no takebacks, and everyone may watch it. ``claimed_time``
        applies only to unrated games with days per turn.

        Raises:
            TrineError: an argument cannot be read, or does not fit the game.
        """
        room, control = open_room(game), parse_time_control(clock) if clock else None
        takebacks, casual, listed = takebacks and not rated, casual and not rated, listed or rated
        claimed_time = claimed_time and not rated and control is not None and control.by_days
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
            first,
            rated,
            claimed_time=claimed_time,
        )

    @cached_property
    def by_days(self) -> bool:
        """Whether this is a correspondence game, with days per turn."""
        return bool(self.clock) and parse_time_control(self.clock).by_days

    @property
    def discipline(self) -> str:
        """The rating discipline: game, rule set, number of players if more than two, and speed.

        >>> Agreement.make("tzaar", clock="5+3").discipline
        'tzaar/official blitz'
        """
        players = f"/{self.seats}" if self.seats > 2 else ""
        return f"{self.game}/{self.rules}{players} {speed_of(self.clock)}"

    @property
    def room(self) -> Room:
        return open_room(self.game)

    def terms(self, names: Mapping[str, str] | None = None) -> Terms:
        """Return the terms of the game; ``names`` are the players' names by their seats' tags."""
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
            claimed_time=self.claimed_time,
            event=self.event,
        )

    @property
    def chosen_start(self) -> dict[str, str]:
        """The tags of the start without the random seed, which each game draws anew."""
        return {tag: it for tag, it in self.start.items() if tag != SEED}

    @property
    def own_start(self) -> dict[str, str]:
        """The tags of this game's start, for API programs; a random start is given as its position.

        >>> agreement = Agreement.make("tzaar", options={"Seed": "7"})
        >>> agreement.own_start["Start"][:12]
        'official Tyt'
        """
        if SEED not in self.start:
            return dict(self.start)
        return {"Start": self.room.rules.format_position(self.terms().start)}

    @property
    def options(self) -> Mapping[str, str]:
        return {tag: it for tag, it in self.chosen_start.items() if tag != "Start"}

    @property
    def chosen(self) -> list[tuple[Text, Text]]:
        """The labels of the chosen options, and of their values if these have labels."""
        known = {option.tag: option for option in self.room.rules.options}
        return [
            (option.label, dict(option.choices(self.rules) or ()).get(value, verbatim(value)))
            for tag, value in self.options.items()
            if (option := known.get(tag))
        ]

    def again(self, options: Mapping[str, str] | None = None) -> Self:
        """Return the agreement for another game, with a new random start and further options."""
        return self.make(
            self.game,
            self.rules,
            {**self.options, **(options or {})},
            self.start.get("Start", ""),
            clock=self.clock,
            takebacks=self.takebacks,
            draws=self.draws,
            casual=self.casual,
            listed=self.listed,
            rated=self.rated,
            claimed_time=self.claimed_time,
        )

    def as_data(self) -> dict[str, Any]:
        return {**asdict(self), "start": dict(self.start), "event": dict(self.event)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        known = {one.name for one in fields(cls)}  # drop fields of earlier versions
        return cls(**{name: value for name, value in data.items() if name in known})


def check_wish(agreement: Agreement, wish: str) -> str:
    """Check the choice for a seat, and return it.

    Raises:
        MalformedError: there is no such player.
        IllegalError: the engine has no levels for this board.
    """
    if wish in (ME, LINK):
        return wish
    if not wish.startswith(BOT):
        raise MalformedError("no player named {given} can sit here", given=quoted(wish))
    given = wish.removeprefix(BOT)
    if given not in agreement.room.handbook.strategists:
        parse_level(given)
        agreement.room.check_search(agreement.terms().start)
    return wish


def _check_rated(terms: Terms, options: Mapping[str, str], position: str) -> None:
    """Check that a game may be rated: a clock, and a usual start; more players are allowed."""
    usual = Terms.agree(terms.room, terms.rules, {}, "")
    tags, others = (
        {k: v for k, v in one.start_tags.items() if k != SEED} for one in (terms, usual)
    )
    special = len(dict(tags.items() ^ others.items()))
    count = len(terms.names) != len(usual.names)
    if position or SEED in options or special > count or not terms.clock or terms.clock.untimed:
        raise MalformedError("a rated game has a clock, and begins as the rules have it")
