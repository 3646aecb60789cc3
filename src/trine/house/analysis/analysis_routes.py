"""The pages of the analysis board, and its socket."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.contract.record import Record, format_record, read_records
from trine.core.errors import TrineError
from trine.core.text.language import name_in, open_language
from trine.core.text.sentence import Text
from trine.engine.players.review import ReviewProgress, count_reviewable
from trine.games import ROOMS, check_options, known_rules, open_room
from trine.house.analysis import study_views
from trine.house.analysis.analysis_socket import AnalysisServices, AnalysisSocket
from trine.house.analysis.record_reader import MAX_LENGTH, ParsedRecord, parse_in_pool
from trine.house.analysis.reviews import REVIEW_COST, record_of_game
from trine.house.analysis.study import NoStudyError, Study, game_of
from trine.house.analysis.tables import StudyRow, studies_of
from trine.house.games.live.drafts import read_draft
from trine.house.games.live.live_game import written_name
from trine.house.games.storage.records import record_text
from trine.house.games.view.game_page import arrangements, record_file
from trine.house.games.view.messages import Arrangements
from trine.house.lobby.new_game import fields_of
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.web.assets import shape
from trine.house.web.frame import Form
from trine.house.web.headers import NO_STORE, PICTURE, SVG
from trine.play.draw.board_theme import NIGHT
from trine.play.draw.svg import draw_svg
from trine.play.record.formats import format_remark, known_formats

LONGEST_FORM: Final = 3 * MAX_LENGTH + 4096
"""Units: bytes; the maximum size of a form, where a character of a text can take three bytes."""


@dataclass(frozen=True)
class AnalysisPages(AnalysisServices):
    """The pages of analyses."""

    def routes(self) -> list[Route | WebSocketRoute]:
        return [
            Route("/analysis", self.new),
            Route("/analysis", self.create, methods=["POST"]),
            Route("/analysis/{id}", self.study),
            Route("/game/{id}/review", self.review),
            Route("/analysis/{id}/record", self.record),
            Route("/analysis/{id}/picture.svg", self.picture),
            Route("/analysis/{id}/arrangements", self.arrangements),
            Route("/analysis/{id}/board/{digest}", self.board),
            Route("/analysis/{id}/copy", self.copy, methods=["POST"]),
            Route("/analysis/{id}/delete", self.delete, methods=["POST"]),
            WebSocketRoute("/analysis/{id}/socket", self.socket),
        ]

    async def _study(self, request: Request | WebSocket) -> Study:
        study = request.path_params["id"]
        if game := game_of(study):
            return await self._study_of_game(game)
        found = await self.studies.study(study)
        if self.sanctions.is_muted(found.owner):  # other people can read its notes
            person = await self.frame.person_of(request)
            if not person or person.id != found.owner:
                raise NoStudyError
        return found

    async def _study_of_game(self, game_id: str) -> Study:
        actor = await self.games.actor(game_id)
        snapshot = actor.snapshot
        if not (snapshot.state and (snapshot.over or snapshot.agreement.casual)):
            raise HouseError("a game can be reviewed when it is over")
        return await self.studies.of_game(game_id, record_of_game(actor))

    async def review(self, request: Request) -> Response:
        """Show the review of a game of the house, as a read-only study."""
        return await self._page(request, await self._study_of_game(request.path_params["id"]))

    async def study(self, request: Request) -> Response:
        return await self._page(request, await self._study(request))

    def _start_review(self, request: Request, study: Study, game_id: str) -> ReviewProgress | None:
        count_reviewable(node.turn for node in study.root.line() if node.turn)
        if not self.reviews.runs(study.main_record):
            self.frame.charge(request, REVIEW_COST)
        return self.reviews.ask(study.main_record, game_id)

    async def _page(
        self, request: Request, study: Study, status: int = 200, begins: str = "", **values: Any
    ) -> Response:
        frame = self.frame
        person = await frame.person_of(request)
        own = bool(begins) or (person is not None and person.id == study.owner)
        code = frame.language_of(request)
        game = game_of(study.id)
        snapshot = (await self.games.actor(game)).snapshot if game else None
        seats = snapshot.seats_of(person.id if person else None) if snapshot else ()
        seat = min(seats, default=0)
        written, progress = None, None
        unsearched = study.root.start.room.rules.unsearched(study.root.position)
        if found := self.reviews.known(study.main_record):
            written = await study_views.written_report(
                frame.pages, study, found, code, seat, own=own
            )
        elif game and not unsearched:
            progress = self._start_review(request, study, game)
        language, root = open_language(code), study.root
        scene = study_views.scene_at(study, root, None, seat)
        frame.boards.keep(scene.board)
        room, size = root.start.room, shape(scene.board)
        return await frame.show(
            request,
            "analysis.html",
            status,
            begins=begins,
            study=study,
            title=study_views.title_of(study, language),
            room=room,
            rules=root.position.rules.name,
            own=own,
            game=game,
            report=Markup(written) if written else None,
            nodes=[study.number(node) for node in study.root.line()],
            progress=progress,
            unsearched=unsearched and language.say(unsearched),
            board=scene.board,
            size=size["size"],
            ratio=size["ratio"],
            alt=language.say(scene.alt),
            read=_how_read(request.query_params.get("read", "")),
            turns=study_views.turns_text([*root.line()]),
            stand_in=study_views.stand_in_text(study),
            paints=json.dumps(study_views.paints(room, root.position)),
            seats=len(root.position.seats),
            seat=seat,
            mine=seat if len(seats) == 1 else None,
            over=snapshot and snapshot.over,
            editor=room.view.editor is not None,
            archive=self.explorer.is_there,
            **values,
        )

    async def record(self, request: Request) -> Response:
        study = await self._study(request)
        return record_file(study.text(), f"analysis-{study.id}")

    async def picture(self, request: Request) -> Response:
        """Send a picture of the position at a node, or after further actions there."""
        study = await self._study(request)
        node = study.at_place(request.query_params.get("at", "0"))
        ids = request.query_params.getlist("a")
        draft = read_draft(study.play(node), ids) if ids else None
        language = self.frame.language(request)
        seat = study_views.seat_asked(request, study)
        drawn = draw_svg(
            study_views.scene_at(study, node, draft, seat), language=language, night=NIGHT
        )
        return Response(drawn, 200, NO_STORE | PICTURE, SVG)

    async def arrangements(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        asked = request.query_params
        if "game" in asked:  # the study is not stored yet
            study = await self.studies.unsaved(_record_of_start(asked).record)
        else:
            study = await self._study(request)
        play = study.play(study.at_place(request.query_params.get("at", "0")))
        kept, seat = request.query_params.getlist("kept"), study_views.seat_asked(request, study)
        return self.frame.answer(request, Arrangements(arrangements(play, seat, kept=kept)))

    async def board(self, request: Request) -> Response:
        """Send a board: the part that all scenes share."""
        boards, digest = self.frame.boards, request.path_params["digest"]
        if digest not in boards:
            study = await self._study(request)
            for node in study.root.tree():
                for seat in range(len(node.position.seats)):
                    boards.keep(study_views.scene_at(study, node, None, seat).board)
                if digest in boards:
                    break
                await asyncio.sleep(0)  # let other requests run: a large tree takes long
        return boards.answer(request, digest)

    async def copy(self, request: Request) -> Response:
        """Create an analysis for the visitor with a copy of another person's tree."""
        await self.frame.form_of(request)
        study = await self._study(request)
        person, token = await self.frame.known(request, "")
        copied = await self.studies.create(person, study.text())
        there = RedirectResponse(f"/analysis/{copied}", 303)
        return self.frame.remember(request, there, token)

    async def delete(self, request: Request) -> Response:
        await self.frame.form_of(request)
        person = await self.frame.person_of(request)
        if not person:
            raise NoStudyError
        await self.studies.drop(request.path_params["id"], person.id)
        return RedirectResponse("/analysis", 303)

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> AnalysisSocket:
            study = await self._study(socket)
            return AnalysisSocket(self, socket, study, person)

        await self.sockets.accept(socket, page)

    async def new(self, request: Request) -> Response:
        return await self._start_page(request, dict(request.query_params))

    async def _start_page(
        self,
        request: Request,
        form: dict[str, str],
        read: ParsedRecord | None = None,
        status: int = 200,
    ) -> Response:
        """Show the start that a form describes on a board; its first use creates the study."""
        room = open_room(form.get("game") or ROOMS[0])
        usual = room.document(self.frame.language_of(request)).rules
        rules = known_rules(room, form.get("rules") or usual)
        start = {"game": room.name, "rules": rules}
        tags = {option.tag: form.get(option.tag, "") for option in room.rules.options}
        shown = _record_of_start(start | tags)
        if shown.refusal:
            read = read or shown
        else:
            start |= tags
        study = await self.studies.unsaved(shown.record or _record_of_start(start).record)
        person = await self.frame.person_of(request)
        kept = await self.store.fetch(studies_of, person.id) if person else []
        say = self.frame.language(request).say
        node = study_views.node_message(study, study.root, None, 0, None)
        begins = [study_views.tree_message(study, own=True), node]
        return await self._page(
            request,
            study,
            status,
            begins=msgspec.json.encode(begins, enc_hook=say).decode(),
            start=start,
            given=form,
            parsed=read,
            readings=[(name, _how_read(name)) for name in (read.readings if read else ())],
            fields=fields_of(room, rules, form),
            kept=[(one.id, _study_title(one, self.frame.language_of(request))) for one in kept],
        )

    async def create(self, request: Request) -> Response:
        frame = self.frame
        form, address = await frame.form_of(request, LONGEST_FORM), frame.address_of(request)
        place = ""
        if form["of"]:
            read, place = await self._of_game(form, address)
        elif form["from"] == "text":
            read = await self._of_text(form, address)
            place = f"?read={read.form}" if read.form else ""
        else:
            read = _record_of_start(form)
        if read.refusal or not read.record:
            return await self._start_page(request, form, read, HTTPStatus.BAD_REQUEST)
        person, token = await frame.known(request, "")
        if form["id"] and not re.fullmatch("[0-9A-Za-z]{12}", form["id"]):
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        study = await self.studies.create(person, read.record, form["id"])
        there = RedirectResponse(f"/analysis/{study}{place}", 303)
        return frame.remember(request, there, token)

    async def _of_game(self, form: Form, address: str) -> tuple[ParsedRecord, str]:
        actor = await self.games.actor(form["of"])
        snapshot = actor.snapshot
        if not snapshot.state:
            raise HouseError("the game has not begun; not all seats are taken")
        if not (snapshot.agreement.casual or snapshot.over):
            raise HouseError("this game can be analysed when it is over")
        record = record_text(actor.game.entries, snapshot.state.play.start.seats)
        turn = form["turn"]
        count = int(turn) if turn.isdecimal() and len(turn) < 5 else len(snapshot.state.play.turns)
        return await parse_in_pool(self.helpers, address, record, 1), f"#{count}"

    async def _of_text(self, form: Form, address: str) -> ParsedRecord:
        chosen = form["which"]
        which = int(chosen) if chosen.isdecimal() and len(chosen) < 5 else 0
        rules = f"{form['game']}/{form['rules']}" if form["rules"] else ""
        try:
            text = form["text"]
            return await parse_in_pool(self.helpers, address, text, which, rules, form["format"])
        except HouseError as error:
            return ParsedRecord(refusal=error.message)


