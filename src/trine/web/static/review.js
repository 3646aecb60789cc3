/** The page of a review: its curve, its turns and its board move together. */

import "./replay.js";

/** @typedef {import("./replay.js").TrineReplay} TrineReplay */

const replay = /** @type {TrineReplay | null} */ (document.querySelector("trine-replay"));
const game = document.querySelector("#game");
const now = document.querySelector(".curve .now");

/** @param {number} turn */
function point(turn) {
  const slice = document.querySelector(`.curve [data-turn="${turn}"]`);
  now?.toggleAttribute("hidden", !slice);
  now?.setAttribute("transform", `translate(${slice?.getAttribute("data-x") ?? 0} 0)`);
  for (const row of document.querySelectorAll("tr[id]")) {
    if (row.id === `turn-${turn}`) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  }
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("[data-turn]") : null;
  if (!link || !replay || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  replay.turn = Number(link.getAttribute("data-turn"));
  const { top, bottom } = replay.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) replay.scrollIntoView({ block: "nearest" });
}

if (replay) {
  replay.hidden = false;
  replay.addEventListener("turn", () => point(replay.turn));
  // In a page of its own the game is inside; a page of a house says where it is.
  if (game) replay.game = JSON.parse(game.textContent ?? "");
  else replay.setAttribute("src", replay.dataset.game ?? "");
  document.addEventListener("click", follow);
}
