"""The API: tokens, scopes, challenges and the stream of events, as a program meets them."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from house.web.clients import Client
from house.web.served import Served, a_server
from house.web.test_people import register
from trine.core.contract.record import read_records
from trine.games import new_play
from trine.house.api.api_routes import OPERATIONS, description
from trine.play.record.replay import replay
from waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
SCOPES = ("read", "challenge", "tournament", "play")


OWN_HOUSE = {"address_credits": 20_000}


@dataclass
class Program:
    served: Served
    token: str
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        status, _, told = self.ask_whole(method, path, body)
        return status, told

    def ask_whole(
        self, method: str, path: str, body: object = None
    ) -> tuple[int, Mapping[str, str], Any]:
        there = http.client.HTTPConnection(urlsplit(self.served.address).netloc, timeout=PATIENCE)
        given = {"Authorization": f"Bearer {self.token}"} | self.headers
        packed = body if isinstance(body, bytes) else json.dumps(body).encode() if body else None
        there.request(method, path, packed, given)
        answer = there.getresponse()
        told = json.loads(answer.read() or b"null")
        there.close()
        return answer.status, {name.lower(): told for name, told in answer.getheaders()}, told

    @contextmanager
    def events(self) -> Iterator[Events]:
        there = http.client.HTTPConnection(urlsplit(self.served.address).netloc, timeout=PATIENCE)
        there.request("GET", "/api/events", headers={"Authorization": f"Bearer {self.token}"})
        answer = there.getresponse()
        assert answer.status == 200
        try:
            yield Events(answer)
        finally:
            there.close()


@dataclass
class Events:
    answer: http.client.HTTPResponse

    def until(self, kind: str, **holds: object) -> dict[str, Any]:
        while line := self.answer.readline():
            event: dict[str, Any] = json.loads(line)
            if event["t"] == kind and all(event[name] == told for name, told in holds.items()):
                return event
        raise AssertionError(f"the stream ended before {kind}")


def token_of(client: Client, *scopes: str) -> str:
    page = client.post("/account/programs", name="my program", **dict.fromkeys(scopes, "yes"))
    assert page.status == 200, page.text
    return page.text.split('class="token" readonly value="')[1].split('"')[0]


def a_bot(served: Served, name: str) -> tuple[Client, Program]:
    client = register(served, name)
    assert client.post("/account/programs/bot").status == 303
    return client, Program(served, token_of(client, *SCOPES))


def test_two_programs_play_a_rated_game_over_http(served: Served) -> None:
    (_, one), (_, two) = a_bot(served, "Rook One"), a_bot(served, "Rook Two")
    assert one.ask("GET", "/api/account") == (
        200,
        {"name": "Rook One", "bot": True, "scopes": list(SCOPES)},
    )
    with one.events() as first, two.events() as second:
        wish = {"to": "rook two", "game": "corridor", "clock": "5+5", "rated": True, "side": 0}
        status, sent = one.ask("POST", "/api/challenges", wish)
        assert status == 200 and one.ask("POST", "/api/challenges", wish) == (200, sent)
        got = second.until("challenge")
        assert (
            got == {**sent, "own": False}
            and sent["own"]
            and got["by"]["bot"]
            and got["by"]["rating"] == "1500?"
        )
        assert first.until("challenge") == sent
        assert one.ask("POST", f"/api/challenges/{got['id']}", {"what": "accept"})[0] == 409
        status, begun = two.ask("POST", f"/api/challenges/{got['id']}", {"what": "accept"})
        assert (status, begun) == (200, {"game": got["id"]})
        assert first.until("challenge-gone")["id"] == got["id"]
        path = f"/api/games/{begun['game']}"
        game = first.until("game", id=begun["game"], mover=0)
        assert game["own"] == [0] and game["rated"] and [s["bot"] for s in game["seats"]] == [1, 1]
        turn = {"t": "turn", "id": "t.1", "at": game["seq"], "a": ["e2"]}
        assert two.ask("POST", path, turn)[0] == 409, "it is not South's turn to play for North"
        status, ok = one.ask("POST", path, turn)
        assert (status, ok["t"]) == (200, "ok")
        assert one.ask("POST", path, turn) == (200, ok), "sent again, it is not played again"
        seen = second.until("game", mover=1)
        assert [turn["words"] for turn in seen["turns"]] == ["e2"]
        assert 299 < seen["left"][1] <= 305 and seen["elapsed"] < PATIENCE
        stale = {"t": "turn", "id": "t.2", "at": game["seq"], "line": "e8"}
        status, no = two.ask("POST", path, stale)
        assert status == 409 and no["t"] == "no" and "meanwhile" in no["why"]
        wrong = {"t": "turn", "id": "t.3", "at": seen["seq"], "line": "e7"}
        assert two.ask("POST", path, wrong)[1]["t"] == "no"
        status, ok = two.ask("POST", path, {**stale, "id": "t.4", "at": seen["seq"]})
        for player, heard, mover, line in ((one, first, 0, "e3"), (two, second, 1, "e7")):
            assert status == 200
            seq = heard.until("game", mover=mover, seq=ok["seq"])["seq"]
            turn = {"t": "turn", "id": f"t.{line}", "at": seq, "line": line}
            status, ok = player.ask("POST", path, turn)
        assert status == 200
        assert one.ask("POST", path, {"t": "do", "id": "t.5", "what": "resign"})[0] == 200
        over = second.until("game", stage="over")
        assert over["winner"] == 1 and "resign" in over["result"]
    page = Client(served.address).get("/player/Rook%20Two")
    assert page.text.count('class="badge">bot<') == 2 and "1540?" in page.text
    bots = {bot["name"]: bot["ratings"] for bot in two.ask("GET", "/api/bots")[1]["bots"]}
    assert bots["Rook Two"] == {"corridor/quoridor rapid": "1540?"}
    record = Client(served.address).get(f"/game/{begun['game']}/record?download").text
    assert '[South "Rook One (bot)"]' in record and '[North "Rook Two (bot)"]' in record
    (read,) = read_records(record.splitlines(keepends=True))
    assert replay(read).outcome
    assert "Rook Two (bot)" in Client(served.address).get(f"/game/{begun['game']}").text


def test_a_start_by_chance_is_told_as_the_position(served: Served) -> None:
    """A program in another language need not have Python's random numbers."""
    (_, one), (_, two) = a_bot(served, "Dice One"), a_bot(served, "Dice Two")
    wish = {"to": "Dice Two", "game": "tzaar", "side": 0}
    status, got = one.ask("POST", "/api/challenges", wish)
    assert (status, got["start"]) == (200, {"Setup": "random"})
    assert one.ask("POST", "/api/challenges", wish) == (200, got), "another start is no other wish"
    game = two.ask("POST", f"/api/challenges/{got['id']}", {"what": "accept"})[1]["game"]
    (tag, position), *more = one.ask("GET", f"/api/games/{game}")[1]["start"].items()
    assert tag == "Start" and not more
    record = Client(served.address).get(f"/game/{game}/record?download").text
    (read,) = read_records(record.splitlines(keepends=True))
    assert new_play("tzaar", position).start == replay(read).start


