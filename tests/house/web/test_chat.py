"""Chat at games, and its moderation, as players, watchers and people with bad intentions meet it."""

import asyncio
import io
import json
import re
import zipfile
from contextlib import AsyncExitStack
from pathlib import Path

from databases import url_in
from house.houses import PASSWORD
from house.web.clients import Client, Table
from house.web.served import Served
from house.web.test_api import a_bot
from house.web.test_people import name_on, register
from trine.cli.commands.house import admin
from trine.house.talk.chat import MAX_LENGTH, seemly_line

OWN_HOUSE = {"address_credits": 20_000}


def an_admin(served: Served, folder: Path, name: str) -> Client:
    client = register(served, name)
    assert admin.callback
    url = url_in(folder)
    admin.callback(data=None if url else folder, database=url, name=name, revoke=False)
    return client


def two_at_a_game(served: Served, one: str, two: str) -> tuple[Client, Client, str]:
    first, second = register(served, one), register(served, two)
    game, (link,) = first.new_game(game="corridor", side="0", **{"with": "friend"})
    second.join(link, "")
    return first, second, game


async def say(table: Table, room: str = "players", **what: str) -> dict[str, object]:
    return await table.ask("say", room=room, **what)


def words(table: Table) -> list[str]:
    return [line["words"] for line in table.lines]


async def test_players_and_watchers_talk_apart(served: Served) -> None:
    anna, bela, game = two_at_a_game(served, "Anna C", "Bela C")
    visitor = register(served, "Visitor C")
    async with AsyncExitStack() as stack:
        one, two, eye = [
            await stack.enter_async_context(c.play(game)) for c in (anna, bela, visitor)
        ]
        assert (await say(one, words="hi <b>Bela</b>"))["t"] == "ok"
        assert (await say(eye, "watchers", words="South is lost"))["t"] == "ok"
        assert (await say(two, preset="luck"))["t"] == "ok"
        await one.until(lambda: len(one.lines) == 2)
        assert words(one) == ["hi <b>Bela</b>", "Good luck!"]
        assert [line["own"] for line in one.lines] == [True, False]
        assert words(eye) == ["South is lost"]
        for table, room in ((one, "watchers"), (eye, "players")):
            assert (await say(table, room, words="let me in"))["t"] == "no"
        assert (await two.ask("do", what="abort"))["t"] == "ok"
        await one.until(lambda: one.chat["rooms"] == ["players", "watchers"])
        assert "South is lost" in words(one), "when the game is over players hear the watchers"
        assert "Good luck!" not in words(eye)
    async with bela.play(game, Accept_Language="hu") as again, visitor.play(game) as eye:
        await again.until(lambda: bool(again.lines))
        assert words(again)[0] == "hi <b>Bela</b>", "what was said is gone after coming back"
        await eye.until(lambda: bool(eye.chat))
        assert words(eye) == ["South is lost"]


async def test_guests_tap_and_nobody_floods(served: Served) -> None:
    host = register(served, "Host C")
    game, (link,) = host.new_game(game="corridor", **{"with": "friend"})
    guest = Client(served.address)
    guest.join(link, "Somebody")
    stranger = Client(served.address)
    async with host.play(game) as one, guest.play(game) as two, stranger.play(game) as eye:
        await two.until(lambda: bool(two.chat))
        assert two.chat["types"] is False
        assert "account" in str((await say(two, words="typed"))["why"])
        assert (await say(two, preset="hello"))["t"] == "ok"
        assert (await say(two, preset="no such"))["t"] == "no"
        assert (await say(eye, "watchers", preset="hello"))["t"] == "no", "nobody knows who it is"
        for given in ("", "  \u200b\u202e ", "x" * (MAX_LENGTH + 1)):
            assert (await say(one, words=given))["t"] == "no", given
        assert (await say(one, words="a\u202eevil\u2066 \x00\n tail"))["t"] == "ok"
        assert words(one)[-1] == "aevil tail"
        answers = [(await say(one, words=f"line {number}"))["t"] for number in range(8)]
        assert "no" in answers, "a flood"
        assert one.game["seats"], "the connection holds"


