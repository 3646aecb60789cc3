"""The page of a new game: the choices of its form, and the game that was chosen."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from random import SystemRandom
from typing import Any, Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.contract.handbook import Example
from trine.core.contract.room import Room, StartOption
from trine.core.errors import MalformedError, TrineError
from trine.core.scene.scene import Board, Piece, Scene
from trine.core.text.language import open_language
from trine.core.text.sentence import NOTHING, Text, typed
from trine.games import ROOMS, known_rules, open_room, start_position
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.games import Games
from trine.house.games.live.live_game import rating_text
from trine.house.games.storage.tables import last_opponents
from trine.house.games.view import game_choices
from trine.house.games.view.game_choices import level_of
from trine.house.games.view.views import places_of
from trine.house.people.idempotency import Finish, FormOutcome, IdempotencyKeys
from trine.house.people.tables import Person
from trine.house.ratings.ratings import anchors_of
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.headers import IMMUTABLE, NO_STORE, PICTURE, SVG, packed
from trine.house.web.refusing import refusal_of
from trine.play.draw.board_theme import NIGHT
from trine.play.draw.svg import draw_svg
from trine.play.session.seats import BOT

SEATS: Final = "seats"  # the opponent choice that shows a choice for each seat
OWN_CLOCK: Final = "own"  # the choice that enables the clock text field
FOLDED: Final = ("position", "listed", "rated", "no-hints")
"""The fields that are rarely used, like options of the start without pictures."""
USUAL_LEVEL: Final = 3
FIRST_LEVEL: Final = 2  # the recommended level for a person's first game
PLACES: Final = ("below", "left", "above", "right")
FACES: Final = "RRCCDDHHME"
"""The animal of Arimaa that stands for each level, from the rabbit to the elephant."""


@cache
def picture_of(game_name: str, rules: str) -> tuple[str, bytes]:
    """Return a digest and a small picture of the position that is typical of a rule set."""
    room = open_room(game_name)
    book = [clause.example for clause in room.rulebook(rules) if clause.example]
    others = {
        example.position.replace(name, rules)
        for name in room.rule_sets
        if name != rules
        for clause in room.rulebook(name)
        if (example := clause.example)
    }
    own = [example for example in book if example.position not in others]
    scene = room.view.scene(_fullest_example(room, rules, own or book))
    packed = draw_svg(scene, width=240, prefix=rules, night=NIGHT).encode()
    return hashlib.sha256(packed).hexdigest()[:16], packed


def _fullest_example(room: Room, rules: str, examples: Sequence[Example]) -> Any:
    """Return the example with most pieces: a position of a game rather than a corner of one."""
    positions = [room.rules.parse_position(example.position, rules) for example in examples]
    return max(positions, key=lambda position: len(room.view.scene(position).pieces))


def game_pictures(language: str) -> dict[str, str]:
    """Return the URL of a picture for each game, in the rule set of its rules document."""
    rules = {name: open_room(name).document(language).rules for name in ROOMS}
    return {name: picture_address(name, rules[name]) for name in ROOMS}


def picture_address(game_name: str, rules: str) -> str:
    return f"/new/{picture_of(game_name, rules)[0]}/{game_name}/{rules}.svg"


@cache
def level_faces() -> list[str]:
    """Return a picture for each level, as a data URL."""
    room = open_room("arimaa")
    book = [clause.example for clause in room.rulebook("official") if clause.example]
    scene = room.view.scene(_fullest_example(room, "official", book))
    return [token(scene, 0, figure) for figure in FACES]


def token(scene: Scene, player: int, figure: str = "") -> str:
    """Return a picture of a player's first piece, or of one figure, in a scene, as a data URL."""
    own = [one for one in scene.pieces if one.owner == player]
    piece = next(one for one in own if figure in ("", one.figure))
    board = Board((1, 1), (), players=scene.board.players, figures=scene.board.figures)
    alone = Piece((0.5, 0.5), piece.figure, piece.base, player)
    drawn = draw_svg(Scene(NOTHING, NOTHING, board=board, pieces=(alone,)), width=48, night=NIGHT)
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"


@dataclass(frozen=True)
class Field:
    """A form field for an option of the start."""

    option: StartOption
    value: str
    choices: Sequence[tuple[str, Text]]  # the possible values; empty if a number or a text is typed

    @property
    def pictured(self) -> bool:
        """Whether each choice is shown by a picture of its start."""
        return self.option.pictured and len(self.choices) > 1


