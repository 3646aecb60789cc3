"""Puzzles over HTTP: what is right, why not, ratings, streams, and the moments of a game."""

import asyncio
import json
import re
from typing import Any, Final

import pytest

from house.web.clients import Client
from house.web.served import Served
from house.web.test_people import register
from house.web.test_review_pages import TURNS, played
from trine.core.contract.position import Turn
from trine.engine.puzzles.puzzle import IMMEDIATE_WIN, Puzzle, shipped
from trine.games import BUNDLED_GAMES
from waiting import wait_until

PUZZLE: Final = next(
    one for one in shipped("corridor") if one.tries and IMMEDIATE_WIN not in one.themes
)


def place(puzzle: Puzzle = PUZZLE) -> str:
    return f"/puzzles/{puzzle.game}/{puzzle.name}"


def ids(turn: Turn) -> list[str]:
    return [str(action) for action in turn.actions]


def told(client: Client, path: str, **trial: Any) -> dict[str, Any]:
    page = client.send(f"{path}/try", json.dumps(trial).encode())
    assert page.status == 200, page.text
    answer: dict[str, Any] = json.loads(page.body)
    return answer


@pytest.mark.parametrize("trial", [b"[", b'{"a":2}', b"\xff", b'{"x":' + b"[" * 3000])
def test_a_try_that_is_none_is_refused_in_a_sentence(served: Served, trial: bytes) -> None:
    page = Client(served.address).send(f"{place()}/try", trial)
    assert page.status == 400 and json.loads(page.body).keys() == {"why"}


def test_the_solution_solves_a_puzzle_and_a_try_is_answered_on_the_board(one: Client) -> None:
    first, reply, *_ = PUZZLE.tries[0]
    answer = told(one, place(), a=ids(first))
    assert answer["state"] == "missed"
    assert PUZZLE.written(reply) in answer["told"] and ", and you " in answer["told"]
    assert answer["first"] != answer["view"], "the reply is seen after the turn"
    answer = told(one, place(), a=ids(PUZZLE.line[0]))
    assert answer["state"] == "solved"
    assert answer["rated"] is None, "guests have no rating"
    side = PUZZLE.start.seats[PUZZLE.start.mover].name
    assert re.search(rf'data-task="You play {side}\. You [^"]+\?"', one.get(place()).text)
    won = next(one for one in shipped("arimaa") if IMMEDIATE_WIN in one.themes)
    answer = told(one, place(won), a=ids(won.line[0]))
    assert answer["told"].startswith("Done! You have won: ")


def test_the_solution_is_played_on_the_board_turn_by_turn(served: Served) -> None:
    found = json.loads(Client(served.address).get(f"{place()}/solution").body)
    assert len(found["views"]) == len(PUZZLE.line) + 1
    assert PUZZLE.written(PUZZLE.line[0]) in found["told"]


def test_only_the_first_try_of_an_account_counts_and_help_counts_as_not_solved(
    served: Served,
) -> None:
    one, other = register(served, "Solver"), register(served, "Helped")
    solved = told(one, place(), a=ids(PUZZLE.line[0]))
    assert "your rating: 1" in solved["rated"] and "(+" in solved["rated"]
    assert told(one, place(), a=ids(PUZZLE.line[0]))["rated"] is None
    assert "(-" in told(other, place(), a=ids(PUZZLE.line[0]), helped=True)["rated"]
    assert "1 of 1 solved at the first try" in one.get("/puzzles").text
    assert "0 of 1 solved at the first try" in other.get("/puzzles").text


def test_streams_lead_through_all_their_puzzles_and_no_others(served: Served) -> None:
    one, theme = Client(served.address), PUZZLE.themes[0]
    usual = [puzzle for puzzle in shipped("corridor") if puzzle.rules == "quoridor"]
    wanted = {puzzle.name for puzzle in usual if theme in puzzle.themes}
    seen: list[str] = []
    for _ in range(min(5, len(wanted))):
        after = seen[-1] if seen else ""
        page = one.get(f"/puzzles/corridor/next?theme={theme}&after={after}")
        assert page.status == 303
        seen.append(page.headers["location"].split("?")[0].split("/")[-1])
    assert len(set(seen)) == len(seen) and set(seen) <= wanted
    assert one.get("/puzzles/corridor/next?theme=castling").status == 404
    assert one.get("/puzzles/corridor/nothing").status == 404


