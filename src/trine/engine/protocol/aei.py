"""The Arimaa Engine Interface (AEI), version 1: our engine, and programs that speak AEI as players.

Source: AEI_PROTOCOL.md of the repository Janzert/AEI. Our extensions: ``docs/guides/protocols.md``.
"""

import re
import time
from contextlib import suppress
from dataclasses import replace
from typing import Final

from trine import __version__
from trine.core.clock import Limits
from trine.core.contract.position import Action, Position, Turn
from trine.core.contract.record import TAKEBACK
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import quoted, text
from trine.engine.players import player
from trine.engine.protocol.engine_session import NUMBERS, Channel, EngineSession, changed
from trine.engine.protocol.program import Program
from trine.engine.protocol.program_player import ProgramPlayer, Report, clamped_score
from trine.engine.protocol.thinker import ThinkTask
from trine.engine.protocol.time_limits import AEI_TIMES, AeiTimes, format_aei_times
from trine.engine.protocol.turn_words import LEAVING, read_turn, split_turns
from trine.games import known_rules

GAME: Final = "arimaa"
UNTIMED_SECONDS: Final = 5.0
"""Units: seconds; the time of a turn without a limit, which AEI leaves to the engine. Guess."""
READY_TIMEOUT: Final = 10.0
"""Units: seconds; after this time `readyok` is sent even if the engine cannot think yet, since AEI
only asks whether it listens: pyrimaa's controller waits 15."""
RABBIT_POINTS: Final = 81
"""Units: points; the value of a first rabbit, which is 100 in AEI. Measured: the mean change of our
evaluation if one of eight rabbits is taken from the first rank."""
IGNORED_OPTIONS: Final = frozenset({"opponent", "opponent_rating", "rating", "rated", "event"})
"""Options of AEI that are accepted and ignored."""
LIMIT_OPTIONS: Final = ("depth", "nodes")  # options that limit each search; 0 or less: no limit

_POSITION: Final = re.compile(r"([gswb])\s*(\[[^\[\]]*\]|\"[^\"]*\")")
_OPTION: Final = re.compile(r"name\s+(\S+)(?:\s+value(?:\s+(.*))?)?")
_REMOVAL: Final = re.compile(r"[EMHDCRemhdcr][a-h][1-8]x")


