"""Reads games of Quoridor that other programs store as lists of actions.

The words of a dialect may be in numbered rounds (``1. e2 e8 2. e3 e7``, with four players
``1. e2 b5 e8 h5``) or bare, one game or one word a line; separated by spaces, commas or slashes;
with tags, comments, results and marks as in PGN; in SGF; as commands of a protocol.

A list does not state the size of the board, or the numbers of players and walls: the reader chooses
the start that makes most of the list legal. Nor does it state the rules: if the list continues
after a third occurrence of a position, repetition ended nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, NamedTuple

from trine.core.contract.notation import kept_turns
from trine.core.contract.position import History, Outcome, Reason
from trine.core.contract.record import DRAW, STOPS, Record, WrittenTurn, parse_tag
from trine.core.errors import MalformedError
from trine.core.text.sentence import Word, text
from trine.games.corridor.board import SIZES, USUAL_SIZE, square_name
from trine.games.corridor.formats.dialects import STANDARD, Dialect
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import ENDLESS, PASS, RULE_SETS, Wall
from trine.games.corridor.starts import start_tags

QUORIDOR: Final = RULE_SETS["quoridor"]
NOT_FINISHED: Final = "?"
NOBODY: Final = "0"
_SETUPS: Final = (
    *((players, USUAL_SIZE) for players in (2, 4, 3)),
    *((2, size) for size in sorted(SIZES, key=lambda size: size % 2 == 0) if size != USUAL_SIZE),
)
"""Numbers of players, with sizes, in the order of trial."""
NEW_GAME: Final = "clear_board"
_SHORT_LINE: Final = 4
"""Units: words; a bare line up to this length can be one round of a game that continues."""
_RESULTS: Final = {"1-0": "1", "0-1": "2", "1/2-1/2": NOBODY, "*": NOT_FINISHED}
_NAMES: Final = {"White": "South", "Black": "North", "PB": "South", "PW": "North"}
"""Our tags for the players of other programs; in SGF Black begins."""
_SKIPPED = re.compile(
    r"\$[0-9]+|=[^ ]*|\b(?:boardsize|walls)[ \t]+[0-9]+|#.*|<[^<>]*>|…|(?<![0-9.])\.{2,}|"
    r"^\s*[-*•]\s|\b(?:white|black|player ?[1-4]|p[1-4]):|\b(?:game|position|startpos|moves)\b:?",
    re.I,
)
_WON = re.compile(
    r"\b(?:(white wins|black resigns|result:? w)|(?:black wins|white resigns|result:? b))\b.*", re.I
)
_AXIS_APART = re.compile(r"(?<=\b[a-s][0-9])([0-9]?)[ _-]([hv])\b", re.I)
_PROPERTY = re.compile(r"([A-Z]{1,4})\[([^\]]*)\]")
_COMMAND = re.compile(
    r"\bplay(?:move|wall)[ \t]+\w+[ \t]+([a-s][0-9]+)(?:[ \t]+([hv])[a-z]*)?|\b(?:play|genmove|"
    r"showboard|clear_board|quit|name|version|undo)\b.*",
    re.I,
)
TOKEN = re.compile(
    r"([0-9]{1,4})(\.+|\)|(?=\s))|(1/2-1/2|1-0|0-1|\*)(?=[\s,]|$)|[^\s,;/]+(?:(?<=[0-9])/(?=[\s,;]|$))?"
)


class Setup(NamedTuple):
    """A start, and the part of a list that is legal from it."""

    first: Position
    words: list[str]  # the legal actions, in our notation
    last: Position
    outcome: Outcome | None


def follow(given: Sequence[str], dialect: Dialect, players: int, size: int) -> Setup:
    """Play the words of a list from a start as far as they are legal.

    If a player places more walls than usual, the hands of the start are larger; repetition ends
    the game only if no action follows it.
    """
    first = Position.first(QUORIDOR, size, players)
    position, history, words = replace(first, rules=ENDLESS["quoridor"]), History(), list[str]()
    spare, usual = [0] * players, True
    history.add(position.key)
    for word in given:
        usual &= history.times(position.key) < 3
        try:
            place = dialect.read(word, size, pawn_of(position))
            if place in (square_name(size, pawn) for pawn in position.pawns):
                place = dialect.read(word * 2, size, pawn_of(position))  # a jump
            action = parse_action(place)
        except MalformedError:
            break
        if isinstance(action, Wall) and position.hands[position.mover] == 0:
            spare[position.mover] += 1
            hands = [
                hand or int(seat == position.mover) for seat, hand in enumerate(position.hands)
            ]
            position = replace(position, hands=tuple(hands))
        if position.why_not(action, history):
            if dialect.has_pass or list(position.legal_actions(history)) != [PASS]:
                break
            action = PASS
        words.append(str(action))
        position = position.play_unchecked(action)
        history.add(position.key)
    if max(spare):
        most = (first.hands[0] or 0) + max(spare)
        first = replace(first, hands=(most,) * players)
    if not usual:
        first = replace(first, rules=ENDLESS["quoridor"])
    last = replace(position, rules=first.rules)
    return Setup(first, words, last, last.outcome(history))


def pawn_of(position: Position) -> str:
    """Return the square of the pawn of the player to move."""
    return square_name(position.size, position.pawns[position.mover])


@dataclass
class ActionList:
    """A list of actions that is being read."""

    dialect: Dialect
    line: int
    words: list[Word] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # the line of each word
    rounds: list[tuple[int, str, int, int]] = field(default_factory=list)
    """For each round: the count of earlier actions, the stated number, its line and column."""
    tags: dict[str, str] = field(default_factory=dict)
    result: str = NOT_FINISHED
    longest: int = 0  # number of words of the longest line
    error: MalformedError | None = None

    def add_line(self, tokens: Sequence[re.Match[str]], line: int, column: int) -> None:
        """Add the tokens of a line, which begins in a column."""
        count = len(self.words)
        for token in tokens:
            number, dots, result = token.groups()
            if result:
                self.result = _RESULTS[result]
            elif not number:
                self.words.append(Word(token.group(), column + token.start()))
                self.lines.append(line)
            elif dots != "...":
                self._add_round(int(number), token.group(), line, column + token.start())
        self.longest = max(self.longest, len(self.words) - count)

    def _add_round(self, number: int, given: str, line: int, column: int) -> None:
        numbered = bool(self.rounds) or not self.words
        if not numbered or number != len(self.rounds) + 1:
            expected = f"{len(self.rounds) + 1}." if numbered else text("no number in this list")
            self.error = self.error or MalformedError(
                "the number {given} here; expected {expected}", given=given, expected=expected
            ).at("", line, column)
        self.rounds.append((len(self.words), given, line, column))

    def setup(self) -> Setup:
        """Return the start that makes most of the list legal."""
        given = [word.text for word in self.words]
        best: Setup | None = None
        for players, size in _SETUPS:
            if len(self.rounds) > 1 and (self.rounds[1][0] > 2) != (players > 2):
                continue
            found = follow(given, self.dialect, players, size)
            if best is None or len(found.words) > len(best.words):
                best = found
            if len(found.words) == len(given):
                break
        assert best is not None
        return best

    def record(self, file: str) -> Record:
        setup = self.setup()
        players, seats = setup.first.players, setup.first.seats
        self._check_rounds(players)
        record = Record({"Game": "corridor", "Rules": QUORIDOR.name}, line=self.line, file=file)
        record.tags |= start_tags(setup.first) | self.tags
        for index, (given, line) in enumerate(zip(self.words, self.lines, strict=True)):
            error = self.error
            if error and (error.place.line, error.place.column) < (line, given.column):
                break
            try:
                word = (
                    setup.words[index]
                    if index < len(setup.words)
                    else self.dialect.read(given.text, setup.first.size, pawn_of(setup.last))
                )
            except MalformedError as problem:
                self.error = problem.at("", line, given.column)
                break
            letter = seats[index % players].letter
            turn = WrittenTurn(index // players + 1, letter, [Word(word, given.column)], line=line)
            record.turns.append(turn)
        record.error = self.error and self.error.at(file)
        self._state_result(record, setup)
        return record

    def _check_rounds(self, players: int) -> None:
        """Record an error unless every round but the last has an action of each player."""
        ends = [*(before for before, *_ in self.rounds[1:]), len(self.words)]
        for one, end in zip(self.rounds, ends, strict=False):
            before, number, line, column = one
            count = end - before
            if count > players or (count < players and one is not self.rounds[-1]):
                self.error = self.error or MalformedError(
                    "round {number} has {count} actions, but {players} play",
                    number=number,
                    count=count,
                    players=players,
                ).at("", line, column)

    def _state_result(self, record: Record, setup: Setup) -> None:
        """Add the tags of a stated result.

        **Reading**: lists state no reasons, so a win without the goal is a resignation, and a draw
        that the board does not show is an agreement.
        """
        if self.result == NOT_FINISHED:
            return
        seats = setup.first.seats
        if int(self.result) > len(seats):
            record.error = record.error or MalformedError(
                "player {given} has won, but {players} play", given=self.result, players=len(seats)
            ).at(record.file, record.line)
            return
        usual = Reason.AGREEMENT if self.result == NOBODY else Reason.RESIGNATION
        won = DRAW if self.result == NOBODY else seats[int(self.result) - 1].tag
        record.tags["Result"] = won
        record.tags["Reason"] = str(setup.outcome.reason if setup.outcome else usual)
        record.tag_lines |= {"Result": record.line, "Reason": record.line}


def _blank_out(line: str, tags: dict[str, str]) -> str:
    """Blank out all but numbers, words and results, so that columns stay true.

    Names and other properties of the game are added to ``tags``.
    """

    def property_word(found: re.Match[str]) -> str:
        name, value = found.groups()
        if name in _NAMES:
            tags[_NAMES[name]] = value
        word = value if name in ("B", "W") else ""
        return f"  {word}".ljust(len(found.group()))

    def command_word(found: re.Match[str]) -> str:
        return f"{found.group(1) or ''}{found.group(2) or ''}".ljust(len(found.group()))

    if line.lstrip().startswith("["):
        name, value = parse_tag(line.strip())
        if name != "Result":
            tags[_NAMES.get(name, name)] = value
        return ""
    line = _WON.sub(lambda found: ("1-0" if found[1] else "0-1").ljust(len(found[0])), line)
    line = _SKIPPED.sub(lambda found: " " * len(found.group()), line)
    if "[" in line:
        end = line.rfind("]") + 1  # no bracket closes after it, and the search would be quadratic
        line = re.sub("[();]", " ", _PROPERTY.sub(property_word, line[:end]) + line[end:])
    return _AXIS_APART.sub(r"\1\2 ", _COMMAND.sub(command_word, line))


def read_lists(
    lines: Iterable[str], file: str = "", dialect: Dialect = STANDARD
) -> Iterator[Record]:
    """Read lists of actions.

    A numbered list ends at an empty line, or if the numbers begin again; a bare list ends with its
    line, unless the next line continues it. A part that cannot be read affects no other list.
    """
    current: ActionList | None = None
    tags: dict[str, str] = {}
    for number, (line, shown) in enumerate(_blank_comments(lines), start=1):
        try:
            bare = _blank_out(shown.rstrip("\r\n"), tags)
        except MalformedError:
            bare = line
        if dialect.unpack and (unpacked := dialect.unpack(line.strip())):
            bare = unpacked
        tokens = list(TOKEN.finditer(bare))
        if current and (line.startswith("[") or _ends_list(current, line, tokens)):
            yield current.record(file)
            current = None
        for part in _parts(tokens):
            if current and current.rounds and _is_first(part[0]):
                yield current.record(file)
                current = None
            if current is None:
                current, tags = ActionList(dialect, number, tags=tags), {}
            current.add_line(part, number, 1)
    if current:
        yield current.record(file)


def _blank_comments(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line, and a copy with comments and variations blanked, even over several lines."""
    begins = ends = ""
    depth = 0
    for line in lines:
        kept = []
        for at, sign in enumerate(line):
            if not depth:
                opens = sign in "{(" and line[at : at + 2] != "(;"
                begins, ends = (sign, "})"[sign == "("]) if opens else ("", "")
            depth += sign == begins
            kept.append(" " if depth else sign)
            depth -= bool(depth) and sign == ends
        yield line, "".join(kept)


