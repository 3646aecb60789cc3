"""The board in a browser: what pointing, keys and scenes do, and what everyone can perceive."""

import random
import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page

from conformance.test_rooms import begun
from house.web.browsing import PHONE, axe_finds, needs_axe, opened
from house.web.table import Finger, Keyboard, Mouse, Table
from trine.core.contract.choices import Choosable
from trine.core.play import Play
from trine.games import open_room

BOARD = "/page/board.html"
FEW = "2g 8/r1c4r/8/2e1h3/3E4/8/R3C1HR/8"
CHANCE = random.Random(1)


def arimaa(position: str = FEW) -> Play:
    room = open_room("arimaa")
    return Play(room, room.rules.parse_position(position, "official"))


def transforms(page: Page, key: str) -> str:
    """Where a piece is drawn, by its key."""
    found = "key => board.shadowRoot.querySelector(`[data-key='${key}']`).getAttribute('transform')"
    drawn: str = page.evaluate(found, key)
    return drawn


def lit(page: Page) -> int:
    found: int = page.locator("trine-board [data-layer=lit] use").count()
    return found


@pytest.fixture
def page(pages: ExitStack, browser: Browser) -> Page:
    return pages.enter_context(opened(browser, BOARD))


@pytest.fixture
def phone(pages: ExitStack, browser: Browser) -> Page:
    return pages.enter_context(opened(browser, BOARD, PHONE, touch=True))


def draft(page: Page) -> list[str]:
    chosen: list[str] = page.evaluate("board.draft")
    return chosen


def test_what_can_be_picked_next_is_lit(page: Page) -> None:
    table = Table(page, arimaa())
    assert lit(page) == 0  # no dots on all pieces that can move
    Mouse(table, CHANCE).pick(table.spots["d4"])
    assert draft(page) == ["d4"]
    targets = {way.path[1] for way in table.ways if way.path[0] == "d4"}
    assert lit(page) == len(targets) > 1
    Mouse(table, CHANCE).pick(table.spots["d4"])
    assert (draft(page), lit(page), table.heard()) == ([], 0, [])
    Mouse(table, CHANCE).pick(table.spots["d4"])
    Mouse(table, CHANCE).pick(table.spots["e2"])  # another piece instead
    assert (draft(page), table.heard()) == (["e2"], [])
    page.keyboard.press("Escape")
    assert draft(page) == []


def test_an_illegal_target_is_told_with_its_place(page: Page) -> None:
    table = Table(page, arimaa())
    begin, end = (table.place(table.spots[spot].at) for spot in ("a2", "a5"))
    stood = transforms(page, "a2")
    for carried in (True, False):
        if carried:
            page.mouse.move(*begin)
            page.mouse.down()
            page.mouse.move(*end, steps=3)
            assert transforms(page, "a2") != stood
            page.mouse.up()
        else:
            page.mouse.click(*begin)
            page.mouse.click(*end)
        (event,) = table.heard()
        assert (event["name"], event["picks"]) == ("refused", ["a2", "a5"])
        assert (event["x"], event["y"]) == pytest.approx(end, abs=1)
        assert draft(page) == []
        assert transforms(page, "a2") == stood


def test_a_piece_that_is_put_back_stays_chosen(page: Page) -> None:
    table = Table(page, arimaa())
    x, y = table.place(table.spots["a2"].at)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 90, steps=3)
    page.mouse.move(x, y, steps=3)
    page.mouse.up()
    assert (draft(page), table.heard()) == (["a2"], [])
    page.mouse.click(x, y, button="right")
    assert draft(page) == []


def test_an_action_is_told_once_until_choices_are_given_anew(page: Page) -> None:
    table = Table(page, begun("corridor/quoridor"))
    for _ in range(3):
        Mouse(table, CHANCE).pick(table.spots["e2"])
    assert [event["id"] for event in table.heard()] == ["e2"]


def test_pointing_at_nothing_means_nothing(page: Page) -> None:
    table = Table(page, arimaa())
    Mouse(table, CHANCE).pick(table.spots["h5"])
    Mouse(table, CHANCE).pick(table.spots["c5"])  # the other's elephant cannot be pushed
    assert [event["picks"] for event in table.heard()] == [["c5"]]


def test_a_tie_is_asked_about(page: Page) -> None:
    table = Table(page, begun("corridor/quoridor"))
    ways = [{"id": name, "picks": ["e2"], "label": name} for name in ("one", "two")]
    page.evaluate("ways => { board.choices = ways }", ways)
    Mouse(table, CHANCE).pick(table.spots["e2"])
    assert table.heard() == []
    page.keyboard.press("Escape")
    assert page.locator(".chooser").count() == 0
    Mouse(table, CHANCE).pick(table.spots["e2"])
    page.locator(".chooser button", has_text="two").click()
    assert [event["id"] for event in table.heard()] == ["two"]


def ghosts(page: Page) -> int:
    found: int = page.locator("trine-board .ghost").count()
    return found


