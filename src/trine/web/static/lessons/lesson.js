/** A lesson: what the learner does is tried, and what has come of it is told. */

import "../board/board.js";
import { setDone } from "./progress.js";
import { Trial } from "./trial.js";

/** @typedef {import("./trial.js").State} State */

/** Who taps with a finger confirms a turn; with a mouse it is played when it is complete. */
const confirms = matchMedia("(pointer: coarse)").matches;

/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (document.getElementById(name));
/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement} */ (part(name));

const root = part("lesson");
const board = /** @type {import("../board/board.js").TrineBoard} */ (part("board"));
const told = part("told");
const [undo, reset, submit] = [button("undo"), button("reset"), button("submit")];
const next = part("next");
const { place = "", game = "", name = "", failed = "" } = root.dataset;
const trial = new Trial(board, place, failed);
/** Whether the button was pressed that ends the turn: then nothing is to be confirmed. */
let pressed = false;

/**
 * @param {string} sentence
 * @param {string} [how]
 */
function tell(sentence, how = "") {
  told.textContent = sentence;
  told.className = `told ${how}`;
}

/** @param {State} state */
function show(state) {
  board.arrows = arrows();
  const [solved, missed] = [state.state === "solved", state.state === "missed"];
  const about = [state.told || (told.dataset.task ?? ""), ...(state.status ?? [])];
  tell(about.join(" · "), solved ? "solved" : missed ? "wrong" : "");
  undo.disabled = solved || !(state.open || missed);
  reset.disabled = !state.a.length;
  reset.textContent = (solved || missed ? root.dataset.again : root.dataset.reset) ?? "";
  reset.classList.toggle("main", missed);
  submit.hidden = solved || missed;
  main();
  next.hidden = !solved;
  if (!solved) return;
  setDone(game, name);
  // Enter goes on, as in a terminal.
  next.focus({ preventScroll: true });
}

/** The one button: it submits the turn, or ends it by what the board has for it. */
function main() {
  submit.disabled = !(trial.state?.closed || board.ending);
  submit.textContent = (trial.state?.closed ? undefined : board.ending?.label) ?? root.dataset.submit ?? "";
}
board.addEventListener("draft", main);

trial.addEventListener("state", (event) => show(/** @type {CustomEvent} */ (event).detail));
trial.addEventListener("refused", (event) => tell(/** @type {CustomEvent} */ (event).detail, "wrong"));
board.addEventListener("action", (event) => {
  const { id } = /** @type {CustomEvent} */ (event).detail;
  trial.play([...trial.actions, id], pressed || !confirms);
  pressed = false;
});
undo.addEventListener("click", () => trial.play(trial.actions.slice(0, -1)));
reset.addEventListener("click", () => trial.play([]));
submit.addEventListener("click", () => {
  const ends = trial.state?.closed ? undefined : board.ending;
  if (!ends) return void trial.play(trial.actions);
  pressed = true;
  board.pick(ends.id);
});

// One way to do it is shown on the board too, from where it begins.
const solution = /** @type {HTMLDetailsElement} */ (part("solution"));
/** @returns {string[][]} */
const arrows = () => (solution.open && !trial.actions.length ? JSON.parse(root.dataset.arrows ?? "[]") : []);
solution.addEventListener("toggle", () => {
  if (solution.open && trial.actions.length) trial.play([]);
  board.arrows = arrows();
});

part("buttons").hidden = false;
trial.take(JSON.parse(root.dataset.state ?? ""));
