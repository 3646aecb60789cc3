"""The folder of a static site: the public pages of a house, with links from file to file.

The pages are requested one after the other from the house's own routes, in a frame without people.
Links to pages that need a server are left out. English is at the top, other languages in folders.
"""

import asyncio
import json
import os
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from html import unescape
from itertools import chain
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from msgspec import structs
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.contract.position import Turn
from trine.core.contract.room import Room
from trine.core.play import Play, changed_cells, describe, names, written_actions
from trine.core.scene.composing import FIRST_KEYS, carry_keys
from trine.core.scene.scene import Say, plain
from trine.core.text.language import LANGUAGES
from trine.core.work.pool import WorkerPool
from trine.engine.puzzles.puzzle import Puzzle
from trine.games import ROOMS, open_room
from trine.house.app import House
from trine.house.games.view.game_page import TEMPLATE_NAMES
from trine.house.lessons.routes import DIAGRAM, LearnPages, RulePages
from trine.house.lessons.trial import still_scene
from trine.house.lobby.new_game import NewGamePages
from trine.house.puzzles.puzzles import PuzzleStream, solution_of
from trine.house.puzzles.routes import PuzzlePages
from trine.house.site import FOLDERS, status_of
from trine.house.static_site import branches
from trine.house.tables import open_store
from trine.house.web.assets import IMPORT, STATIC, Assets, modules_needed, shape, without_comments
from trine.house.web.frame import Frame
from trine.house.web.headers import Origins
from trine.house.web.metrics import Metrics
from trine.house.web.pages import Pages

PUZZLES: Final = 12
SCRIPTS: Final = (
    *("lessons/learn.js", "lessons/lesson.js", "lessons/rules.js"),
    *("puzzles/hall.js", "puzzles/puzzle.js", "site/replay.js"),
)
_ANCHOR: Final = re.compile(r'<a\b[^>]*\bhref="(/[^"]*)"[^>]*>.*?</a>\n?', re.DOTALL)
_LINK: Final = re.compile(r'\b(href|src|data-place(?=="[^"]*{}"))="(/[^"]*)"')
"""A link, or the pattern of one (``{}``); paths in other attributes are requested by scripts."""
_STATE: Final = re.compile(r' data-state="[^"]*"')


@dataclass(frozen=True)
class ReplayedGame:
    """A game to replay."""

    title: str
    play: Play

    @property
    def shape(self) -> dict[str, Any]:
        return shape(self.play.room.view.scene(self.play.start).board)

    def as_data(self, say: Say) -> dict[str, Any]:
        """Return the boards by their digests, the turns, and the views before and after each."""
        play, room, keys = self.play, self.play.room, FIRST_KEYS
        turns = list(play.turns)
        if play.open_actions:
            turns.append(Turn(play.turn_start, play.open_actions, play.position))
        scenes = [room.view.scene(play.start, keys=keys)]
        for turn in turns:
            position = turn.before
            for action in turn.actions:
                keys = carry_keys(room, position, action, keys)
                position = position.play_unchecked(action)
            last = changed_cells(room, turn.before, turn.actions)
            scenes.append(room.view.scene(turn.after, keys=keys, last=last))
        if play.outcome:
            status = describe(names(play.position.seats), play.outcome)
            scenes[-1] = structs.replace(scenes[-1], status=status)
        return {
            "boards": {one.board.digest: plain(one.board, say) for one in scenes},
            "turns": [
                {
                    "tag": room.tag(turn.before),
                    "words": written_actions(room, turn.before, turn.actions),
                }
                for turn in turns
            ],
            "views": [plain(one.view, say) for one in scenes],
        }


def write_site(place: Path, replays: Sequence[ReplayedGame]) -> None:
    with TemporaryDirectory() as folder, open_store(Path(folder) / "house.db") as store:
        asyncio.run(_Site(place, House(store), replays).write())


