"""Measures how fast the page of a game loads and responds on a slow phone, in a real browser.

``PYTHONPATH=tests .venv/bin/python benchmarks/page.py`` prints for each game the bytes of a first
visit, when the largest element is painted (LCP), how much the layout shifts (CLS), how long the
page takes to respond to a tap (INP), and how long frames take while a piece or a wall is dragged.

The network is that of a slow mobile connection and the processor a quarter as fast as this one.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, Page

from house.web.browsing import WHOLE, a_page, chromium
from house.web.served import Served, a_server
from house.web.test_page import PHONE, begin, travelling
from trine.games import ROOMS

SLOWER = 4
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
"""Units: ms, bytes a second."""
LIVE = "() => document.querySelector('trine-board').live"
WATCH = """
window.seen = {lcp: 0, cls: 0, inp: 0};
const watch = (type, take) => {
  const all = (list) => list.getEntries().forEach(take);
  new PerformanceObserver(all).observe({type, buffered: true, durationThreshold: 16});
};
watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
watch('event', (entry) => {
  if (entry.interactionId) seen.inp = Math.max(seen.inp, entry.duration);
});
"""
FRAMES = """() => {
  window.frames_ = [];
  let before;
  const tick = (now) => {
    if (before) frames_.push(now - before);
    before = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}"""


def drag(page: Page) -> list[float]:
    """Drag a finger over the board for a second; return the time of each frame, in ms."""
    screen = page.context.new_cdp_session(page)
    box = page.locator("trine-board").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8

    def send(kind: str, points: list[dict[str, float]]) -> None:
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    page.evaluate(FRAMES)
    send("touchStart", [{"x": x, "y": y}])
    for step in range(60):
        send("touchMove", [{"x": x + (step % 20) * 3, "y": y - step * 3}])
        page.wait_for_timeout(16)
    frames: list[float] = page.evaluate("() => frames_")
    send("touchEnd", [])
    return frames


def measure(browser: Browser, served: Served, game: str) -> None:
    """Visit a game for the first time, tap, and drag."""
    with a_page(browser, PHONE, service_workers="block") as page:
        path = begin(page, served, game=game)
        page.goto("about:blank")
        page.add_init_script(WATCH)
        sizes, messages = travelling(page)
        screen = page.context.new_cdp_session(page)
        screen.send("Network.enable")
        screen.send("Network.emulateNetworkConditions", NETWORK)
        screen.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(served.address.rstrip("/") + path)
        page.wait_for_function(LIVE, timeout=60_000)
        page.wait_for_timeout(1500)
        came = (sum(sizes) + sum(messages)) / 1000
        for place in ("#flip", "#flip"):
            page.tap("#open")
            page.tap(place)
            page.wait_for_timeout(800)
        board = page.locator("trine-board").bounding_box()
        assert board
        for part in (0.75, 0.6, 0.5):
            page.touchscreen.tap(
                board["x"] + board["width"] / 2, board["y"] + board["height"] * part
            )
            page.wait_for_timeout(500)
        seen = page.evaluate("() => seen")
        screen.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        frames = drag(page)
        print(
            f"{game:9} {came:6.1f} kB   LCP {seen['lcp'] / 1000:5.2f} s   CLS {seen['cls']:.3f}"
            f"   INP {seen['inp']:4.0f} ms   frame {median(frames):4.1f} ms,"
            f" one in 20 over {quantiles(frames, n=20)[-1]:4.1f} ms ({len(frames)} frames)"
        )


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        a_server(Path(folder), address_credits=100_000) as served,
        chromium(WHOLE) as browser,
    ):
        for game in sys.argv[1:] or ROOMS:
            measure(browser, served, game)


if __name__ == "__main__":
    main()
