"""A game on a page: Python plays, the page shows and is pointed at, by mouse, by finger, by keys."""

import random
from abc import ABC, abstractmethod
from typing import Any

from playwright.sync_api import CDPSession, Page

from trine.core.contract.choices import Choosable, choices
from trine.core.contract.position import Action
from trine.core.play import Play, changed_cells
from trine.core.scene.composing import FIRST_KEYS, Keys, carry_keys
from trine.core.scene.scene import Point, Scene, Spot, plain

Place = tuple[float, float]
HEARD = "() => heard.some(({ name }) => name !== 'draft')"


class Table:
    """A play and the page that shows it."""

    def __init__(self, page: Page, play: Play, *, seat: int = 0, pieces: str = "") -> None:
        self.page = page
        self.play = play
        self.seat, self.pieces = seat, pieces
        self.keys: Keys = FIRST_KEYS
        self.known: set[str] = set()
        self.marks: Any = {}
        page.wait_for_function("() => 'show' in window")
        self.show()

    def show(self) -> None:
        play = self.play
        last: frozenset[str] = frozenset()
        if play.turns and not play.open_actions:
            last = changed_cells(play.room, play.turns[-1].before, play.turns[-1].actions)
        self.scene: Scene = play.room.view.scene(
            play.position,
            seat=self.seat,
            last=last,
            keys=self.keys,
            pieces=self.pieces,
            marks=self.marks,
        )
        legal = () if play.outcome else play.legal_actions()
        self.ways = choices(play.room, play.position, legal)
        board = self.scene.board
        sent: dict[str, Any] = {
            "digest": board.digest,
            "half": None,
            "scene": plain(self.scene.view),
        }
        if board.digest not in self.known:
            sent["half"] = plain(board)
            self.known.add(board.digest)
        sent["choices"] = [plain(way) for way in self.ways]
        self.page.evaluate("sent => show(sent)", sent)
        box = self.page.locator("trine-board svg").bounding_box()
        assert box
        self.box = box
        self.spots = {spot.id: spot for spot in board.spots}

    def act(self, action: Action) -> None:
        """Play an action, and show what comes of it."""
        self.keys = carry_keys(self.play.room, self.play.position, action, self.keys)
        self.play.act(action)
        self.show()

    def heard(self, *names: str) -> list[dict[str, Any]]:
        """The events since the last time that this was asked, of some names."""
        said: list[dict[str, Any]] = self.page.evaluate("listen()")
        return [event for event in said if event["name"] in (names or ("action", "refused"))]

    def place(self, at: Point) -> Place:
        """Where a point of the scene is on the page, in pixels."""
        across, down = self.scene.board.size
        return (
            self.box["x"] + self.box["width"] * at[0] / across,
            self.box["y"] + self.box["height"] * at[1] / down,
        )

    def chosen_action(self, way: Choosable) -> Action:
        """The action that the page says was chosen, which must be the one that was pointed at."""
        if str(way.label):
            self.page.locator(".chooser button", has_text=str(way.label)).first.click()
        # A tap on a button becomes a click a little later.
        self.page.wait_for_function(HEARD)
        (event,) = self.heard()
        assert event["name"] == "action", event
        assert (event["id"], tuple(event["picks"])) == (way.id, way.path)
        index = [each.id for each in self.ways].index(way.id)
        action: Action = self.play.legal_actions()[index]
        return action


