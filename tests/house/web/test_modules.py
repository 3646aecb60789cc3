"""Modules of the pages by themselves: what is said for a while, walking, and the clock of the house."""

from __future__ import annotations

from itertools import pairwise

from playwright.sync_api import Browser

from house.web.browsing import opened
from house.web.test_board import BOARD


def test_what_was_said_for_a_while_is_not_brought_back(browser: Browser) -> None:
    with opened(browser, BOARD) as page:
        said = page.evaluate(
            """async () => {
                const { aside } = await import("/static/board/elements.js");
                const line = document.createElement("p");
                [line.textContent, line.className] = ["Your turn.", "told"];
                const [first, second] = ["Eve: hi", "Eve: bye"].map((one) => aside(line, one, "wrong"));
                const said = [line.textContent, line.className];
                first();
                said.push(line.textContent);
                second();
                return [...said, line.textContent, line.className];
            }"""
        )
        assert said == ["Eve: bye", "told wrong", "Eve: bye", "Your turn.", "told"]


def test_a_key_that_is_held_walks_only_so_fast(browser: Browser) -> None:
    with opened(browser, BOARD) as page:
        page.evaluate(
            """async () => {
                const { walk } = await import("/static/board/walking.js");
                const next = Object.assign(document.createElement("button"), { id: "next" });
                document.body.append(next);
                window.steps = [];
                next.addEventListener("click", ({ timeStamp }) => steps.push(timeStamp));
                walk(board);
            }"""
        )
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        assert len(page.evaluate("steps")) == 3
        for _ in range(5_000):
            page.keyboard.down("ArrowRight")
            if len(steps := page.evaluate("steps")) == 6:
                break
        held = steps[3:]
        assert len(held) == 3 and min(after - one for one, after in pairwise(held)) > 100
