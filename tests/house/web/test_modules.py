"""Modules of the pages by themselves: what is said for a while, walking, and the clock of the house."""

from __future__ import annotations

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
