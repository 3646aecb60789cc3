"""What administrators do on their pages, over HTTP: games that count for nobody."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from cli.commands.test_house import run
from databases import place_in, url_in
from house.houses import PASSWORD, a_house, members
from house.test_farming import win
from house.web.browsing import LANGUAGES_BY_WIDTH, PHONE, a_page, check, fits
from house.web.clients import Client
from house.web.served import Served, a_server
from trine.house.ratings.tables import all_ratings
from trine.house.store.store import Store
from trine.house.tables import SCHEMA

PAGE = "/moderation/ratings"


def furnish(folder: Path, *others: str) -> list[str]:
    """A house with an administrator, and with games that look farmed."""

    async def story() -> list[str]:
        async with a_house(folder) as house:
            _, anna, bela, *_ = await members(house, "Mary", "Anna", "Bela", *others)
            return [await win(house, anna, bela) for _ in range(3)]

    games = asyncio.run(story())
    there = ("--database", url) if (url := url_in(folder)) else ("--data", str(folder))
    assert run("admin", "Mary", *there).exit_code == 0
    return games


def rated(folder: Path) -> set[str]:
    with Store.open(place_in(folder), SCHEMA) as store:
        return {row.game for row in store.read(all_ratings)}


@dataclass
class House:
    served: Served
    folder: Path
    games: list[str]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    games = furnish(folder, "Cara", "Dora", "Emil", "Fred", "Gina", "Hana")
    with a_server(folder, address_credits=20_000) as served:
        yield House(served, folder, games)


def test_an_administrator_lets_games_count_for_nobody_and_again(house: House) -> None:
    served, games = house.served, house.games
    mary, anna = Client(served.address), Client(served.address)
    assert mary.post("/account/login", name="Mary", password=PASSWORD).status == 303
    assert anna.post("/account/login", name="Anna", password=PASSWORD).status == 303
    assert anna.get(PAGE).status == 403
    for path in (f"{PAGE}/annul", f"{PAGE}/allow"):
        assert anna.ask("POST", path, {f"game-{games[0]}": "on", "game": games[0]}).status == 403
    assert mary.get(f"{PAGE}?days=3").status == 404
    page = mary.get(f"{PAGE}?days=1").text
    assert all(f'href="/game/{game}"' in page for game in games)
    assert mary.ask("POST", f"{PAGE}/annul", {f"game-{games[1]}": "on", "days": "1"}).status == 303
    assert rated(house.folder) == {games[0], games[2]}
    for game, told in ((games[0], False), (games[1], True)):
        assert ("has annulled this game" in anna.get(f"/game/{game}").text) is told
    hidden = dict(re.findall(r'name="(person|other)" value="(\w+)"', page))
    form = {**hidden, "days": "1", "what": "all"}
    assert mary.ask("POST", f"{PAGE}/annul", form).status == 303
    assert rated(house.folder) == set()
    page = mary.get(PAGE).text
    assert page.count('action="/moderation/ratings/allow"') == 3
    assert mary.post(f"{PAGE}/allow", game=games[0]).status == 303
    assert rated(house.folder) == {games[0]}
    form = {"person": hidden["person"], "days": "1", "what": "person"}
    assert mary.ask("POST", f"{PAGE}/annul", form).status == 303
    assert rated(house.folder) == set()
    log = mary.get("/moderation").text
    assert log.count("games annulled") == 3 and "games reinstated" in log


def test_an_administrator_makes_a_link_for_a_new_password(house: House) -> None:
    served = house.served
    mary, cara = Client(served.address), Client(served.address)
    mary.post("/account/login", name="Mary", password=PASSWORD)
    cara.post("/account/login", name="Cara", password=PASSWORD)
    assert cara.post("/moderation/password", name="Dora").status == 403
    for name, why in (("Nobody", "no account"), ("Mary", "only the host")):
        page = mary.post("/moderation/password", name=name)
        assert page.status == 400 and why in page.text
    shown = mary.post("/moderation/password", name="cara").text
    link = re.findall(r'value="http://[^/]+(/letters/reset/[^"]+)"', shown)
    assert len(link) == 1 and link[0] not in mary.get("/moderation").text
    assert "password link" in mary.get("/moderation").text
    other = Client(served.address)
    assert "New password" in other.get(link[0]).text
    assert other.post(link[0], password="five new rabbits").status == 200
    assert cara.get("/account/export").status == 403, "she is still logged in"
    assert other.post(link[0], password="six new rabbits").status == 404
    assert cara.post("/account/login", name="Cara", password=PASSWORD).status == 400
    assert cara.post("/account/login", name="Cara", password="five new rabbits").status == 303


def test_administrators_mute_rename_and_cancel_without_a_report(house: House) -> None:
    served = house.served
    mary, hana, other = (Client(served.address) for _ in range(3))
    for client, name in ((mary, "Mary"), (hana, "Hana")):
        assert client.post("/account/login", name=name, password=PASSWORD).status == 303
    act = {"name": "Hana", "what": "mute", "term": "day", "why": "spam"}
    assert hana.ask("POST", "/moderation/act", act).status == 403
    made = hana.post("/analysis", **{"from": "text", "text": "1. e2 e8 2. e3 e7"})
    study = made.headers["location"]
    assert other.get(study).status == 200
    assert mary.ask("POST", "/moderation/act", act).status == 303
    assert other.get(study).status == 404, "what a muted person keeps there reaches nobody"
    assert hana.get(study).status == 200
    assert "reaches others" in hana.post("/account/name", name="Hani").text
    for wrong, why in (
        ({"name": "Nobody", "what": "mute", "term": "day", "why": ""}, "no account"),
        ({"name": "Mary", "what": "rename", "new": "Maria"}, "cannot be sanctioned"),
        ({"name": "Hana", "what": "praise", "term": "day", "why": ""}, "no such sanction"),
        ({"what": "cancel", "tournament": "/tournament/none"}, "tournament"),
    ):
        page = mary.ask("POST", "/moderation/act", wrong)
        assert page.status == 400 and why in page.text
    rename = {"name": "Hana", "what": "rename", "new": "Hanna"}
    assert mary.ask("POST", "/moderation/act", rename).status == 303
    assert "Hanna" in hana.get("/account").text
    log = mary.get("/moderation").text
    assert "<td>renamed</td><td>Hanna</td><td>Hana</td>" in log


def test_who_is_banned_creates_no_other_account_in_the_same_browser(house: House) -> None:
    served = house.served
    mary, emil, fred = (Client(served.address) for _ in range(3))
    for client, name in ((mary, "Mary"), (emil, "Emil"), (fred, "Fred")):
        assert client.post("/account/login", name=name, password=PASSWORD).status == 303
    assert mary.ask("POST", "/player/Emil/report", {"why": "spam"}).status == 200
    report = re.findall(r"/moderation/report/(\w+)", mary.get("/moderation").text)[0]
    form = {"what": "ban", "term": "day"}
    assert mary.ask("POST", f"/moderation/report/{report}", form).status == 303
    done = mary.ask("POST", f"/moderation/report/{report}", {"what": "done"})
    assert done.status == 303
    log = mary.get("/moderation").text
    assert "<td>a day</td>" in log and "<td>advertising or nonsense</td>" in log
    assert emil.get("/account/export").status == 403
    page = emil.post("/account/register", name="Another", password=PASSWORD)
    assert page.status == 400 and "used in this browser" in page.text
    page = emil.post("/account/login", name="Fred", password=PASSWORD)
    assert page.status == 400 and "used in this browser" in page.text
    page = emil.ask("POST", "/new", {"game": "corridor", "with": "screen", "name": "Rude"})
    assert page.status == 400 and "used in this browser" in page.text, "nor as a guest"
    other = Client(served.address)
    assert other.post("/account/register", name="Another", password=PASSWORD).status == 303


def test_a_login_from_a_new_browser_is_told_on_every_page(house: House) -> None:
    served = house.served
    gina, stranger = Client(served.address), Client(served.address)
    form = {"name": "Gina", "password": PASSWORD}
    fox = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"}
    assert gina.ask("POST", "/account/login", form, **fox).status == 303
    assert "from a new browser" not in gina.get("/lobby").text
    assert stranger.ask("POST", "/account/login", form).status == 303
    assert "from a new browser" not in stranger.get("/account").text
    stranger.post("/account/seen", mine="yes")
    for path in ("/", "/lobby", "/learn", "/account"):
        assert "from a new browser" in gina.get(path).text
    assert "Firefox, Linux" in gina.get("/account").text
    gina.post("/account/logout")
    assert gina.ask("POST", "/account/login", form, **fox).status == 303
    assert "from a new browser" in gina.get("/learn").text, "the browser is not known again"
    assert stranger.get("/account/export").status == 200
    assert gina.post("/account/seen", mine="no").status == 303
    assert "from a new browser" not in gina.get("/account").text
    assert stranger.get("/account/export").status == 403, "the stranger is still logged in"
    assert stranger.ask("POST", "/account/login", form).status == 303
    assert "from a new browser" in gina.get("/account").text
    assert gina.post("/account/seen", mine="yes").status == 303
    assert "from a new browser" not in gina.get("/account").text


@pytest.fixture
def farmed(tmp_path: Path) -> list[str]:
    return furnish(tmp_path)


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_the_page_of_ratings_that_rose_is_used_on_a_phone(
    tmp_path: Path, farmed: list[str], browser: Browser, language: str
) -> None:
    games = farmed
    with a_server(tmp_path) as served, a_page(browser, PHONE) as page:
        page.goto(f"{served.address}language/{language}?back=/account")
        form = page.locator("form[action='/account/login']")
        form.locator("input[name=name]").fill("Mary")
        form.locator("input[name=password]").fill(PASSWORD)
        form.locator("button").click()
        page.wait_for_url("**/lobby")
        page.goto(f"{served.address}moderation/ratings")
        page.locator(".climber summary").click()
        check(page)
        page.locator(f"input[name=game-{games[0]}]").check()
        page.locator("button[value=chosen]").click()
        page.wait_for_selector(f".held a[href='/game/{games[0]}']")
        fits(page)
    assert rated(tmp_path) == {*games[1:]}