class _Site:
    def __init__(self, place: Path, house: House, replays: Sequence[ReplayedGame]) -> None:
        self._place, self._replays = place, replays
        self._puzzles = {game: _site_puzzles(game) for game in ROOMS}
        self._answers: dict[str, list[str]] = {}
        """The scripts with the answers of each page, by the page's path."""
        self._pictures: dict[str, str] = {}
        known = {
            **TEMPLATE_NAMES,
            "house": house.settings,
            "alone": True,
            "answers": self._answers,
            "puzzles": self._puzzles,
            "replays": replays,
        }
        pages = Pages(Assets(), [Path(__file__).parent / "templates", *FOLDERS], known)
        self._frame: Frame[Any] = Frame(
            pages,
            recognise=_nobody,
            welcome=_nobody,
            rename=_nobody,
            status_of=status_of,
            now=time.time,
            report=house.report,
            metrics=Metrics(),
            origins=Origins(),
        )
        self._app = Starlette(
            routes=[
                Route("/", partial(self._page, "start.html")),
                Route("/puzzles", partial(self._page, "puzzles.html")),
                Route("/replays/{number:int}", partial(self._page, "replay.html")),
                *NewGamePages(
                    self._frame, house.store, house.games, house.idempotency_keys
                ).routes(),  # for the picture of a starting position
                *LearnPages(self._frame, house.progress).routes(),
                *RulePages(self._frame).routes(),
                *PuzzlePages(self._frame, house.puzzles, house.moments).routes(),
            ]
        )

    async def _page(self, name: str, request: Request) -> Response:
        return await self._frame.show(request, name, **request.path_params)

    async def write(self) -> None:
        for answers in await _all_answers():
            self._keep(*answers)
        both = chain(*(self._answers[f"/rules/arimaa/{rules}"] for rules in DIAGRAM))
        self._answers["/diagram"] = [*dict.fromkeys(both)]
        for number, one in enumerate(self._replays, 1):
            path, writer = f"/replays/{number}", branches.AnswerScript()
            writer.add(f"{path}/game", one.as_data(writer.say))
            self._keep(path, writer.script(), {})
        names = {name for entry in SCRIPTS for name in modules_needed(entry)}
        needed = {f"trine/{name}": _module(name) for name in sorted(names)}
        self._put("static/modules.js", f"const modules = {json.dumps(needed)};\n")
        paths = [*self._answers, "/", "/learn", "/rules", "/solved", "/puzzles"]
        for room in map(open_room, ROOMS):
            lists = ("", *(f"/{rules}" for rules in room.rule_sets))
            paths += [f"/about/{room.name}", *(f"/learn/{room.name}{rules}" for rules in lists)]
        for code in LANGUAGES:
            for path in paths:
                page = (await self._get(path, code)).decode()
                self._put(_file(code, path), await self._linked(page, code, path, {*paths}))

    def _keep(self, path: str, script: str, boards: Mapping[str, str]) -> None:
        """Write the scripts with a page's answers, and with its boards by their digests."""
        self._put(f"answers{path}.js", script)
        for digest, board in boards.items():
            self._put(f"answers/boards/{digest}.js", board)
        self._answers[path] = [path[1:], *(f"boards/{digest}" for digest in boards)]

    async def _get(self, path: str, code: str) -> bytes:
        headers = [(b"cookie", f"language={code}".encode())]
        asked = urlsplit(path)
        about = {"path": asked.path, "query_string": asked.query.encode(), "headers": headers}
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._app({"type": "http", "method": "GET", **about}, receive, send)
        assert sent[0]["status"] == 200, path
        return b"".join(one["body"] for one in sent[1:])

    async def _linked(self, page: str, code: str, path: str, known: Collection[str]) -> str:
        def kept(found: re.Match[str]) -> str:
            there = urlsplit(found[1]).path
            leads = there in known or there.startswith("/language/") or there.endswith("/next")
            return found[0] if leads else ""

        def from_here(found: re.Match[str]) -> str:
            there = relpath(self._target(found[2], code, path), dirname(_file(code, path)))
            return f'{found[1]}="{there}"'

        page = _ANCHOR.sub(kept, _STATE.sub("", page))  # the answers include the state
        for picture in {_picture(place) for _, place in _LINK.findall(page)}:
            if picture.partition("?")[0].endswith(("/picture.svg", "/start.svg")):
                await self._draw(picture)
        return _LINK.sub(from_here, page)

    def _target(self, link: str, code: str, path: str) -> str:
        """Return the file that a link in a page refers to, and write the file if it is an asset."""
        asked = urlsplit(link)
        match asked.path.split("/")[1:]:
            case ["static", _, *names]:
                name = "/".join(names)
                if asset := self._frame.pages.assets.get(name):
                    self._put(f"static/{name}", asset.plain)
                return f"static/{name}"
            case ["answers", *_]:
                return asked.path[1:]
            case ["language", other]:
                return _file(other, path)
            case ["puzzles", game, "next"]:
                names = [puzzle.name for puzzle in self._puzzles[game]]
                following = names.index(asked.query.removeprefix("after=")) + 1
                return _file(code, f"/puzzles/{game}/{names[following % len(names)]}")
            case [*_, "picture.svg" | "start.svg"]:
                return self._pictures[_picture(link)]
        return _file(code, asked.path) + (f"#{asked.fragment}" if asked.fragment else "")

    async def _draw(self, path: str) -> None:
        """Write a picture, named by its digest, so that equal pictures share a file."""
        if path not in self._pictures:
            drawn = await self._get(path, "en")
            self._pictures[path] = f"pictures/{sha256(drawn).hexdigest()[:12]}.svg"
            self._put(self._pictures[path], drawn)

    def _put(self, name: str, content: str | bytes) -> None:
        file = self._place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())


