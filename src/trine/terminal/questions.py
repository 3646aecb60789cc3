"""Asking what a game needs to know before it begins, with a sensible answer ready for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from trine.core.clock import TimeControl, parse_time_control
from trine.core.doors import Room
from trine.core.errors import MalformedError, TrineError
from trine.core.text import Text, text
from trine.core.words import quoted
from trine.games import ROOMS, known_rules, open_room
from trine.record.live import Terms
from trine.terminal.reader import Reader
from trine.terminal.screen import Screen

Answer = TypeVar("Answer")


def ask_terms(screen: Screen, reader: Reader, given: Terms, *, rules_given: bool) -> Terms:
    """Ask for what was not given: game, rule set, names, clock, whether turns are taken back."""
    screen.say(text("press Enter for what stands in brackets"))
    ask = _Questions(screen, reader)
    room, rules = given.room, given.rules
    if not (rules_given or given.start or given.handicap):
        room = ask.room()
        rules = ask.answer(
            text("rule set: {names}", names=", ".join(room.rule_sets)),
            room.default_rules,
            lambda answer: known_rules(room, answer),
        )
    names = tuple(
        name if name != tag else ask.answer(text("name of {player}", player=player), tag, str)
        for player, tag, name in zip(room.player_names, room.player_tags, given.names, strict=True)
    )
    clock, takebacks = given.clock, given.takebacks
    if clock is None:
        question = text("clock, such as 5+3 or 0:30/5/100/3, or none")
        clock = ask.answer(question, "none", _parse_clock)
    if not takebacks:
        question = text("may turns be taken back by consent? yes or no")
        takebacks = ask.answer(question, "no", _parse_yes)
    return replace(given, room=room, rules=rules, names=names, clock=clock, takebacks=takebacks)


class _Questions:
    """Asks until an answer can be read."""

    def __init__(self, screen: Screen, reader: Reader) -> None:
        self._screen = screen
        self._reader = reader

    def answer(self, question: Text, default: str, parse: Callable[[str], Answer]) -> Answer:
        asked = f"{self._screen.language.say(question)} [{default}]: "
        while True:
            given = self._reader.read(asked)
            try:
                return parse(given or default)
            except TrineError as error:
                self._screen.complain(error)

    def room(self) -> Room:
        if len(ROOMS) == 1:
            return open_room(ROOMS[0])
        return self.answer(text("game: {names}", names=", ".join(ROOMS)), ROOMS[0], open_room)


def _parse_clock(given: str) -> TimeControl | None:
    return None if given.lower() == "none" else parse_time_control(given)


def _parse_yes(given: str) -> bool:
    if given.lower() not in ("yes", "y", "no", "n"):
        raise MalformedError(text("answer yes or no, not {given}", given=quoted(given)))
    return given.lower().startswith("y")