def test_words_of_a_turn_may_leave_its_end_out(served: Served) -> None:
    (_, one), (_, two) = a_bot(served, "Elk"), a_bot(served, "Elkhound")
    wish = {"to": "Elkhound", "game": "arimaa", "side": 0}
    got = one.ask("POST", "/api/challenges", wish)[1]
    begun = two.ask("POST", f"/api/challenges/{got['id']}", {"what": "accept"})[1]
    path = f"/api/games/{begun['game']}"
    setups = (
        "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Db2 Hc2 Md2 Ee2 Hf2 Dg2 Ch2",
        "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 db7 hc7 md7 ee7 hf7 dg7 ch7",
    )
    for number, line in enumerate((*setups, "Ee2n Md2n")):
        program = (one, two)[number % 2]
        at = program.ask("GET", path)[1]["seq"]
        turn = {"t": "turn", "id": f"e.{number}", "at": at, "line": line}
        assert program.ask("POST", path, turn)[0] == 200, line
    told = one.ask("GET", path)[1]
    assert told["mover"] == 1 and told["turns"][2]["words"] == "Ee2n Md2n"


def test_a_person_challenges_a_program_from_its_page(served: Served) -> None:
    _, bot = a_bot(served, "Camel")
    anna = register(served, "Anna Prog")
    assert 'href="/challenge/Camel"' in anna.get("/player/Camel").text
    assert 'name="rated"' in anna.get("/challenge/Camel?game=tzaar").text
    with bot.events() as events:
        page = anna.post("/challenge/Camel", game="tzaar", clock="5+5", side="1", rated="on")
        assert (page.status, page.headers["location"]) == (303, "/lobby")
        assert "waits for an answer" in anna.get("/lobby").text
        got = events.until("challenge")
        assert got["by"]["name"] == "Anna Prog" and not got["by"]["bot"] and got["side"] == 1
        assert bot.ask("POST", f"/api/challenges/{got['id']}", {"what": "decline"})[0] == 200
        assert "waits for an answer" not in anna.get("/lobby").text
        assert bot.ask("POST", f"/api/challenges/{got['id']}", {"what": "accept"})[0] == 409
        wish = {"to": "Anna Prog", "game": "corridor", "clock": "3+2"}
        assert bot.ask("POST", "/api/challenges", wish)[0] == 200
    for place in ("/", "/lobby"):
        page = anna.get(place)
        assert "/accept" in page.text and 'class="badge">bot<' in page.text
    name = page.text.split('action="/challenges/')[1].split("/")[0]
    stranger = register(served, "Stranger P")
    assert stranger.post(f"/challenges/{name}/accept").status == 400
    assert (
        anna.ask("POST", f"/challenges/{name}/accept", {}, Origin="https://evil.test").status == 403
    )
    page = anna.post(f"/challenges/{name}/accept")
    assert page.status == 303 and page.headers["location"].startswith("/game/")
    assert anna.post(f"/challenges/{name}/accept").status == 400, "accepted twice"


