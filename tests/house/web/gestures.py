"""Gestures of a mouse and of fingers on the board of a page."""

from typing import Literal

from playwright.sync_api import Page

PLACE = """id => {
  const board = document.querySelector("trine-board");
  const box = board?.live && board.shadowRoot.querySelector(`[data-spot="${id}"]`)?.getBoundingClientRect();
  const place = box && [box.x + box.width / 2, box.y + box.height / 2];
  const same = String(place) === board?.dataset.place;
  if (board) board.dataset.place = String(place);
  return same && place;
}"""
LONE = "2g 7r/8/8/3c4/3E4/8/8/R7"
"""An elephant beside a cat, in the middle of the board."""


def place(page: Page, spot: str) -> tuple[float, float]:
    """Where a spot is, once something can be chosen and nothing moves any more."""
    x, y = page.wait_for_function(PLACE, arg=spot).json_value()
    return x, y


def drag(page: Page, begin: str, end: str, button: Literal["left", "right"] = "left") -> None:
    page.mouse.move(*place(page, begin))
    page.mouse.down(button=button)
    page.mouse.move(*place(page, end), steps=5)
    page.mouse.up(button=button)


def tap(page: Page, *spots: str) -> None:
    for spot in spots:
        page.touchscreen.tap(*place(page, spot))


def stands(page: Page, cell: str, piece: str) -> None:
    page.wait_for_function(
        """([cell, piece]) => document.querySelector("trine-board").scene?.pieces.some(
          (one) => one.cell === cell && one.figure === piece)""",
        arg=[cell, piece],
    )


def carry(page: Page, begin: str, end: str) -> None:
    x, y = place(page, end)
    box = page.locator(begin).bounding_box()
    assert box
    touches = page.context.new_cdp_session(page)

    def touch(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", box["x"] + 8, box["y"] + 8)
    for part in (0.5, 1):
        touch("touchMove", box["x"] + (x - box["x"]) * part, box["y"] + (y - box["y"]) * part)
    touch("touchEnd")