class _PageAnswers(NamedTuple):
    path: str
    script: str
    boards: dict[str, str]  # the scripts with the boards of the page, by their digests


async def _all_answers() -> list[_PageAnswers]:
    """Compute the answers of all pages, in as many processes as there are cores."""
    jobs: list[Callable[[], list[_PageAnswers]]] = []
    for room in map(open_room, ROOMS):
        jobs += [partial(_rule_set_answers, room.name, rules) for rules in room.rule_sets]
        jobs.append(partial(_puzzle_answers, room.name))
    with closing(WorkerPool(os.cpu_count() or 1)) as pool:
        pages = await asyncio.gather(*(asyncio.wrap_future(pool.submit(job)) for job in jobs))
    return [*chain(*pages)]


def _rule_set_answers(game: str, rules: str) -> list[_PageAnswers]:
    """Return the answers of the lessons and the rule book of a rule set."""
    room, pages = open_room(game), []
    for lesson in room.lessons(rules):
        path, writer = f"/learn/{game}/{rules}/{lesson.name}", branches.AnswerScript()
        writer.add(f"{path}/try", asyncio.run(branches.lesson_answers(room, rules, lesson)))
        pages.append(_page_answers(path, writer, room, rules, [lesson.position]))
    path, writer, shown = f"/rules/{game}/{rules}", branches.AnswerScript(), []
    for number, clause in enumerate(room.rulebook(rules), 1):
        if clause.example:
            shown.append(clause.example.position)
            answers = asyncio.run(branches.example_answers(room, rules, clause.example))
            writer.add(f"{path}/{number}/try", answers)
    return [*pages, _page_answers(path, writer, room, rules, shown)]


def _puzzle_answers(game: str) -> list[_PageAnswers]:
    """Return the answers of the puzzles of a game; a puzzle that was used cannot be pickled."""
    room, pages = open_room(game), []
    for puzzle in _site_puzzles(game):
        path, writer = f"/puzzles/{room.name}/{puzzle.name}", branches.AnswerScript()
        writer.add(f"{path}/try", asyncio.run(branches.puzzle_answers(puzzle)))
        writer.add(f"{path}/solution", solution_of(puzzle))
        position = room.rules.format_position(puzzle.start)
        pages.append(_page_answers(path, writer, room, puzzle.rules, [position]))
    return pages


def _page_answers(
    path: str, writer: branches.AnswerScript, room: Room, rules: str, positions: Sequence[str]
) -> _PageAnswers:
    boards = {}
    for position in positions:
        board, alone = still_scene(room.name, rules, position).board, branches.AnswerScript()
        alone.add(board.digest, board)
        boards[board.digest] = alone.script()
    return _PageAnswers(path, writer.script(), boards)


def _module(name: str) -> str:
    """Return the text of a module, with its imports by name instead of by path."""

    def by_name(found: re.Match[str]) -> str:
        return f'{found[1]}"trine/{normpath(join(dirname(name), found[2]))}"'

    return without_comments(IMPORT.sub(by_name, (STATIC / name).read_text(encoding="utf-8")))


def _picture(link: str) -> str:
    """Return the path of a picture without its language: the picture is equal in all languages."""
    return unescape(link).partition("?language=")[0]


async def _nobody(*_: Any) -> Any:
    return None


def _site_puzzles(game_name: str) -> Sequence[Puzzle]:
    """Return the puzzles of a game for the site, the easiest first."""
    return sorted(PuzzleStream(game_name).puzzles[:PUZZLES], key=lambda puzzle: puzzle.rating)


def _file(code: str, path: str) -> str:
    return f"{'' if code == 'en' else f'{code}/'}{path[1:] or 'index'}.html"