def test_what_a_token_does_not_allow_is_refused(served: Served) -> None:
    client, bot = a_bot(served, "Narrow")
    reads = Program(served, token_of(client, "read"))
    wish = {"to": "Narrow", "game": "corridor"}
    for path, body in (("/api/challenges", wish), ("/api/games/x", {"t": "hint", "id": "1"})):
        status, told = reads.ask("POST", path, body)
        assert status == 403 and "does not allow" in told["error"], path
    person = register(served, "No Program")
    page = person.post("/account/programs", name="it", read="yes", play="yes")
    assert page.status == 400 and "accounts of programs alone" in page.text
    assert "There are no tokens." in page.text, "a token is listed with what it cannot do"
    others = Program(served, token_of(person, "read", "challenge"))
    status, told = others.ask("POST", "/api/games/x", {"t": "do", "id": "1", "what": "resign"})
    assert status == 403 and "accounts of programs" in told["error"]
    assert bot.ask("POST", "/api/challenges", wish)[0] == 409, "it challenged itself"
    for malformed in (b"{", b"[" * 4000, b'{"t":"turn"}', b'{"t":"hint","id":"1"}', b"\xff"):
        assert bot.ask("POST", "/api/games/x", malformed)[0] == 400, malformed
    assert bot.ask("POST", "/api/games/x", b" " * 5000)[0] == 413
    assert bot.ask("GET", "/api/games/x")[0] == 404
    assert bot.ask("POST", "/api/challenges", {**wish, "to": "Nobody Here"})[0] == 404
    assert bot.ask("POST", "/api/challenges", {"to": "Anna", "game": "chess"})[0] in (404, 409)


def test_tokens_end_and_are_not_guessed(served: Served, folder: Path) -> None:
    client, bot = a_bot(served, "Ended")
    shown = client.get("/account/programs").text
    assert bot.token not in shown, "a token is shown once"
    names = [folder / "house.db", folder / "house.db-wal"]
    assert not any(bot.token.encode() in path.read_bytes() for path in names if path.exists())
    for token in ("", "trine_", bot.token[:-1], bot.token.swapcase(), client.cookie):
        status, told = Program(served, token).ask("GET", "/api/account")
        assert status == 401 and "error" in told, token
    cookie = Program(served, "", {"Authorization": "", "Cookie": client.cookie})
    assert cookie.ask("GET", "/api/account")[0] == 401, "a cookie opens the API"
    as_cookie = Client(served.address, f"trine={bot.token}")
    assert as_cookie.get("/account/programs").status == 403, "a token opens the pages"
    with bot.events() as events:
        events.until("ping")
        mark = shown.split('name="token" value="')[1].split('"')[0]
        thief = register(served, "Thief")
        assert thief.post("/account/programs/revoke", token=mark).status == 303
        assert bot.ask("GET", "/api/account")[0] == 200, "another has revoked it"
        assert client.post("/account/programs/revoke", token=mark).status == 303
        assert not events.until("end")["again"]
    assert bot.ask("GET", "/api/account")[0] == 401, "a revoked token is replayed"


def test_an_account_that_has_played_stays_that_of_a_person(served: Served) -> None:
    player = register(served, "Player P")
    player.new_game(game="corridor", **{"with": "screen"})
    assert player.post("/account/programs/bot").status == 400
    assert "badge" not in player.get("/player/Player%20P").text


def test_a_second_stream_ends_the_first_and_keeps_the_player_there(served: Served) -> None:
    (_, one), (_, two) = a_bot(served, "Twice"), a_bot(served, "Thrice")
    got = one.ask("POST", "/api/challenges", {"to": "Thrice", "game": "corridor", "clock": "5+5"})
    begun = two.ask("POST", f"/api/challenges/{got[1]['id']}", {"what": "accept"})[1]
    with one.events() as first:
        assert first.until("game")["id"] == begun["game"], "running games are told at first"
        with one.events() as second:
            assert not first.until("end")["again"]
            assert second.until("game")["id"] == begun["game"]
            second.until("ping")


def test_a_house_that_closes_says_so_and_waits_for_nobody(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        _, bot = a_bot(served, "Left Behind")
        with bot.events() as events:
            events.until("ping")
            assert served.stop() == 0  # as it does while nobody reads
            assert events.until("end")["again"]


def test_the_description_follows_from_the_code(served: Served) -> None:
    told = json.loads(Client(served.address).get("/api/openapi.json").body)
    assert told == json.loads(json.dumps(description()))
    assert sum(len(methods) for methods in told["paths"].values()) == len(OPERATIONS)
    assert {"Turn", "Game", "Challenge"} <= set(told["components"]["schemas"])
    references = json.dumps(told).split('"#/components/schemas/')[1:]
    assert {one.split('"')[0] for one in references} <= set(told["components"]["schemas"])
