"""Turns of several actions in one gesture, on the page of a game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import DESK, PHONE, a_page
from house.web.gestures import LONE, carry, drag, place, stands, tap
from house.web.served import Served
from house.web.test_page import LIVE, begin

BUBBLE = """() => {
  const box = document.querySelector(".bubble")?.getBoundingClientRect();
  return box && [box.left, box.right, box.top, box.bottom];
}"""
WALLED = "quoridor 9 2 e1,e9 c1h,f1h 9,9 1"
"""Between two walls a pawn can go forward, and no wall fits before it."""


def test_a_piece_goes_as_far_as_it_can_by_one_drag(served: Served, page: Page) -> None:
    begin(page, served, game="arimaa", position=LONE)
    drag(page, "d4", "f5")
    stands(page, "f5", "E")
    expect(page.locator("#told")).to_have_text("1 step left, or end the turn.")
    page.click("#undo")  # takes the whole gesture back
    stands(page, "d4", "E")
    expect(page.locator("#undo")).to_be_disabled()


DRAFT = "picks => String(document.querySelector('trine-board').draft) === picks"


def chosen(page: Page, spot: str) -> None:
    """Wait until a spot is chosen, or none, and the board can be used."""
    page.wait_for_function(LIVE)
    page.wait_for_function(DRAFT, arg=spot)


@pytest.mark.parametrize("kind", ["mouse", "finger", "keys"])
def test_a_piece_stays_chosen_while_its_turn_goes_on(
    served: Served, browser: Browser, kind: str
) -> None:
    with a_page(browser, PHONE if kind == "finger" else DESK) as page:

        def pick(*spots: str) -> None:
            for spot in spots:
                if kind == "finger":
                    tap(page, spot)
                elif kind == "mouse":
                    page.mouse.click(*place(page, spot))
                else:
                    place(page, spot)
                    page.locator(f"trine-board [data-spot={spot}]").focus()
                    page.keyboard.press("Enter")

        begin(page, served, game="arimaa", position=LONE)
        pick("d4", "e4")
        chosen(page, "e4")
        page.wait_for_function("() => document.querySelector('trine-board').next.has('g4')")
        pick("e5")
        stands(page, "e5", "E")
        chosen(page, "e5")
        pick("a1")  # another own piece
        chosen(page, "a1")
        pick("a2")
        chosen(page, "a2")
        pick("a2")  # as players do who think that they have to choose it
        chosen(page, "a2")
        pick("a2")  # lets it go
        chosen(page, "")
        page.click("#reset")
        stands(page, "d4", "E")
        pick("d4", "d3")
        chosen(page, "d3")
        pick("h5")  # out of reach
        chosen(page, "")
        assert not page.locator(".bubble").count() and not page.locator(".told.wrong").count()
        pick("d3", "d2")
        chosen(page, "d2")
        page.click("#undo")
        stands(page, "d3", "E")
        chosen(page, "")
        pick("d3", "d1")
        stands(page, "d1", "E")
        chosen(page, "d1")
        pick("c1")
        chosen(page, "")  # the turn has no step left


@pytest.mark.parametrize(
    ("after", "picks", "end"), [("e4", ["g4"], ("g4", "E")), ("d3", ["d5", "d4"], ("d4", "C"))]
)
def test_picks_after_a_step_are_played_however_fast_they_are_entered(
    served: Served, page: Page, after: str, picks: list[str], end: tuple[str, str]
) -> None:
    begin(page, served, game="arimaa", position=LONE)
    place(page, "d4")
    page.evaluate(
        """([after, picks]) => {
          const board = document.querySelector("trine-board");
          board.addEventListener("draft", ({ detail }) => {
            if (detail.picks[0] === after) setTimeout(() => picks.forEach((one) => board.pick(one)));
          });
          for (const one of ["d4", after]) board.pick(one);
        }""",
        [after, picks],
    )
    stands(page, *end)


def test_the_own_piece_stays_chosen_after_a_push_and_a_pull(served: Served, page: Page) -> None:
    begin(page, served, game="arimaa", position=LONE)
    drag(page, "d5", "d6")
    stands(page, "d6", "C")
    chosen(page, "d5")
    page.mouse.click(*place(page, "d6"))
    chosen(page, "d6")
    page.mouse.click(*place(page, "d5"))
    page.click("trine-board .chooser button:has-text('c5')")
    stands(page, "d5", "C")
    chosen(page, "")
    page.click("#undo")
    stands(page, "d6", "C")
    chosen(page, "")
    page.click("#undo")
    stands(page, "d4", "E")
    page.mouse.click(*place(page, "d4"))
    page.mouse.click(*place(page, "d3"))
    chosen(page, "d3")
    drag(page, "d3", "h5")
    expect(page.locator(".bubble")).to_be_visible()  # what is carried is meant
    drag(page, "d5", "d4")  # the other half of a pull
    stands(page, "d4", "C")
    chosen(page, "")
    drag(page, "d3", "e3")
    chosen(page, "e3")
    drag(page, "e4", "f5", button="right")
    expect(page.locator("[data-layer=targets] [data-layer=marks] > *")).to_have_count(1)
    page.click("#reset")
    stands(page, "d4", "E")
    drag(page, "d4", "d3")
    chosen(page, "d3")
    drag(page, "d3", "c3")
    expect(page.locator("#told")).to_contain_text("falls into the trap")
    chosen(page, "")


def test_an_enemy_is_pushed_and_pulled_by_dragging_it(served: Served, page: Page) -> None:
    begin(page, served, game="arimaa", position=LONE)
    drag(page, "d5", "d6")
    stands(page, "d6", "C")
    stands(page, "d5", "E")
    page.click("#reset")
    stands(page, "d5", "C")
    drag(page, "d5", "d4")
    page.click("trine-board .chooser button:has-text('c4')")
    stands(page, "d4", "C")
    stands(page, "c4", "E")


def test_a_turn_is_typed_with_what_completes_it(served: Served, page: Page) -> None:
    begin(page, served, game="arimaa", position=LONE)
    page.wait_for_function(LIVE)
    ways = page.locator("#ways option").evaluate_all("all => all.map((one) => one.value)")
    assert "Ed4e" in ways and "cd5n" in ways
    page.keyboard.press("t")
    page.fill("#line", "d4e")
    page.keyboard.press("Enter")
    stands(page, "e4", "E")
    expect(page.locator("#line")).to_have_value("")
    page.fill("#line", "e9")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_have_class("told wrong")
    expect(page.locator("#line")).to_have_value("e9")
    page.fill("#line", "e4n end")
    page.keyboard.press("Enter")
    expect(page.locator("#submit")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector("#turns li >> nth=0", state="attached")


def test_pieces_go_by_taps_on_a_phone_where_reasons_are_shown(served: Served, phone: Page) -> None:
    begin(phone, served, game="arimaa", position=LONE)
    x, y = place(phone, "h8")  # an enemy's
    phone.touchscreen.tap(x, y)
    left, right, *ends = phone.wait_for_function(BUBBLE).json_value()
    assert 0 <= left < right <= PHONE[0]
    assert min(abs(end - y) for end in ends) < 80
    phone.click("#open")
    phone.click("#insight")
    expect(phone.locator("#findings")).to_be_in_viewport()
    expect(phone.locator("#findings li").first).to_be_visible()
    tap(phone, "d4")
    expect(phone.locator("#findings")).to_be_hidden()
    phone.wait_for_function("() => document.querySelector('trine-board').next.has('g5')")
    tap(phone, "g5")
    stands(phone, "g5", "E")
    expect(phone.locator("#told")).to_contain_text("end the turn, or undo")
    phone.tap("#submit")
    phone.wait_for_selector("#turns li >> nth=0", state="attached")


def test_the_analysis_takes_the_same_gestures(served: Served, page: Page) -> None:
    home = served.address.rstrip("/")
    answer = page.request.post(
        f"{home}/analysis",
        form={"game": "arimaa", "from": "text", "text": LONE},
        headers={"Origin": home},
        max_redirects=0,
    )
    page.goto(home + answer.headers["location"])
    drag(page, "d4", "f5")
    stands(page, "f5", "E")
    chosen(page, "f5")
    page.click("#undo")
    stands(page, "e5", "E")
    chosen(page, "")


def test_a_turn_is_walked_through_action_by_action_if_one_likes(served: Served, page: Page) -> None:
    begin(page, served, game="arimaa", position=LONE)
    for number, spots in enumerate((("d4", "f4"), ("d5", "d6")), 1):
        page.mouse.click(*place(page, spots[0]))
        page.mouse.click(*place(page, spots[1]))
        page.click("#submit")
        expect(page.locator("#turns li")).to_have_count(number)
    page.click("#open")
    page.click("#more .rest summary")
    page.check("#slowly")
    page.click("#more .close")
    walk_slowly(page)
    page.click("#open")
    page.click("#analyse button")
    page.wait_for_url("**/analysis/**")
    expect(page.locator("#slowly")).to_be_checked()
    stands(page, "f4", "E")
    walk_slowly(page)


def walk_slowly(page: Page) -> None:
    """Go through the first turn, whose elephant makes two steps."""
    for button, elephant in (("first", "d4"), ("next", "e4"), ("next", "f4"), ("previous", "e4")):
        page.click(f"#{button}")
        stands(page, elephant, "E")


def test_what_has_ended_a_game_is_told_and_marked(served: Served, phone: Page) -> None:
    begin(phone, served, game="arimaa", position="2g 7r/4R3/8/8/8/8/8/7R")
    tap(phone, "e7", "e8")
    phone.click("#submit")
    expect(phone.locator("#told")).to_have_text("Gold wins: a rabbit has reached e8")
    marks = "() => document.querySelector('trine-board').scene.marks"
    assert {"role": "named", "cell": "e8"} in phone.evaluate(marks)
    for name in ("#rematch", "#to-review", "#to-moments"):
        expect(phone.locator(name)).to_be_in_viewport()


def test_nothing_that_ends_a_turn_stands_where_it_was_submitted(
    served: Served, phone: Page
) -> None:
    begin(phone, served, game="tzaar", rules="official", Seed="7")
    for number in (1, 2):
        phone.wait_for_function(LIVE)
        expect(phone.locator("#pass")).to_be_hidden()
        phone.evaluate(
            """() => { const board = document.querySelector("trine-board");
                for (const id of board.choices[0].picks) board.pick(id); }"""
        )
        if number == 1:
            phone.wait_for_selector("#turns li >> nth=0", state="attached")
    expect(phone.locator("#pass")).to_have_text("Pass")
    expect(phone.locator("#submit")).to_be_disabled()
    phone.tap("#pass")
    phone.wait_for_selector("#turns li >> nth=1", state="attached")


@pytest.mark.parametrize("finger", [False, True])
def test_a_pawn_is_dragged_or_picked_up(served: Served, browser: Browser, finger: bool) -> None:
    with a_page(browser, PHONE if finger else DESK) as page:
        begin(page, served, game="corridor", rules="quoridor")
        place(page, "e1")
        begins = "() => document.querySelector('trine-board').keyboard.current"
        assert page.evaluate(begins) == "e1"  # where Tab leads to
        if finger:
            tap(page, "e1", "e2")
        else:
            drag(page, "e1", "e2")
        expect(page.locator("#turns li button")).to_contain_text("e2")


def test_a_turn_is_taken_back_within_five_seconds(served: Served, browser: Browser) -> None:
    # Its clock stands, however long the house takes: this window is that of no other test.
    with a_page(browser, PHONE, base_url=served.address) as phone:
        begin(phone, served, game="corridor", side="0", **{"with": "bot:1"})
        phone.clock.install()
        phone.clock.pause_at(phone.evaluate("Date.now() / 1000") + 1)
        tap(phone, "e1", "e2")
        expect(phone.locator("#turns li")).to_have_count(2)
        undo = phone.locator("#undo")
        expect(undo).to_have_text("Take back")
        undo.tap()
        expect(phone.locator("#turns li")).to_have_count(0)
        phone.clock.run_for(5000)
        expect(undo).to_be_hidden()
        tap(phone, "e1", "e2")
        expect(undo).to_be_visible()
        phone.clock.run_for(5000)
        expect(undo).to_be_hidden()


def test_a_careful_player_is_asked_before_a_turn_is_sent(served: Served, phone: Page) -> None:
    begin(phone, served, game="corridor")
    phone.click("#open")
    phone.click(".rest summary")
    phone.check("#ask")
    phone.click("#more .close")
    tap(phone, "e1", "e2")
    phone.tap("#submit")
    expect(phone.locator("#turns li")).to_have_count(1)
    phone.reload()
    phone.wait_for_function(LIVE)
    expect(phone.locator("#ask")).to_be_checked()


def test_a_stack_that_is_picked_is_marked_on_the_stack(served: Served, browser: Browser) -> None:
    with a_page(browser, PHONE, dark=True) as page:
        begin(page, served, game="tzaar", Setup="fixed")
        lit = "trine-board [data-layer=lit]"
        page.wait_for_function(LIVE)
        spot = page.evaluate("document.querySelector('trine-board').choices[0].picks[0]")
        targets = page.locator(f"{lit} > *").count()
        tap(page, spot)
        expect(page.locator(f"{lit} .chosen")).to_have_count(1)
        assert page.locator(f"{lit} > *").count() > targets


def test_a_piece_that_can_do_nothing_says_why_at_the_first_tap(served: Served, phone: Page) -> None:
    begin(phone, served, game="arimaa", position="2g r6r/8/8/1c6/1R6/4E3/6C1/R6R")
    tap(phone, "b4")
    expect(phone.locator(".bubble")).to_have_text(
        "the rabbit on b4 is frozen by the cat on b5 (no friend beside it)"
    )
    tap(phone, "e3", "c3")
    expect(phone.locator(".bubble")).to_contain_text("it would fall into the trap")


def test_a_groove_that_is_refused_moves_no_pawn(served: Served, phone: Page) -> None:
    begin(phone, served, game="corridor", rules="quoridor", position=WALLED)
    groove, square = place(phone, "e1h"), place(phone, "e2")
    phone.touchscreen.tap(square[0], groove[1])
    expect(phone.locator(".bubble")).to_be_visible()
    assert phone.evaluate(
        "document.querySelector('trine-board').scene.pieces.some(({ cell }) => cell === 'e1')"
    )
    expect(phone.locator("#undo")).to_be_disabled()


def test_a_finger_taps_a_wall_or_carries_it_from_the_tray(served: Served, phone: Page) -> None:
    begin(phone, served, game="corridor")
    expect(phone.locator("#submit")).to_be_disabled()
    tap(phone, "e3h")
    expect(phone.locator("#told")).to_have_text("Tap the wall again to place it.")
    tap(phone, "e3h")
    expect(phone.locator("#turns li")).to_have_count(1)
    expect(phone.locator("#turns")).to_contain_text("e3h")
    expect(phone.locator("#submit")).to_be_disabled()
    carry(phone, "#above trine-tray", "e6")
    wall = phone.wait_for_function("() => document.querySelector('trine-board').ghost")
    assert wall.json_value()[-1] in "hv"
    expect(phone.locator("#submit")).to_be_enabled()


def test_a_wall_that_is_only_seen_is_taken_back_and_lies_where_its_stroke_began(
    served: Served, phone: Page
) -> None:
    seen = "() => document.querySelector('trine-board').ghost"
    phone.goto(f"{served.address}learn/corridor/quoridor/wall")
    told, undo = phone.locator("#told"), phone.locator("#undo")
    task = told.text_content() or ""
    for take_away in ("#undo", "#reset", ""):
        tap(phone, "d7h")
        expect(told).to_have_text("Tap the wall again to place it.")
        expect(undo).to_be_enabled()
        phone.tap(take_away) if take_away else tap(phone, "a1")
        expect(told).to_have_text(task)
        expect(undo).to_be_disabled()
        assert phone.evaluate(seen) is None and not phone.locator(".bubble").count()
    touches = phone.context.new_cdp_session(phone)
    for kind, spot in (("touchStart", "d7h"), ("touchMove", "e7h")):
        x, y = place(phone, spot)
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert phone.evaluate(seen) == "d7h"
    phone.tap("#submit")
    expect(told).to_have_class("told solved")


def test_a_lesson_takes_whole_gestures_and_says_hints_in_view(
    served: Served, browser: Browser
) -> None:
    with a_page(browser, (360, 640), "ru") as page:
        page.goto(f"{served.address}learn/arimaa/official/steps")
        page.wait_for_function(LIVE)
        for _ in range(2):
            page.tap("#hint")
        page.wait_for_function("() => document.querySelector('trine-board').arrows.length === 4")
        for name in ("trine-board", "#told", "#submit", "#hint"):
            expect(page.locator(name)).to_be_in_viewport(ratio=1)
        box = page.locator("trine-board").bounding_box()
        assert box and box["width"] >= 344
        tap(page, "d2", "e5")
        stands(page, "e5", "E")
        page.tap("#submit")
        expect(page.locator("#told")).to_have_class("told solved")


def test_arrows_are_drawn_kept_in_a_link_and_go_with_the_position(
    served: Served, page: Page
) -> None:
    drawn = "[data-layer=targets] [data-layer=marks] > *"
    begin(page, served, game="arimaa", position=LONE)
    game = page.url
    drag(page, "d4", "f5", button="right")
    page.click("trine-board [data-spot=d5]", button="right")
    page.wait_for_url(f"{game}?turn=0#!d4_f5,d5")
    page.reload()
    expect(page.locator(drawn)).to_have_count(2)
    drag(page, "d4", "f5", button="right")  # the same again takes it away
    page.wait_for_url(f"{game}?turn=0#!d5")
    page.goto(f"{game}?turn=0#!d5%")
    page.reload()  # another mark alone loads nothing
    page.wait_for_function(LIVE)  # whatever a link was mangled to
    drag(page, "d4", "e4")
    page.click("#submit")
    page.wait_for_url(game)
    expect(page.locator(drawn)).to_have_count(0)