def test_puzzles_are_by_the_rules_that_one_plays_or_the_official_ones(served: Served) -> None:
    one = Client(served.address)
    assert "rules=quoridor" in one.get("/puzzles/corridor/next").headers["location"]
    one.new_game(game="corridor", rules="great-wall", **{"with": "screen"})
    assert "rules=great-wall" in one.get("/puzzles/corridor/next").headers["location"]
    french = Client(served.address).get("/puzzles/arimaa/next", Accept_Language="fr")
    assert "rules=classic" in french.headers["location"], "as the game that French readers play"
    asked = one.get("/puzzles/corridor/next?rules=corridor").headers["location"]
    assert "rules=corridor" in asked


def test_the_hall_shows_a_puzzle_of_the_day_for_each_game(served: Served) -> None:
    page = Client(served.address).get("/puzzles").text
    for game in BUNDLED_GAMES:
        assert any(f'href="/puzzles/{game}/{one.name}"' in page for one in shipped(game))
    assert "/puzzles" in Client(served.address).get("/").text
    for code, rules in (("ru", "ejection"), ("fr", "classic"), ("en", "official")):
        page = Client(served.address).get("/puzzles", Accept_Language=code).text
        found = [one.rules for one in shipped("arimaa") if f'/arimaa/{one.name}"' in page]
        assert found == [rules]


def reviewed(one: Client) -> str:
    """Play a game with a blunder; return the path of its moments once the game is reviewed."""
    path = f"/game/{asyncio.run(played(one, [*TURNS, 'a8h']))}/moments"

    def is_there() -> bool:
        page = one.get(path)
        assert page.status == 303 or (page.status == 200 and 'http-equiv="refresh"' in page.text)
        return page.status == 303

    wait_until(is_there)
    return path


def counts(one: Client, moment: str) -> list[str]:
    return re.findall(r"Tried by \d+, seen by \d+", one.get(moment).text)


def test_a_sent_moment_is_solved_by_anybody_who_has_its_link(served: Served) -> None:
    one, stranger = Client(served.address), Client(served.address)
    path = reviewed(one)
    assert f'action="{path}/send"' in one.get(f"{path}/1").text
    assert stranger.post(f"{path}/send", number="1").status == 400
    moment = one.post(f"{path}/send", number="1").headers["location"]
    assert moment.startswith("/moment/") and one.post(f"{path}/send").headers["location"] == moment
    assert one.post(f"{path}/send", number="3").headers["location"] == path, "there is none"
    page = stranger.get(moment)
    assert page.status == 200 and "missed this. Can you see it?" in page.text
    abroad = stranger.get(moment, Accept_Language="ru").text
    assert re.search(r"Гость \d{4}: ход упущен", abroad) and "Guest" not in abroad
    assert "d3" in page.text and "position=quoridor" in page.text and "Tried" not in page.text
    assert f"{served.address}{moment[1:]}" in one.get(moment).text
    assert stranger.get(f"{moment}/picture.svg").status == 200
    assert counts(one, moment) == ["Tried by 0, seen by 0"]
    assert told(stranger, moment, a=["d3"])["state"] == "missed"
    assert told(one, moment, a=["d3"])["state"] == "missed"
    assert counts(one, moment) == ["Tried by 1, seen by 0"]
    solution = re.findall(r"With (\S+) it was", page.text)
    assert told(stranger, moment, a=solution)["state"] == "solved"
    assert told(stranger, moment, a=solution)["state"] == "solved"
    assert counts(one, moment) == counts(one, "/puzzles") == ["Tried by 1, seen by 1"]
    stranger.post(f"{moment}/delete")
    assert one.get(moment).status == 200
    assert one.post(f"{moment}/delete").status == 303
    assert stranger.get(moment).status == 404


def test_the_moments_of_a_game_are_what_its_review_says_lost_most(one: Client) -> None:
    path = reviewed(one)
    assert f'id="to-moments" href="{path}"' in one.get(path.removesuffix("/moments")).text
    shown = one.get(f"{path}/1").text
    assert "Mistake 1 of" in shown
    assert "d3 was played" in shown  # the blunder that the review names
    found = json.loads(one.get(f"{path}/1/solution").body)
    assert len(found["views"]) > 1
    assert told(one, f"{path}/1", a=["d3"])["state"] == "missed"
    assert one.get(f"{path}/9").status == 404
    live, _ = one.new_game(game="corridor", **{"with": "screen"})
    assert one.get(f"/game/{live}/moments").status == 400
