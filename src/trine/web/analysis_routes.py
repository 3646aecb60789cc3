"""The pages of the analysis board, and its socket."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.errors import TrineError
from trine.core.language import open_language
from trine.core.record import Record, format_record, read_records
from trine.core.text import text
from trine.draw.svg import draw_svg
from trine.games import ROOMS, check_options, known_rules, open_room
from trine.house.export import record_text
from trine.house.reading import LONGEST, Read
from trine.house.refusals import HouseError, NoStudyError
from trine.house.study import Study
from trine.store.people import Person
from trine.store.studies import Study as StoredStudy
from trine.web import words
from trine.web.analysis_socket import AnalysisConnection
from trine.web.analysis_views import paints, scene_at, title_of, turns_text
from trine.web.analysis_words import ANALYSIS
from trine.web.headers import FRESH, PICTURE, SVG
from trine.web.offer import fields_of
from trine.web.stills import shape

if TYPE_CHECKING:
    from trine.web.site import Site

LONGEST_FORM: Final = 3 * LONGEST + 4096
"""Units: bytes; every sign of a text can be three of a form."""


def routes(site: Site) -> list[Route | WebSocketRoute]:
    """The routes of the analysis board."""
    pages = _Pages(site)
    return [
        Route("/analysis", pages.new),
        Route("/analysis", pages.create, methods=["POST"]),
        Route("/analysis/{id}", pages.study),
        Route("/analysis/{id}/record", pages.record),
        Route("/analysis/{id}/picture.svg", pages.picture),
        Route("/analysis/{id}/board/{digest}", pages.board),
        Route("/analysis/{id}/copy", pages.copy, methods=["POST"]),
        Route("/analysis/{id}/delete", pages.delete, methods=["POST"]),
        WebSocketRoute("/analysis/{id}/socket", pages.socket),
    ]


class _Pages:
    """The pages of analyses."""

    def __init__(self, site: Site) -> None:
        self.site = site

    # --- a new one --------------------------------------------------------------------------------

    async def new(self, request: Request) -> Response:
        """The page on which an analysis begins, and one's own."""
        return await self._form_page(request, dict(request.query_params))

    async def _form_page(
        self,
        request: Request,
        given: dict[str, str],
        read: Read | None = None,
        status: int = 200,
    ) -> Response:
        room = open_room(given.get("game") or ROOMS[0])
        person = await self.site.person_of(request)
        kept = await self.site.house.studies.of(person.id) if person else []
        return await self.site.show(
            request,
            "analysis_new.html",
            status,
            room=room,
            given=given,
            read=read,
            fields=fields_of(room, room.default_rules, given),
            kept=[(one.id, _called(one, self.site.language_of(request))) for one in kept],
        )

    async def create(self, request: Request) -> Response:
        """Begin an analysis: of a start, of what was handed in, of a game of the house."""
        site = self.site
        form = await site.form_of(request, LONGEST_FORM)
        place = ""
        if form.get("of"):
            read, place = await self._of_game(form)
        elif form.get("from") == "text":
            read = await self._of_text(form)
        else:
            read = self._of_start(form)
        if read.refusal or not read.record:
            return await self._form_page(request, form, read, HTTPStatus.BAD_REQUEST)
        person, token = await site.known(request, "")
        study = await site.house.studies.create(person.id, read.record)
        there = RedirectResponse(f"/analysis/{study}{place}", 303)
        return site.remember(request, there, token)

    async def _of_game(self, form: dict[str, str]) -> tuple[Read, str]:
        """A game of the house, and the turn that was looked at."""
        host = await self.site.house.host(form["of"])
        snapshot = host.snapshot
        if not snapshot.state:
            raise HouseError(text("the game has not begun; not all seats are taken"))
        if not (snapshot.agreement.casual or snapshot.over):
            raise HouseError(text("this game can be analysed when it is over"))
        told = record_text(host.entries(), snapshot.state.play.start.seats)
        turn = form.get("turn", "")
        count = int(turn) if turn.isdecimal() and len(turn) < 5 else len(snapshot.state.play.turns)
        return await self.site.house.reader.read(told, 1), f"#{count}"

    async def _of_text(self, form: dict[str, str]) -> Read:
        chosen = form.get("which", "")
        which = int(chosen) if chosen.isdecimal() and len(chosen) < 5 else 0
        rules = f"{form['game']}/{form['rules']}" if form.get("rules") else ""
        try:
            return await self.site.house.reader.read(form.get("text", ""), which, rules)
        except HouseError as error:
            return Read(refusal=error.message)

    def _of_start(self, form: dict[str, str]) -> Read:
        room = open_room(form.get("game", ""))
        given = {
            option.tag: value
            for option in room.options
            if (value := form.get(option.tag, "").strip())
        }
        try:
            check_options(room, given)
            rules = known_rules(room, form.get("rules") or room.default_rules)
            tags = room.settle(rules, given)
            room.start(rules, tags)
        except TrineError as error:
            return Read(refusal=error.message)
        head = {"Game": room.name, "Rules": rules, **tags}
        return Read(format_record(Record(head)))

    # --- one --------------------------------------------------------------------------------------

    async def _study(self, request: Request | WebSocket) -> Study:
        return await self.site.house.studies.study(request.path_params["id"])

    async def study(self, request: Request) -> Response:
        """The page of an analysis."""
        site, study = self.site, await self._study(request)
        person = await site.person_of(request)
        code = site.language_of(request)
        language, root = open_language(code), study.root
        scene = scene_at(study, root, None, 0)
        site.boards.keep(scene.board)
        script = {name: language.say(told) for name, told in ANALYSIS.items()}
        room, size = root.start.room, shape(scene.board)
        return await site.show(
            request,
            "analysis.html",
            study=study,
            title=title_of(study, language),
            room=room,
            rules=root.position.rules.name,
            own=person is not None and person.id == study.owner,
            board=scene.board,
            size=size["size"],
            ratio=size["ratio"],
            alt=language.say(scene.alt),
            turns=turns_text([*root.line()]),
            paints=json.dumps(paints(room, root.position)),
            seats=len(root.position.seats),
            editor=room.editor is not None,
            script_words=json.dumps(script, ensure_ascii=False),
        )

    async def record(self, request: Request) -> Response:
        """The whole tree as a record, to keep."""
        study = await self._study(request)
        headers = {
            "content-disposition": f'attachment; filename="analysis-{study.id}.trine"',
            **FRESH,
        }
        return Response(study.text(), headers=headers, media_type="text/plain; charset=utf-8")

    async def picture(self, request: Request) -> Response:
        """A picture of a position of the tree."""
        study = await self._study(request)
        node = study.at_place(request.query_params.get("at", "0"))
        language = open_language(self.site.language_of(request))
        drawn = draw_svg(scene_at(study, node, None, 0), language=language)
        return Response(drawn, 200, FRESH | PICTURE, SVG)

    async def board(self, request: Request) -> Response:
        """The half of the scenes that stays the same."""
        boards, digest = self.site.boards, request.path_params["digest"]
        if digest not in boards:
            study = await self._study(request)
            for node in study.nodes():
                for seat in range(len(node.position.seats)):
                    boards.keep(scene_at(study, node, None, seat).board)
                if digest in boards:
                    break
        return boards.answer(request, digest)

    async def copy(self, request: Request) -> Response:
        """Begin an analysis of one's own with the tree of another."""
        await self.site.form_of(request)
        study = await self._study(request)
        person, token = await self.site.known(request, "")
        copied = await self.site.house.studies.create(person.id, study.text())
        there = RedirectResponse(f"/analysis/{copied}", 303)
        return self.site.remember(request, there, token)

    async def delete(self, request: Request) -> Response:
        """Remove an analysis of one's own."""
        await self.site.form_of(request)
        person = await self.site.person_of(request)
        if not person:
            raise NoStudyError
        await self.site.house.studies.drop(request.path_params["id"], person.id)
        return RedirectResponse("/analysis", 303)

    async def socket(self, socket: WebSocket) -> None:
        """The socket of a page."""

        async def page(person: Person | None) -> AnalysisConnection:
            study = await self._study(socket)
            language = self.site.language_of(socket)
            return AnalysisConnection(self.site, socket, study, person, language)

        await self.site.sockets.speak(socket, page)


def _called(stored: StoredStudy, code: str) -> str:
    """The name of a study that is not open."""
    head = stored.record.split("\n\n", 1)[0].splitlines(keepends=True)
    tags = next(iter(read_records([*head, "\n"])), Record()).tags
    room = open_room(tags["Game"])
    names = [tags[seat.tag] for seat in room.seats if seat.tag in tags]
    title = f"{room.title}, {tags.get('Rules', '')}"
    return f"{words.colon(title, code)} {' – '.join(names)}" if names else title