def test_a_mouse_sees_a_wall_before_it_plays_it(page: Page) -> None:
    table = Table(page, begun("corridor/quoridor"))
    place = table.place(table.spots["e3h"].at)
    page.mouse.move(*place)
    assert ghosts(page) == 1
    page.mouse.move(*table.place(table.spots["e5"].at))
    assert ghosts(page) == 0
    page.mouse.click(*place)
    assert [event["id"] for event in table.heard()] == ["e3h"]


def test_a_finger_shows_a_wall_moves_it_and_then_plays_it(phone: Page) -> None:
    table = Table(phone, begun("corridor/quoridor"))
    finger = Finger(table, CHANCE)
    first, other = (table.place(table.spots[wall].at) for wall in ("e3h", "c5h"))
    finger.touch(first)
    assert (ghosts(phone), table.heard()) == (1, [])
    finger.touch(first, ((first[0] + other[0]) / 2, (first[1] + other[1]) / 2), other)
    assert (ghosts(phone), table.heard()) == (1, [])
    finger.touch(other)
    assert [event["id"] for event in table.heard()] == ["c5h"]


@pytest.mark.parametrize("kind", ["touch", "mouse"])
def test_a_wall_is_carried_from_beside_the_board(browser: Browser, kind: str) -> None:
    """From a tray; where a finger lets it go, it is seen before it is placed."""
    with opened(browser, BOARD, PHONE, touch=kind == "touch") as page:
        table = Table(page, begun("corridor/quoridor"))
        page.evaluate("""() => {
            const tray = Object.assign(document.createElement('div'), { id: 'tray' });
            tray.style = 'position: fixed; right: 0; bottom: 0; width: 40px; height: 40px; touch-action: none';
            tray.addEventListener('pointerdown', (event) => board.carry(event));
            document.body.append(tray);
        }""")
        box = page.locator("#tray").bounding_box()
        assert box
        begin = (box["x"] + 20, box["y"] + 20)
        # The middle of a square: nobody who carries a wall can mean it.
        end = table.place(table.spots["e5"].at)
        if kind == "touch":
            Finger(table, CHANCE).touch(
                begin, ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2), end
            )
            assert (ghosts(page), table.heard()) == (1, [])
            assert re.fullmatch("[de][45][hv]", page.evaluate("board.ghost"))
        else:
            page.mouse.move(*begin)
            page.mouse.down()
            page.mouse.move(*end, steps=4)
            page.mouse.up()
            (event,) = table.heard()
            assert re.fullmatch("[de][45][hv]", event["id"])


def test_a_wall_is_seen_after_a_pawn_was_pointed_at(phone: Page) -> None:
    table = Table(phone, begun("corridor/quoridor"))
    phone.evaluate("board.extend([{ id: 'e2', picks: ['e1', 'e2'], label: 'e2' }])")
    finger = Finger(table, CHANCE)
    finger.touch(table.place(table.spots["e1"].at))
    assert phone.evaluate("board.draft") == ["e1"]
    finger.touch(table.place(table.spots["c5h"].at))
    assert (ghosts(phone), phone.evaluate("board.ghost")) == (1, "c5h")
    assert phone.evaluate("board.draft") == []


def test_a_finger_need_not_be_exact(phone: Page) -> None:
    table = Table(phone, arimaa())
    x, y = table.place(table.spots["d4"].at)
    unit = table.box["width"] / table.scene.board.size[0]
    finger = Finger(table, CHANCE)
    finger.touch((x, y))
    finger.touch((x + 1.6 * unit, y))  # a little beyond e4
    assert [event["id"] for event in table.heard()] == ["Ed4e"]


def test_a_finger_does_not_hide_what_it_carries(phone: Page) -> None:
    table = Table(phone, arimaa())
    finger = Finger(table, CHANCE)
    x, y = table.place(table.spots["d4"].at)
    finger.send("touchStart", [{"x": x, "y": y}])
    for up in (20, 40):
        finger.send("touchMove", [{"x": x, "y": y - up}])
        phone.evaluate("() => new Promise(requestAnimationFrame)")
    box = phone.locator("trine-board .lifted").bounding_box()
    assert box
    assert box["y"] + box["height"] / 2 < y - 40 - 30
    assert phone.locator("trine-board .around").count() == 1
    finger.send("touchEnd", [])
    assert [event["id"] for event in table.heard()] == ["Ed4n"]


def test_small_squares_have_a_lens(phone: Page) -> None:
    table = Table(phone, begun("corridor/quoridor size=19"))
    finger = Finger(table, CHANCE)
    x, y = table.place(table.spots["k8h"].at)
    finger.send("touchStart", [{"x": x, "y": y}])
    assert phone.locator("trine-board .lens").count() == 1
    finger.send("touchEnd", [])
    assert phone.locator("trine-board .lens").count() == 0
    finger.touch((x, y))
    assert [event["id"] for event in table.heard()] == ["k8h"]


def test_arrows_go_by_what_is_seen(page: Page) -> None:
    table = Table(page, begun("corridor/quoridor"))
    keyboard = Keyboard(table, CHANCE)
    page.evaluate("board.shadowRoot.querySelector('[data-spot=e4]').focus()")
    seen = []
    for key in ("Up", "Right", "w", "Right", "w", "Down", "w"):
        page.keyboard.press(key if key == "w" else f"Arrow{key}")
        seen.append(keyboard.here())
    assert seen == ["e5", "f5", "f4h", "g4h", "f4v", "f3v", "f3"]


