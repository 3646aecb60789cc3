"""The API beside games: its rates, tournaments that programs join, and the list of programs."""

import time

from house.web.served import Served
from house.web.test_api import Program, a_bot, token_of
from house.web.test_people import register

OWN_HOUSE = {"address_credits": 20_000}


def test_a_refusal_tells_when_to_come_back(served: Served) -> None:
    (_, bot), (_, other) = a_bot(served, "Patient"), a_bot(served, "Another")
    status, count = 200, 0
    while status == 200:
        status, headers, _ = bot.ask_whole("GET", "/api/account")
        count += 1
    assert status == 429 and count > 50 and headers["retry-after"] == "1"
    assert other.ask("GET", "/api/account")[0] == 200, "another pays for it"
    time.sleep(int(headers["retry-after"]))  # this is about time itself
    assert bot.ask("GET", "/api/account")[0] == 200, "it came back too early"
    _, unknown, _ = Program(served, "trine_").ask_whole("GET", "/api/account")
    assert unknown["www-authenticate"] == "Bearer" and "retry-after" not in unknown


def test_programs_join_a_tournament_and_play_its_game(served: Served) -> None:
    owner = register(served, "Arbiter")
    (_, one), (_, two) = a_bot(served, "Swiss One"), a_bot(served, "Swiss Two")
    given = {"game": "corridor", "format": "swiss", "name": "Programs", "clock": "3+2"}
    page = owner.ask("POST", "/tournaments", {**given, "listed": "on", "rated": "on"})
    name = page.headers["location"].rpartition("/")[2]
    path = f"/api/tournaments/{name}"
    (listed,) = [told for told in one.ask("GET", "/api/tournaments")[1] if told["id"] == name]
    assert (listed["format"], listed["stage"], listed["entrants"]) == ("swiss", "open", 0)
    status, told = one.ask("POST", path, {"what": "join"})
    assert status == 200 and told["joined"] and told["by"] == "Arbiter" and told["own"] == ""
    assert one.ask("POST", path, {"what": "join"})[1]["entrants"] == 1, "it joined twice"
    assert one.ask("POST", path, {"what": "leave"})[1]["places"] == []
    for program in (one, two):
        assert program.ask("POST", path, {"what": "join"})[0] == 200
    with one.events() as first, two.events() as second:
        first.until("ping")
        second.until("ping")
        assert owner.post(f"/tournament/{name}/begin").status == 303
        game = first.until("game", stage="playing")
        assert second.until("game", stage="playing")["id"] == game["id"]
        told = two.ask("GET", path)[1]
        assert told["stage"] == "running" and told["own"] == game["id"]
        assert {(place["name"], place["bot"]) for place in told["places"]} == {
            ("Swiss One", True),
            ("Swiss Two", True),
        }
        assert [(paired["round"], paired["game"]) for paired in told["pairings"]] == [
            (1, game["id"])
        ]
    assert one.ask("POST", path, {"what": "leave"})[1]["places"][0].keys() >= {"withdrawn"}
    withdrawn = [place["name"] for place in two.ask("GET", path)[1]["places"] if place["withdrawn"]]
    assert withdrawn == ["Swiss One"]
    narrow = Program(served, token_of(owner, "read", "challenge"))
    assert narrow.ask("POST", path, {"what": "join"})[0] == 403
    assert narrow.ask("GET", path)[0] == 200
    assert one.ask("GET", "/api/tournaments/none")[0] == 404
    assert one.ask("POST", path, {"what": "begin"})[0] == 400


def test_everybody_sees_which_programs_there_are(served: Served) -> None:
    _, bot = a_bot(served, "Aardvark")
    register(served, "Aardwolf")
    stranger = Program(served, "")
    with bot.events() as events:
        events.until("ping")
        status, told = stranger.ask("GET", "/api/bots")
    assert status == 200
    names = [one["name"] for one in told["bots"]]
    assert names[0] == "Aardvark" and "Aardwolf" not in names, "a person is no program"
    assert told["bots"][0]["here"] and told["bots"][0]["ratings"] == {}
    assert stranger.ask("GET", "/api/account")[0] == 401
