"""A record as a tree: the turns played, and variations.

A variation is stored in a comment on the turn that it replaces, and begins with ``or``::

    2g Ee2n Ee3n {0:12} {or 2g Md2n, 2s ee7s (or 2s ra7s), 3g Md3n}

Its turns are separated by commas; alternatives to a turn follow it in parentheses, a note on it in
brackets. Programs without variations see a comment. ``docs/guides/records.md`` specifies the
format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from trine.core.contract.position import Position, Turn
from trine.core.contract.record import TAKEBACK, Record, WrittenTurn, parse_written_turn
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import quoted
from trine.play.record.replay import record_of, replay, turn_notation
from trine.play.record.time_notes import as_remark, read_mark, read_time_mark

_BEGINS: Final = re.compile(r"or\s+(?=[0-9]+[a-z](\s|$))")
_PARTS: Final = re.compile(r"\[[^\]]*\]?|[(),]|[^(),\[]+")
_ROUND: Final = str.maketrans("[]{}", "()()")
MAX_VARIATION_DEPTH: Final = 50  # the deepest nesting of variations within variations


@dataclass(eq=False, repr=False)
class GameNode:
    """A node of the tree of a game: the position after a turn, or at the start.

    >>> from trine.games import new_play
    >>> root = tree_of(record_of(new_play("corridor")))
    >>> played = root.add("e2", played=True)
    >>> root.add("d1").tag, root.next is played, len(root.variations)
    ('1s', True, 2)
    """

    start: Play  # the play at the start, shared by all nodes of a tree
    turn: Turn | None = None  # the turn before the position; None at the root
    previous: GameNode | None = None
    comments: list[str] = field(default_factory=list)
    """The comments on the turn in the record, including times."""
    variations: list[GameNode] = field(default_factory=list)
    """The child nodes: first the turn that was played, if any, then the variations."""
    played: bool = True  # whether the turn was played; otherwise it belongs to a variation

    @property
    def position(self) -> Position:
        return self.turn.after if self.turn else self.start.position

    @property
    def next(self) -> GameNode | None:
        """The next node of the game, or of the main line of a variation; None at the end."""
        first = self.variations[0] if self.variations else None
        return first if first and (first.played or not self.played) else None

    @property
    def tag(self) -> str:
        """The number and letter of the turn, as in ``2g``; empty at the root."""
        return self.start.room.tag(self.turn.before) if self.turn else ""

    @property
    def notation(self) -> str:
        return turn_notation(self.start.room, self.turn) if self.turn else ""

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
        """Yield this node and all its descendants in preorder."""
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
        """The remarks of people on the turn: all comments except times and marks."""
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
        """Add a child for a turn as a person types it; the end of the turn may be left out.

        ``played`` adds it as the turn that was played; a node has at most one such child.

        Raises:
            TrineError: the line is no legal turn, or the node already has a played turn.
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
        """Move this node to the front of its siblings; on the line of the game, mark it as played.

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
        assert self.previous
        self.previous.variations.remove(self)
        self.previous = None

    def adopt(self, turn: Turn, *, played: bool, comments: Sequence[str] = ()) -> GameNode:
        """Add a child for a turn that is known to be legal."""
        node = GameNode(self.start, turn, self, list(comments), played=played)
        self.variations.insert(0 if played else len(self.variations), node)
        return node


def tree_of(record: Record, rules: str = "") -> GameNode:
    """Return the root of the tree of a record.

    The tree leaves out turns that were taken back, tags, and an open turn.

    Raises:
        TrineError: the record or one of its variations is not legal.
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
    for written_turn, whole in marks:
        comments = [comment for comment in written_turn.comments if not _BEGINS.match(comment)]
        variations = [comment for comment in written_turn.comments if _BEGINS.match(comment)]
        after = node.adopt(next(turns), played=True, comments=comments) if whole else node
        for comment in variations:
            try:
                _read(node, ahead, comment)
            except TrineError as error:
                raise error.at(record.file, written_turn.line) from None
        if after is not node:
            after.follow(ahead)
        node = after
    return root


def written_tree(root: GameNode, record: Record) -> Record:
    """Return a record of a tree with its variations, times and remarks, and the tags of a record.

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
    return [f"or {_format(variation)}" for variation in node.variations if not variation.played]


def _format(node: GameNode) -> str:
    """Format the variation that begins at a node, with the alternatives to its later turns."""
    parts = [_with_note(node)]
    for later in node.line():
        assert later.previous
        others = [f" (or {_format(alternative)})" for alternative in later.previous.variations[1:]]
        parts.append(f"{_with_note(later)}{''.join(others)}")
    return ", ".join(parts)


def _with_note(node: GameNode) -> str:
    """Format a turn of a variation with its note, with parentheses in place of other brackets."""
    note = node.note.translate(_ROUND)
    return f"{node} [{note}]" if note else str(node)


def _read(node: GameNode, play: Play, comment: str) -> None:
    """Parse the variation in a comment and add it to a node; ``play`` ends at that node."""
    parts = [part.strip() for part in _PARTS.findall(comment) if part.strip()]
    if _read_line(node, play.copy(), parts, 0, MAX_VARIATION_DEPTH) != len(parts):
        raise MalformedError("{given} is no variation", given=quoted(comment))


def _read_line(node: GameNode, play: Play, parts: list[str], at: int, deep: int) -> int:
    """Parse turns and their alternatives from index ``at``; return the index after them."""
    match = _BEGINS.match(parts[at]) if at < len(parts) else None
    if not match:
        raise MalformedError("a variation begins with or and a turn, such as or 2g …")
    if not deep:
        raise MalformedError(
            "more than {count} variations inside each other", count=MAX_VARIATION_DEPTH
        )
    turn_text, before = parts[at][match.end() :], node
    while True:
        earlier = play.copy()
        node, before, at = _read_turn(node, play, turn_text), node, at + 1
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
        turn_text = parts[at] if at < len(parts) else ""


def _read_turn(node: GameNode, play: Play, turn_text: str) -> GameNode:
    written_turn = parse_written_turn(turn_text)
    play.check_goes_on()
    if written_turn.tag != play.turn_tag:
        raise MalformedError("this is turn {expected}", expected=play.turn_tag)
    count, rest = len(play.turns), list(written_turn.words)
    while rest and len(play.turns) == count:
        action, used = play.room.rules.read_action(play.position, rest, play.history)
        play.act_unchecked(action)
        rest = rest[used:]
    if play.open_actions and play.room.rules.end is not None:
        play.act(play.room.rules.end)
    if rest or len(play.turns) != count + 1:
        raise IllegalError("{given} is not one whole turn", given=quoted(turn_text))
    return node.adopt(play.turns[-1], played=False)
