"""Lists of actions, in which other programs store games of Quoridor.

The standard notation numbers the rounds (``1. e2 e8 2. e3 e7``, with four players ``1. e2 b5 e8
h5``); others give the same actions as a bare list.

A list holds neither the size of the board, nor the walls of each player, nor a result: it is a game
on nine files and ranks, and the referee finds how it ended. The round numbers tell whether two or
four play; without numbers it is the number of players that makes more of the list legal.

Source: Lisa Glendenning, *Mastering Quoridor* (2005).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from trine.core.contract.oneword import kept_turns
from trine.core.contract.outcome import Outcome, Reason
from trine.core.contract.record import STOPS, Record, WrittenTurn
from trine.core.errors import FileError, MalformedError
from trine.core.history import History
from trine.core.text.sentence import Text, text
from trine.core.text.words import Word, quoted
from trine.games.corridor.board import SEATS_OF, USUAL_SIZE
from trine.games.corridor.formats.dialects import STANDARD, Dialect
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS, RULE_SETS

QUORIDOR: Final = RULE_SETS["quoridor"]
FIRST_NUMBER: Final = "1."
_NUMBER = re.compile(r"[0-9]{1,4}\.")
_TOKEN = re.compile(rf"{_NUMBER.pattern}|[^ \t]+")

# --- reading -------------------------------------------------------------------------------------


@dataclass
class ActionList:
    """A list of actions as it is being read."""

    line: int
    numbered: bool
    words: list[Word] = field(default_factory=list)
    """The actions in our notation."""
    lines: list[int] = field(default_factory=list)
    """The line of each action."""
    rounds: list[tuple[int, Word, int]] = field(default_factory=list)
    """For each round: the number of actions before it, the word of its number, and its line."""
    error: MalformedError | None = None

    def add(self, word: Word, line: int, dialect: Dialect) -> None:
        """Add the next word, unless there was an error before."""
        if not self.error:
            try:
                if _NUMBER.fullmatch(word.text):
                    self._add_number(word, line)
                else:
                    self.words.append(Word(dialect.read(word.text), word.column))
                    self.lines.append(line)
            except MalformedError as error:
                self.error = error.at("", line, word.column)

    def _add_number(self, word: Word, line: int) -> None:
        expected = len(self.rounds) + 1
        if not self.numbered or int(word.text[:-1]) != expected:
            raise MalformedError(
                text(
                    "the number {given} here; expected {expected}",
                    given=word.text,
                    expected=f"{expected}." if self.numbered else text("no number in this list"),
                )
            )
        self.rounds.append((len(self.words), word, line))

    def players(self) -> int:
        """Return the number of players: by the round numbers, else by which makes more legal."""
        if len(self.rounds) > 1:
            return 4 if self.rounds[1][0] > 2 else 2
        if self.rounds and len(self.words) > 2:
            return 4  # all in one round
        lengths = {players: legal_length(self.words, players) for players in QUORIDOR.players}
        return max(lengths, key=lambda players: (lengths[players], -players))

    def check_rounds(self, players: int) -> None:
        """Record an error unless every round but the last has an action of each player."""
        for index, (before, word, line) in enumerate(self.rounds):
            last = index == len(self.rounds) - 1
            count = (len(self.words) if last else self.rounds[index + 1][0]) - before
            if count > players or (count < players and not last):
                message = text(
                    "round {number} has {count} actions, but {players} play",
                    number=word.text,
                    count=count,
                    players=players,
                )
                self.error = self.error or MalformedError(message).at("", line, word.column)

    def record(self, file: str) -> Record:
        players = self.players()
        self.check_rounds(players)
        tags = {"Game": "corridor", "Rules": QUORIDOR.name}
        if players != QUORIDOR.players[0]:
            tags["Players"] = str(players)
        seats = SEATS_OF[players]
        turns = [
            WrittenTurn(index // players + 1, seats[index % players].letter, [word], line=line)
            for index, (word, line) in enumerate(zip(self.words, self.lines, strict=True))
        ]
        error = self.error.at(file) if self.error else None
        return Record(tags, turns, line=self.line, file=file, error=error)


def play_as_far_as_legal(words: Iterable[Word], players: int) -> tuple[Outcome | None, int]:
    """Play the words of a list; return the result on the board and the number of legal words."""
    position, played = Position.first(QUORIDOR, USUAL_SIZE, players), 0
    history = History([position.key])
    for word in words:
        action = parse_action(word.text)
        if position.why_not(action, history):
            break
        position, played = position.play_unchecked(action), played + 1
        history.add(position.key)
    return position.outcome(history), played


def legal_length(words: Iterable[Word], players: int) -> int:
    """Return how many words of a list are legal, one after the other, with a number of players.

    >>> [legal_length([Word("e2"), Word("b5")], players) for players in (2, 4)]
    [1, 2]
    """
    return play_as_far_as_legal(words, players)[1]


def _tokens(line: str, column: int = 1) -> list[Word]:
    """The words of a line; numbers are words that end with a dot."""
    return [Word(found.group(), column + found.start()) for found in _TOKEN.finditer(line)]


def read_line(line: str, number: int, column: int = 1, dialect: Dialect = STANDARD) -> ActionList:
    """Read the list that is on one line of a file, from a column on."""
    tokens = _tokens(line, column)
    one = ActionList(number, numbered=bool(tokens) and tokens[0].text == FIRST_NUMBER)
    for token in tokens:
        one.add(token, number, dialect)
    return one


def read_lists(
    lines: Iterable[str], file: str = "", dialect: Dialect = STANDARD
) -> Iterator[Record]:
    """Read lists of actions: bare ones, one a line, or numbered ones over any number of lines.

    A numbered list ends with an empty line, or where the numbers begin again. Lines that begin
    with ``#`` are skipped. A part that cannot be read affects no other list.
    """
    current: ActionList | None = None
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            continue
        tokens = _tokens(line.rstrip("\r\n"))
        if current and not (tokens and current.numbered):
            yield current.record(file)
            current = None
        for token in tokens:
            if current and current.numbered and token.text == FIRST_NUMBER and current.rounds:
                yield current.record(file)
                current = None
            if current is None:
                current = ActionList(number, numbered=token.text == FIRST_NUMBER)
            current.add(token, number, dialect)
    if current:
        yield current.record(file)


# --- writing -------------------------------------------------------------------------------------


def played_words(record: Record) -> list[str]:
    """Return the actions of a record, one a turn, without those that were taken back.

    A word that ends the play, such as ``resigns``, is no action.
    """
    return [
        word.text for _, words in kept_turns(record) for word in words if word.text not in STOPS
    ]


def players_of(record: Record) -> int:
    """Return the number of players, by the tags of a record."""
    return int(record.tags.get("Players", QUORIDOR.players[0]))


def write_rounds(records: Iterable[Record]) -> Iterator[str]:
    """Write records as numbered lists, a round a line, an empty line between two."""
    for index, record in enumerate(records):
        yield "\n" if index else ""
        words, players = played_words(record), players_of(record)
        for number, start in enumerate(range(0, len(words), players), start=1):
            yield f"{number}. {' '.join(words[start : start + players])}\n"


def write_lists(records: Iterable[Record], dialect: Dialect = STANDARD) -> Iterator[str]:
    for record in records:
        yield " ".join(map(dialect.write, played_words(record))) + "\n"


def check_is_plain(record: Record, dialect: Dialect = STANDARD, *, numbered: bool = False) -> None:
    """Raise an error unless a list can hold a record, and would be read as the same record again.

    Raises:
        FileError: it is not Quoridor on nine files and ranks from the beginning, nothing was
            played, a player has left a play of four, or has to pass where the format has no word
            for it, or the list does not determine the number of players.
    """
    can_be: dict[str, tuple[str, ...]] = {
        "Rules": (QUORIDOR.name,),
        "Size": (str(USUAL_SIZE),),
        "Players": tuple(map(str, QUORIDOR.players)),
        "Start": (),
    }
    for tag, allowed in can_be.items():
        if (given := record.tags.get(tag)) is not None and given not in allowed:
            raise FileError(
                text(
                    "the format holds games of Quoridor on nine files and ranks, from the start; "
                    "this record has {tag} {given}",
                    tag=tag,
                    given=quoted(given),
                )
            ).at(record.file, record.tag_lines.get(tag, record.line))
    words = [Word(word) for word in played_words(record)]
    if not words:
        raise FileError(text("the format cannot hold a game in which nothing was played")).at(
            record.file, record.line
        )
    for turn in record.turns:
        for word in turn.words:
            leaves = STOPS.get(word.text, Reason.AGREEMENT) is not Reason.AGREEMENT
            if leaves and (players_of(record) > 2 or turn is not record.turns[-1]):
                raise _cannot_hold(record, turn, word, text("a player who leaves the play"))
            if word.text == str(PASS) and not dialect.has_pass:
                raise _cannot_hold(record, turn, word, text("a pass"))
    for word in words:
        try:
            dialect.write(word.text)
        except MalformedError as error:
            raise FileError(error.message).at(record.file, record.line) from None
    written = write_rounds([record]) if numbered else write_lists([record], dialect)
    read = next(read_lists("".join(written).splitlines(), dialect=dialect))
    if players_of(read) != players_of(record):
        raise FileError(
            text(
                "this list of {players} players would be read as one of {others}",
                players=players_of(record),
                others=players_of(read),
            )
        ).at(record.file, record.line)


def _cannot_hold(record: Record, turn: WrittenTurn, word: Word, what: Text) -> FileError:
    return FileError(text("the format has no word for {what}", what=what)).at(
        record.file, turn.line or record.line, word.column
    )
