"""Asking what a game needs to know before it begins, with a sensible answer ready for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from trine.core.clock import TimeControl, parse_time_control
from trine.core.doors import Room
from trine.core.errors import MalformedError, TrineError
from trine.core.text import Text, text
from trine.games import ROOMS, known_rules, open_room
from trine.record.live import Terms
from trine.terminal.reader import Reader
from trine.terminal.screen import Screen

Answer = TypeVar("Answer")


def ask_terms(screen: Screen, reader: Reader) -> Terms:
    """Ask for game, rule set, names, clock and whether turns may be taken back."""
    screen.say(text("press Enter for what stands in brackets"))
    ask = _Questions(screen, reader)
    room = ask.room()
    rules = ask.answer(
        text("rule set: {names}", names=", ".join(room.rule_sets)),
        room.default_rules,
        lambda given: known_rules(room, given),
    )
    names = tuple(
        ask.answer(text("name of {player}", player=player), tag, str)
        for player, tag in zip(room.player_names, room.player_tags, strict=True)
    )
    clock = ask.answer(text("clock, such as 5+3 or 0:30/5/100/3, or none"), "none", _parse_clock)
    takebacks = ask.answer(text("may turns be taken back by consent? yes or no"), "no", _parse_yes)
    return Terms(room, rules, names, clock, takebacks=takebacks)


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
        raise MalformedError(text("answer yes or no, not {given}", given=repr(given)))
    return given.lower().startswith("y")
