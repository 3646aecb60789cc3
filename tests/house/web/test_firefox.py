"""A whole game of each kind in Firefox, on the pages of a house."""

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
NEXT = """async () => {
  const [board, told, submit] = ["trine-board", "#told", "#submit"].map((one) => document.querySelector(one));
  // What stands now, other than before; nothing while the house has not answered.
  const stands = () => JSON.stringify([document.querySelectorAll("#turns li").length, board.choices, submit.disabled]);
  const asks = () => told.className.includes("result") || (stands() !== board.dataset.stood && (board.live || !submit.disabled));
  while (!asks()) await new Promise((seen) => setTimeout(seen, 10));
  board.dataset.stood = stands();
  if (told.className.includes("result")) return [told.textContent, []];
  // In the middle of a wall another one crosses it.
  const inside = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x + width / (width > 1.5 * height ? 4 : 2), y + height / (height > 1.5 * width ? 4 : 2)];
  };
  if (!board.choices.length) return ["", [inside(submit)]];
  const number = (board.dataset.number = Number(board.dataset.number ?? 0) + 1);
  const running = board.choices.filter(({ id }) => /^(R.*n|r.*s)$/.test(id));
  const chosen = running.length && number % 3 ? running : board.choices;
  const { picks } = chosen[(number * 7919) % chosen.length];
  const spot = (id) => board.shadowRoot.querySelector(`[data-spot="${id}"]`);
  return ["", picks.map((id) => inside(id.startsWith("#") ? submit : spot(id)))];
}"""
"""What is told once the game has ended, and before it the points of the window that make the next
action; in Arimaa mostly rabbits run."""


@pytest.mark.nightly
def test_a_whole_game_of_each_kind_is_played_by_pointing_in_firefox(tmp_path: Path) -> None:
    # Nobody points as fast as a script; so nobody is held off here.
    with a_server(tmp_path / "house", free=True) as served, firefox(tmp_path / "firefox") as page:
        for room in ROOMS:
            page.go(f"{served.address}new?game={room}")
            page.go(page.look(f"({BEGIN})()"))
            ended, points = page.look(f"({NEXT})()")
            while not ended:
                for point in points:
                    page.point(*point)
                ended, points = page.look(f"({NEXT})()")