def _record_of_start(form: Mapping[str, str]) -> ParsedRecord:
    room = open_room(form["game"])
    given = {
        option.tag: value
        for option in room.rules.options
        if (value := form.get(option.tag, "").strip())
    }
    try:
        check_options(room, given)
        rules = known_rules(room, form.get("rules") or room.default_rules)
        tags = room.rules.settle(rules, given)
        room.rules.start(rules, tags)
    except TrineError as error:
        return ParsedRecord(refusal=error.message)
    return ParsedRecord(format_record(Record({"Game": room.name, "Rules": rules, **tags})))


def _how_read(form: str) -> Text | None:
    """Return the remark on a format; None if there is no such format, or no remark."""
    found = known_formats().get(form)
    return format_remark(found) if found else None


def _study_title(stored: StudyRow, code: str) -> str:
    """Return the title of a stored study, using only its tags."""
    head = stored.record.split("\n\n", 1)[0].splitlines(keepends=True)
    tags = next(iter(read_records([*head, "\n"])), Record()).tags
    room = open_room(tags["Game"])
    language = open_language(code)
    names = [
        language.say(written_name(tags[seat.tag], seat))
        for seat in room.seats
        if tags.get(seat.tag)
    ]
    title = f"{name_in(language, room.title)}, {name_in(language, tags.get('Rules', ''))}"
    return f"{language.colon(title)} {' – '.join(names)}" if names else title
