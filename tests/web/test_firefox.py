"""A whole game of each kind in Firefox, on the pages of a house."""

from __future__ import annotations

from pathlib import Path

import pytest

from trine.games import ROOMS
from web.firefox import firefox
from web.served import a_server

BEGIN = """() => {
  document.querySelector("[name=with][value=screen]").click();
  const body = new URLSearchParams(new FormData(document.getElementById("new")));
  return fetch("/new", { method: "POST", body }).then(({ url }) => url);
}"""
"""Begin a game at one screen; the address of its page."""
PLAY = """async () => {
  const board = document.querySelector("trine-board");
  const told = document.querySelector("#told");
  const submit = document.querySelector("#submit");
  const at = () => JSON.stringify([board.choices, document.querySelectorAll("#turns li").length, submit.disabled]);
  const until = async (test) => {
    while (!test()) await new Promise((seen) => setTimeout(seen, 10));
  };
  await until(() => board.live);
  for (let turns = 0; turns < 4000 && !told.className.includes("result"); turns += 1) {
    const before = at();
    const ways = board.choices.filter(({ id }) => !id.startsWith("@"));
    const running = ways.filter(({ id }) => /^(R.*n|r.*s)$/.test(id));
    const chosen = running.length && turns % 3 ? running : ways;
    const way = chosen[(turns * 7919) % chosen.length];
    if (way) way.picks.forEach((pick) => board.pick(pick));
    else submit.click();
    // While the house has not answered, there is nothing to choose.
    await until(() => told.className.includes("result") || (at() !== before && (board.choices.length || !submit.disabled)));
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
