"""Measures what an account gains if others lose rated games to it on purpose. Ends by itself.

    PYTHONPATH=tests .venv/bin/python -P benchmarks/farming.py

A house is served on loopback, once for each way of losing; all accounts play over the API, from the
addresses that a proxy header names. Reports the highest rating of the winner, how many games began,
what an administrator sees, and the rating after all games of the winner are annulled.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from house.web.clients import Client
from house.web.served import Served, a_server
from house.web.test_api import Program, a_bot
from house.web.test_people import register

Way: TypeAlias = Callable[[Program, Sequence[Program]], int]
"""A way of losing: takes the winner and the losers, returns the number of games that began."""
PAGE: Final = "/moderation/ratings"
STRAWMEN: Final = ("Bela", "Cili", "Dora", "Emil", "Fred", "Gizi", "Hans", "Ivan")
SOUTH = ("d1", "c1", "b1", "a1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2")
NORTH = ("d9", "c9", "b9", "a9", "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8")
GOAL: Final = ("e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9")
"""The path of a winner whose opponent does not resist."""
CLOCKS: Final = ("1+1", "5+3", "10+10", "30+20")
"""A clock of each speed."""


def lose(
    winner: Program, loser: Program, name: str, turns: int | None = None, clock: str = "5+5"
) -> bool:
    """Lose a rated game on purpose; return whether the house allowed it.

    Args: ``name`` is that of the loser, who resigns after ``turns``; None: the winner reaches the
    goal.
    """
    wish = {"to": name, "game": "corridor", "clock": clock, "rated": True, "side": 0}
    status, sent = winner.ask("POST", "/api/challenges", wish)
    if status == 200:
        status, begun = loser.ask("POST", f"/api/challenges/{sent['id']}", {"what": "accept"})
    if status != 200:
        return False
    path = f"/api/games/{begun['game']}"
    seq: int = winner.ask("GET", path)[1]["seq"]
    lines = (GOAL if turns is None else SOUTH, NORTH)
    for number in range(2 * len(GOAL) - 1 if turns is None else turns):
        line = lines[number % 2][number // 2]
        turn = {"t": "turn", "id": f"t.{number}", "at": seq, "line": line}
        status, answer = (winner, loser)[number % 2].ask("POST", path, turn)
        assert status == 200, answer
        seq = answer["seq"]
    if turns is not None:
        status, answer = loser.ask("POST", path, {"t": "do", "id": "r", "what": "resign"})
        assert status == 200, answer
    return True


def resigning(turns: int) -> Way:
    """Return a way of losing: six accounts resign four games each after some turns."""
    return lambda winner, losers: sum(
        lose(winner, losers[number % 6], STRAWMEN[number % 6], turns) for number in range(24)
    )


def by_goal(winner: Program, losers: Sequence[Program]) -> int:
    return sum(lose(winner, *one) for _ in range(2) for one in zip(losers, STRAWMEN, strict=True))


def after_a_ring(winner: Program, losers: Sequence[Program]) -> int:
    """Let eight accounts win and lose one game each among themselves, then lose two each."""
    ring = zip(losers, [*losers[1:], losers[0]], STRAWMEN[1:] + STRAWMEN[:1], strict=True)
    return sum(lose(*one) for one in ring) + by_goal(winner, losers)


def through_another(winner: Program, losers: Sequence[Program]) -> int:
    """Let seven accounts raise the eighth, which then loses to the winner six times."""
    lifted = sum(
        lose(losers[0], *one)
        for _ in range(2)
        for one in zip(losers[1:], STRAWMEN[1:], strict=True)
    )
    return lifted + sum(lose(winner, losers[0], STRAWMEN[0]) for _ in range(6))


def at_all_speeds(winner: Program, losers: Sequence[Program]) -> int:
    return sum(
        lose(winner, *one, clock=clock)
        for clock in CLOCKS
        for one in zip(losers, STRAWMEN, strict=True)
    )


def rating(winner: Program) -> str:
    """Return the public rating of the winner."""
    bots: Sequence[dict[str, Any]] = winner.ask("GET", "/api/bots")[1]["bots"]
    (ratings,) = (one["ratings"] for one in bots if one["name"] == "Anna")
    return max(map(str, ratings.values()), default="1500?")


def undo(admin: Client) -> str:
    """Annul all games of the winner; return the reasons that the page shows."""
    entries = admin.get(f"{PAGE}?days=1").text.split('<li class="paper climber">')[1:]
    entry = next((one for one in entries if "/player/Anna" in one), None)
    if not entry:
        return "nothing"
    person = re.search(r'name="person" value="(\w+)"', entry)
    reasons = re.search(r'<ul class="reasons">(.*?)</ul>', entry)
    assert person and reasons
    form = {"days": "1", "what": "person", "person": person[1]}
    assert admin.post(f"{PAGE}/annul", **form).status == 303
    return re.sub("<[^>]+>", " ", reasons[1]).strip()


def trial(served: Served, folder: Path, way: Way, *, together: bool) -> str:
    """Try a way of losing; return the outcome as text."""
    admin, (_, winner) = register(served, "Mary"), a_bot(served, "Anna")
    losers = [a_bot(served, name)[1] for name in STRAWMEN]
    for number, program in enumerate([winner, *losers]):
        program.headers["X-Forwarded-For"] = "8.8.8.8" if together else f"8.8.{number}.8"
        program.ask("GET", "/api/account")
    played = way(winner, losers)
    won = rating(winner)
    named = [sys.executable, "-m", "trine", "house", "admin", "Mary", "--data", str(folder)]
    subprocess.run(named, check=True, capture_output=True)
    seen = undo(admin)
    return f"{played} played, {won}; seen: {seen}; undone: {rating(winner)}"


WAYS: Final[Sequence[tuple[str, bool, Way]]] = (
    ("from one address, after 4 turns", True, resigning(4)),
    *((f"after {turns} turns", False, resigning(turns)) for turns in (0, 2, 4, 19, 20)),
    ("eight accounts, twice each by goal", False, by_goal),
    ("the same, after games among themselves", False, after_a_ring),
    ("seven accounts to another, which loses", False, through_another),
    ("eight accounts, once each at four speeds", False, at_all_speeds),
)
"""The names of ways, whether all accounts share an address, and the functions."""


def main() -> None:
    """Try each way of losing in a house of its own."""
    for words, together, way in WAYS:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "house"
            with a_server(place, free=True) as served:
                print(f"{words}: {trial(served, place, way, together=together)}", flush=True)


if __name__ == "__main__":
    main()
