"""The pages: readable without script, in four languages, and closed to what does not belong."""

import asyncio
import json
import re
import resource
from functools import partial
from pathlib import Path

import pytest

from house.web.clients import Client
from house.web.served import Served, a_server
from playing import HOUSE
from trine.core.text.language import LANGUAGES
from trine.games import ROOMS, open_room
from waiting import wait_until


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_can_be_read_in_every_language(one: Client, language: str) -> None:
    game, links = one.new_game(game="tzaar", **{"with": "friend"})
    paths = [
        "/",
        "/solved",
        "/statistics",
        "/computers",
        f"/game/{game}",
        f"/game/{game}/record",
        links[0],
    ]
    for room in ROOMS:
        paths.append(f"/new?game={room}")
        paths.append(f"/about/{room}")
        paths += [f"/rules/{room}/{rules}" for rules in open_room(room).rule_sets]
    for path in paths:
        page = one.get(path, Accept_Language=f"{language}, en;q=0.5")
        assert page.status == 200 and f'<html lang="{language}">' in page.text
        assert "built-in method" not in page.text
        # A colon stands after what it belongs to as the language has it.
        shown = re.sub(r"<[^>]*>", "", page.text)
        assert language != "fr" or not re.search(r"[^\s\d]:(?!\d|//)", shown), path
        # From everywhere one comes to everything.
        assert all(f'<a href="{place}"' in page.text for place in ("/new", "/learn", "/analysis"))
        # Nothing is written into a page that its policy would not allow.
        assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page.text)
        assert "script-src 'self';" in page.headers["content-security-policy"]


def test_every_anchor_that_the_page_about_the_documents_cites_is_there(one: Client) -> None:
    cited = (HOUSE / "docs" / "why" / "documents.md").read_text(encoding="utf-8")
    anchors = set(re.findall(r"`(/[\w/-]+)#([\w-]+)`", cited))
    assert anchors
    pages = {path: one.get(path).text for path, _ in anchors}
    assert [(path, name) for path, name in anchors if f'id="{name}"' not in pages[path]] == []


@pytest.mark.parametrize("path", ["/nothing", "/game/nothing", "/rules/go/x", "/static/x/y.js"])
def test_what_there_is_not_is_said_plainly(served: Served, path: str) -> None:
    page = Client(served.address).get(path)
    assert page.status in (400, 404) and "Traceback" not in page.text


@pytest.mark.parametrize(
    "form",
    [
        {"game": "tzaar"},
        {"game": "chess", "with": "screen"},
        {"game": "tzaar", "with": "engine:/bin/sh"},
        {"game": "tzaar", "with": "bot:11"},
        {"game": "tzaar", "with": "screen", "clock": "soon"},
        {"game": "corridor", "with": "screen", "Players": "7"},
        {"game": "corridor", "with": "screen", "name": "bot:3"},
        {"game": "arimaa", "with": "screen", "rules": "none"},
    ],
)
def test_a_game_that_cannot_be_is_refused_in_a_sentence(
    served: Served, form: dict[str, str]
) -> None:
    page = Client(served.address).ask("POST", "/new", form)
    assert page.status == 400 and "Traceback" not in page.text and "<h1>" in page.text


def test_a_position_that_cannot_be_read_is_refused_beside_its_field(served: Served) -> None:
    form = {"game": "arimaa", "with": "screen", "position": "2g 8/8"}
    page = Client(served.address).ask("POST", "/new", form)
    field = re.search(r'<input name="position"[^>]*>', page.text)
    assert page.status == 400 and field
    assert 'value="2g 8/8"' in field[0] and 'aria-describedby="unread"' in field[0]


def test_a_link_shown_takes_no_seat_and_leads_to_it_once(served: Served) -> None:
    one, two, three = (Client(served.address) for _ in range(3))
    _, links = one.new_game(game="corridor", **{"with": "friend"})
    for _ in range(3):
        page = two.get(links[0])
        assert page.status == 200 and 'href="/rules/corridor/quoridor"' in page.text
    two.join(links[0], "Béla")
    assert three.ask("POST", links[0], {"name": "Cili"}).status == 400


def test_an_invitation_of_ones_own_is_to_be_sent_on(served: Served) -> None:
    one, two = Client(served.address), Client(served.address)
    wish = {"game": "corridor", "rules": "corridor", "Players": "3", "with": "seats"}
    seats = {"seat0": "me", "seat1": "link", "seat2": "link"}
    game, links = one.new_game(**wish, **seats)
    page = one.get(links[0])
    assert (
        "Your invitation: send the link to your opponent" in page.text
        and "Take the seat" not in page.text
    )
    assert f'value="{served.address.rstrip("/")}{links[0]}"' in page.text
    refused = one.post(links[0])
    assert refused.status == 400 and "send the link to somebody else" in refused.text
    two.join(links[0], "Béla")
    assert two.post(links[0]).status == 303, "a repeated form leads to the game"
    assert "Your invitation" in two.get(links[1]).text
    assert two.post(links[1]).status == 400, "a friend took both seats"
    three = Client(served.address)
    three.join(links[1], "Cili")
    assert three.get(f"/game/{game}").status == 200


