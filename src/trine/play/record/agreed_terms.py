"""The terms that players agree on before a game, and the record tags that store them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Final, Self

from trine.core.clock import TimeControl, format_time_control, parse_time_control
from trine.core.contract.position import Options, Position
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import join, quoted, typed
from trine.games import NO_OPTIONS, check_options, known_rules, start_position

NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})
NO_CLOCK: Final = ("none", "no", "-", "?", "")
EVENT_TAGS: Final = ("Event", "Round")


def check_clock(room: Room, clock: TimeControl) -> None:
    """Raise `IllegalError` if a game cannot be played with a clock."""
    if (clock.total or clock.turns) and room.rules.score_winner is None:
        raise IllegalError(
            "a limit for the whole game (G) has the board scored, and {game} has no score",
            game=typed(room.title),
        )


def clock_of(tags: Mapping[str, str]) -> TimeControl | None:
    """Return the time control in the tags of a record, if any; raises `MalformedError`."""
    named = tags.get("Clock", NO_CLOCK[0])
    return None if named.lower() in NO_CLOCK else parse_time_control(named)


@dataclass(frozen=True)
class Terms:
    """The terms of a game."""

    room: Room
    start: Position
    start_tags: Options  # the record tags of the start: the options of the game, or ``Start``
    names: tuple[str, ...]
    """The names of the players, one for each seat; the default is the tag of the seat."""
    clock: TimeControl | None = None
    takebacks: bool = False  # whether a whole turn may be taken back by consent
    draws: bool = True  # whether the players may agree on a draw
    claimed_time: bool = False
    """Whether a player whose time is up loses only when another player claims the win."""
    event: Mapping[str, str] = field(default_factory=dict)
    """The tags ``Event`` and ``Round`` of a game of a tournament."""

    @classmethod
    def agree(
        cls,
        room: Room,
        rules: str = "",
        options: Options = NO_OPTIONS,
        position: str = "",
        *,
        names: Mapping[str, str] = NO_NAMES,
        clock: TimeControl | None = None,
        takebacks: bool = False,
        draws: bool = True,
        claimed_time: bool = False,
        event: Mapping[str, str] = NO_NAMES,
    ) -> Self:
        """Return the terms of a new game; random options are drawn here.

        ``names`` maps the tags of seats to the names of players.

        Raises:
            TrineError: a part of the terms cannot be read, or does not fit the game.
        """
        if position:
            start = start_position(room, rules, options, position)
            if start.turn_open:
                raise IllegalError(
                    "a game begins with a whole turn; this position is in the middle of one"
                )
            tags: Options = {"Start": room.rules.format_position(start)}
        else:
            check_options(room, options)
            named = known_rules(room, rules or room.default_rules)
            tags = room.rules.settle(named, options)
            start = room.rules.start(named, tags)
        if clock:
            check_clock(room, clock)
        for tag in names:
            if tag not in (seat.tag for seat in start.seats):
                raise MalformedError(
                    "nobody sits at {given}; the players are {known}",
                    given=quoted(tag.lower()),
                    known=join([seat.name for seat in start.seats]),
                )
        player_names = tuple(names.get(seat.tag, seat.tag) for seat in start.seats)
        draws = draws and start.rules.draws
        return cls(room, start, tags, player_names, clock, takebacks, draws, claimed_time, event)

    @classmethod
    def from_tags(cls, room: Room, start: Position, tags: Mapping[str, str]) -> Self:
        option_tags = [option.tag for option in room.rules.options]
        return cls(
            room,
            start,
            {tag: tags[tag] for tag in ("Start", *option_tags) if tag in tags},
            tuple(tags.get(seat.tag, seat.tag) for seat in start.seats),
            clock_of(tags),
            tags.get("Takebacks") == "yes",
            tags.get("Draws") != "no" and start.rules.draws,
            tags.get("Timeout") == "claimed",
            {tag: tags[tag] for tag in EVENT_TAGS if tag in tags},
        )

    @property
    def rules(self) -> str:
        return str(self.start.rules.name)

    def tags(self, today: date) -> dict[str, str]:
        seats = self.start.seats
        tags = {"Game": self.room.name, "Rules": self.rules, **self.event}
        tags |= {seat.tag: name for seat, name in zip(seats, self.names, strict=True)}
        tags["Date"] = today.isoformat()
        if self.clock:
            tags["Clock"] = format_time_control(self.clock)
        tags |= self.start_tags
        if self.takebacks:
            tags["Takebacks"] = "yes"
        if self.start.rules.draws and not self.draws:
            tags["Draws"] = "no"
        if self.claimed_time:
            tags["Timeout"] = "claimed"
        return tags

    def check_takebacks(self) -> None:
        """Raise `IllegalError` if turns cannot be taken back."""
        if not self.takebacks:
            raise IllegalError("this game was begun without taking turns back")

    def check_draws(self) -> None:
        """Raise `IllegalError` if the players cannot agree on a draw."""
        self.room.check_draws(self.start.rules)
        if not self.draws:
            raise IllegalError("this game was begun without draws by agreement")