def test_a_screen_reader_hears_what_stands_where(page: Page) -> None:
    table = Table(page, arimaa())
    board = page.get_by_role("application", name=str(table.scene.title))
    assert board.get_by_role("button").count() == len(table.spots)
    named = board.locator("[data-spot=d4]").get_attribute("aria-label")
    assert named
    assert "elephant" in named
    assert "d4" in named
    described = page.evaluate("board.shadowRoot.querySelector('#alt').textContent")
    assert described == str(table.scene.alt)


def test_pieces_move_from_scene_to_scene(browser: Browser) -> None:
    with opened(browser, BOARD, still=False) as page:
        table = Table(page, arimaa())
        (step,) = [action for action in table.play.legal_actions() if str(action) == "Ed4n"]
        page.evaluate(
            "() => { window.moves = []; const animate = Element.prototype.animate;"
            "Element.prototype.animate = function (frames, how) {"
            "  moves.push([this.dataset.key, how.duration]); return animate.call(this, frames, how); } }"
        )
        table.act(step)
        assert page.evaluate("moves") == [["d4", 200]]


def test_nothing_moves_for_those_who_want_no_motion(browser: Browser) -> None:
    with opened(browser, BOARD, still=True) as page:
        table = Table(page, arimaa())
        (step,) = [action for action in table.play.legal_actions() if str(action) == "Ed4n"]
        table.act(step)
        assert page.evaluate("board.shadowRoot.getAnimations().length") == 0


def test_hints_are_arrows_and_walls(page: Page) -> None:
    Table(page, begun("corridor/quoridor"))
    page.evaluate("board.arrows = [['e1', 'e2'], ['e3h'], ['d1']]")
    assert page.locator("trine-board .arrow").count() == 1
    assert page.locator("trine-board .hint").count() == 1
    page.evaluate("board.arrows = []")
    assert page.locator("trine-board [data-layer=arrows] *").count() == 0


def test_the_room_of_the_picture_is_kept_before_it_is_there(page: Page) -> None:
    page.wait_for_function("() => 'show' in window")
    page.evaluate("board.setAttribute('size', '10.15x8.8')")
    empty = page.locator("trine-board .shape").bounding_box()
    table = Table(page, arimaa())
    assert table.box == pytest.approx(empty)


def test_trays_can_be_left_out(phone: Page) -> None:
    phone.wait_for_function("() => 'show' in window")
    phone.evaluate("board.toggleAttribute('bare')")
    table = Table(phone, arimaa())
    d4 = phone.locator("trine-board [data-spot=d4]").bounding_box()
    assert d4
    assert d4["width"] > 40  # a touch target, nearly; with the trays it is 35
    Finger(table, CHANCE).touch((d4["x"] + d4["width"] / 2, d4["y"] + d4["height"] / 2))
    assert draft(phone) == ["d4"]


def test_every_seat_can_point(page: Page) -> None:
    for seat in range(4):
        table = Table(page, begun("corridor/quoridor players=4"), seat=seat)
        assert page.evaluate("board.seat") == seat
        way: Choosable = CHANCE.choice(table.ways)
        Mouse(table, CHANCE).point(way)
        table.chosen_action(way)


@needs_axe
def test_axe_finds_nothing_wrong(page: Page) -> None:
    for game, look in (("arimaa", "light"), ("tzaar", "dark"), ("corridor", "light")):
        page.emulate_media(color_scheme=look)  # type: ignore[arg-type]
        Table(page, begun(f"{game}/{open_room(game).default_rules}"))
        assert axe_finds(page) == []


def test_a_turn_of_another_is_shown_action_by_action(browser: Browser) -> None:
    """An elephant goes two steps, and a piece that it leaves alone is taken by its trap."""
    with opened(browser, BOARD, still=False) as page:
        table = Table(page, arimaa())
        d5, d6 = (
            f"translate({100 * x:g} {100 * y:g})"
            for x, y in (table.spots[s].at for s in ("d5", "d6"))
        )
        first = page.evaluate(
            """() => { window.told = board.tellStory([[["d4", "d5"]], [["d5", "d6"], ["c2", ""]]]);
            return board.shadowRoot.querySelector("[data-key='d4']").getAttribute("transform"); }"""
        )
        assert first == d5
        assert page.evaluate("board.choices") == []
        assert page.evaluate("told") is True
        assert transforms(page, "d4") == d6
        # The scene that follows has the last word.
        table.show()
        assert transforms(page, "d4") not in (d5, d6)


def test_another_scene_breaks_a_story_off(browser: Browser) -> None:
    with opened(browser, BOARD, still=False) as page:
        table = Table(page, arimaa())
        stood = transforms(page, "d4")
        page.evaluate(
            """() => { window.told = board.tellStory(Array(99).fill([["d4", "d5"]])); }"""
        )
        table.show()
        assert page.evaluate("told") is False
        assert transforms(page, "d4") == stood
