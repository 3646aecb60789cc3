"""Games of Boardspace: SGF with words of its own.

Source: the words that the program reads and writes (tzaar/TzaarMovespec.java,
tzaar/TzaarBoard.java). We know no record of TZAAR; assumptions are marked.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from trine.core.contract.notation import Format
from trine.core.contract.record import Record, WrittenTurn
from trine.core.errors import MalformedError, TrineError
from trine.core.text.sentence import Word, quoted, split_words, text
from trine.games.tzaar.board import KINDS, SEATS
from trine.games.tzaar.diagrams import format_position, parse_position
from trine.games.tzaar.formats.sgf import RESIGN, Node, Value, read_trees
from trine.games.tzaar.notation import moved, parse_action, parse_point
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import OFFICIAL, PASS, Action, Pass, Placement
from trine.games.tzaar.starts import start

_SETUPS: Final = {"tzaar-standard": "fixed", "tzaar-custom": "placement"}
_PLAYERS: Final = ("P0", "P1")
_RACKS: Final = ("wr", "br")
_KNOWN_PROPERTIES: Final = ("GM", "VV", "SU", "P0", "P1", "START")
"""The properties of the first node that are read or ignored; others are kept as tags."""


def read_boardspace(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read games of Boardspace, turning mouse gestures into actions.

    **Assumed**, since we know no record of TZAAR: nodes are like those of the site's other games,
    such as ``P0[5 Pickb E 8]`` with the player, a running number and the words; the first player,
    P0, is White, and begins.

    Limits: ``tzaar-random`` names only a seed of Boardspace's own generator, so it is refused
        unless the board has been added to the file (``START``). Times are skipped; editing and
        adjudication are not read. A turn takes several lines; errors of the referee name the first.
    """
    for tree in read_trees(lines):
        tags = {"Game": "tzaar", "Rules": OFFICIAL.name}
        error = tree.error and tree.error.at(file)
        record = Record(tags, line=tree.line, file=file, error=error)
        try:
            if tree.nodes:
                hand = _BoardspaceHand(record, _read_head(record, tree.nodes[0]))
                for node in tree.nodes[1:]:
                    hand.read_node(node)
                hand.lay_down()
        except MalformedError as error:
            record.error = error.at(file)
        yield record


def _read_head(record: Record, node: Node) -> Position:
    for name in ("GM", "SU"):
        if name not in node:
            raise MalformedError(
                "this game has no {name}; is it TZAAR of Boardspace?", name=name
            ).at(line=record.line)
    if node["GM"].text.lower() != "tzaar":
        raise node["GM"].error(
            text("the game is {given}; expected Tzaar", given=quoted(node["GM"].text))
        )
    setup = node["SU"].text.lower().split()
    if setup[:1] == ["tzaar-random"]:
        return _added_board(record, node)
    if not setup or setup[0] not in _SETUPS:
        raise node["SU"].error(
            text(
                "{given} is no setup; expected {known}",
                given=quoted(node["SU"].text),
                known=", ".join(_SETUPS),
            )
        )
    for player, name in enumerate(_PLAYERS):
        if name in node and (found := re.fullmatch(r'id\s+"?(.*?)"?\s*', node[name].text)):
            record.tags[SEATS[player].tag] = found.group(1)
    for name, value in node.items():
        if name not in _KNOWN_PROPERTIES and value.text:
            record.tags[name] = value.text
    if _SETUPS[setup[0]] == "placement":
        record.tags["Setup"] = "placement"
    return start(OFFICIAL.name, {"Setup": _SETUPS[setup[0]]})


def _added_board(record: Record, node: Node) -> Position:
    """Return the board of a random start, from a property ``START`` that was added to the file."""
    if "START" not in node:
        raise node["SU"].error(
            text(
                "this game does not say how its board was filled: Boardspace keeps only a number; "
                "add the board as START[official … white first]"
            )
        )
    try:
        position = parse_position(node["START"].text, OFFICIAL)
    except TrineError as error:
        raise node["START"].error(error.message) from None
    record.tags["Start"] = format_position(position)
    return position


