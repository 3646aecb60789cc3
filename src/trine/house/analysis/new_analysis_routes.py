"""The page on which an analysis begins."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute

from trine.core.contract.record import Record, format_record, read_records
from trine.core.errors import TrineError
from trine.core.text.language import open_language
from trine.core.text.sentence import text
from trine.core.text.typed import name_in
from trine.games import ROOMS, check_options, known_rules, open_room
from trine.house.analysis.reading import LONGEST, Read, Reader
from trine.house.analysis.studies import Studies
from trine.house.analysis.tables import StudyRow as StoredStudy
from trine.house.games.export import record_text
from trine.house.games.games import Games
from trine.house.games.player_names import written_name
from trine.house.lobby.new_game import fields_of
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError
from trine.house.web.frame import FORM, Frame

LONGEST_FORM: Final = 3 * LONGEST + 4096
"""Units: bytes; each character of a text can take three bytes of a form."""


def routes(
    frame: Frame[Person], studies: Studies, reader: Reader, games: Games
) -> list[Route | WebSocketRoute]:
    """The routes of new analyses."""
    pages = _NewAnalysisPages(frame, studies, reader, games)
    return [
        Route("/analysis", pages.new),
        Route("/analysis", pages.create, methods=["POST"]),
    ]


class _NewAnalysisPages:
    """The answers to requests for new analyses."""

    def __init__(
        self, frame: Frame[Person], studies: Studies, reader: Reader, games: Games
    ) -> None:
        self._frame, self._studies, self._reader, self._games = frame, studies, reader, games

    async def new(self, request: Request) -> Response:
        """The page for a new analysis, which lists one's own."""
        return await self._form_page(request, dict(request.query_params))

    async def _form_page(
        self,
        request: Request,
        given: dict[str, str],
        read: Read | None = None,
        status: int = 200,
    ) -> Response:
        room = open_room(given.get("game") or ROOMS[0])
        person = await self._frame.person_of(request)
        kept = await self._studies.of(person.id) if person else []
        return await self._frame.show(
            request,
            "analysis_new.html",
            status,
            room=room,
            given=given,
            read=read,
            fields=fields_of(room, room.document(self._frame.language_of(request)).rules, given),
            kept=[(one.id, _called(one, self._frame.language_of(request))) for one in kept],
        )

    async def create(self, request: Request) -> Response:
        """Begin an analysis of a start, of a submitted text, or of a game of the house."""
        frame = self._frame
        form, address, place = await self._form_of(request), frame.address_of(request), ""
        if form.get("of"):
            read, place = await self._of_game(form, address)
        elif form.get("from") == "text":
            read = await self._of_text(form, address)
        else:
            read = self._of_start(form)
        if read.refusal or not read.record:
            return await self._form_page(request, form, read, HTTPStatus.BAD_REQUEST)
        person, token = await frame.known(request, "")
        study = await self._studies.create(person, read.record)
        there = RedirectResponse(f"/analysis/{study}{place}", 303)
        return frame.remember(request, there, token)

    async def _form_of(self, request: Request) -> dict[str, str]:
        """Return the fields of the form; those of a long one take long, and are read elsewhere."""
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length) <= FORM:
            return await self._frame.form_of(request)
        body = await self._frame.body_of(request, 20, LONGEST_FORM)
        fields = await self._reader.fields(self._frame.address_of(request), body)
        if fields is None:
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        return fields

    async def _of_game(self, form: dict[str, str], address: str) -> tuple[Read, str]:
        """Return the record of a game of the house, and the shown turn."""
        host = await self._games.host(form["of"])
        snapshot = host.snapshot
        if not snapshot.state:
            raise HouseError(text("the game has not begun; not all seats are taken"))
        if not (snapshot.agreement.casual or snapshot.over):
            raise HouseError(text("this game can be analysed when it is over"))
        told = record_text(host.game.entries, snapshot.state.play.start.seats)
        turn = form.get("turn", "")
        count = int(turn) if turn.isdecimal() and len(turn) < 5 else len(snapshot.state.play.turns)
        return await self._reader.read(address, told, 1), f"#{count}"

    async def _of_text(self, form: dict[str, str], address: str) -> Read:
        chosen = form.get("which", "")
        which = int(chosen) if chosen.isdecimal() and len(chosen) < 5 else 0
        rules = f"{form['game']}/{form['rules']}" if form.get("rules") else ""
        try:
            return await self._reader.read(address, form.get("text", ""), which, rules)
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


def _called(stored: StoredStudy, code: str) -> str:
    """Return the name of a study that is not open."""
    head = stored.record.split("\n\n", 1)[0].splitlines(keepends=True)
    tags = next(iter(read_records([*head, "\n"])), Record()).tags
    room = open_room(tags["Game"])
    language = open_language(code)
    names = [
        language.say(written_name(tags[seat.tag])) for seat in room.seats if tags.get(seat.tag)
    ]
    title = f"{name_in(language, room.title)}, {name_in(language, tags.get('Rules', ''))}"
    return f"{language.colon(title)} {' – '.join(names)}" if names else title
