"""The questions before a game, each with a default answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from trine.cli.terminal.opponents import check_bot
from trine.cli.terminal.reader import LineReader
from trine.cli.terminal.screen import Screen
from trine.cli.terminal.vocabulary import read_line, usage_in
from trine.core.clock import TimeControl, parse_time_control
from trine.core.contract.position import Seat
from trine.core.contract.room import Room
from trine.core.errors import MalformedError, TrineError
from trine.core.text.sentence import Text, join, quoted, suggesting, text, typed
from trine.engine.players.player import FULL
from trine.games import ROOMS, open_room
from trine.play.record.agreed_terms import Terms
from trine.play.session.seats import is_computer, is_program

Answer = TypeVar("Answer")

DEFAULT_LEVEL: Final = "2"
"""The default level of the computer, one that a beginner can beat, as on the website. Guess."""


@dataclass
class GameWishes:
    """The terms of a game chosen so far; empty fields are open."""

    room: Room | None = None
    rules: str = ""
    options: dict[str, str] = field(default_factory=dict)
    position: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of players by the tags of their seats."""
    clock: TimeControl | None = None
    takebacks: bool | None = None  # whether turns can be taken back; None if this is undecided
    draws: bool = True

    def agree(self) -> Terms:
        """Return the terms of the game; raises `TrineError` if a choice does not fit it."""
        return Terms.agree(
            self.room or open_room(ROOMS[0]),
            self.rules,
            self.options,
            self.position,
            names=self.names,
            clock=self.clock,
            takebacks=bool(self.takebacks),
            draws=self.draws,
        )


def ask_terms(screen: Screen, reader: LineReader, wishes: GameWishes) -> Terms:
    """Ask for the open terms: game, rule set, opponent, and on request all others.

    The others are the options of the game, side, names, clock and takebacks.

    Raises:
        TrineError: a term given before does not fit the chosen game.
    """
    screen.say(text("press Enter for the default in brackets"))
    ask = _Questions(screen, reader)
    room = wishes.room or open_room(
        ask.one_of(lambda names: text("game: {names}", names=names), ROOMS)
    )
    wishes.room = room
    if not (wishes.position or wishes.rules):
        sets = room.rule_sets_for(screen.language.code)
        screen.say_all(
            text("{name}: {differs}", name=typed(rules.name), differs=rules.differs)
            for rules in sets
        )
        wishes.rules = ask.one_of(lambda _: text("rule set"), [rules.name for rules in sets])
    terms = wishes.agree()
    against = ask.opponent(room, terms.start.seats, wishes.names)
    if wishes.clock is None and wishes.takebacks is None:
        question = text("defaults for everything else (side, names, clock …)? yes or no")
        ask.usual = ask.answer(question, "yes", _parse_yes)
    if not wishes.position:
        terms = ask.options(wishes)
    named = ask.names(terms.start.seats, wishes.names, against)
    wishes.names = {**wishes.names, **named}
    if wishes.clock is None:
        wishes.clock = ask.clock(wishes)
    if wishes.takebacks is None:
        question = text("may turns be taken back by consent? yes or no")
        wishes.takebacks = ask.answer(question, "yes", _parse_yes)
    return wishes.agree()


