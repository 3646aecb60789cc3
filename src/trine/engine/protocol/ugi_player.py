"""The controller's side of UGI: programs that speak UGI, as players of any game."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from trine.core.clock import Limits
from trine.core.contract.position import Action, Turn
from trine.core.contract.score import Score
from trine.core.errors import IllegalError, TrineError
from trine.core.play import Play
from trine.engine.protocol.program import Program
from trine.engine.protocol.program_player import ProgramPlayer, Report, clamped_score
from trine.engine.protocol.time_limits import format_go
from trine.engine.protocol.turn_words import SEPARATOR, format_move, played_move, read_move
from trine.engine.protocol.ugi import START

_OPTION: Final = re.compile(r"option\s+name\s+(\S.*?)\s+type\s")
_WORDS: Final = ("depth", "score", "nodes", "time")


class UgiPlayer(ProgramPlayer):
    """A program that speaks UGI."""

    PROTOCOL = "UGI"
    GREETING = "ugi"
    GREETED = "ugiok"

    def reset(self) -> None:
        self._known: dict[str, str] = {}
        """The program's own spelling of its options, by name in lower case."""
        self._turns: list[Turn] = []
        self._moves: list[str] = []
        self._start = ""

    def greeting_line(self, line: str) -> None:
        if found := _OPTION.match(line):
            self._known[found[1].lower()] = found[1]
        super().greeting_line(line)

    def send_game(self, program: Program, play: Play) -> None:
        """Announce a new game, with the options for it that the program has."""
        for name, value in self.settings.items():
            self._set(program, name, str(value))
        self._set(program, "game", play.room.name)
        self._set(program, "rules", play.start.rules.name)
        self._start = self._send_start(program, play)
        self._turns, self._moves = [], []
        program.send("uginewgame")

    def _set(self, program: Program, name: str, value: str) -> bool:
        known = self._known.get(name.lower())
        if known:
            program.send(f"setoption name {known} value {value}")
        return known is not None

    def _send_start(self, program: Program, play: Play) -> str:
        """Send the options of the start; return its notation: ``startpos``, or a position."""
        room, start = play.room, play.start
        tags = dict(room.rules.start_tags(start))
        usual = room.rules.start(start.rules.name, {})
        for option in room.rules.options:  # resets the options of the last game
            self._set(program, f"{START}{option.tag}", tags.get(option.tag, "<empty>"))
        can_choose = all(f"{START}{tag}".lower() in self._known for tag in tags)
        if start == usual or (can_choose and "Start" not in tags):
            return "startpos"
        words = room.rules.format_position(start)
        if room.rules.parse_position(words, start.rules.name) != start:
            raise IllegalError("the engine cannot be told how this game begins")
        return f"fen {words}"

    def send_turns(self, program: Program, play: Play) -> None:
        known = len(self._turns)
        if play.turns[:known] != self._turns:
            known, self._moves = 0, []
        self._moves += [played_move(play, turn) for turn in play.turns[known:]]
        self._turns = list(play.turns)
        moves = list(self._moves)
        if play.open_actions:
            begun = play.copy()
            begun.position = play.turn_start
            moves.append(format_move(begun, play.open_actions) + SEPARATOR)
        program.send(" ".join(("position", self._start, *(["moves", *moves] if moves else []))))

    def ask(self, program: Program, play: Play, limits: Limits) -> None:
        program.send(format_go(play, limits))

    def note(self, report: Report, words: str) -> bool:
        """Take a line of information; lines about other than the best variation are ignored."""
        head, _, report_line = words.partition(" pv ")
        rest = head.split()
        if rest[:1] == ["string"] or _value(rest, "multipv") not in (None, 1):
            return False
        report.depth = _value(rest, "depth") or report.depth
        report.nodes = _value(rest, "nodes") or report.nodes
        report.seconds = (_value(rest, "time") or report.seconds * 1000) / 1000
        if "score" in rest:
            report.score = parse_score(rest[rest.index("score") + 1 :]) or report.score
        report.variation = report_line or report.variation
        return bool(report_line)

    def read_answer(self, play: Play, words: str) -> tuple[Action, ...]:
        """Read a move; ignore the words after it."""
        return read_move(play, words.split()[0] if words else "")

    def read_variation(self, play: Play, words: str) -> list[Action]:
        ahead, line = play.copy(), list[Action]()
        with suppress(TrineError):
            for move in words.split():
                turn = read_move(ahead, move)
                ahead.act_unchecked(*turn)
                line += turn
        return line


def _value(words: list[str], name: str) -> int | None:
    if name not in words[:-1]:
        return None
    value = words[words.index(name) + 1]
    return int(value) if re.fullmatch("[0-9]{1,18}", value) else None


def parse_score(words: list[str]) -> Score | None:
    """Read the words after ``score``; None if the score is not in centipawns.

    >>> parse_score(["cp", "-35", "nodes", "7"])
    Score(points=-35)
    """
    if len(words) >= 2 and words[0] == "cp" and re.fullmatch("[+-]?[0-9]{1,9}", words[1]):
        return clamped_score(int(words[1]))
    return None
