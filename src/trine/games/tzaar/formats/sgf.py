"""The part of SGF that Little Golem and Boardspace write.

A game is ``(;…;…)``, a node ``;NAME[value]…``; no variations, and one value for each property. Both
sites play `official`. Neither says whether an action captures or stacks: the board decides. Their
readers follow the board and leave it to the referee whether an action is legal.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, quoted


class Value(NamedTuple):
    """The value of a property, and its place in the file."""

    text: str
    line: int
    column: int

    def error(self, message: Text) -> MalformedError:
        return MalformedError(message).at(line=self.line, column=self.column)


Node = dict[str, Value]
RESIGN: Final = "resign"  # the word for a resignation, in our records and on both sites


@dataclass
class GameTree:
    """A game in SGF: its nodes; the first one describes the whole game."""

    line: int
    nodes: list[Node] = field(default_factory=list)
    error: MalformedError | None = None
    """The error at the part that cannot be read; ``nodes`` ends before the node at fault."""


def read_trees(lines: Iterable[str]) -> Iterator[GameTree]:
    r"""Read the games of a file in SGF, one after the other; a damaged game affects no other.

    Limits: no variations, and one value for each property. A line that begins with ``(;`` always
        begins a game, even if the game before it is not closed.

    >>> [tree.nodes[0]["C"].text for tree in read_trees([r"(;C[a \\ \] b])(;C[c])"])]
    ['a \\ ] b', 'c']
    """
    parser: _TreeParser | None = None
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n") + "\n"
        if parser and line.lstrip().startswith("(;"):
            yield parser.cut_off(number)
            parser = None
        at = 0
        while at < len(line):
            if not parser:
                if line[at].isspace():
                    at += 1
                    continue
                parser = _TreeParser(number)
            at = parser.feed(line, number, at)
            if parser.closed:
                yield parser.tree
                parser = None
    if parser:
        yield parser.cut_off(number)


class _TreeParser:
    """A parser of one game, line by line."""

    _NAME = re.compile(r"[A-Z][A-Z0-9]{0,30}")
    _PART = re.compile(r"(?:[^\]\\]|\\.)*", re.DOTALL)
    """A part of a value: up to the bracket that ends it, or to the end of the line."""

    def __init__(self, line: int) -> None:
        self.tree = GameTree(line)
        self.closed = False
        self._begun = False
        self._name = ""  # the property whose value comes next
        self._value: list[str] | None = None  # the parts of the unfinished value
        self._value_at = (0, 0)

    def feed(self, line: str, number: int, at: int) -> int:
        """Continue reading in a line, from a column counted from 0.

        Returns: the column where reading stopped, at the end of the game or of the line.
        """
        while at < len(line) and not self.closed:
            if self.tree.error:
                return len(line)  # the rest of a damaged game is skipped
            try:
                if self._value is not None:
                    at = self._read_value(line, at)
                else:
                    at = self._read_mark(line, number, at)
            except MalformedError as error:
                self._fail(error.at(line=number, column=at + 1))
        return at

    def cut_off(self, line: int) -> GameTree:
        """Return the part that was read of an unfinished game."""
        if not self.tree.error:
            self._fail(
                MalformedError(
                    "the game that begins in line {line} is not closed", line=self.tree.line
                ).at(line=line)
            )
        return self.tree

    def _fail(self, error: MalformedError) -> None:
        self.tree.error = error
        del self.tree.nodes[-1:]

    def _read_mark(self, line: str, number: int, at: int) -> int:
        """Read a part outside values: brackets, semicolons, names, spaces."""
        mark, nodes = line[at], self.tree.nodes
        if mark.isspace():
            return at + 1
        if not self._begun:
            if mark != "(":
                raise MalformedError(
                    "{given} is no game; expected (; …", given=quoted(line[at:].strip())
                )
            self._begun = True
            return at + 1
        if mark == "[":
            self._begin_value(number, at + 1)
            return at + 1
        if self._name and self._name not in nodes[-1]:
            raise MalformedError("{name} has no value", name=self._name)
        if name := self._NAME.match(line, at) if nodes else None:
            self._name = name.group()
            return name.end()
        if mark == "(":
            raise MalformedError("variations of a game cannot be read")
        if mark == ")" and nodes:
            self.closed = True
        elif mark == ";":
            self._name = ""
            nodes.append({})
        else:
            raise MalformedError(
                "{given} cannot stand here in a game", given=quoted(line[at:].strip())
            )
        return at + 1

    def _begin_value(self, number: int, at: int) -> None:
        if not self._name:
            raise MalformedError("this value has no name before it")
        if self._name in self.tree.nodes[-1]:
            raise MalformedError("{name} has two values", name=self._name)
        self._value, self._value_at = [], (number, at + 1)

    def _read_value(self, line: str, at: int) -> int:
        assert self._value is not None
        part = self._PART.match(line, at)
        assert part is not None
        self._value.append(part.group())
        if part.end() < len(line):
            whole = re.sub(r"\\(.)", _unescape, "".join(self._value), flags=re.DOTALL)
            self.tree.nodes[-1][self._name] = Value(whole, *self._value_at)
            self._value = None
        return part.end() + 1


def _unescape(found: re.Match[str]) -> str:
    """Return the text of an escape: nothing for a line break, else the sign after the backslash."""
    return "" if found.group(1) == "\n" else found.group(1)