def test_lines_are_made_harmless() -> None:
    assert seemly_line("مرحبا") == "مرحبا", "what is written from the right is no trick"
    assert seemly_line("e\u0301\u0301\u0301\u0301\u0301") == "é\u0301\u0301"
    assert seemly_line("a\u2028b\u00a0c") == "a b c"
    assert seemly_line("🐪!") == "🐪!"


async def test_blocked_people_are_heard_no_more(served: Served) -> None:
    anna, bela, game = two_at_a_game(served, "Anna B C", "Bela B C")
    async with anna.play(game) as one, bela.play(game) as two:
        assert (await say(two, words="you fool"))["t"] == "ok"
        await one.until(lambda: bool(one.lines))
        number = one.lines[0]["n"]
        assert (await two.ask("mind", number=number, what="block"))["t"] == "no", "oneself"
        assert (await one.ask("mind", number=999, what="block"))["t"] == "no"
        answer = await one.ask("mind", number=number, what="block")
        assert answer["t"] == "ok" and "Bela" in answer["told"]
        await one.until(lambda: not one.lines)
        assert (await say(two, words="are you there?"))["t"] == "ok"
        assert (await say(one, words="yes"))["t"] == "ok"
        assert words(one) == ["yes"]
    page = bela.post("/challenge/Anna%20B%20C", game="corridor", clock="5+5")
    assert page.status == 400 and "does not want" in page.text
    account = anna.get("/account").text
    assert "Bela B C" in account
    person = account.split('name="person" value="')[1].split('"')[0]
    assert anna.post("/block", person=person).status == 303
    assert "Bela B C" not in anna.get("/account").text
    assert bela.post("/challenge/Anna%20B%20C", game="corridor", clock="5+5").status == 303


async def test_a_report_leads_to_a_mute_and_a_deleted_line(served: Served, folder: Path) -> None:
    anna, eve, game = two_at_a_game(served, "Anna R", "Eve R")
    mary = an_admin(served, folder, "Mary R")
    async with anna.play(game) as one, eve.play(game) as two:
        assert (await say(two, words="you <i>idiot</i>"))["t"] == "ok"
        await one.until(lambda: bool(one.lines))
        number = one.lines[0]["n"]
        assert (await one.ask("mind", number=number, what="report", why="none"))["t"] == "no"
        report = {"number": number, "what": "report", "why": "abuse"}
        assert (await one.ask("mind", **report))["t"] == "ok"
        assert (await one.ask("mind", **report))["t"] == "no", "the same again"
        for client in (anna, eve, Client(served.address)):
            assert client.get("/moderation").status == 403
        page = mary.get("/moderation").text
        assert "you &lt;i&gt;idiot&lt;/i&gt;" in page and "insults or threats" in page
        path = page.split('action="')[1].split('"')[0]
        assert path.startswith("/moderation/report/")
        for client in (anna, eve):
            assert client.post(path, what="mute", term="ever").status == 403
        assert mary.ask("POST", path, {"what": "mute", "term": "week"}, Origin="null").status == 403
        assert mary.post(path, what="delete").status == 303
        await one.until(lambda: not one.lines)
        assert mary.post(path, what="mute", term="week").status == 303
        muted = await say(two, preset="hello")
        assert muted["t"] == "no" and "until" in str(muted["why"])
        page = mary.get("/moderation").text
        assert "<del>" in page, "moderators still see what was deleted"
        assert mary.post(path, what="done").status == 303
        page = mary.get("/moderation").text
        assert "There are no reports" in page
        for what in ("line deleted", "mute", "report done", "administrator named"):
            assert f"<td>{what}</td>" in page, what
        lift = page.split('action="/moderation/sanction/')[1].split('"')[0]
        assert eve.post(f"/moderation/sanction/{lift}").status == 403
        assert mary.post(f"/moderation/sanction/{lift}").status == 303
        assert (await say(two, preset="hello"))["t"] == "ok"


