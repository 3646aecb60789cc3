"""The pages and forms of the notes on a finished game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.games import Games
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.accounts import Accounts
from trine.house.people.relations import Blocks
from trine.house.people.tables import Person, accounts_of
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.talk import chat
from trine.house.talk.chat import Chats, Complain, Notes
from trine.house.talk.tables import ChatLine
from trine.house.web.frame import Form, Frame
from trine.house.web.pages import day


@dataclass(frozen=True)
class NotePages:
    """The notes on a finished game, and the chat of a game's page."""

    frame: Frame[Person]
    games: Games
    notes: Notes
    chats: Chats
    blocks: Blocks
    complain: Complain
    accounts: Accounts
    store: Store

    def routes(self) -> list[Route]:
        return [
            Route("/game/{id}/notes", self.leave, methods=["POST"]),
            Route("/game/{id}/notes/{number:int}", self.mind, methods=["POST"]),
        ]

    async def template_values(
        self, request: Request, snapshot: Snapshot, person: Person | None
    ) -> Mapping[str, Any]:
        lines: Sequence[ChatLine] = await self.notes.read(snapshot, person)
        people = list({line.person for line in lines})
        accounts = await self.store.fetch(accounts_of, people)
        account = await self.accounts.of(person)
        tags = [turn.tag for turn in snapshot.played_turns.written]
        say = self.frame.language(request).say
        return {
            "chat_whys": {name: say(why) for name, why in chat.WHYS.items()},
            "presets": chat.PRESETS,
            "notes": [
                {
                    "line": line,
                    "tag": tags[line.turn - 1] if line.turn else "",
                    "date": day(line.at),
                    "own": person is not None and line.person == person.id,
                    "known": line.person in accounts,
                }
                for line in lines
            ],
            "noted": {line.turn for line in lines if line.turn},
            "tags": tags,
            "may_note": chat.may_have_notes(snapshot),
            "longest": chat.MAX_NOTE_LENGTH,
            "moderates": account is not None and account.admin,
            "whys": chat.WHYS,
        }

    async def _read_request(self, request: Request) -> tuple[GameActor, Person, Form]:
        form = await self.frame.form_of(request)
        actor = await self.games.actor(request.path_params["id"])
        person = await self.frame.person_of(request)
        if not person:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return actor, person, form

    async def leave(self, request: Request) -> Response:
        actor, person, form = await self._read_request(request)
        self.chats.check_pace(person.id, self.frame.address_of(request))
        number = form["turn"]
        turn = int(number) if number.isdecimal() and len(number) < 6 else None
        note = await self.notes.leave(person, actor.snapshot, form["words"], turn or None)
        return self._back(actor, note.turn, f"note-{note.number}")

    async def mind(self, request: Request) -> Response:
        actor, person, form = await self._read_request(request)
        what = form["what"]
        note = await self.notes.note(actor.id, request.path_params["number"])
        if what == "remove":
            await self.notes.remove(person, actor.id, note.number)
        elif what == "block":
            await self.blocks.block(person, note.person)
        elif what == "report":
            if not person.has_account:
                raise HouseError("to report somebody you need an account")
            await self.complain(person, note, form["why"])
            return await self.frame.show(
                request, "note_reported.html", game=actor.id, turn=note.turn
            )
        else:
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        return self._back(actor, note.turn, "notes")

    def _back(self, actor: GameActor, turn: int | None, part: str) -> Response:
        where = f"?turn={turn}" if turn else ""
        return RedirectResponse(f"/game/{actor.id}{where}#{part}", 303)