class _Questions:
    """Asks questions; each is repeated until its answer can be read."""

    def __init__(self, screen: Screen, reader: LineReader) -> None:
        self._screen = screen
        self._reader = reader
        self.usual = False  # whether defaults are taken without asking

    def one_of(self, question: Callable[[Text], Text], names: Sequence[str]) -> str:
        """Ask for one of some names; the default is the first."""
        choices = join([typed(name) for name in names])

        def parse(answer: str) -> str:
            if answer.lower() in names:
                return answer.lower()
            raise MalformedError(
                "{given} is not one of {known}", given=quoted(answer), known=choices
            )

        return self.answer(question(choices), names[0], parse, names)

    def answer(
        self,
        question: Text,
        default: str,
        parse: Callable[[str], Answer],
        suggestions: Iterable[str] = (),
    ) -> Answer:
        """Ask until an answer can be parsed; for a misspelt one, offer the nearest suggestion."""
        if self.usual:
            return parse(default)
        language = self._screen.language
        default_text = usage_in(default, language)
        asking = text("{question} [{default}]:", question=question, default=default_text)
        asked = f"{language.say(asking)} "
        while True:
            line = self._reader.read(asked)
            self._screen.last_line = line
            reply = read_line(line, language)
            if reply.lower() in ("quit", "exit"):
                raise EOFError
            try:
                return parse(reply or default)
            except TrineError as error:
                meant = suggesting(
                    error.message, line, [usage_in(word, language) for word in suggestions]
                )
                self._screen.complain(type(error)(meant))

    def name(self, question: Text, default: str) -> str:
        """Ask for a name, which is kept as typed."""
        if self.usual:
            return default
        asking = text("{question} [{default}]:", question=question, default=default)
        reply = self._reader.read(f"{self._screen.language.say(asking)} ")
        if read_line(reply, self._screen.language).lower() in ("quit", "exit"):
            raise EOFError
        return reply or default

    def options(self, wishes: GameWishes) -> Terms:
        """Ask for the options of the game, store them in the wishes, and return the terms."""
        room = wishes.room
        assert room is not None
        rules = wishes.rules or room.default_rules
        document = room.document(self._screen.language.code)
        preferred = document.options if document.rules == rules else {}
        for option in room.rules.options:
            choices = option.choices(rules) or ()
            question = option.ask(rules, wishes.options) or self._of_few(option.label, choices)
            if question is None or option.tag in wishes.options:
                continue
            asked, default = question

            def agreed_with(answer: str, tag: str = option.tag) -> dict[str, str]:
                options = {**wishes.options, tag: answer}
                Terms.agree(room, wishes.rules, options)
                return options

            default = preferred.get(option.tag, default)
            wishes.options = self.answer(asked, default, agreed_with, [name for name, _ in choices])
        return wishes.agree()

    def _of_few(self, label: Text, choices: Sequence[tuple[str, Text]]) -> tuple[Text, str] | None:
        """Explain a choice of two or three, and return its question and default; else None."""
        if not 2 <= len(choices) <= 3:
            return None
        if not self.usual:
            self._screen.say_all(
                text("{name}: {differs}", name=typed(name), differs=meaning)
                for name, meaning in choices
            )
        names = join([typed(name) for name, _ in choices])
        return text("{label}: {names}", label=label, names=names), choices[0][0]

    def opponent(self, room: Room, seats: Sequence[Seat], names: Mapping[str, str]) -> str:
        """Ask for the opponent; return the name of a computer player, empty for people."""
        if all(seat.tag in names for seat in seats) or any(map(is_computer, names.values())):
            return ""
        self._screen.say_all(
            text("{name}: {differs}", name=typed(name), differs=meaning)
            for name, meaning in room.handbook.advice.items()
        )
        return self.answer(
            text("against whom? level 1 to {most}, a strategy by its name, or people", most=FULL),
            DEFAULT_LEVEL,
            lambda answer: _parse_opponent(room, answer),
            ("people", *room.handbook.strategists),
        )

    def names(
        self, seats: Sequence[Seat], names_by_tag: Mapping[str, str], against: str
    ) -> dict[str, str]:
        """Return names for the seats without one: all people, or one person against computers."""
        missing = [seat for seat in seats if seat.tag not in names_by_tag]
        computers, people = {}, missing
        if against:
            people = [] if names_by_tag else [self._own_seat(seats)]
            computers = {seat.tag: against for seat in missing if seat not in people}
        say = self._screen.language.say
        return computers | {
            seat.tag: self.name(text("name of {player}", player=seat.name), say(seat.name))
            for seat in people
        }

    def _own_seat(self, seats: Sequence[Seat]) -> Seat:
        say = self._screen.language.say
        choices, names = join([seat.name for seat in seats]), [say(seat.name) for seat in seats]

        def parse(answer: str) -> Seat:
            for seat in seats:
                if answer.lower() in (seat.tag.lower(), say(seat.name).lower(), seat.letter):
                    return seat
            raise MalformedError(
                "there is no side {given}; there are {known}", given=quoted(answer), known=choices
            )

        question = text("which side do you play? {names}", names=choices)
        return self.answer(question, names[0], parse, names)

    def clock(self, wishes: GameWishes) -> TimeControl | None:
        def with_clock(answer: str) -> TimeControl | None:
            wishes.clock = None if answer.lower() == "none" else parse_time_control(answer)
            try:
                wishes.agree()
            except TrineError:
                wishes.clock = None
                raise
            return wishes.clock

        question = text("clock, such as 5+3 or 0:30/5/100/3, or none")
        return self.answer(question, "none", with_clock)


def _parse_opponent(room: Room, answer: str) -> str:
    """Return the name of a computer player, empty for people; raises `MalformedError`."""
    name = answer.lower()
    if name in ("people", "person", "p"):
        return ""
    if is_program(name):
        return answer
    try:
        return check_bot(name, room.handbook.strategists)
    except TrineError as error:
        raise MalformedError(
            "{problem}; people is for people, and asks for their names", problem=error.message
        ) from None


def _parse_yes(answer: str) -> bool:
    if answer.lower() not in ("yes", "y", "no", "n"):
        raise MalformedError("answer yes or no, not {given}", given=quoted(answer))
    return answer.lower().startswith("y")