def _is_first(token: re.Match[str]) -> bool:
    return token.group(1) == "1" and token.group(2) != "..."


def _parts(tokens: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    """Yield the tokens of a line, split before each new first round."""
    again = [at for at, token in enumerate(tokens) if at and _is_first(token)]
    begins = [0, *(again if tokens and tokens[0].group(1) else ()), len(tokens)]
    for begin, end in pairwise(begins):
        if begin < end:
            yield tokens[begin:end]


def _ends_list(current: ActionList, line: str, tokens: Sequence[re.Match[str]]) -> bool:
    """Return whether a line does not belong to the current list any more."""
    if current.dialect.commands:
        return line.startswith(NEW_GAME)
    if not line.strip():
        return bool(current.words)
    if "[" in line:
        return line.lstrip().startswith("(")
    if all(token.group(3) for token in tokens):
        return False
    if current.rounds or not tokens:
        return False
    if len(tokens) > _SHORT_LINE or current.longest > _SHORT_LINE or tokens[0].group(1):
        return True
    if len(tokens) == 1:
        return current.longest > 1
    setup = current.setup()
    alone = follow([tokens[0].group()], current.dialect, setup.first.players, setup.first.size)
    return bool(alone.words)


def looks_like(head: str, dialect: Dialect) -> bool:
    """Return whether a text begins with a list in a dialect whose first action is legal."""
    record = next(read_lists(head.splitlines(keepends=True), dialect=dialect), None)
    if record is None:
        return False
    return bool(follow(played_words(record), STANDARD, players_of(record), size_of(record)).words)


def played_words(record: Record) -> list[str]:
    """Return the actions of a record, one a turn, without actions that were taken back.

    A word that ends the play, such as ``resigns``, is no action.
    """
    return [
        word.text for _, words in kept_turns(record) for word in words if word.text not in STOPS
    ]


def players_of(record: Record) -> int:
    return int(record.tags.get("Players", QUORIDOR.players[0]))


def size_of(record: Record) -> int:
    return int(record.tags.get("Size", USUAL_SIZE))
