"""Modules of the pages by themselves: what is said for a while, walking, and the clock of the house."""

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
                // When a key was held, not when a busy browser came to handle it.
                let held = 0;
                addEventListener("keydown", ({ timeStamp }) => (held = timeStamp), true);
                next.addEventListener("click", () => steps.push(held));
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


def test_a_review_opens_at_the_reader_s_own_mistake(browser: Browser) -> None:
    """At the first that lost much, else at the costliest, else at the costliest of all."""
    with opened(browser, BOARD) as page:
        opened_at = page.evaluate(
            """async () => {
                const { Reviewed } = await import("/static/analysis/report.js");
                const opening = (...turns) => {
                    const rows = turns.map(([player, lost, mark], n) => `<tr id="turn-${n + 1}" data-player="${player}" data-lost="${lost}" data-mark="${mark}"></tr>`);
                    document.body.innerHTML = `<div id="curve"></div><div id="report"><article><details data-turn="9"></details></article><table>${rows.join("")}</table></div>`;
                    return new Reviewed(document.body, {}, () => 0, () => 0).opening("0");
                };
                return [
                    opening(["0", 3, ""], ["1", 40, "??"], ["0", 16, "?!"], ["0", 30, "??"]),
                    opening(["0", 10, "?!"], ["1", 40, "??"], ["0", 12, "?!"]),
                    opening(["0", 3, ""], ["1", 40, "??"]),
                ];
            }"""
        )
        assert opened_at == [3, 3, 9]


def test_the_clock_of_the_house_is_that_of_the_last_pings(browser: Browser) -> None:
    with opened(browser, BOARD) as page:
        offsets = page.evaluate(
            """async () => {
                const { Socket } = await import("/static/page/socket.js");
                const ends = [];
                window.WebSocket = class extends EventTarget {
                    constructor() { super(); ends.push(this); }
                    send() {}
                    close() {}
                };
                const socket = new Socket("/socket");
                const [end] = ends;
                end.dispatchEvent(new Event("open"));
                const offsets = [];
                for (const ahead of [60, 50, 5, 4, 3, 2, 1, 9]) {
                    const data = JSON.stringify({ t: "ping", n: 1, now: Date.now() / 1000 + ahead });
                    end.dispatchEvent(new MessageEvent("message", { data }));
                    await new Promise((go) => setTimeout(go));
                    offsets.push(Math.round(socket.offset / 1000));
                }
                return offsets;
            }"""
        )
        assert offsets == [60, 60, 60, 60, 60, 50, 5, 9]


def test_a_lost_connection_is_told_after_the_messages_before_it(browser: Browser) -> None:
    """They are unpacked meanwhile; their sentences would stand in place of the loss."""
    with opened(browser, BOARD) as page:
        heard = page.evaluate(
            """async () => {
                const words = new Blob(['{"t":"at"}']).stream();
                const packed = await new Response(words.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
                window.WebSocket = class extends EventTarget { close() {} };
                const { Socket } = await import("/static/page/socket.js");
                const { promise: line, resolve } = Promise.withResolvers();
                const connect = EventTarget.prototype.addEventListener;
                WebSocket.prototype.addEventListener = function (...given) { resolve(this); connect.apply(this, given); };
                const socket = new Socket("/x"), heard = [];
                for (const name of ["message", "lost"]) socket.addEventListener(name, () => heard.push(name));
                (await line).dispatchEvent(new MessageEvent("message", { data: packed }));
                (await line).dispatchEvent(new CloseEvent("close", { code: 1006 }));
                while (heard.length < 2) await new Promise((done) => setTimeout(done, 10));
                socket.close();
                return heard;
            }"""
        )
        assert heard == ["message", "lost"]