def offers(chosen: Mapping[str, str], language: str) -> dict[str, Any]:
    """Return the template values for the form, with the choices made so far.

    The defaults are those of the game's rules document in the language.
    """
    room = open_room(chosen.get("game", ROOMS[0]))
    rules, start = _meant(room, chosen, language)
    refused: TrineError | None = None
    try:
        seats = _start(room, rules, start).seats
    except TrineError as error:
        refused, seats = error, _start(room, rules, {}).seats
    scene = _start_scene(room, rules, start if not refused else {})
    fields = fields_of(room, rules, start)
    folded = (*FOLDED, *(one.option.tag for one in fields if not one.pictured))
    return {
        "room": room,
        "rules": rules,
        "rule_sets": room.rule_sets_for(language),
        "chosen": chosen,
        "fields": fields,
        "seats": seats,
        "refused": refused,
        "opens": any(chosen.get(name) for name in folded),
        "strategists": [
            (name, typed(name), advice) for name, advice in room.handbook.advice.items()
        ],
        "clocks": game_choices.CLOCKS
        if room.rules.score_winner is None
        else game_choices.CLOCKS | game_choices.MATCH_CLOCK,
        "days": [(f"{count}d", game_choices.days_a_turn(count)) for count in game_choices.DAYS],
        "vacations": [(str(count), game_choices.days(count)) for count in game_choices.VACATIONS],
        "pictures": {name: picture_address(room.name, name) for name in room.rule_sets},
        "anchors": {
            level: rating_text(anchor.rating, provisional=False)
            for level, anchor in anchors_of(room.name, rules).items()
        },
        "scene": scene,
    }


def _meant(room: Room, chosen: Mapping[str, str], language: str) -> tuple[str, Mapping[str, str]]:
    """Return the rule set and the start options, by default those of the rules document."""
    document = room.document(language)
    rules = known_rules(room, chosen.get("rules", "") or document.rules)
    return rules, {**document.options, **chosen} if rules == document.rules else chosen


def fields_of(room: Room, rules: str, chosen: Mapping[str, str]) -> list[Field]:
    """Return the fields for the options of the start that have more than one choice."""
    fields = []
    for option in room.rules.options:
        choices = option.choices(rules)
        if choices is None or len(choices) > 1:
            usual = choices[0][0] if choices else ""
            fields.append(Field(option, chosen.get(option.tag, usual), choices or ()))
    return fields


def chosen_options(room: Room, chosen: Mapping[str, str]) -> dict[str, str]:
    given = ((option.tag, chosen.get(option.tag, "").strip()) for option in room.rules.options)
    return {tag: value for tag, value in given if value}


def _options_of(room: Room, chosen: Mapping[str, str], position: str) -> dict[str, str]:
    """Return the chosen options, for a given position those that can vary it."""
    given = chosen_options(room, chosen)
    varying = {option.tag for option in room.rules.options if option.vary}
    return {tag: value for tag, value in given.items() if not position or tag in varying}


def _start(room: Room, rules: str, chosen: Mapping[str, str]) -> Any:
    if position := chosen.get("position", "").strip():
        return start_position(room, rules, _options_of(room, chosen, position), position)
    return room.rules.start(rules, room.rules.settle(rules, chosen_options(room, chosen)))


def _start_scene(room: Room, rules: str, chosen: Mapping[str, str]) -> Scene:
    scene: Scene = room.view.scene(_start(room, rules, chosen))
    return scene


def start_picture(chosen: Mapping[str, str], language: str) -> str:
    room = open_room(chosen.get("game", ""))
    rules, start = _meant(room, chosen, language)
    scene = _start_scene(room, rules, start)
    return draw_svg(scene, language=open_language(language), night=NIGHT)


def clock_of(form: Mapping[str, str]) -> str:
    """Return the chosen clock; with days per turn, it includes the vacation days.

    >>> clock_of({"clock": "3d", "vacation": "7"}), clock_of({"clock": "5+3", "vacation": "7"})
    ('3d/7d/0', '5+3')
    >>> clock_of({"clock": "own", "own-clock": "10+5"})
    '10+5'
    """
    clock = form.get("clock", OWN_CLOCK)
    if clock == OWN_CLOCK:
        return form.get("own-clock", "").strip()
    if not re.fullmatch("[0-9]{1,2}d", clock):
        return clock
    vacation = form.get("vacation", "")
    return f"{clock}/{vacation}d/0" if re.fullmatch("[1-9][0-9]?", vacation) else f"{clock}/0/0"


def read_offer(form: Mapping[str, str]) -> tuple[Agreement, list[str]]:
    """Return the agreement and the choice for each seat, from the form for a new game."""
    position = form.get("position", "").strip()
    agreement = _agreement(form, position, listed="listed" in form, rated="rated" in form)
    return agreement, _wishes(agreement, form)