async def test_a_guest_who_is_reported_can_lose_the_name(served: Served, folder: Path) -> None:
    host = register(served, "Rita")
    game, (link,) = host.new_game(game="corridor", **{"with": "friend"})
    guest, mary = Client(served.address), an_admin(served, folder, "Mary G")
    guest.join(link, "Rude Name")
    async with host.play(game) as one, guest.play(game) as two:
        assert (await say(two, preset="hello"))["t"] == "ok"
        await one.until(lambda: bool(one.lines))
        report = {"number": one.lines[0]["n"], "what": "report", "why": "abuse"}
        assert (await one.ask("mind", **report))["t"] == "ok"
        page = mary.get("/moderation").text
        path = page.split("Rude Name", 1)[1].split('action="')[1].split('"')[0]
        for what in ("rename", "done"):
            assert mary.post(path, what=what, term="day").status == 303
        await one.until(lambda: one.lines[0]["name"].startswith("Guest "))
    page = mary.get("/moderation").text
    assert "<td>renamed</td>" in page and "<td>Rude Name</td>" in page
    assert "Rude Name" not in Client(served.address).get(f"/game/{game}").text


def test_a_guest_with_a_rude_name_who_never_speaks_is_reported_where_it_is_seen(
    served: Served, folder: Path
) -> None:
    rita, guest = register(served, "Rita S"), Client(served.address)
    mary = an_admin(served, folder, "Mary S")
    game, (link,) = rita.new_game(game="corridor", **{"with": "friend"})
    guest.join(link, "Rude In Game")
    places = re.findall(rf'href="(/game/{game}/report/\d)"', rita.get(f"/game/{game}").text)
    assert len(places) == 1 and "/report/" not in guest.get(f"/game/{game}").text
    guest.post("/lobby", seek="rude00000000", game="corridor", clock="2d")
    places += re.findall(r'href="(/lobby/\w+/report/\d)"', rita.get("/lobby").text)
    for place, status in zip(places, (200, 400), strict=True):
        assert "Rude In Game" in rita.get(place).text and guest.get(place).status == 403
        assert rita.post(place, why="name").status == status, "one complaint is enough"
    for place in (f"/game/{game}/report/2", "/game/nothing/report/0", "/lobby/none/report/0"):
        assert rita.get(place).status == 404
    page = mary.get("/moderation").text
    path = page.split("Rude In Game", 1)[1].split('action="')[1].split('"')[0]
    assert mary.post(path, what="done").status == 303


async def test_who_is_banned_is_out_at_once(served: Served, folder: Path) -> None:
    mary = an_admin(served, folder, "Mary B")
    anna = register(served, "Anna Ban")
    eve, program = a_bot(served, "Eve Ban")
    assert program.ask("GET", "/api/account")[0] == 200
    assert (
        anna.post("/player/Eve%20Ban/report", why="cheating", words="it \u202echeats").status == 200
    )
    assert anna.post("/player/Anna%20Ban/report", why="cheating").status == 400
    page = mary.get("/moderation").text
    path = page.split('action="')[1].split('"')[0]
    assert "it cheats" in page
    assert mary.post(path, what="ban", term="never").status == 400
    assert mary.post(path, what="ban", term="day").status == 303
    assert name_on(eve) == "", "the session is still good"
    refused = eve.post("/account/login", name="Eve Ban", password=PASSWORD)
    assert refused.status == 400 and "closed until" in refused.text
    assert program.ask("GET", "/api/account")[0] == 401, "the token is still good"


async def test_what_somebody_said_is_theirs_and_goes_with_the_account(served: Served) -> None:
    anna, bela, game = two_at_a_game(served, "Anna D C", "Bela D C")
    async with anna.play(game) as one:
        assert (await say(one, words="remember me"))["t"] == "ok"
    with zipfile.ZipFile(io.BytesIO(anna.get("/account/export").body)) as files:
        told = json.loads(files.read("about-you.json"))
    assert [line["words"] for line in told["chat"]] == ["remember me"]
    assert anna.post("/account/delete", password=PASSWORD).status == 303
    await asyncio.sleep(0)
    async with bela.play(game) as two:
        await two.until(lambda: bool(two.chat))
        assert "remember me" not in json.dumps(two.lines)
        assert "Anna" not in json.dumps(two.lines)
