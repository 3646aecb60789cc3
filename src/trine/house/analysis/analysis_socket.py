"""The socket of an analysis: navigating the tree, playing, and the computer's thoughts."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection
from starlette.websockets import WebSocket

from trine.core.contract.checked import CheckedLine
from trine.core.contract.position import Position
from trine.core.contract.record import format_record
from trine.core.errors import IllegalError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text
from trine.engine.players.review import ReviewProgress
from trine.games import start_position
from trine.house.analysis import messages, study_views
from trine.house.analysis.live_analysis import AnalysisResources, ArchiveLookup, LiveAnalysis
from trine.house.analysis.reviews import Reviews
from trine.house.analysis.study import Study, StudyRegistry, game_of
from trine.house.explorer.explorer import Explorer
from trine.house.games.live.drafts import gestures, read_draft, why_not
from trine.house.games.live.games import Games
from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import entries_of
from trine.house.games.storage.tables import Stage, games_of
from trine.house.games.view.messages import Reach, Reached
from trine.house.games.view.scenes import PageInsight, Seen
from trine.house.job_pool import JobPool
from trine.house.people.sanctions import Sanctions
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.messages import No
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import why_of
from trine.house.web.socket import PageSocket
from trine.play.record.replay import record_of
from trine.play.record.variations import GameNode
from trine.play.session.changes import rebuild


@dataclass(frozen=True)
class AnalysisServices:
    """The services that an analysis needs."""

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    studies: StudyRegistry
    games: Games
    store: Store
    reviews: Reviews
    thinkers: AnalysisResources
    explorer: Explorer
    helpers: JobPool
    sanctions: Sanctions


class AnalysisSocket(PageSocket):
    """One open page of an analysis."""

    def __init__(
        self, services: AnalysisServices, socket: WebSocket, study: Study, person: Person | None
    ) -> None:
        super().__init__(services.frame, socket)
        self._services, self._study, self._person = services, study, person
        self._who = person.id if person else f"{self.address} {id(self)}"
        self._own = person is not None and person.id == study.owner
        self._node: GameNode = study.at_place(socket.query_params.get("at", "0"))
        self._draft: CheckedLine | None = None
        self._look = messages.Look(seat=study_views.seat_asked(socket, study))
        self._editing: Position | None = None
        self._fresh = {"tree", "at"}
        self._check_fair = partial(check_fair, services.store, services.games, person)
        thought = partial(self._refresh, "thought")
        self._thoughts = LiveAnalysis(
            services.thinkers, study, self._who, self.address, thought, self._check_fair
        )
        self._insight = PageInsight(services.helpers, self.address, partial(self._refresh, "at"))
        self._lookup = ArchiveLookup(
            services.explorer, study, services.thinkers.report, partial(self._refresh, "explored")
        )
        self._reviewing: asyncio.Task[None] | None = None
        self._review: messages.Reviewing | messages.Reviewed | None = None

    async def run(self) -> None:
        self._study.watchers.add(self.changed)
        self._services.explorer.prepare()
        self.wake()
        await super().run()

    def on_close(self) -> None:
        self._study.watchers.discard(self.changed)
        self._thoughts.close()
        self._lookup.close()
        self._insight.close()
        if self._reviewing:
            self._reviewing.cancel()

    def changed(self, study: Study) -> None:
        if study.lost:  # the page reconnects, and gets the stored study
            self.reconnect()
            return
        if not study.holds(self._node):
            self._move(study.root)
        self._refresh("tree")

    def _refresh(self, what: str) -> None:
        self._fresh |= {what}
        self.wake()

    async def send_state(self) -> None:
        fresh, self._fresh = self._fresh, set()
        study = self._study
        if "tree" in fresh:
            await self.tell(study_views.tree_message(study, own=self._own))
        if "at" in fresh:
            if self._editing is not None:
                room, refusal = study.root.start.room, _refusal(self._editing, study)
                await self.tell(
                    study_views.editing_message(room, self._editing, refusal, self._seat)
                )
            else:
                node, draft = self._node, self._draft
                seen = await self._see(node, draft) if self._look.insight else None
                await self.tell(study_views.node_message(study, node, draft, self._seat, seen))
        if "thought" in fresh and self._thoughts.message is not None:
            await self.tell(self._thoughts.message)
        if "explored" in fresh and self._lookup.message is not None:
            await self.tell(self._lookup.message)
        if "review" in fresh and self._review is not None:
            await self.tell(self._review)

    async def _see(self, node: GameNode, draft: CheckedLine | None) -> Seen | None:
        play = self._study.play(node)
        position = draft.end if draft else play.position
        try:
            await self._check_fair(play)
        except HouseError:
            return None
        return None if play.outcome else await self._insight.of(play.room, position)

    @property
    def _seat(self) -> int:
        return min(self._look.seat, len(self._study.root.position.seats) - 1)

    def read(self, words: str | bytes) -> messages.Incoming:
        return messages.read_message(words)

    def within_rate_limit(self) -> bool:
        return self.frame.players.take(self._who) and self.frame.addresses.take(self.address)

    async def handle(self, message: messages.Incoming, at: float) -> None:
        call = getattr(message, "id", "")
        try:
            answer = await self._do(message)
        except TrineError as error:
            self.frame.metrics.refused.inc()
            self.reply(No(id=call, why=why_of(error)))
            self._refresh("at")  # resets the board of the page
            return
        if call:
            answer.id = call
            self.reply(answer)

    async def _do(self, message: messages.Incoming) -> messages.Ok | Reached:
        study = self._study
        match message:
            case messages.Go():
                self._go(study.node(message.node), message.slowly)
            case messages.Look():
                self._look = message
                self._refresh("at")
            case messages.Act():
                await self._act(message)
            case messages.Why():
                return messages.Ok(why=self._why(message))
            case Reach():
                play = study.play(study.node(message.at))
                return Reached(choices=gestures(play, message.a, message.spot))
            case messages.Remark():
                self._check_own()
                await study.note(study.node(message.node), message.words)
                self._refresh("at")
            case messages.Change():
                self._check_own()
                node = study.node(message.node)
                if message.what == "promote":
                    await study.promote(node)
                else:
                    self._move(await study.remove(node))
                self._refresh("at")
            case messages.Think():
                self._thoughts.wishes = message
                self._think_anew()
            case messages.Explore():
                self._lookup.on = message.on
                self._lookup.begin(self._node)
            case messages.Review():
                if not self._reviewing or self._reviewing.done():
                    self._reviewing = asyncio.create_task(self._review_game())
            case messages.Edit() | messages.Put() | messages.Set():
                return await self._edit(message)
        return messages.Ok()

    def _check_own(self) -> None:
        if not self._own:
            raise HouseError("this analysis belongs to somebody else; make a copy of it")

    def _move(self, node: GameNode, draft: CheckedLine | None = None) -> None:
        self._node, self._draft = node, draft
        self._editing = None
        self._think_anew()
        self._lookup.begin(node)
        self._refresh("at")

    def _go(self, node: GameNode, slowly: int) -> None:
        """Show a node, or step through the actions of its turn."""
        turn, before = node.turn, node.previous
        if not slowly or turn is None or before is None:
            self._move(node)
            return
        ids = [str(one) for one in node.start.room.actions_to_see(turn.before, turn.actions)]
        drafted = [str(action) for action in self._draft or ()] if self._node is before else []
        done = len(ids) - 1
        if slowly > 0:
            done = len(drafted) + 1 if ids[: len(drafted)] == drafted else len(ids)
        if 0 < done < len(ids):
            self._move(before, read_draft(self._study.play(before), ids[:done]))
        else:
            self._move(node if slowly > 0 else before)

    async def _act(self, message: messages.Act) -> None:
        node = self._study.node(message.node)
        if not message.a and not message.line:
            self._move(node)
            return
        self._check_own()
        self._move(*await self._study.act(node, message.a, message.line))

    def _why(self, message: messages.Why) -> Text:
        play = self._study.play(self._node)
        play.check_goes_on()
        draft = [str(action) for action in self._draft] if self._draft else []
        return why_not(play, draft, message.picks)

    def _think_anew(self) -> None:
        draft, waits = self._draft, self._editing is not None
        self._thoughts.begin(self._node, draft, waits=waits)

    async def _review_game(self) -> None:
        def on_progress(progress: ReviewProgress) -> None:
            self._tell_review(messages.Reviewing(progress.done, progress.total, progress.turn))

        study = self._study
        nodes = [study.number(node) for node in study.root.line()]
        self._tell_review(messages.Reviewing())
        try:
            study.root.start.room.check_search(study.root.position)
            *_, last = study.root, *study.root.line()
            await self._check_fair(study.play(last))
            found = await self._services.reviews.review(
                study.main_record, on_progress, game_id=game_of(study.id)
            )
            pages, code = self.frame.pages, self.language.code
            html = await study_views.written_report(
                pages, study, found, code, self._seat, own=self._own
            )
        except Exception as error:
            self._tell_review(messages.Reviewing(why=why_of(error)))
            return
        self._tell_review(messages.Reviewed(html, nodes))

    def _tell_review(self, message: messages.Reviewing | messages.Reviewed) -> None:
        self._review = message
        self._refresh("review")

    async def _edit(self, message: messages.EditCommand) -> messages.Ok:
        room, editor = self._study.root.start.room, self._study.root.start.room.view.editor
        if not editor:
            raise HouseError("no position of this game can be set up")
        standing = self._draft.end if self._draft else self._node.position
        position = standing if self._editing is None else self._editing
        if isinstance(message, messages.Edit):
            if message.what == "leave":
                self._move(self._node)
                return messages.Ok()
            if message.what == "use":
                return messages.Ok(go=await self._use(position))
            if message.what == "empty":
                position = editor.empty(position)
        elif isinstance(message, messages.Set):
            position = editor.set(position, message.name, message.value)
        else:
            part = message.part
            if message.origin:
                position, part = editor.take(position, message.origin)
            if message.to and part:
                position = editor.put(position, part, message.to)
            elif message.to and not part and not message.origin:
                raise IllegalError("nothing was placed there")
        room.view.scene(position)
        self._editing = position
        self._thoughts.stop()
        self._refresh("at")
        return messages.Ok()

    async def _use(self, position: Position) -> str:
        """Create an analysis of the position that was set up, and return its path."""
        person = self._person
        if not person:
            raise HouseError("begin an analysis of your own first")
        if refusal := _refusal(position, self._study):
            raise IllegalError(refusal)
        room, rules = self._study.root.start.room, position.rules.name
        start = start_position(room, rules, {}, room.rules.format_position(position))
        record = format_record(record_of(Play(room, start)))
        study = await self._services.studies.create(person, record)
        return f"/analysis/{study}"


def _refusal(position: Position, study: Study) -> Text | None:
    """Return the reason why no play can begin in a position; None if a play can."""
    room = study.root.start.room
    try:
        start_position(room, position.rules.name, {}, room.rules.format_position(position))
    except TrineError as error:
        return error.message
    return None


FROM_TURN: Final = 4
"""From this turn on a position identifies a game, and lines that reach the position are refused
too. Earlier positions are common to many games."""


async def check_fair(store: Store, games: Games, person: Person | None, play: Play) -> None:
    """Raise a `HouseError` if a line reaches the position of the person's running no-hints game."""
    if not person:
        return
    room, rules, written = play.room.name, play.position.rules.name, play.room.rules.format_position
    for game in await store.fetch(_games_without_help, person.id, room, rules):
        if actor := games.loaded(game):
            state = actor.game.state
        else:
            state = rebuild(entries_of(await store.fetch(read_events, game)))
        if state and not state.outcome:
            before = play.turns if len(state.play.turns) >= FROM_TURN else []
            known = {written(play.position), *(written(turn.before) for turn in before)}
            if written(state.play.position) in known:
                raise HouseError(
                    "you play this in a game that gives no hints; analyse it when that is over"
                )


def _games_without_help(
    connection: Connection, person_id: str, room: str, rules: str
) -> Collection[str]:
    return [
        row.id
        for row in games_of(connection, person_id, running=True)
        if (row.stage, row.room, row.rules) == (Stage.PLAYING, room, rules)
        and not row.terms.get("casual", True)
    ]