def _agreement(
    form: Mapping[str, str], position: str, *, listed: bool, rated: bool = False
) -> Agreement:
    """Return the chosen agreement; ``position`` is its starting position, if one was given."""
    room = open_room(form.get("game", ""))
    return Agreement.make(
        room.name,
        form.get("rules", ""),
        _options_of(room, form, position),
        position,
        clock=clock_of(form),
        casual="no-hints" not in form,
        listed=listed,
        rated=rated,
        claimed_time="claimed-time" in form,
    )


def _wishes(agreement: Agreement, form: Mapping[str, str]) -> list[str]:
    count, against, side = agreement.seats, form.get("with", ""), form.get("side", "")
    if against == SEATS:
        usual = f"{BOT}{USUAL_LEVEL}"
        return [form.get(f"seat{seat}", usual if seat else ME) for seat in range(count)]
    if against == "screen":
        return [ME] * count
    other = LINK if against == "friend" else against
    if not other:
        raise MalformedError("choose against whom you want to play")
    own = int(side) if side.isdecimal() else count
    if own >= count:
        own = SystemRandom().randrange(count)
    return [ME if seat == own else other for seat in range(count)]


def read_seek(form: Mapping[str, str], *, listed: bool = True) -> tuple[Agreement, int | None]:
    """Return the agreement and the wanted side, from the form for an open seat."""
    agreement = _agreement(form, "", listed=listed, rated="rated" in form)
    side = form.get("side", "")
    return agreement, int(side) if side.isdecimal() and len(side) == 1 else None


@dataclass(frozen=True)
class NewGamePages:
    """The routes for creating a game."""

    frame: Frame[Person]
    store: Store
    games: Games
    idempotency_keys: IdempotencyKeys

    def routes(self) -> list[Route]:
        return [
            Route("/new", self.new),
            Route("/new", self.create, methods=["POST"]),
            Route("/new/start.svg", self.start),
            Route("/new/{digest}/{game}/{rules}.svg", self.differs),
        ]

    async def new(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        return await self._show_new(request, dict(request.query_params))

    async def _show_new(
        self, request: Request, chosen: dict[str, str], refusal: TrineError | None = None
    ) -> Response:
        language = self.frame.language_of(request)
        about = {"token": token, "faces": level_faces(), **offers(chosen, language)}
        about["game_pictures"] = game_pictures(language)
        room, seats = about["room"], about["seats"]
        start = {"game": room.name, "rules": about["rules"]} if about["refused"] else chosen
        about["query"] = urlencode({"game": room.name} | start)
        about["places"] = [PLACES[place] for place in places_of(room, seats)]
        person = await self.frame.person_of(request)
        about["before"] = await self._level_before(person, room.name)
        about["recommended"] = about["before"] or FIRST_LEVEL
        about["refusal"] = None if about["refused"] else refusal
        status = HTTPStatus.BAD_REQUEST if refusal else HTTPStatus.OK
        return await self.frame.show(request, "new.html", status, **about)

    async def _level_before(self, person: Person | None, game_name: str) -> int | None:
        """Return the level that a person played last; None if there is none."""
        bots = await self.store.fetch(last_opponents, person.id, game_name) if person else []
        return next((level for bot in bots if (level := level_of(bot))), None)

    async def start(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        chosen, language = dict(request.query_params), self.frame.language_of(request)
        return Response(start_picture(chosen, language), 200, NO_STORE | PICTURE, SVG)

    async def differs(self, request: Request) -> Response:
        room = open_room(request.path_params["game"])
        digest, picture = picture_of(room.name, known_rules(room, request.path_params["rules"]))
        if digest != request.path_params["digest"]:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return packed(request, picture, SVG, IMMUTABLE | PICTURE)

    async def create(self, request: Request) -> Response:
        given = await self.frame.form_of(request)

        async def create(finish: Finish) -> FormOutcome:
            """Create a game; return the path of its page, with the links to its seats."""
            person, token = await self.frame.known(request, given["name"].strip())

            def led(game_id: str, links: Mapping[int, str]) -> FormOutcome:
                path = f"/game/{game_id}" + (f"?invite={'.'.join(links.values())}" if links else "")
                return FormOutcome(path, token)

            made = await self.games.create(
                agreement, wishes, person, lambda game, links: finish(led(game, links))
            )
            return led(*made)

        try:
            agreement, wishes = read_offer(given)
            before = await self.frame.person_of(request)
            led = await self.idempotency_keys.once(given, before, create)
        except TrineError as error:
            return await self._show_new(request, given, refusal_of(error))
        return self.frame.remember(request, RedirectResponse(led.path, 303), led.token)
