/** A review on a page of its own: the report and the board move together. */

import "../board/replay.js";
import { Report } from "./report.js";

const replay = /** @type {import("../board/replay.js").TrineReplay | null} */ (document.querySelector("trine-replay"));
const place = document.getElementById("report");

if (replay && place) {
  const report = new Report(place, (turn) => {
    replay.turn = turn;
    const { top, bottom } = replay.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) replay.scrollIntoView({ block: "nearest" });
  });
  replay.hidden = false;
  replay.addEventListener("turn", () => (report.at = replay.turn));
  replay.game = JSON.parse(document.getElementById("game")?.textContent ?? "");
}
