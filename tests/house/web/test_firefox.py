"""A whole game of each kind in Firefox, on the pages of a house."""

from __future__ import annotations

from pathlib import Path

import pytest

from house.web.firefox import firefox
from house.web.served import a_server
from trine.games import ROOMS

BEGIN = """() => {
  document.querySelector("[name=with][value=screen]").click();
  const body = new URLSearchParams(new FormData(document.getElementById("new")));
  return fetch("/new", { method: "POST", body }).then(({ url }) => url);
}"""
"""Begin a game at one screen; the address of its page."""
PLAY = """async () => {
  const [board, told, submit] = ["trine-board", "#told", "#submit"].map((one) => document.querySelector(one));
  const over = () => told.className.includes("result");
  // What can be chosen now, other than before; nothing while the house has not answered.
  const asked = (before) => {
    const now = board.choices.length ? JSON.stringify([document.querySelectorAll("#turns li").length, board.choices])
      : submit.disabled ? "" : "ended";
    return now !== before && now;
  };
  let before = "";
  for (let number = 0; number < 4000 && !over(); number += 1) {
    while (!over() && !(board.live && asked(before))) await new Promise((seen) => setTimeout(seen, 10));
    before = asked(before);
    const ways = board.choices;
    const running = ways.filter(({ id }) => /^(R.*n|r.*s)$/.test(id));
    const chosen = running.length && number % 3 ? running : ways;
    if (over()) break;
    if (before === "ended") submit.click();
    else for (const pick of chosen[(number * 7919) % chosen.length].picks) board.pick(pick);
  }
  return told.textContent;
}"""
"""Play for both sides until the game has ended; in Arimaa mostly rabbits run. What is told then."""


@pytest.mark.nightly
def test_a_whole_game_of_each_kind_is_played_in_firefox(tmp_path: Path) -> None:
    # Nobody points as fast as a script; so nobody is held off here.
    with a_server(tmp_path / "house", free=True) as served, firefox(tmp_path / "firefox") as page:
        for room in ROOMS:
            page.go(f"{served.address}new?game={room}")
            page.go(page.look(f"({BEGIN})()"))
            assert page.look(f"({PLAY})()"), room
