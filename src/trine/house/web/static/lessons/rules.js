/** The rule book: the pictures become boards on which everything can be tried. */

import "../board/board.js";
import { Trial } from "./trial.js";

const failed = /** @type {HTMLElement} */ (document.querySelector(".book")).dataset.failed ?? "";

/** @param {HTMLElement} clause */
function prepare(clause) {
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (clause.querySelector(name));
  /** @param {string} name */
  const button = (name) => /** @type {HTMLButtonElement} */ (part(`button.${name}`));
  const [frame, told, mover] = [part(".board"), part(".told"), part(".mover")];
  const [live, undo, reset] = [button("live"), button("undo"), button("reset")];
  /** @type {NodeListOf<HTMLButtonElement>} */
  const lines = clause.querySelectorAll("button[data-line]");
  /** @type {Trial | undefined} */
  let trial;

  /**
   * @param {string} sentence
   * @param {boolean} wrong
   */
  function tell(sentence, wrong) {
    told.textContent = sentence;
    told.classList.toggle("wrong", wrong);
  }

  /** The board in place of the picture. */
  function begin() {
    const { size = "", boards = "" } = frame.dataset;
    const board = /** @type {import("../board/board.js").TrineBoard} */ (document.createElement("trine-board"));
    board.setAttribute("size", size);
    board.setAttribute("boards", boards);
    const made = new Trial(board, clause.dataset.place ?? "", failed);
    board.addEventListener("action", (event) => {
      const { id } = /** @type {CustomEvent} */ (event).detail;
      made.play([...made.actions, id]);
    });
    made.addEventListener("refused", (event) => tell(/** @type {CustomEvent} */ (event).detail, true));
    made.addEventListener("state", (event) => {
      /** @type {import("./trial.js").State} */
      const state = /** @type {CustomEvent} */ (event).detail;
      if (!board.isConnected) frame.replaceChildren(board);
      tell(state.told || (told.dataset.task ?? ""), state.legal === false);
      mover.textContent = state.mover || "–";
      undo.disabled = !state.a.length;
      reset.disabled = !state.a.length && state.legal !== false;
    });
    live.hidden = true;
    told.hidden = undo.hidden = reset.hidden = false;
    return made;
  }

  live.addEventListener("click", async () => {
    trial ??= begin();
    await trial.play([]);
    trial.board.focus();
  });
  undo.addEventListener("click", () => trial?.play(trial.actions.slice(0, -1)));
  reset.addEventListener("click", () => trial?.play([]));
  for (const line of lines) {
    line.hidden = false;
    line.addEventListener("click", () => {
      trial ??= begin();
      trial.read(line.dataset.line ?? "");
    });
  }
  live.hidden = false;
}

for (const clause of document.querySelectorAll("[data-place]")) {
  if (clause instanceof HTMLElement) prepare(clause);
}
