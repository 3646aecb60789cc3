"""A record as a tree that can be stepped through: the turns played, and variations.

A variation stands in a comment of the turn that it replaces, and begins with ``or``::

    2g Ee2n Ee3n {0:12} {or 2g Md2n, 2s ee7s (or 2s ra7s), 3g Md3n}

Its turns are separated by commas; alternatives to one of them stand behind it in parentheses, a
note to it in brackets. To a reader without variations it is a comment. ``docs/guides/records.md``
has the whole format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from trine.core.contract.position import Position
from trine.core.contract.record import TAKEBACK, Record, WrittenTurn, parse_written_turn
from trine.core.contract.turn import Turn
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.wording import written_actions
from trine.core.text.words import quoted
from trine.play.record.marks import as_remark, read_mark
from trine.play.record.replay import record_of, replay
from trine.play.record.time_notes import read_time_mark

_BEGINS: Final = re.compile(r"or\s+(?=[0-9]+[a-z](\s|$))")
_PARTS: Final = re.compile(r"\[[^\]]*\]?|[(),]|[^(),\[]+")
_ROUND: Final = str.maketrans("[]{}", "()()")
MAX_VARIATION_DEPTH: Final = 50
"""Variations of variations stand no deeper inside each other."""


@dataclass(eq=False, repr=False)
class GameNode:
    """A place in a game: the position after a turn, or the beginning.

    >>> from trine.games import new_play
    >>> root = tree_of(record_of(new_play("corridor")))
    >>> played = root.add("e2", played=True)
    >>> root.add("d1").tag, root.next is played, len(root.variations)
    ('1s', True, 2)
    """

    start: Play
    """The play at the beginning, which all nodes of a tree share."""
    turn: Turn | None = None
    """The turn that led here; None at the beginning."""
    previous: GameNode | None = None
    comments: list[str] = field(default_factory=list)
    """The comments of the record on the turn, including times."""
    variations: list[GameNode] = field(default_factory=list)
    """The nodes that follow: first the turn that was played, if there is one, then the others."""
    played: bool = True
    """Whether the turn was played, and is not only a variation."""

    @property
    def position(self) -> Position:
        return self.turn.after if self.turn else self.start.position

    @property
    def next(self) -> GameNode | None:
        """The next node of the play, or of a variation's main line; None at the end."""
        first = self.variations[0] if self.variations else None
        return first if first and (first.played or not self.played) else None

    @property
    def tag(self) -> str:
        """The number and letter of the turn, as in ``2g``; empty at the beginning."""
        return self.start.room.tag(self.turn.before) if self.turn else ""

    @property
    def notation(self) -> str:
        if not self.turn:
            return ""
        return written_actions(self.start.room, self.turn.before, self.turn.actions)

    def __str__(self) -> str:
        return f"{self.tag} {self.notation}".strip()

    def __repr__(self) -> str:
        return f"<GameNode {str(self) or 'at the beginning'}>"

    def line(self) -> Iterator[GameNode]:
        """Yield the nodes after this one, along `next`."""
        node = self.next
        while node:
            yield node
            node = node.next

    def tree(self) -> Iterator[GameNode]:
        """Yield this node and all behind it, each before what follows it, the first ways first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.variations)

    def way(self) -> list[GameNode]:
        nodes: list[GameNode] = []
        node: GameNode | None = self
        while node and node.turn:
            nodes.append(node)
            node = node.previous
        return nodes[::-1]

    def play(self) -> Play:
        """Return an independent play up to this node, with its history."""
        play = self.start.copy()
        for node in self.way():
            node.follow(play)
        return play

    def follow(self, play: Play) -> None:
        assert self.turn
        if self.turn.left:
            play.leave(self.turn.left)
        play.act_unchecked(*self.turn.actions)

    @property
    def note(self) -> str:
        """The remarks of people on the turn: its comments that are no times and no marks."""
        said = [c for c in self.comments if not (read_mark(c) or read_time_mark(c))]
        return " ".join(said)

    @note.setter
    def note(self, words: str) -> None:
        kept = [c for c in self.comments if read_mark(c) or read_time_mark(c)]
        words = " ".join(words.split())
        if _BEGINS.match(words):
            words = f"“{words}”"
        self.comments = [*kept, as_remark(words)] if words else kept

    def add(self, line: str, *, played: bool = False) -> GameNode:
        """Add a turn that could follow, as a person types it; its end may be left out.

        Args: ``played`` makes it the turn that was played, of which there is only one.

        Raises:
            TrineError: the line is no legal turn, or a turn was played here already.
        """
        play = self.play()
        count = len(play.turns)
        play.enter(line)
        if play.open_actions and play.room.rules.end is not None:
            play.act(play.room.rules.end)
        if play.open_actions or len(play.turns) != count + 1:
            raise IllegalError("{given} is not one whole turn", given=quoted(line))
        if played and not self.played:
            raise IllegalError("what follows a variation was not played")
        if played and self.next:
            raise IllegalError("{turn} was played here already", turn=str(self.next))
        return self.adopt(play.turns[-1], played=played)

    def promote(self) -> None:
        """Make the turn the first of those that could follow; where the game went, the one played.

        >>> from trine.games import new_play
        >>> root = tree_of(record_of(new_play("corridor")))
        >>> played, other = root.add("e2", played=True), root.add("d1")
        >>> other.promote()
        >>> root.next is other, played.played
        (True, False)
        """
        assert self.previous
        others = self.previous.variations
        before, now = [others[0], *others[0].line()], [self, *self.line()]
        others.remove(self)
        others.insert(0, self)
        if self.previous.played:
            for node in before:
                node.played = False
            for node in now:
                node.played = True

    def remove(self) -> None:
        """Take the turn, and all that follows it, out of the tree."""
        assert self.previous
        self.previous.variations.remove(self)
        self.previous = None

    def adopt(self, turn: Turn, *, played: bool, comments: Sequence[str] = ()) -> GameNode:
        """Add a turn that is known to be legal here."""
        node = GameNode(self.start, turn, self, list(comments), played=played)
        self.variations.insert(0 if played else len(self.variations), node)
        return node


def tree_of(record: Record, rules: str = "") -> GameNode:
    """Return a record as a tree: its first node, from which all others can be reached.

    Turns that were taken back are not in it; tags, and an open turn, stay in the record.

    Raises:
        TrineError: the record is not legal, or a variation in it is not.
    """
    marks: list[tuple[WrittenTurn, bool]] = []

    def note(turn: WrittenTurn, before: Position, after: Position) -> None:
        if turn.words and turn.words[-1].text == TAKEBACK:
            while marks and not marks.pop()[1]:
                pass
        else:
            marks.append((turn, after is not before))

    played = replay(record, rules, note)
    root = GameNode(Play(played.room, played.start))
    node, ahead, turns = root, root.play(), iter(played.turns)
    for written, whole in marks:
        own = [comment for comment in written.comments if not _BEGINS.match(comment)]
        others = [comment for comment in written.comments if _BEGINS.match(comment)]
        after = node.adopt(next(turns), played=True, comments=own) if whole else node
        for comment in others:
            try:
                _read(node, ahead, comment)
            except TrineError as error:
                raise error.at(record.file, written.line) from None
        if after is not node:
            after.follow(ahead)
        node = after
    return root


def written_tree(root: GameNode, record: Record) -> Record:
    """Return a record with the variations of a tree; its tags, times and remarks are kept.

    >>> from trine.games import new_play
    >>> root = tree_of(record_of(new_play("corridor")))
    >>> for line in ("e2", "d1"):
    ...     node = root.add(line, played=line == "e2")
    >>> [turn.comments for turn in written_tree(root, Record()).turns]
    [['or 1s d1']]
    """
    last = [root, *root.line()][-1]
    turns = record_of(last.play()).turns
    nodes = [node for node in (root, *root.line()) if node.played]
    for node, before in zip(nodes[1:], nodes, strict=False):
        turn = turns[len(before.way())]
        turn.comments = [*node.comments, *_written_others(before)]
    if open_ends := _written_others(nodes[-1]):
        play = nodes[-1].play()
        letter = play.position.seats[play.mover].letter
        turns.append(WrittenTurn(play.position.number, letter, comments=open_ends))
    return Record(dict(record.tags), turns)


def _written_others(node: GameNode) -> list[str]:
    return [f"or {_written(other)}" for other in node.variations if not other.played]


def _written(node: GameNode) -> str:
    """Return a variation from a node on, with the alternatives to each of its later turns."""
    words = [_noted(node)]
    for one in node.line():
        assert one.previous
        others = [f" (or {_written(other)})" for other in one.previous.variations[1:]]
        words.append(f"{_noted(one)}{''.join(others)}")
    return ", ".join(words)


def _noted(node: GameNode) -> str:
    """A turn of a variation with the note to it; a bracket or a brace inside would end it."""
    note = node.note.translate(_ROUND)
    return f"{node} [{note}]" if note else str(node)


# --- reading -------------------------------------------------------------------------------------


def _read(node: GameNode, play: Play, comment: str) -> None:
    """Read the variation in a comment, and add it to a node; the play is that up to the node."""
    parts = [part.strip() for part in _PARTS.findall(comment) if part.strip()]
    if _read_line(node, play.copy(), parts, 0, MAX_VARIATION_DEPTH) != len(parts):
        raise MalformedError("{given} is no variation", given=quoted(comment))


def _read_line(node: GameNode, play: Play, parts: list[str], at: int, deep: int) -> int:
    """Read turns, and alternatives to them, from an index on; return the one behind them."""
    found = _BEGINS.match(parts[at]) if at < len(parts) else None
    if not found:
        raise MalformedError("a variation begins with or and a turn, such as or 2g …")
    if not deep:
        raise MalformedError(
            "more than {count} variations inside each other", count=MAX_VARIATION_DEPTH
        )
    words, before = parts[at][found.end() :], node
    while True:
        earlier = play.copy()
        node, before, at = _read_turn(node, play, words), node, at + 1
        if at < len(parts) and parts[at].startswith("["):
            node.note = parts[at].strip("[]")
            at += 1
        while at < len(parts) and parts[at] == "(":
            at = _read_line(before, earlier.copy(), parts, at + 1, deep - 1)
            if at >= len(parts) or parts[at] != ")":
                raise MalformedError("a parenthesis without its partner")
            at += 1
        if at >= len(parts) or parts[at] != ",":
            return at
        at += 1
        words = parts[at] if at < len(parts) else ""


def _read_turn(node: GameNode, play: Play, words: str) -> GameNode:
    written = parse_written_turn(words)
    play.check_goes_on()
    if written.tag != play.turn_tag:
        raise MalformedError("this is turn {expected}", expected=play.turn_tag)
    count, rest = len(play.turns), list(written.words)
    while rest and len(play.turns) == count:
        action, used = play.room.rules.read_action(play.position, rest, play.history)
        play.act_unchecked(action)
        rest = rest[used:]
    if play.open_actions and play.room.rules.end is not None:
        play.act(play.room.rules.end)
    if rest or len(play.turns) != count + 1:
        raise IllegalError("{given} is not one whole turn", given=quoted(words))
    return node.adopt(play.turns[-1], played=False)