class Hand(ABC):
    def __init__(self, table: Table, rng: random.Random) -> None:
        self.table, self.rng = table, rng

    def point(self, way: Choosable) -> None:
        """Point at all picks of an action, one after the other; the first may be chosen already."""
        chosen = tuple(self.table.page.evaluate("board.draft"))
        for pick in way.path[len(chosen) if way.path[: len(chosen)] == chosen else 0 :]:
            if pick.startswith("#"):
                self.press(pick)
            else:
                self.pick(self.table.spots[pick])

    def press(self, button: str) -> None:
        self.table.page.locator(f'trine-board button[data-pick="{button}"]').click()

    @abstractmethod
    def pick(self, spot: Spot) -> None:
        """Point at one spot."""

    def near(self, spot: Spot) -> Place:
        """A place within a spot, not always its middle."""
        shares = [self.rng.uniform(-0.3, 0.3) for _ in range(2)]
        moved = [
            at + share * size for at, share, size in zip(spot.at, shares, spot.size, strict=True)
        ]
        return self.table.place((moved[0], moved[1]))


class Mouse(Hand):
    """A mouse: click and click, or carry."""

    def point(self, way: Choosable) -> None:
        if len(way.path) == 2 and self.rng.random() < 0.5:
            mouse = self.table.page.mouse
            begin, end = (self.near(self.table.spots[pick]) for pick in way.path)
            mouse.move(*begin)
            mouse.down()
            mouse.move(*end, steps=2)
            mouse.up()
        else:
            super().point(way)

    def pick(self, spot: Spot) -> None:
        self.table.page.mouse.click(*self.near(spot))


class Finger(Hand):
    """A finger: tap and tap, or carry; a wall is tapped twice."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        super().__init__(table, rng)
        self.screen: CDPSession = table.page.context.new_cdp_session(table.page)

    def touch(self, *places: Place, at: float | None = None) -> None:
        """Put a finger down, draw it along, and lift it, all now or at a moment."""
        for index, (x, y) in enumerate(places):
            kind = "touchMove" if index else "touchStart"
            self.send(kind, [{"x": x, "y": y}], at)
        self.send("touchEnd", [], at)

    def send(self, kind: str, points: list[dict[str, float]], at: float | None = None) -> None:
        """Send what a touch screen says."""
        when = {} if at is None else {"timestamp": at}
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, **when})

    def point(self, way: Choosable) -> None:
        if len(way.path) == 2 and self.rng.random() < 0.5:
            begin, end = (self.near(self.table.spots[pick]) for pick in way.path)
            between = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
            self.touch(begin, between, end)
        else:
            super().point(way)

    def press(self, button: str) -> None:
        page = self.table.page
        page.locator(f'trine-board button[data-pick="{button}"]').tap()
        page.wait_for_function(HEARD)

    def pick(self, spot: Spot) -> None:
        self.touch(self.table.place(spot.at))
        if spot.preview:
            assert self.table.page.locator("trine-board .ghost").count() == 1
            assert not self.table.heard(), "a wall was played at the first tap"
            self.touch(self.table.place(spot.at))


class Keyboard(Hand):
    """The keyboard alone: arrows while they lead nearer, then from pick to pick."""

    MOST = 12

    def press(self, button: str) -> None:
        self.table.page.locator(f'trine-board button[data-pick="{button}"]').focus()
        self.table.page.keyboard.press("Enter")

    def pick(self, spot: Spot) -> None:
        keyboard = self.table.page.keyboard
        if not self.here():
            self.table.page.evaluate("board.focus()")
        for _ in range(self.MOST):
            here = self.table.spots[self.here()]
            across, down = spot.at[0] - here.at[0], spot.at[1] - here.at[1]
            if abs(across) + abs(down) < 0.3:
                break
            way = (
                ("Left", "Right")[across > 0]
                if abs(across) > abs(down)
                else ("Up", "Down")[down > 0]
            )
            keyboard.press(f"Arrow{way}")
        pages = 0
        while self.here() != spot.id:
            keyboard.press("PageDown")
            pages += 1
            assert pages < 500, f"no key leads to {spot.id}"
        keyboard.press("Enter")

    def here(self) -> str:
        """The spot that has the keyboard; empty if none has."""
        found = "document.querySelector('trine-board').shadowRoot.activeElement?.dataset.spot ?? ''"
        spot: str = self.table.page.evaluate(found)
        return spot
