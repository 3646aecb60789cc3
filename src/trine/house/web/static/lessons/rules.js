/** The rule book: the pictures become boards on which everything can be tried. */

import { Stage } from "./stage.js";

const words = JSON.parse(/** @type {HTMLElement} */ (document.querySelector(".book, .sides")).dataset.words ?? "{}");

/** @param {HTMLElement} clause */
function prepare(clause) {
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (clause.querySelector(name));
  const live = part("button.live");
  /** @type {Stage | undefined} */
  let stage;

  /** The board in place of the picture. */
  function begin() {
    const { size = "", boards = "" } = part(".board").dataset;
    const board = document.createElement("trine-board");
    board.append(...part(".board").childNodes);
    for (const [name, value] of Object.entries({ size, boards, buttons: "none" })) board.setAttribute(name, value);
    part(".board").append(board);
    live.hidden = true;
    for (const name of [".told", ".undo", ".reset", ".submit"]) part(name).hidden = false;
    return new Stage(clause, clause.dataset.place ?? "", words, ({ mover }) => (part(".mover").textContent = mover || "–"));
  }

  live.addEventListener("click", async () => {
    stage ??= begin();
    await stage.play([]);
    stage.board.focus();
  });
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (clause.querySelectorAll("button[data-line]"))) {
    line.hidden = false;
    line.addEventListener("click", () => (stage ??= begin()).read(line.dataset.line ?? ""));
  }
  live.hidden = false;
}

for (const clause of document.querySelectorAll("[data-place]")) {
  if (clause instanceof HTMLElement) prepare(clause);
}
