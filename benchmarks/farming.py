"""The gain of an account to which six others lose 24 rated games on purpose. Ends by itself.

    PYTHONPATH=tests .venv/bin/python -P benchmarks/farming.py

A house is served on loopback, once for each way of losing; all play over the API, as the proxy
says from which addresses. Told are the rating of the winner, which games were refused, what an
administrator sees of it, and the rating when those games count for nobody.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from house.web.clients import Client
from house.web.served import Served, a_server
from house.web.test_api import Program, a_bot
from house.web.test_people import register

GAMES: Final = 24
PAGE: Final = "/moderation/ratings"
STRAWMEN: Final = ("Bela", "Cili", "Dora", "Emil", "Fred", "Gizi")
SOUTH = ("d1", "c1", "b1", "a1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2")
NORTH = ("d9", "c9", "b9", "a9", "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8")
WAYS: Final = (
    ("from one address, after 4 turns", True, 4),
    ("from seven addresses, at once", False, 0),
    ("from seven addresses, after 2 turns", False, 2),
    ("from seven addresses, after 4 turns", False, 4),
    ("from seven addresses, after 19 turns", False, 19),
    ("from seven addresses, after 20 turns", False, 20),
)
"""Ways of losing, with whether all come from one address, and the turns before they resign."""


def lose(winner: Program, loser: Program, name: str, turns: int) -> bool:
    """Have a rated game lost on purpose; return whether the house let them play it."""
    wish = {"to": name, "game": "corridor", "clock": "5+5", "rated": True, "side": 0}
    status, sent = winner.ask("POST", "/api/challenges", wish)
    if status == 200:
        status, begun = loser.ask("POST", f"/api/challenges/{sent['id']}", {"what": "accept"})
    if status != 200:
        return False
    path = f"/api/games/{begun['game']}"
    seq: int = winner.ask("GET", path)[1]["seq"]
    for number in range(turns):
        line = (SOUTH, NORTH)[number % 2][number // 2]
        turn = {"t": "turn", "id": f"t.{number}", "at": seq, "line": line}
        status, told = (winner, loser)[number % 2].ask("POST", path, turn)
        assert status == 200, told
        seq = told["seq"]
    status, told = loser.ask("POST", path, {"t": "do", "id": "r", "what": "resign"})
    assert status == 200, told
    return True


def rating(winner: Program) -> str:
    """Return the rating that everybody sees."""
    bots: Sequence[dict[str, Any]] = winner.ask("GET", "/api/bots")[1]["bots"]
    (told,) = (one["ratings"] for one in bots if one["name"] == "Anna")
    return str(next(iter(told.values()), "1500?"))


def undo(admin: Client) -> str:
    """Let all games of the climber count for nobody, and return the reasons that were seen."""
    page = admin.get(f"{PAGE}?days=1").text
    seen = re.search(r'<ul class="reasons">(.*?)</ul>', page)
    pairs = set(re.findall(r'name="(person)" value="(\w+)">.*?name="(other)" value="(\w+)"', page))
    for pair in pairs:
        form = dict(zip(pair[::2], pair[1::2], strict=True))
        assert admin.post(f"{PAGE}/annul", days="1", what="all", **form).status == 303
    return re.sub("<[^>]+>", " ", seen[1]).strip() if seen else "nothing"


def trial(served: Served, folder: Path, *, together: bool, turns: int) -> str:
    """Return what came of one way of losing, in words."""
    admin, (_, winner) = register(served, "Mary"), a_bot(served, "Anna")
    losers = [a_bot(served, name)[1] for name in STRAWMEN]
    for number, program in enumerate([winner, *losers]):
        program.headers["X-Forwarded-For"] = "8.8.8.8" if together else f"8.8.{number}.8"
        program.ask("GET", "/api/account")
    played = sum(
        lose(winner, losers[number % 6], STRAWMEN[number % 6], turns) for number in range(GAMES)
    )
    won = rating(winner)
    named = [sys.executable, "-m", "trine", "house", "admin", "Mary", "--data", str(folder)]
    subprocess.run(named, check=True, capture_output=True)
    seen = undo(admin)
    return f"{played} played, {won}; seen: {seen}; undone: {rating(winner)}"


def main() -> None:
    """Try each way of losing in a house of its own."""
    for words, together, turns in WAYS:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "house"
            with a_server(place, free=True) as served:
                print(
                    f"{words}: {trial(served, place, together=together, turns=turns)}", flush=True
                )


if __name__ == "__main__":
    main()
