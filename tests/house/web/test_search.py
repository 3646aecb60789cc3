"""The search and rated games against levels over HTTP: pages without script, and the API."""

import asyncio

from house.web.clients import Client
from house.web.served import Served
from house.web.test_api import a_bot
from house.web.test_people import register
from trine.engine.players.player import FULL
from trine.house.ratings.ratings import anchors_of

OWN_HOUSE = {"address_credits": 20_000}


def test_people_and_games_are_found_without_script(served: Served) -> None:
    anna, stranger = register(served, "Anna S"), Client(served.address)
    page = stranger.get("/search?name=ann").text
    assert 'href="/player/Anna%20S"' in page
    assert "No account has a name" in stranger.get("/search?name=%3Cb%3Ezz").text
    listed, _ = anna.new_game(game="tzaar", listed="on", **{"with": "bot:1"})
    private, _ = anna.new_game(game="tzaar", **{"with": "bot:1"})
    page = stranger.get("/search/games?player=anna+s&game=tzaar&result=running").text
    assert f"/game/{listed}" in page and private not in page
    assert f"/game/{private}" in anna.get("/search/games?mine=1").text
    for wrong in ("player=%3Cscript%3E", "game=chess", "since=soon", "game=tzaar&rules=none"):
        refused = stranger.get(f"/search/games?{wrong}")
        assert refused.status == 400 and "<script>" not in refused.text
        assert 'role="alert"' in refused.text
    for strange in ("after=x", "after=1e999-a", "after=1-%27", "players=9", "kind=%00"):
        assert stranger.get(f"/search/games?{strange}").status == 200, strange
    for path in ("/", "/lobby"):
        assert 'href="/search"' in stranger.get(path).text


def test_a_profile_without_rated_games_shows_the_last_games_that_one_may_see(
    served: Served,
) -> None:
    anna, stranger = register(served, "Anna C"), Client(served.address)
    page = stranger.get("/player/Anna%20C").text
    assert "No rated game has been played yet." in page and "Last games" not in page
    listed, _ = anna.new_game(game="tzaar", listed="on", **{"with": "bot:1"})
    private, _ = anna.new_game(game="tzaar", **{"with": "bot:1"})
    page = stranger.get("/player/Anna%20C").text
    assert "Last games" in page and f"/game/{listed}" in page and private not in page
    assert f"/game/{private}" in anna.get("/player/Anna%20C").text


def test_when_nobody_plays_the_lobby_replays_the_last_game(served: Served) -> None:
    anna, stranger = Client(served.address), Client(served.address)

    async def play(**listed: str) -> str:
        game, _ = anna.new_game(game="corridor", **{"with": "screen"}, **listed)
        async with anna.play(game) as table:
            assert (await table.turn("e2"))["t"] == "ok"
            if listed:
                replayed = "data-turns" in stranger.get("/lobby?game=corridor&show=corridor").text
                assert not replayed, "a game is there to be watched"
            await table.ask("do", what="resign")
        return game

    listed, private = asyncio.run(play(listed="on")), asyncio.run(play())
    page = stranger.get("/lobby?game=corridor&show=corridor").text
    assert f'/game/{listed}/picture.svg" data-turns="1"' in page and private not in page


def test_one_s_own_games_are_found_from_every_page_by_guests_too(served: Served) -> None:
    guest, other = Client(served.address), Client(served.address)
    game, _ = guest.new_game(game="tzaar", **{"with": "bot:1"})
    assert 'href="/games"' in guest.get("/").text
    assert f"/game/{game}" in guest.get("/games").text
    assert f"/game/{game}" not in other.get("/games").text
    assert other.get("/games?after=x").status == 200


def test_there_are_leaders_of_every_discipline_and_of_no_other(stranger: Client) -> None:
    assert "TZAAR" in stranger.get("/leaders?game=tzaar&rules=open&speed=blitz").text
    for wrong in ("game=chess", "game=tzaar&rules=none", "speed=%3Cb%3E"):
        assert stranger.get(f"/leaders?{wrong}").status == 404


def test_programs_search_by_the_api(served: Served) -> None:
    _, program = a_bot(served, "Seeker")
    anna = register(served, "Anna Q")
    game, _ = anna.new_game(game="corridor", listed="on", **{"with": "bot:2"})
    hidden, _ = anna.new_game(game="corridor", **{"with": "bot:2"})
    status, told = program.ask("GET", "/api/people?name=anna+q")
    assert (status, [one["name"] for one in told["people"]]) == (200, ["Anna Q"])
    status, told = program.ask("GET", "/api/games?player=Anna+Q")
    (one,) = told["games"]
    assert (one["id"], one["game"], one["scores"]) == (game, "corridor", [None, None])
    assert "computer, level 2" in one["players"] and hidden not in str(told)
    assert program.ask("GET", "/api/games?player=Nobody+At+All")[0] == 409
    assert Client(served.address).get("/api/people?name=a").status == 401


def test_a_rated_game_against_a_level_is_asked_for_on_the_page(served: Served) -> None:
    anna, guest = register(served, "Anna L"), Client(served.address)
    page = anna.get("/new?game=corridor").text
    anchors = anchors_of("corridor", "quoridor")
    assert 'name="rated"' in page and str(round(anchors[3].rating)) in page
    assert 'name="rated"' not in guest.get("/new?game=corridor").text
    assert page.count("· rating ") == len(anchors) < FULL
    wish = {"game": "corridor", "rated": "on", "side": "0", "with": "bot:3"}
    refused = anna.post("/new", **wish)
    assert refused.status == 400 and "has a clock" in refused.text
    assert 'name="rated" checked' in refused.text, "what was chosen stays"
    assert guest.post("/new", **wish, clock="5+5").status == 400
    game, _ = anna.new_game(**wish, clock="5+5")
    assert f"/game/{game}" in guest.get("/search/games?kind=rated").text