class _BoardspaceHand:
    """The hand of a player, and the actions of a turn that is not yet confirmed by ``Done``."""

    def __init__(self, record: Record, position: Position) -> None:
        self.record = record
        self.turn = WrittenTurn(position.number, SEATS[0].letter)
        self.positions = [position]
        """The position at the beginning of the turn, and after each of its actions."""
        self.held: int | str | None = None
        """The origin of the stack in hand, or the kind of the piece in hand from the rack."""
        self.resigned = False

    def read_node(self, node: Node) -> None:
        for name, value in node.items():
            if name in _PLAYERS:
                words = split_words(" ".join(value.text.splitlines()), value.column)
                if words and words[0].text.isdecimal():
                    words = words[1:]
                    if words:
                        self._read_words(_PLAYERS.index(name), words, value)
            elif name == "C":
                self.turn.comments.append(value.text)

    def _read_words(self, player: int, words: list[Word], value: Value) -> None:
        first = words[0]
        try:
            if self.turn.letter != SEATS[player].letter:
                self.confirm()
            if not self.turn.words:
                self.turn.letter, self.turn.line = SEATS[player].letter, value.line
            self._do(first, [word.text for word in words[1:]])
        except MalformedError as error:
            raise error.at(line=value.line, column=first.column) from None

    def _do(self, word: Word, rest: list[str]) -> None:
        """Execute the words of one node. Source: TzaarBoard.java, Execute."""
        match word.text.lower(), *rest:
            case "start", ("P0" | "p0"):
                pass
            case "done", *_:
                self.confirm()
            case (("capture" | "move"), column, row, to_column, to_row):
                origin = _point(column, row)
                self._act(moved(self._position, origin, _point(to_column, to_row)))
            case "onboard", rack, kind, column, row:
                self._act(Placement(_kind(rack, kind), _point(column, row)))
            case "pick", rack, kind:
                if self._is_complete():
                    self._undo()
                self.held = _kind(rack, kind)
            case "pickb", column, row, *_:
                self._pick_up(_point(column, row))
            case (("dropb" | "dropcap"), column, row):
                self._drop(_point(column, row))
            case "drop", *_:
                self.held = None
            case "pass", *_:
                if self.turn.words and self.turn.words[-1].text == str(PASS):
                    self._undo()
                else:
                    self._act(PASS)
            case "resign", *_:
                self.resigned = not self.resigned
            case _:
                raise MalformedError(
                    "{given} is none of the words of Boardspace for TZAAR",
                    given=quoted(" ".join([word.text, *rest])),
                )

    @property
    def _position(self) -> Position:
        return self.positions[-1]

    def _is_complete(self) -> bool:
        """Return whether the turn has all its actions and waits for ``Done``."""
        position = self._position
        return len(self.positions) > 1 and not (position.turn_open and not position.outcome())

    def _act(self, action: Action) -> None:
        self.turn.words.append(Word(str(action)))
        self.positions.append(self._position.play_unchecked(action))
        self.held = None

    def _undo(self) -> None:
        self.turn.words.pop()
        self.positions.pop()

    def _pick_up(self, point: int) -> None:
        """Pick a stack up; if it was just dropped and completed the turn, undo that."""
        self.held = point
        if not self._is_complete():
            return
        last = parse_action(self.turn.words[-1].text)
        self._undo()
        if isinstance(last, Placement):
            self.held = last.kind
        elif not isinstance(last, Pass):
            self.held = last.origin

    def _drop(self, point: int) -> None:
        if self.held is None:
            raise MalformedError("nothing is in hand to be dropped")
        if isinstance(self.held, str):
            self._act(Placement(self.held, point))
        elif self.held == point:
            self.held = None
        else:
            self._act(moved(self._position, self.held, point))

    def confirm(self) -> None:
        """End the turn."""
        if self.resigned:
            self.turn.words = [Word(RESIGN)]
        if self.turn.words:
            self.record.turns.append(self.turn)
        self.positions = self.positions[-1:]
        position = self.positions[0]
        self.turn = WrittenTurn(position.number, SEATS[position.mover].letter)
        self.held, self.resigned = None, False

    def lay_down(self) -> None:
        """End the game; an incomplete turn stays open."""
        self.turn.closed = self._is_complete() or self.resigned
        self.confirm()


def _point(column: str, row: str) -> int:
    name = f"{column.lower()}{row}"
    if not re.fullmatch("[a-i][0-9]", name):
        raise MalformedError("{given} is no point", given=quoted(f"{column} {row}"))
    return parse_point(name)


def _kind(rack: str, number: str) -> str:
    if rack.lower() not in _RACKS or number not in ("0", "1", "2"):
        raise MalformedError(
            "{given} is no piece; expected wr or br, and 0 for a Tott, 1 a Tzarra, 2 a Tzaar",
            given=quoted(f"{rack} {number}"),
        )
    return KINDS[int(number)]


BOARDSPACE: Final = Format(
    "boardspace",
    text("games of Boardspace, SGF with its own words"),
    read_boardspace,
    lambda head: re.search(r"\(;\s*[^;]*GM\[tzaar\]", head, re.I) is not None,
    game="tzaar",
    whose="boardspace.net",
    example='(; GM[Tzaar]VV[1] SU[tzaar-standard 0] P0[id "Anna"]',
)
