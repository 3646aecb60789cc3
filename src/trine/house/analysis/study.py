"""Studies, which are records with variations that people analyse: loaded, changed and saved."""

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from trine.core.contract.checked import CheckedLine
from trine.core.contract.choices import Choosable, choices
from trine.core.contract.position import Outcome
from trine.core.contract.record import CLOSING_TAGS, Record, format_record, read_records
from trine.core.play import Play
from trine.core.scene.composing import FIRST_KEYS, Keys
from trine.core.text.sentence import Text, text
from trine.core.work.cpu_account import in_thread
from trine.house.analysis import tables
from trine.house.analysis.record_reader import MAX_LENGTH, MAX_TURNS
from trine.house.analysis.tables import StudyRow
from trine.house.games.live.drafts import read_draft
from trine.house.games.live.live_game import keys_after
from trine.house.people.quotas import QuotaKind, Quotas
from trine.house.people.tables import Person
from trine.house.refusals import HouseError, NotFoundError
from trine.house.store.secrets import new_id
from trine.house.store.store import Store
from trine.house.web.refusing import why_of
from trine.play.record.replay import record_of, stated_outcome
from trine.play.record.variations import MAX_VARIATION_DEPTH, GameNode, tree_of, written_tree

MAX_PLAYS: Final = 64
"""The number of plays that a study caches, so that a step forward replays only one turn."""
MAX_NOTE_LENGTH: Final = 500  # characters; the maximum length of a note


class Study:
    """A loaded study: a tree of turns, with numbers that stay valid while it is loaded."""

    def __init__(self, stored: StudyRow, record: Record, root: GameNode, store: Store) -> None:
        self.id: Final = stored.id
        self.begun_of: Final = stored.record  # the record as it was when the study was loaded
        self.owner = stored.owner
        self.record = record
        self.root: Final = root
        self.version = 0
        self.watchers: set[Callable[[Study], None]] = set()
        """Callbacks for when the tree has changed, was saved, or is lost."""
        self._store = store
        self._nodes: dict[int, GameNode] = {}
        self._unused = itertools.count()
        self._numbers: dict[GameNode, int] = {}
        for node in root.tree():
            self._number(node)
        self._plays: OrderedDict[GameNode, Play] = OrderedDict()
        self._keys: dict[GameNode, Keys] = {root: FIRST_KEYS}
        self._changing = asyncio.Lock()
        self._saving: asyncio.Task[None] | None = None
        self._saved = 0
        self.changed_at = stored.changed_at
        """The time of the last save known here; a later one in the store is by another process."""
        self.fault: Text | None = None  # the reason if the last change could not be saved
        self.lost = False  # whether the stored copy has diverged; then changes are no longer saved

    def _number(self, node: GameNode) -> None:
        """Number a node; numbers are never reused, because pages may refer to removed nodes."""
        number = self._numbers[node] = next(self._unused)
        self._nodes[number] = node

    def node(self, number: int) -> GameNode:
        if number not in self._nodes:
            raise HouseError("that turn is no longer in this analysis")
        return self._nodes[number]

    def holds(self, node: GameNode) -> bool:
        return node in self._numbers

    def number(self, node: GameNode) -> int:
        return self._numbers[node]

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
        for step in (one for n, run in enumerate(runs) for one in ([run] if n % 2 else [0] * run)):
            if step >= len(node.variations):
                return node
            node = node.variations[step]
        return node

    def play(self, node: GameNode) -> Play:
        """Return the play up to a node; it belongs to the study and must not be changed."""
        above, one = list[GameNode](), node
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
        """The main line, as a record without variations and notes."""
        return self.path_record([self.root, *self.root.line()][-1])

    def path_record(self, node: GameNode) -> str:
        """Return the path to a node, as a record without variations and notes."""
        return format_record(record_of(self.play(node)))

    async def act(
        self, node: GameNode, ids: Sequence[str], typed: str = ""
    ) -> tuple[GameNode, CheckedLine | None]:
        """Play actions after a node; whole turns are added to the tree unless they are there.

        ``typed`` is a line that a person typed after the actions.

        Returns: the node after the whole turns, and the remaining actions as a draft of the next.
            Raises `TrineError` if an action is not legal, or the tree is full.
        """
        async with self._changing:
            rest = list(ids)
            if typed:
                rest = _add_typed(self.play(node), rest, typed)
            while rest:
                line = _open_turn(self.play(node), rest)
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
                self.lost = not await self._store.commit(
                    tables.save_study, self.id, record, known, now
                )
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


def _add_typed(play: Play, ids: Sequence[str], line: str) -> list[str]:
    """Return the ids of the actions of an open turn, then of the actions that a person typed."""
    ahead = play.copy()
    ahead.follow(read_draft(play, ids))
    return [*ids, *map(str, ahead.interpret(line))]


def _open_turn(play: Play, ids: Sequence[str]) -> CheckedLine:
    play.check_goes_on()
    for count in range(1, len(ids) + 1):
        line = read_draft(play, ids[:count])
        if line.steps[-1].closes:
            break
    return line


