"""Notes on games that are over, as their readers and people with bad intentions meet them."""

import io
import json
import re
import zipfile
from pathlib import Path

from house.houses import PASSWORD
from house.web.clients import Client
from house.web.served import Served
from house.web.test_chat import an_admin, two_at_a_game
from house.web.test_people import register
from trine.house.talk.chat import MAX_NOTE_LENGTH, MAX_NOTES
from trine.house.web.rate_limits import WINDOW

OWN_HOUSE = {"address_credits": 20_000}


async def a_finished_game(served: Served, one: str, two: str) -> tuple[Client, Client, str]:
    """A game that its second player has given up after a turn."""
    first, second, game = two_at_a_game(served, one, two)
    async with first.play(game) as south, second.play(game) as north:
        await south.my_turn()
        assert (await south.turn("e2"))["t"] == "ok"
        assert (await north.ask("do", what="resign"))["t"] == "ok"
    return first, second, game


def notes_on(client: Client, game: str) -> list[tuple[str, str, str]]:
    """The notes that somebody sees: the turn, the author, the words."""
    page = client.get(f"/game/{game}").text
    told = page.partition('id="notes"')[2]
    found = re.findall(
        r'<li id="note-\d+".*?<p class="by">(?:<a[^>]*>|<span>)(.*?)<.*?<bdi>(.*?)</bdi>.*?'
        r'<p class="words"><bdi>(.*?)</bdi>',
        told,
        re.DOTALL,
    )
    return [(turn, name, words) for turn, name, words in found]


def number_of(client: Client, game: str, words: str) -> str:
    page = client.get(f"/game/{game}").text
    numbers: list[str] = re.findall(r'id="note-(\d+)"', page.partition(words)[0])
    return numbers[-1]


def leave(client: Client, game: str, words: str, turn: str = "") -> int:
    return client.post(f"/game/{game}/notes", words=words, turn=turn).status


async def test_notes_are_left_and_read_and_belong_to_turns(served: Served) -> None:
    anna, bela, game = await a_finished_game(served, "Anna N", "Bela N")
    visitor, stranger = register(served, "Visitor N"), Client(served.address)
    assert leave(anna, game, "well <b>played</b> \u202eeltit\u2066", "1") == 303
    assert leave(visitor, game, "a short game") == 303
    assert notes_on(stranger, game) == [
        ("the whole game", "Visitor N", "a short game"),
        ("1s", "Anna N", "well &lt;b&gt;played&lt;/b&gt; eltit"),
    ]
    back = bela.post(f"/game/{game}/notes", words="and I", turn="1").headers["location"]
    assert back == f"/game/{game}?turn=1#note-{number_of(bela, game, 'and I')}"
    page = stranger.get(f"/game/{game}").text
    assert '<li class="noted">1s' in page and "need an account" in page
    assert '/notes"' not in page, "strangers have no form"
    for words, turn in (("", ""), (" \u200b ", ""), ("x" * (MAX_NOTE_LENGTH + 1), ""), ("a", "2")):
        assert leave(anna, game, words, turn) == 400, (words, turn)
    assert leave(stranger, game, "I too") == 403
    stranger.post("/name", name="Somebody N")
    assert leave(stranger, game, "I too") == 400, "guests have the sentences of the chat"
    forged = {"words": "forged", "turn": ""}
    assert anna.ask("POST", f"/game/{game}/notes", forged, Origin="https://x").status == 403
    async with anna.play(game) as table:
        await table.until(lambda: bool(table.chat))
        assert table.lines == [], "notes are no talk"
        await table.send({"t": "say", "id": "a", "room": "notes", "words": "by another way"})
        await table.until(lambda: bool(table.refused))


async def test_while_a_game_runs_nobody_leaves_notes(served: Served) -> None:
    anna, _, game = two_at_a_game(served, "Anna W", "Bela W")
    assert leave(anna, game, "e8 is weak") == 400
    assert 'id="notes" hidden' in anna.get(f"/game/{game}").text
    async with anna.play(game) as table:
        assert (await table.ask("do", what="abort"))["t"] == "ok"
    assert leave(anna, game, "nothing was played") == 400


async def test_nobody_floods_a_game_with_notes(served: Served) -> None:
    anna, bela, game = await a_finished_game(served, "Anna F", "Bela F")
    answers = [leave(anna, game, f"note {number}") for number in range(MAX_NOTES + 3)]
    assert answers.count(303) < MAX_NOTES and answers[-1] == 429, "six in 20 seconds"
    refused = anna.post(f"/game/{game}/notes", words="one more", turn="")
    assert 1 <= int(refused.headers["retry-after"]) <= WINDOW
    assert leave(bela, game, "one of mine") == 303


async def test_notes_are_blocked_removed_reported_and_muted(served: Served, folder: Path) -> None:
    anna, eve, game = await a_finished_game(served, "Anna M", "Eve M")
    mary, stranger = an_admin(served, folder, "Mary M"), Client(served.address)
    assert leave(eve, game, "you fool") == leave(eve, game, "what luck") == 303
    assert leave(anna, game, "my own") == 303
    fool = f"/game/{game}/notes/{number_of(eve, game, 'you fool')}"
    own = f"/game/{game}/notes/{number_of(anna, game, 'my own')}"
    for client, path, what in ((anna, fool, "remove"), (eve, fool, "block"), (eve, fool, "x")):
        assert client.post(path, what=what, why="abuse").status == 400, what
    assert stranger.post(fool, what="report", why="abuse").status == 403
    assert anna.post(f"/game/{game}/notes/999", what="report", why="abuse").status == 400
    assert anna.post(own, what="remove").status == 303
    assert anna.post(own, what="remove").status == 400, "it is gone"
    assert anna.post(fool, what="report", why="none").status == 400
    assert "Thank you" in anna.post(fool, what="report", why="abuse").text
    page = mary.get("/moderation").text
    assert "you fool" in page and "what luck" in page, "moderators see the notes around"
    report = page.split('action="')[1].split('"')[0]
    assert mary.post(report, what="delete").status == 303
    assert [words for _, _, words in notes_on(anna, game)] == ["what luck"]
    assert "<del>" in mary.get("/moderation").text, "moderators still see it"
    assert mary.post(report, what="mute", term="day").status == 303
    assert leave(eve, game, "again") == 400
    luck = f"/game/{game}/notes/{number_of(anna, game, 'what luck')}"
    assert anna.post(luck, what="block").status == 303
    assert notes_on(anna, game) == [] and len(notes_on(stranger, game)) == 1
    assert mary.post(luck, what="remove").status == 303
    assert notes_on(stranger, game) == []
    assert mary.get("/moderation").text.count("<td>line deleted</td>") == 2


async def test_notes_are_ones_own_data_and_go_with_the_account(served: Served) -> None:
    anna, bela, game = await a_finished_game(served, "Anna O", "Bela O")
    assert leave(anna, game, "remember me", "1") == 303
    with zipfile.ZipFile(io.BytesIO(anna.get("/account/export").body)) as files:
        (line,) = json.loads(files.read("about-you.json"))["chat"]
    assert (line["words"], line["room"], line["turn"]) == ("remember me", "notes", 1)
    assert anna.post("/account/delete", password=PASSWORD).status == 303
    assert notes_on(bela, game) == []
    assert "remember me" not in bela.get(f"/game/{game}").text
