"""The Universal Game Interface (UGI), for all games: our engine, and programs as players.

A move is a whole turn in one word: its actions in the notation of records, joined by commas.
``docs/guides/protocols.md`` describes our other extensions: three and four players, and options for
the game, its rules and its start. Source: ugi.md of the repository kz04px/cutegames.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from trine import __version__
from trine.core.clock import Limits
from trine.core.contract.position import Action, Turn
from trine.core.contract.score import Score
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import quoted
from trine.engine.players.player import DEFAULTS, Decision, Info, PlayerFactory, PlayerResources
from trine.engine.protocol import turn_words
from trine.engine.protocol.engine_session import NUMBERS, Channel, EngineSession, changed
from trine.engine.protocol.program import Program
from trine.engine.protocol.program_player import NO_MOVE, ProgramPlayer, Report, clamped_score
from trine.engine.protocol.thinker import ThinkTask
from trine.engine.protocol.time_limits import format_go, read_go
from trine.games import ROOMS, known_rules, open_room

EMPTY: Final = "<empty>"  # the empty value of an option, as UCI writes it
START: Final = "Start"
"""The prefix of options of the start: both the bot and the start of TZAAR have a ``Seed``."""
RESIGN: Final = "resign"
REFUSALS: Final = {"go": f"bestmove {NO_MOVE}", "query": "response unknown"}
"""The answers after an error, since the controller waits for an answer."""

_OPTION: Final = re.compile(r"name\s+(\S+)(?:\s+value(?:\s+(.*))?)?", re.IGNORECASE)


class UgiEngine(EngineSession):
    """The UGI engine: answers a controller."""

    def __init__(
        self,
        channel: Channel,
        game: str,
        factory: PlayerFactory,
        rules: str = "",
        settings: PlayerResources = DEFAULTS,
    ) -> None:
        super().__init__(channel, game, settings, factory)
        self._rules = known_rules(self.room, rules) if rules else ""
        self._options: dict[str, str] = {}  # the options of the start, by the game's tags
        self._start = ""
        self._refused = False
        """Whether the last position was refused: then the controller has another position."""
        self._moves: list[str] = []
        """The moves of the play; if the next list begins with them, only its others are read."""
        self._orders = {
            "ugi": self._greet,
            "isready": self._is_ready,
            "uginewgame": self._new_game,
            "position": self._set_position,
            "setoption": self._set_option,
            "go": self._go,
            "stop": self.stop,
            "query": self._answer_query,
            "quit": self.quit,
        }

    def complain(self, words: str) -> None:
        self.channel.send(f"info string error: {words}")

    def remark(self, words: str) -> None:
        self.channel.send(f"info string {words}")

    def answer(self, line: str) -> None:
        """Answer a line; an unknown message is ignored, as in UCI, and reported."""
        kind, *words = line.split()
        if kind not in self._orders:
            self.complain(f"unknown message {quoted(line)}")
            return
        try:
            self._orders[kind](words)
        except TrineError as error:
            self.complain(str(error))
            if kind in REFUSALS:
                self.channel.send(REFUSALS[kind])

    def _greet(self, words: Sequence[str]) -> None:
        settings = self.thinker.settings
        self.channel.send(f"id name trine {__version__}")
        self.channel.send("id author the trine project")
        games = " ".join(f"var {name}" for name in ROOMS)
        self.channel.send(f"option name Game type combo default {self.room.name} {games}")
        self.channel.send(f"option name Rules type string default {self._rules or EMPTY}")
        for name, number in NUMBERS.items():
            value = getattr(settings, number.field)
            bounds = f"default {value} min {number.least} max {number.most}"
            self.channel.send(f"option name {name.capitalize()} type spin {bounds}")
        for tag in _start_tags():
            self.channel.send(f"option name {START}{tag} type string default {EMPTY}")
        self.channel.send("ugiok")

    def _is_ready(self, words: Sequence[str]) -> None:
        self.thinker.when_ready(lambda: self.channel.send("readyok"))

    def _set_option(self, words: Sequence[str]) -> None:
        found = _OPTION.fullmatch(" ".join(words))
        if not found:
            raise MalformedError(
                "expected setoption name NAME value VALUE, not {given}", given=" ".join(words)
            )
        name, value = found[1].lower(), (found[2] or "").strip()
        value = "" if value == EMPTY else value
        tags = {f"{START}{tag}".lower(): tag for tag in _start_tags()}
        if name == "game":
            self._set_game(value)
        elif name == "rules":
            self._rules = known_rules(self.room, value) if value else ""
        elif name in NUMBERS:
            self.thinker.settings = changed(self.thinker.settings, name, value)
        elif name in tags:
            self._options.pop(tags[name], None)
            self._options |= {tags[name]: value} if value else {}
        else:
            raise MalformedError("unknown option {given}", given=quoted(found[1]))
        if name in tags or name in ("game", "rules"):
            self._forget_position()

    def _set_game(self, name: str) -> None:
        """Change the game, and reset the rules, which belong to the previous game."""
        room = open_room(name)
        if room is not self.room:
            self.room, self._rules = room, ""
            self.thinker.game = name

    @property
    def _game(self) -> Play:
        if self._refused:
            raise IllegalError("the last position was refused")
        if self.play is None:
            self.play = self._beginning(self._start)
        return self.play

    def _beginning(self, start: str) -> Play:
        """Return a play without turns, from a position or the usual start; raises `TrineError`."""
        if start:
            position = self.room.rules.parse_position(start, self._rules)
        else:
            tags = {option.tag for option in self.room.rules.options}
            options = {tag: value for tag, value in self._options.items() if tag in tags}
            position = self.room.rules.start(self._rules or self.room.default_rules, options)
        self.room.check_search(position)
        return Play(self.room, position)

    def _forget_position(self) -> None:
        self.break_off()
        self.play, self._start, self._moves, self._refused = None, "", [], False

    def _new_game(self, words: Sequence[str]) -> None:
        self._forget_position()
        self.thinker.new_game()

    def _set_position(self, words: Sequence[str]) -> None:
        """Set the position; after a malformed or illegal one, the play is unset until the next."""
        self._refused = True
        start, moves = _divide(words)
        known = len(self._moves)
        if self.play and start == self._start and moves[:known] == self._moves:
            play, further = self.play.copy(), moves[known:]
        else:
            play, further = self._beginning(start), moves
        for number, move in enumerate(further, len(moves) - len(further) + 1):
            try:
                _make(play, move)
            except TrineError as error:
                raise IllegalError(
                    "move {number}, {given}: {problem}",
                    number=number,
                    given=quoted(move),
                    problem=error.message,
                ) from None
        self.break_off()
        self.play, self._start, self._moves, self._refused = play, start, moves, False

    def _answer_query(self, words: Sequence[str]) -> None:
        play, outcome = self._game, self._game.outcome
        question = words[0] if words else ""
        if question == "gameover":
            answer = "true" if outcome else "false"
        elif found := re.fullmatch("p([1-9])turn", question):
            answer = "true" if play.mover + 1 == int(found[1]) else "false"
        elif question == "result" and outcome:
            answer = "draw" if outcome.winner is None else f"p{outcome.winner + 1}win"
        elif question == "result":
            answer = "none"
        else:
            raise MalformedError("unknown query {given}", given=quoted(question))
        self.channel.send(f"response {answer}")

    def _go(self, words: Sequence[str]) -> None:
        if self.thinker.thinking:
            self.complain("go, but the last one is still being thought about")
            return
        play = self._game.copy()
        limits, unknown = read_go(play, words)
        if limits.endless and words and "infinite" not in words:
            raise MalformedError(
                "go {given} has no limit; write infinite if none is meant", given=" ".join(words)
            )
        if unknown:
            self.complain(f"go does not know {quoted(' '.join(unknown))}")
        if play.outcome:
            self.remark(f"the game is over: {play.outcome.reason.text}")
            self.channel.send(f"bestmove {NO_MOVE}")
            return
        self.thinker.think(
            ThinkTask(
                play,
                limits,
                lambda info: self._tell(play, info),
                lambda decision: self._decide(play, decision),
                until_stop="infinite" in words,
            )
        )

    def _tell(self, play: Play, info: Info) -> None:
        if not info.pv:
            return
        effort = f"nodes {info.nodes} nps {info.nodes_per_second} time {round(info.seconds * 1000)}"
        score, line = info.score.points, turn_words.format_line(play, info.pv)
        self.channel.send(f"info depth {info.depth} score cp {score} {effort} pv {line}")

    def _decide(self, play: Play, decision: Decision) -> None:
        move = RESIGN if decision.resigns else turn_words.format_move(play, decision.actions)
        self.channel.send(f"bestmove {move}")


def _start_tags() -> list[str]:
    return list(
        dict.fromkeys(option.tag for name in ROOMS for option in open_room(name).rules.options)
    )


def _divide(words: Sequence[str]) -> tuple[str, list[str]]:
    """Split the words after ``position`` into a position, empty for the usual start, and moves.

    Raises:
        MalformedError: the words begin with neither ``startpos`` nor ``fen``.

    >>> _divide("fen open 11/22 white 1 moves a1xa2 -".split())
    ('open 11/22 white 1', ['a1xa2', '-'])
    """
    words = list(words)
    at = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:at], words[at + 1 :]
    if head == ["startpos"]:
        return "", moves
    if len(head) > 1 and head[0] == "fen":
        return " ".join(head[1:]), moves
    raise MalformedError(
        "expected position startpos or position fen TEXT, then moves MOVE…, not {given}",
        given=quoted(" ".join(words)),
    )


def _make(play: Play, move: str) -> None:
    if move in turn_words.LEAVING:
        play.leave(turn_words.LEAVING[move])
        return
    play.act_unchecked(*turn_words.read_move(play, move))


_DECLARED: Final = re.compile(r"option\s+name\s+(\S.*?)\s+type\s")


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
        if found := _DECLARED.match(line):
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
        self._moves += [turn_words.played_move(play, turn) for turn in play.turns[known:]]
        self._turns = list(play.turns)
        moves = list(self._moves)
        if play.open_actions:
            begun = play.copy()
            begun.position = play.turn_start
            moves.append(turn_words.format_move(begun, play.open_actions) + turn_words.SEPARATOR)
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
        return turn_words.read_move(play, words.split()[0] if words else "")

    def read_variation(self, play: Play, words: str) -> list[Action]:
        ahead, line = play.copy(), list[Action]()
        with suppress(TrineError):
            for move in words.split():
                turn = turn_words.read_move(ahead, move)
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