class AeiEngine(EngineSession):
    """The AEI engine: answers a controller."""

    def __init__(
        self,
        channel: Channel,
        factory: player.PlayerFactory,
        settings: player.PlayerResources = player.DEFAULTS,
    ) -> None:
        super().__init__(channel, GAME, settings, factory)
        self._greeted = False
        self._refused = False
        """Whether the last position or move was refused: the controller has another position."""
        self._rules = self.room.default_rules
        self._options: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._times = AeiTimes()
        self._used = [0.0, 0.0]
        self._turn_began = time.monotonic()
        self._orders = {
            "isready": self._is_ready,
            "newgame": self._new_game,
            "setposition": self._set_position,
            "setoption": self._set_option,
            "makemove": self._make_move,
            "go": self._go,
            "stop": self.stop,
            "quit": self.quit,
        }

    def complain(self, words: str) -> None:
        self.channel.send(f"log Error: {words}")

    def warn(self, words: str) -> None:
        self.channel.send(f"log Warning: {words}")

    def remark(self, words: str) -> None:
        self.channel.send(f"log {words}")

    def answer(self, line: str) -> None:
        """Answer a line; an unknown message ends the session, as the protocol demands."""
        kind, _, rest = line.partition(" ")
        if kind == "aei" and not self._greeted:
            self._greet()
        elif kind == "aei":
            self.complain("aei begins a session, and this one has begun already")
        elif not self._greeted:
            self._end_in_error(f"a session begins with aei, not with {quoted(line)}")
        elif kind in self._orders:
            self._orders[kind](rest.strip())
        else:
            self._end_in_error(f"unknown message {quoted(line)}")

    def _end_in_error(self, words: str) -> None:
        self.complain(words)
        self.over, self.status = True, 1

    def _greet(self) -> None:
        self._greeted = True
        for line in (
            "protocol-version 1",
            "id name trine",
            "id author the trine project",
            f"id version {__version__}",
            "aeiok",
        ):
            self.channel.send(line)

    def _is_ready(self, rest: str) -> None:
        self.thinker.when_ready(lambda: self.channel.send("readyok"), READY_TIMEOUT)

    def _set_option(self, rest: str) -> None:
        found = _OPTION.fullmatch(rest)
        if not found:
            self.warn(f"expected setoption name NAME value VALUE, not {quoted(rest)}")
            return
        name, value = found[1].lower(), (found[2] or "").strip()
        try:
            self._take_option(name, value)
        except TrineError as error:
            self.warn(f"option {error}")

    def _take_option(self, name: str, value: str) -> None:
        tags = {option.tag.lower(): option.tag for option in self.room.rules.options}
        if name in AEI_TIMES:
            self._times.set(name, value)
        elif name in NUMBERS:
            self.thinker.settings = changed(self.thinker.settings, name, value)
        elif name in LIMIT_OPTIONS:
            if not re.fullmatch("-?[0-9]{1,15}", value):
                raise MalformedError(
                    "{name}: {given} is no whole number", name=name, given=quoted(value)
                )
            self._counts[name] = int(value)
        elif name == "rules":
            self._rules = known_rules(self.room, value)
        elif name in tags:
            options = {tag: kept for tag, kept in self._options.items() if tag != tags[name]}
            options |= {tags[name]: value} if value else {}
            self.room.rules.start(self._rules, options)  # raises an error for impossible options
            self._options = options
        elif name not in IGNORED_OPTIONS:
            self.warn(f"unknown option {quoted(name)}")
            return
        if name in tags or name == "rules":
            self._begin_again_if_untouched()

    def _begin_again_if_untouched(self) -> None:
        """Apply new rules and handicaps to this game if it has no turn yet, else to the next."""
        if self.play and not self.play.turns and self.play.position.in_setup:
            self.play = None

    @property
    def _game(self) -> Play:
        if self.play is None:
            self.play = Play(self.room, self.room.rules.start(self._rules, self._options))
        return self.play

    def _new_game(self, rest: str) -> None:
        self.break_off()
        self.play, self._refused = None, False
        self._times.new_game()
        self._used = [0.0, 0.0]
        self._turn_began = time.monotonic()
        self.thinker.new_game()

    def _set_position(self, rest: str) -> None:
        self.break_off()
        self._refused = True
        found = _POSITION.fullmatch(rest)
        if not found:
            raise MalformedError(
                "expected setposition SIDE [64 letters], not {given}", given=quoted(rest)
            )
        start = self.room.rules.parse_position(f"{found[1]} {found[2]}", self._rules)
        self.play, self._refused = Play(self.room, start), False
        self._turn_began = time.monotonic()

    def _make_move(self, rest: str) -> None:
        self.break_off()
        self._refused = True
        play, now = self._game, time.monotonic()
        mover = play.mover
        try:
            _make(play, rest)
        except TrineError as error:
            raise IllegalError(
                "illegal move {given}: {problem}", given=quoted(rest), problem=error.message
            ) from None
        self._refused = False
        self._used[mover] += now - self._turn_began
        self._turn_began = now
        self._times.turn_over()

    def _go(self, rest: str) -> None:
        ponders = rest == "ponder"
        if rest and not ponders:
            self.warn(f"go knows only ponder, not {quoted(rest)}")
        if (busy := self.thinker.thinking) and not busy.ponders:
            self.complain("go, but the last one is still being thought about")
            return
        self.thinker.drop(only_pondering=True)
        play = self._game.copy()
        if self._refused or play.outcome:
            if self._refused:
                self.complain("go, but the last position or move was refused")
            elif play.outcome:
                self.warn(f"go, but the game is over: {play.outcome.reason.text}")
            if not ponders:
                self.channel.send("bestmove ")
            return
        limits = self._limits()
        untimed = limits.endless and not ponders
        self.thinker.think(
            ThinkTask(
                play,
                Limits() if ponders else Limits(hard=UNTIMED_SECONDS) if untimed else limits,
                (lambda info: None) if ponders else lambda info: self._tell(play, info),
                lambda decision: self._decide(play, decision),
                ponders,
                on_time=not untimed,
            )
        )

    def _limits(self) -> Limits:
        limits = self._times.limits((self._used[0], self._used[1]))
        depth, nodes = (max(0, self._counts.get(name, 0)) or None for name in LIMIT_OPTIONS)
        return replace(limits, depth=depth, nodes=nodes)

    def _tell(self, play: Play, info: player.Info) -> None:
        if info.rank > 1 or not info.pv:
            return
        turns = split_turns(play, info.pv)
        letters = [seat.letter for seat in play.position.seats]
        further = (f"{letters[turn.player]} {turn.words}" for turn in turns[1:])
        variation = " ".join((turns[0].words, *further))
        with self.channel.lock:
            self.channel.send(f"info depth {info.depth}")
            self.channel.send(f"info time {round(info.seconds)}")
            self.channel.send(f"info nodes {info.nodes}")
            self.channel.send(f"info score {round(info.score.points * 100 / RABBIT_POINTS)}")
            self.channel.send(f"info pv {variation.rstrip()}")

    def _decide(self, play: Play, decision: player.Decision) -> None:
        if decision.resigns:
            self.channel.send("bestmove resign")
        else:
            words = written_actions(self.room, play.position, decision.actions)
            self.channel.send(f"bestmove {words}")


def _make(play: Play, words: str) -> None:
    """Play a turn, or a word in place of one, such as ``takeback`` in the official notation."""
    if words == TAKEBACK:
        play.take_back()
    elif words in LEAVING:
        play.leave(LEAVING[words])
    else:
        play.act_unchecked(*read_turn(play, without_removals(words)))


def without_removals(words: str) -> str:
    """Return steps without the marks of removals, which follow from the steps.

    Other programs write these marks in various places.

    >>> without_removals("rb3e rc3x Hb2n")
    'rb3e Hb2n'
    """
    return " ".join(word for word in words.split() if not _REMOVAL.fullmatch(word))


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
            raise player.ForfeitError(text("it does not speak {protocol}", protocol=self.PROTOCOL))
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