def test_the_token_of_a_guest_is_nowhere_in_the_database_or_the_log(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("secret")
    with a_server(folder) as served:
        one = Client(served.address)
        _, links = one.new_game(game="tzaar", **{"with": "friend"})
        one.get("/nothing?token=" + one.cookie)
        served.stop()
    secrets = [one.cookie.split("=")[1].encode(), links[0].removeprefix("/join/").encode()]
    for path in folder.iterdir():
        if path.is_file():
            content = path.read_bytes()
            assert not any(secret in content for secret in secrets), path


def test_files_are_named_after_what_is_in_them_and_kept_for_ever(one: Client) -> None:
    game, _ = one.new_game(game="arimaa", **{"with": "screen"})
    page = one.get(f"/game/{game}")
    paths = set(re.findall(r"/static/[\w./-]+", page.text))
    assert len(paths) >= 4
    for path in paths:
        kept = one.get(path, Accept_Encoding="gzip")
        assert kept.status == 200 and "immutable" in kept.headers["cache-control"]
        assert kept.headers["content-encoding"] == "gzip"


def test_a_board_is_found_by_its_digest_and_kept(one: Client) -> None:
    game, _ = one.new_game(game="arimaa", **{"with": "screen"})
    digest = json.loads(one.get(f"/game/{game}/turn/0?seat=1").body)["view"]["board"]
    board = one.get(f"/game/{game}/board/{digest}?language=hu")
    assert board.status == 200 and json.loads(board.body)["seat"] == 1
    assert "immutable" in board.headers["cache-control"]
    assert one.get(f"/game/{game}/board/0123456789abcdef").status == 404
    assert one.get(f"/game/{game}/turn/7").status == 404
    assert one.get(f"/game/{game}/picture.svg").body.startswith(b"<svg")


async def test_a_board_is_found_when_the_game_has_another_since(one: Client) -> None:
    form = {"game": "corridor", "with": "screen", "Players": "4"}
    game, _ = await asyncio.to_thread(partial(one.new_game, **form))
    shown: list[str] = []
    async with one.play(game) as table:
        for _ in range(3):
            await table.until(lambda: table.game and table.game["view"]["board"] not in shown)
            shown.append(table.game["view"]["board"])
            assert (await table.ask("do", what="resign"))["t"] == "ok"
    for digest in shown:
        assert (await asyncio.to_thread(one.get, f"/game/{game}/board/{digest}")).status == 200


def test_a_house_is_called_by_its_own_names_alone(one: Client) -> None:
    headers = {"Host": "evil.example", "Origin": "http://evil.example"}
    assert one.ask("POST", "/new", {"game": "tzaar", "with": "screen"}, **headers).status == 403


def test_language_leads_back_to_our_own_pages_alone(one: Client) -> None:
    assert one.get("/language/hu?back=/new").headers["location"] == "/new"
    for elsewhere in ("//evil.example", "https://evil.example", "/\\evil.example"):
        assert one.get(f"/language/hu?back={elsewhere}").headers["location"] == "/"


def health_of(one: Client) -> tuple[int, object]:
    page = one.get("/healthz")
    return page.status, json.loads(page.body)


GOOD = (200, {"live": True, "ready": True})
BAD = (503, {"live": True, "ready": False, "why": "database"})


@pytest.mark.in_file
@pytest.mark.faults("the house is not ready", "the database failed", "a game is loaded anew")
@pytest.mark.faults("could not note that it is closed", "background work failed")
async def test_a_database_that_is_gone_is_told_to_probes_and_to_players(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        one = Client(served.address)
        game, _ = one.new_game(game="corridor", **{"with": "screen"})
        assert health_of(one) == GOOD
        (tmp_path / "house.db").unlink()
        wait_until(lambda: health_of(one) == BAD)
        assert one.get("/healthz/live").status == 200
        page = one.post("/new", game="corridor", **{"with": "screen"})
        assert page.status == 503 and "the database of the house does not answer" in page.text
        async with one.play(game) as table:
            assert "the database of the house does not answer" in (await table.turn("e2"))["why"]


@pytest.mark.in_file
@pytest.mark.faults("the house is not ready", "background work failed")
def test_a_full_disk_is_told_to_probes_until_there_is_room_again(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        one = Client(served.address)
        assert health_of(one) == GOOD
        before = resource.prlimit(served.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (1 << 14, before[1]))
        wait_until(lambda: health_of(one) == BAD)
        resource.prlimit(served.pid, resource.RLIMIT_FSIZE, before)
        wait_until(lambda: health_of(one) == GOOD)


def test_every_choice_of_a_start_can_be_played() -> None:
    for game in ROOMS:
        room = open_room(game)
        for rules in room.rule_sets:
            for option in room.rules.options:
                choices = option.choices(rules) or ()
                for value, told in choices:
                    given = {option.tag: value} if value else {}
                    assert str(told) and room.rules.start(rules, room.rules.settle(rules, given)), (
                        value
                    )
                if choices:  # the first is what comes of no choice, but for what chance decides
                    usual = {
                        k: v for k, v in room.rules.settle(rules, {}).items() if k == option.tag
                    }
                    assert usual in ({}, {option.tag: choices[0][0]})


def test_pictures_of_rule_sets_are_kept_for_ever_and_starts_are_shown_as_chosen(
    one: Client,
) -> None:
    page = one.get("/new?game=corridor&rules=great-wall&Players=3&clock=5%2B5")
    pictures = set(re.findall(r"/new/[0-9a-f]{16}/corridor/[\w-]+\.svg", page.text))
    assert len(pictures) == len(open_room("corridor").rule_sets)
    for path in pictures:
        kept = one.get(path)
        assert kept.body.startswith(b"<svg") and "immutable" in kept.headers["cache-control"]
    assert page.text.count('<p class="line seatline">') == 3
    small, large = (one.get(f"/new/start.svg?game=corridor&Size={size}").text for size in (3, 9))
    assert small.count("<path") < large.count("<path")
    refused = one.get("/new?game=corridor&rules=quoridor&Players=5")
    assert refused.status == 200 and "not for 5 players" in refused.text


def test_the_level_is_the_one_for_a_first_game_and_then_the_one_played_last(served: Served) -> None:
    one, chosen = Client(served.address), 'value="bot:{}" checked'
    assert chosen.format(2) in one.get("/new?game=tzaar").text
    for level in (3, 5):
        one.new_game(game="tzaar", **{"with": f"bot:{level}"})
    assert chosen.format(5) in one.get("/new?game=tzaar").text
    assert chosen.format(2) in one.get("/new?game=corridor").text


def test_each_seat_is_given_as_it_was_chosen(one: Client) -> None:
    seats = {"seat0": "bot:2", "seat1": "me", "seat2": "link", "seat3": "bot:pathfinder"}
    game, links = one.new_game(game="corridor", Players="4", **{"with": "seats"}, **seats)
    assert len(links) == 1
    page = one.get(f"/game/{game}")
    assert "computer, level 2" in page.text and "pathfinder" in page.text


def test_the_worker_is_a_new_one_for_new_files_and_the_house_can_be_installed(one: Client) -> None:
    worker = one.get("/worker.js")
    stamp = re.search(r'STAMP = "([0-9a-f]{12})"', worker.text)
    assert stamp and f"/static/{stamp[1]}/page/page.css" in one.get("/").text
    manifest = json.loads(one.get("/manifest.webmanifest").body)
    for icon in manifest["icons"]:
        picture = one.get(icon["src"])
        width = int.from_bytes(picture.body[16:20])
        assert picture.status == 200 and icon["sizes"] == f"{width}x{width}"


def test_an_invitation_shows_the_board_and_says_in_a_sentence_what_is_played(
    served: Served,
) -> None:
    anna, bela = Client(served.address), Client(served.address)
    wish = {"game": "corridor", "rules": "corridor", "Players": "3", "clock": "5+5"}
    seats = {"seat0": "me", "seat1": "link", "seat2": "bot:2"}
    game, (link,) = anna.new_game(**wish, name="Anna", **{"with": "seats"}, **seats)
    page = bela.get(link).text
    told = "You play West against Anna (guest), computer, level 2; lively: 5 minutes, and 5 seconds a turn."
    assert "walls are one square long" in page
    assert re.findall("You play .*", page)[0].removesuffix("</p>") == told
    assert f'src="/game/{game}/picture.svg?seat=1"' in page
    assert bela.get(f"/game/{game}/picture.svg?seat=1").body.startswith(b"<svg")


def test_a_link_that_is_sent_shows_a_title_and_a_picture(served: Served, stranger: Client) -> None:
    game, _ = stranger.new_game(game="tzaar", **{"with": "bot:1"})
    page = stranger.get(f"/game/{game}").text
    (picture,) = re.findall(r'property="og:image" content="([^"]+)"', page)
    assert picture == f"{served.address.rstrip('/')}/game/{game}/picture.png"
    assert re.search(r'property="og:title" content="TZAAR', page)
    there = picture.removeprefix(served.address.rstrip("/"))
    answer = stranger.get(there)
    assert answer.status == 200 and answer.headers["content-type"] == "image/png"
    assert stranger.get(f"{there}?turn=99").status == 404
    (usual,) = re.findall(r'property="og:image" content="([^"]+)"', stranger.get("/lobby").text)
    assert stranger.get(usual.removeprefix(served.address.rstrip("/"))).status == 200


def test_a_house_that_cannot_draw_png_shows_its_own_picture_with_every_link(tmp_path: Path) -> None:
    with a_server(tmp_path, plain=True) as served:
        anna = Client(served.address)
        game, (invitation,) = anna.new_game(game="tzaar", **{"with": "friend"})
        for path in (f"/game/{game}", f"/game/{game}?turn=0", invitation):
            page = Client(served.address).get(path).text
            (picture,) = re.findall(r'property="og:image" content="([^"]+)"', page)
            assert picture.endswith("/icons/icon-512.png"), path
        assert anna.get(f"/game/{game}/picture.png").status == 404
        assert anna.get(f"/game/{game}/picture.svg").status == 200
