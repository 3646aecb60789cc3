"""The controller's side of AEI: programs that speak AEI, as players of Arimaa."""

from __future__ import annotations

import re
from contextlib import suppress

from trine.core.clock import Limits
from trine.core.contract.position import Action, Position, Turn
from trine.core.errors import IllegalError, TrineError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import text
from trine.engine.players.player import ForfeitError
from trine.engine.protocol.aei import GAME, RABBIT_POINTS, without_removals
from trine.engine.protocol.program import Program
from trine.engine.protocol.program_player import ProgramPlayer, Report, clamped_score
from trine.engine.protocol.time_limits import format_aei_times
from trine.engine.protocol.turn_words import read_turn

_OLD_NAMES = {"greserve": "wreserve", "sreserve": "breserve", "moveused": "tcmoveused"}
"""The names of options in version 0 of the protocol, if they differ."""


class AeiPlayer(ProgramPlayer):
    """A program that speaks AEI, version 1 or 0."""

    PROTOCOL = "AEI"
    GREETING = "aei"
    GREETED = "aeiok"

    def reset(self) -> None:
        self._version = 0
        self._options: dict[str, str] = {}
        self._start: Position | None = None
        self._sent: list[Turn] = []

    def greeting_line(self, line: str) -> None:
        """Take a line of the greeting; raises `ForfeitError` for another protocol."""
        if line.startswith("protocol-version"):
            self._version = 1
        elif line.lower().startswith(("info ", "unknown ", "error")):
            raise ForfeitError(text("it does not speak {protocol}", protocol=self.PROTOCOL))
        super().greeting_line(line)

    def send_game(self, program: Program, play: Play) -> None:
        """Announce a new game to the program, with extra options for unusual rules and starts."""
        if play.room.name != GAME:
            raise IllegalError("AEI is for Arimaa only")
        unusual = self._unusual(play)
        own = {name: str(value) for name, value in self.settings.items()}
        self._set(program, own | unusual)
        program.send("newgame")
        if not play.start.in_setup:
            side, board = _short(play.room.rules.format_position(play.start))
            letter = side if self._version else "wb"["gs".index(side)]
            program.send(f"setposition {letter} [{board}]")
        self._start, self._sent = play.start, []

    def _unusual(self, play: Play) -> dict[str, str]:
        room, rules = play.room, play.start.rules.name
        tags = room.rules.start_tags(play.start) if play.start.in_setup else {}
        wanted = {"rules": rules} if rules != room.default_rules else {}
        wanted |= {tag.lower(): value for tag, value in tags.items()}
        usual = {"rules": room.default_rules} | {
            option.tag.lower(): "" for option in room.rules.options
        }
        return {name: value for name, value in usual.items() if name in self._options} | wanted

    def send_turns(self, program: Program, play: Play) -> None:
        """Send the program the new turns; after a takeback, all turns again."""
        if play.open_actions:
            raise IllegalError("AEI knows whole turns only, and one is open")
        known = len(self._sent)
        if play.start != self._start or play.turns[:known] != self._sent:
            self.send_game(program, play)
            known = 0
        for turn in play.turns[known:]:
            program.send(f"makemove {written_actions(play.room, turn.before, turn.actions)}")
        self._sent = list(play.turns)

    def ask(self, program: Program, play: Play, limits: Limits) -> None:
        options = format_aei_times(play, limits)
        if limits.nodes or "nodes" in self._options:
            options["nodes"] = str(limits.nodes or 0)
        self._set(program, options)
        program.send("go")

    def _set(self, program: Program, options: dict[str, str]) -> None:
        """Send changed options; used times and reserves always, since they change by themselves."""
        for name, value in options.items():
            if name in _OLD_NAMES or self._options.get(name) != value:
                self._options[name] = value
                known_as = name if self._version else _OLD_NAMES.get(name, name)
                program.send(f"setoption name {known_as} value {value}")

    def note(self, report: Report, words: str) -> bool:
        """Take a line of information; the variation is the last one of a report."""
        kind, _, value = words.partition(" ")
        with suppress(ValueError, OverflowError):  # an unreadable value is skipped
            match kind:
                case "depth":
                    report.depth = int(value.rstrip("+"))
                case "score":
                    report.score = clamped_score(round(int(value) * RABBIT_POINTS / 100))
                case "nodes":
                    report.nodes = int(value)
                case "time":
                    report.seconds = float(value)
                case "pv":
                    report.variation = value
        return kind == "pv"

    def read_answer(self, play: Play, words: str) -> tuple[Action, ...]:
        return read_turn(play, without_removals(words))

    def read_variation(self, play: Play, words: str) -> list[Action]:
        """Read the legal part of a variation; letters of the sides separate its turns."""
        ahead, line = play.copy(), list[Action]()
        with suppress(TrineError):
            *whole, last = re.split(r"(?:^|\s+)[gswb](?=\s|$)", words)
            for part in whole:
                turn = read_turn(ahead, without_removals(part))
                ahead.act_unchecked(*turn)
                line += turn
            line += read_turn(ahead, without_removals(last), open_ended=True)
        return line


def _short(position: str) -> tuple[str, str]:
    """Return the side and the 64 squares of a position such as ``2g`` with eight ranks.

    >>> _short("12s 8/7r/8/8/8/8/8/R7")[1].index("r")
    15
    """
    turn, ranks = position.split(" ")
    squares = re.sub(r"\d", lambda run: " " * int(run.group()), ranks.replace("/", ""))
    return turn[-1], squares
