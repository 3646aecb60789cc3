"""The picture of a scene in a file and the board in a browser, which draw the same to the pixel."""

from collections.abc import Iterator
from itertools import product

import pytest
from _pytest.mark.structures import ParameterSet
from msgspec import structs
from playwright.sync_api import Browser, Page

from conformance.test_rooms import begun
from house.web.browsing import DESK, opened
from trine.core.play import changed_cells
from trine.core.scene.scene import Scene, plain
from trine.play.draw.board_theme import THEMES
from trine.play.draw.svg import draw_svg

ALONE = """([drawn]) => {
    const svg = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
    board.frame.replaceChildren(document.adoptNode(svg));
}"""


def scene_of(game: str, turns: int = 6) -> Scene:
    """A scene with walls, stacks, captures, marks and tints, as far as the game has them."""
    play = begun(game)
    while not play.outcome and len(play.turns) < turns:
        legal = play.legal_actions()
        play.act(legal[7 * len(play.turns) % len(legal)])
    last = changed_cells(play.room, play.turns[-1].before, play.turns[-1].actions)
    if game == "arimaa":
        last |= {"c3"}  # what a capture leaves
    marks = {} if play.outcome else play.room.view.insight(play.position).marks()
    scene: Scene = play.room.view.scene(play.position, last=last, marks=marks)
    # Strokes thinner than a pixel come out otherwise in a group that can move than without one.
    board = structs.replace(scene.board, ornaments=())
    pieces = tuple(piece for piece in scene.pieces if piece.role != "arrow")
    return structs.replace(scene, board=board, pieces=pieces, targets=())


def seen(page: Page) -> bytes:
    return page.locator("trine-board .shape").screenshot()


GAMES = ("arimaa", "tzaar", "corridor/quoridor players=4")
LOOKS = tuple(product(THEMES, (False, True)))


def pictures() -> Iterator[ParameterSet]:
    """At every commit each game and each look in turn; the other pairs by night."""
    turns = {(GAMES[number % len(GAMES)], look) for number, look in enumerate(LOOKS)}
    for game, look in product(GAMES, LOOKS):
        marks = [] if (game, look) in turns else [pytest.mark.nightly]
        yield pytest.param(game, *look, marks=marks)


@pytest.mark.parametrize(("game", "theme", "dark"), list(pictures()))
def test_python_and_the_browser_draw_alike(
    browser: Browser, game: str, theme: str, dark: bool
) -> None:
    scene = scene_of(game)
    with opened(browser, "/page/board.html", DESK, dark=dark) as page:
        page.wait_for_function("() => 'show' in window")
        page.evaluate("theme => board.setAttribute('theme', theme)", theme)
        given = {"digest": scene.board.digest, "half": plain(scene.board)}
        page.evaluate("given => show(given)", {**given, "scene": plain(scene.view), "choices": []})
        in_browser = seen(page)
        page.evaluate(ALONE, [draw_svg(scene, theme=THEMES[theme][dark])])
        # Outside the assertion, which would tell of every byte.
        alike = seen(page) == in_browser
        assert alike
