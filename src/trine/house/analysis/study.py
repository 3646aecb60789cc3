"""A study: a record with variations that people analyse."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from trine.core.contract.checked import CheckedLine
from trine.core.contract.choices import Choosable, choices
from trine.core.contract.position import Outcome
from trine.core.contract.record import CLOSING_TAGS, Record, format_record
from trine.core.play import Play
from trine.core.scene.composing import FIRST_KEYS, Keys
from trine.core.text.sentence import Text, text
from trine.core.work.cpu_account import in_thread
from trine.house.analysis.record_reader import MAX_LENGTH, MAX_TURNS
from trine.house.analysis.tables import StudyRow as StoredStudy
from trine.house.analysis.tables import save_study
from trine.house.games.live.drafts import read_draft
from trine.house.games.live.live_game import keys_after
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.web.refusing import why_of
from trine.play.record.replay import record_of, stated_outcome
from trine.play.record.variations import MAX_VARIATION_DEPTH, GameNode, written_tree

MAX_PLAYS: Final = 64
"""The number of plays that a study caches, so that a step forward replays only one turn."""
MAX_NOTE_LENGTH: Final = 500
"""Units: characters; the maximum length of a note."""


class Study:
    """A loaded study: a tree of turns, with numbers that stay valid while it is loaded."""

    def __init__(self, stored: StoredStudy, record: Record, root: GameNode, store: Store) -> None:
        self.id: Final = stored.id
        self.begun_of: Final = stored.record
        """The record as it was when the study was loaded."""
        self.owner = stored.owner
        self.record = record
        self.root: Final = root
        self.version = 0
        """The number of changes so far."""
        self.watchers: set[Callable[[Study], None]] = set()
        """Callbacks for when the tree has changed, was saved, or is lost."""
        self._store = store
        self._nodes: dict[int, GameNode] = {}
        self._next = 0
        self._numbers: dict[GameNode, int] = {}
        for node in root.tree():
            self._number(node)
        self._plays: OrderedDict[GameNode, Play] = OrderedDict()
        self._keys: dict[GameNode, Keys] = {root: FIRST_KEYS}
        self._changing = asyncio.Lock()
        self._saving: asyncio.Task[None] | None = None
        self._saved = 0
        self.changed_at = stored.changed_at
        """The time of the last save known here; another time in the store is another process's
        save."""
        self.fault: Text | None = None
        """The reason if the last change could not be saved."""
        self.lost = False
        """Whether the stored copy has diverged; then changes are no longer saved."""

    def _number(self, node: GameNode) -> None:
        """Number a node; numbers are never reused, because pages may refer to removed nodes."""
        number, self._next = self._next, self._next + 1
        self._nodes[number] = node
        self._numbers[node] = number

    def node(self, number: int) -> GameNode:
        if number not in self._nodes:
            raise HouseError("that turn is no longer in this analysis")
        return self._nodes[number]

    def holds(self, node: GameNode) -> bool:
        return node in self._numbers

    def number(self, node: GameNode) -> int:
        return self._numbers[node]

    def nodes(self) -> Iterator[GameNode]:
        return self.root.tree()

    def place(self, node: GameNode) -> str:
        """Return the place of a node, which stays valid after a reload: ``12``, or ``12.1.3``.

        ``12.1.3`` is twelve turns along first continuations, then variation 1, then three turns on.
        """
        runs = [0]
        for one in node.way():
            assert one.previous
            if other := one.previous.variations.index(one):
                runs += [other, 0]
            else:
                runs[-1] += 1
        return ".".join(map(str, runs))

    def at_place(self, place: str) -> GameNode:
        """Return the node at a place, or the last one before it."""
        node = self.root
        runs = [int(run) for run in place.split(".")[:200] if run.isdecimal() and len(run) < 5]
        for index, run in enumerate(runs):
            if index % 2:
                if run >= len(node.variations):
                    return node
                node = node.variations[run]
            else:
                for _ in range(run):
                    if not node.variations:
                        return node
                    node = node.variations[0]
        return node

    def play(self, node: GameNode) -> Play:
        """Return the play up to a node; it belongs to the study and must not be changed."""
        above: list[GameNode] = []
        one = node
        while one not in self._plays and one.previous:
            above.append(one)
            one = one.previous
        play = self._plays.get(one) or one.start
        if above:
            play = play.copy()
            for each in reversed(above):
                each.follow(play)
        self._plays[node] = play
        self._plays.move_to_end(node)
        while len(self._plays) > MAX_PLAYS:
            self._plays.popitem(last=False)
        return play

    def keys(self, node: GameNode) -> Keys:
        above: list[GameNode] = []
        while node not in self._keys:
            above.append(node)
            assert node.previous
            node = node.previous
        keys = self._keys[node]
        for one in reversed(above):
            assert one.turn
            keys = self._keys[one] = keys_after(one.start.room, one.turn, keys)
        return keys

    def outcome(self, node: GameNode) -> Outcome | None:
        """Return the result on a node's board, or the record's if the recorded game ends there."""
        if given := self.play(node).outcome:
            return given
        last = node.played and node.next is None
        if not last or "Result" not in self.record.tags:
            return None
        return stated_outcome(node.position.seats, self.record)

    def choices(self, node: GameNode, draft: CheckedLine | None) -> Sequence[Choosable]:
        play = self.play(node)
        if play.outcome:
            return ()
        position = draft.end if draft else play.position
        return choices(play.room, position, position.legal_actions(play.history))

    @property
    def main_record(self) -> str:
        """Return the main line, as a record without variations and notes."""
        last = [self.root, *self.root.line()][-1]
        return self.path_record(last)

    def path_record(self, node: GameNode) -> str:
        """Return the path to a node, as a record without variations and notes."""
        return format_record(record_of(self.play(node)))

    async def act(
        self, node: GameNode, ids: Sequence[str], typed: str = ""
    ) -> tuple[GameNode, CheckedLine | None]:
        """Play actions after a node; whole turns are added to the tree unless they are there.

        ``typed`` is a line that a person typed after the actions.

        Returns: the node after the whole turns, and the remaining actions as a draft of the next.

        Raises:
            TrineError: an action is not legal, or the tree is full.
        """
        async with self._changing:
            rest = list(ids)
            if typed:
                rest = _typed(self.play(node), rest, typed)
            while rest:
                play = self.play(node)
                line = _open_turn(play, rest)
                if not line.steps[-1].closes:
                    return node, line
                rest = rest[len(line) :]
                node = self._go_on(node, line)
            return node, None

    def _go_on(self, node: GameNode, line: CheckedLine) -> GameNode:
        """Return the node after a whole turn, which is added if it is new."""
        for one in node.variations:
            if one.turn and one.turn.actions == line.actions:
                return one
        if len(self._nodes) > MAX_TURNS:
            raise HouseError(
                "an analysis can have {count} turns; begin another one", count=MAX_TURNS
            )
        if node.variations and _depth(node) >= MAX_VARIATION_DEPTH - 1:
            raise HouseError(
                "more than {count} variations inside each other", count=MAX_VARIATION_DEPTH
            )
        ahead = self.play(node).copy()
        ahead.follow(line)
        # A turn after the end of a finished game was not played in that game.
        played = node.played and node.next is None and "Result" not in self.record.tags
        new = node.adopt(ahead.turns[-1], played=played)
        self._plays[new] = ahead
        self._number(new)
        self._change()
        return new

    async def note(self, node: GameNode, words: str) -> None:
        async with self._changing:
            if node.turn is None:
                raise HouseError("a note belongs to a turn; play one first")
            node.note = words[:MAX_NOTE_LENGTH]
            self._change()

    async def promote(self, node: GameNode) -> None:
        """Make the nearest variation on the path to a node the first continuation."""
        async with self._changing:
            while node.previous and node.previous.variations[0] is node:
                if node.previous.played and not node.played:
                    break  # after the end of the game
                node = node.previous
            if not node.previous:
                raise HouseError("this is the main line already")
            if node.previous.played:
                # The game diverges here, so its result no longer applies.
                for tag in CLOSING_TAGS:
                    self.record.tags.pop(tag, None)
            node.promote()
            self._change()

    async def remove(self, node: GameNode) -> GameNode:
        """Remove a turn and all that follows from the tree, and return the node before it."""
        async with self._changing:
            before = node.previous
            if not before:
                raise HouseError("the beginning cannot be deleted")
            if node.played:
                for tag in CLOSING_TAGS:
                    self.record.tags.pop(tag, None)
            for one in node.tree():
                self._nodes.pop(self._numbers.pop(one))
                self._plays.pop(one, None)
                self._keys.pop(one, None)
            node.remove()
            self._change()
            return before

    def _change(self) -> None:
        self.version += 1
        self.notify()
        self._keep()

    def notify(self) -> None:
        for watcher in list(self.watchers):
            watcher(self)

    def _keep(self) -> None:
        if not (self._saving or self.saved):
            self._saving = asyncio.create_task(self._save())

    @property
    def saved(self) -> bool:
        return self._saved == self.version

    async def _save(self) -> None:
        try:
            while not self.saved:
                async with self._changing:
                    version = self.version
                    record = await in_thread(self.text)
                if len(record) > MAX_LENGTH:
                    raise HouseError("the analysis has grown too long to be stored")
                known, now = self.changed_at, self._store.now()
                self.lost = not await self._store.commit(save_study, self.id, record, known, now)
                self.fault = text("That did not get through; try again.") if self.lost else None
                self._saved, self.changed_at = version, now
        except Exception as error:
            self.fault = why_of(error)
        finally:
            self._saving = None
            self.notify()

    def text(self) -> str:
        return format_record(written_tree(self.root, self.record))

    async def settle(self) -> None:
        self._keep()
        while self._saving:
            await asyncio.shield(self._saving)


def _depth(node: GameNode) -> int:
    return sum(bool(one.previous and one.previous.variations[0] is not one) for one in node.way())


def _typed(play: Play, ids: Sequence[str], line: str) -> list[str]:
    """Return the ids of the actions of an open turn, then of the actions that a person typed."""
    ahead = play.copy()
    ahead.follow(read_draft(play, ids))
    return [*ids, *map(str, ahead.interpret(line))]


def _open_turn(play: Play, ids: Sequence[str]) -> CheckedLine:
    """Return the actions that belong to the open turn."""
    play.check_goes_on()
    for count in range(1, len(ids) + 1):
        line = read_draft(play, ids[:count])
        if line.steps[-1].closes:
            break
    return line