MAX_OPEN: Final = 200
"""The number of loaded studies above which studies without viewers are unloaded. Guess."""
SAVE_INTERVAL: Final = 10.0  # seconds; the interval between attempts to save unsaved studies. Guess
OF_GAME: Final = "game-"
"""The prefix of the ids of studies of the house's games; no other id has a hyphen."""


class NoStudyError(NotFoundError):
    """There is no analysis with this id that the visitor may see."""

    default_text = text("there is no such analysis here")


class StudyRegistry:
    """The studies of a house."""

    def __init__(self, store: Store, quotas: Quotas) -> None:
        self._store, self._quotas = store, quotas
        self._open: OrderedDict[str, Study] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Study]] = {}

    async def create(self, owner: Person, record: str, study_id: str = "") -> str:
        """Create a study of a record, with a new id if none is given, and return its id."""
        if study_id and (known := await self._store.fetch(tables.read_study, study_id)):
            if known.owner != owner.id:
                raise NoStudyError
            return known.id  # the form was sent twice
        self._quotas.spend(QuotaKind.STUDY, owner)
        most = self._quotas.most(QuotaKind.STUDY, owner)
        stored = await self._store.commit(
            tables.create_study, owner.id, record, self._store.now(), most, study_id
        )
        return stored.id

    async def study(self, study: str) -> Study:
        found = self._open.get(study)
        if found and not found.lost and not self._store.shared:
            self._open.move_to_end(study)
            return found
        task = self._opening.get(study)
        if not task:
            task = self._opening[study] = asyncio.create_task(self._load(study))
            task.add_done_callback(lambda _: self._opening.pop(study, None))
        return await asyncio.shield(task)

    async def _load(self, study: str) -> Study:
        """Load a study, unless the loaded one is current: other processes may have saved it."""
        stored = await self._store.fetch(tables.read_study, study)
        known = self._open.get(study)
        newer = not stored or not known or stored.changed_at > known.changed_at
        if known and not known.lost and not (known.saved and newer):
            return known
        if not stored:
            raise NoStudyError
        opened = await self._open_study(stored)
        if known:
            opened.fault = known.fault  # the reason why the last change is missing here
            known.lost = True
            known.notify()
        return opened

    async def _open_study(self, stored: StudyRow) -> Study:
        record, root = await in_thread(partial(_tree, stored.record))
        opened = self._open[stored.id] = Study(stored, record, root, self._store)
        for name, other in list(self._open.items()):
            if len(self._open) <= MAX_OPEN:
                break
            if other.saved and not other.watchers and other is not opened:
                del self._open[name]
        return opened

    async def of_game(self, game_id: str, record: str) -> Study:
        """Return the read-only study of a game of the house, which has no owner."""
        name = f"{OF_GAME}{game_id}"
        known = self._open.get(name)
        if known and known.begun_of == record:
            self._open.move_to_end(name)
            return known
        return await self._open_study(_ownerless_row(name, record))

    async def unsaved(self, record: str) -> Study:
        """Return a study with a new id that is neither stored nor loaded."""
        stored = _ownerless_row(new_id(), record)
        return Study(stored, *await in_thread(partial(_tree, record)), self._store)

    async def drop(self, study: str, owner: str) -> None:
        if opened := self._open.get(study):
            if opened.owner != owner:
                raise NoStudyError
            await opened.settle()
        if not await self._store.commit(tables.drop_study, study, owner):
            raise NoStudyError
        self._open.pop(study, None)

    async def prune(self, before: float) -> int:
        """Delete unloaded studies of guests, unchanged since a time; return how many."""
        count = 0
        while found := await self._store.fetch(tables.studies_of_guests, before):
            unused = [study for study in found if study not in self._open]
            await self._store.commit(tables.drop_studies, unused)
            count += len(unused)
            if len(unused) < len(found):
                break
        return count

    def transfer(self, person: Person, other: Person) -> None:
        for study in self._open.values():
            if study.owner == person.id:
                study.owner = other.id

    def forget(self, person_id: str) -> None:
        for name in [name for name, study in self._open.items() if study.owner == person_id]:
            del self._open[name]

    async def save(self) -> None:
        """Save all unsaved studies, also after failed attempts."""
        for study in list(self._open.values()):
            await study.settle()


def _ownerless_row(name: str, record: str) -> StudyRow:
    return StudyRow(id=name, owner="", record=record, created_at=0.0, changed_at=0.0)


def _tree(written: str) -> tuple[Record, GameNode]:
    record = next(iter(read_records(written.splitlines(keepends=True))))
    return record, tree_of(record)


def game_of(study: str) -> str:
    """Return the id of the house's game that a study reviews; empty for a person's own study.

    >>> game_of("game-4tQz"), game_of("k3Yq")
    ('4tQz', '')
    """
    return study.removeprefix(OF_GAME) if study.startswith(OF_GAME) else ""
