/** The rule book: an open clause has a board for trying any action. */

import { Stage } from "./stage.js";

const words = JSON.parse(/** @type {HTMLElement} */ (document.querySelector(".book, .sides")).dataset.words ?? "{}");

/** @param {HTMLElement} clause */
function prepare(clause) {
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (clause.querySelector(name));
  /** @type {Stage | undefined} */
  let stage;

  /** The board in place of the picture. */
  function begin() {
    const { size = "", boards = "" } = part(".board").dataset;
    const board = document.createElement("trine-board");
    board.append(...part(".board").childNodes);
    for (const [name, value] of Object.entries({ size, boards, buttons: "none" })) board.setAttribute(name, value);
    part(".board").append(board);
    for (const name of [".told", ".undo", ".reset", ".submit"]) part(name).hidden = false;
    return new Stage(clause, clause.dataset.place ?? "", words, ({ mover }) => (part(".mover").textContent = mover || "–"));
  }

  part("details").addEventListener("toggle", () => {
    if (!stage) (stage = begin()).play([]);
  });
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (clause.querySelectorAll("button[data-line]"))) {
    line.hidden = false;
    line.addEventListener("click", () => (stage ??= begin()).read(line.dataset.line ?? ""));
  }
}

for (const clause of document.querySelectorAll("[data-place]")) {
  if (clause instanceof HTMLElement) prepare(clause);
}
