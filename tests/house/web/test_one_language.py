"""A game from the first page to its natural end on a phone, in one language on every screen."""

import random
import re

import pytest
from playwright.sync_api import Page

from house.web.served import Served
from house.web.test_house_pages import play_a_turn

ENGLISH = re.compile(
    r"\b(the|and|you|your|of|to|with|turns?|wins?|game|board|moves?|pieces?|rules?|rabbit|"
    r"elephant|gold|silver|white|black|south|north|wall|goal|start|new|play|end|undo|draw|resign|"
    r"won|lost|back|hint|quit|level|clock|last|next|first|step|at|by|for|it)\b",
    re.IGNORECASE,
)
"""Words that no screen has in another language."""
GAMES: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    ("ru", "tzaar", "open", {}),
    ("hu", "corridor", "corridor", {"Size": "5"}),
    ("fr", "arimaa", "official", {"position": "9g 4r2e/8/1R6/2c5/5D2/6r1/8/E4R2"}),
    ("fr", "tzaar", "official", {}),
)
TURNS = 400


def said(page: Page) -> str:
    """All words of a page that are seen or read out, but for notation and names of languages."""
    names = "['aria-label', 'title', 'placeholder', 'alt']"
    titles = (
        "[...document.querySelectorAll('[aria-label],[title],[placeholder],[alt]')]"
        f".flatMap(e => {names}.map(n => e.getAttribute(n) || ''))"
    )
    told = page.evaluate(
        "() => { const gone = document.body.cloneNode(true);"
        "gone.querySelectorAll('script, style, noscript, [lang]').forEach(e => e.remove());"
        f"return [document.title, gone.textContent, ...{titles}].join('\\n'); }}"
    )
    return str(told)


def check(page: Page, seen: dict[str, str]) -> None:
    """Keep the English words of a page, with where they stand."""
    for line in said(page).splitlines():
        for word in ENGLISH.findall(line):
            seen.setdefault(word.lower(), f"{page.url}: {line.strip()[:200]}")


@pytest.mark.nightly
@pytest.mark.parametrize(("code", "game", "rules", "options"), GAMES)
def test_no_screen_of_a_game_has_an_english_word(
    served: Served, phone: Page, code: str, game: str, rules: str, options: dict[str, str]
) -> None:
    rng, seen = random.Random(code), dict[str, str]()
    phone.goto(f"{served.address}language/{code}?back=/")
    check(phone, seen)
    phone.goto(f"{served.address}new?game={game}&rules={rules}")
    phone.tap("label:has([name=with][value='screen'])")
    phone.tap("#choices summary")
    for tag, value in options.items():
        phone.eval_on_selector(f"[name={tag}]", "(field, value) => field.value = value", value)
    check(phone, seen)
    phone.tap(".go button")
    phone.wait_for_url("**/game/*")
    for _ in range(TURNS):
        play_a_turn(phone, rng.choice)
        check(phone, seen)
        if phone.locator(".told.result").count():
            break
    assert phone.locator(".told.result").count(), "the game has not ended"
    assert not seen, seen
