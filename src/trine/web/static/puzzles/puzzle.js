/** A puzzle: a turn is tried, the house says whether it solves it, and the board shows why not. */

import "../board/board.js";
import { Trial } from "../lessons/trial.js";
import { setSolved } from "./solved.js";

/** @typedef {import("../lessons/trial.js").State & {rated?: string}} State */

/** Who taps with a finger confirms a turn; with a mouse it is played when it is complete. */
const confirms = matchMedia("(pointer: coarse)").matches;
/** How long each turn of the solution is seen, in milliseconds. */
const SEEN = 1400;

/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (document.getElementById(name));
/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement} */ (part(name));

const root = part("puzzle");
const board = /** @type {import("../board/board.js").TrineBoard} */ (part("board"));
const told = part("told");
const [undo, reset, submit] = [button("undo"), button("reset"), button("submit")];
const [hint, solution, next] = [button("hint"), button("solution"), part("next")];
const { place = "", name = "", failed = "" } = root.dataset;
const trial = new Trial(board, `${place}/try`, failed);
/** Whether the button was pressed that ends the turn: then nothing is to be confirmed. */
let pressed = false;
/** Counts what is shown, so that a solution ends where something else begins. */
let shown = 0;

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
  shown += 1;
  const [solved, missed] = [state.state === "solved", state.state === "missed"];
  const about = [state.told || (told.dataset.task ?? ""), state.rated ?? "", ...(state.status ?? [])];
  tell(about.filter(Boolean).join(" · "), solved ? "solved" : missed ? "wrong" : "");
  undo.disabled = solved || !(state.open || missed);
  reset.disabled = !state.a.length;
  reset.textContent = (solved || missed ? root.dataset.again : root.dataset.reset) ?? "";
  reset.classList.toggle("main", missed);
  submit.hidden = solved || missed;
  main();
  next.hidden = !solved;
  if (!solved) return;
  finished();
  if (name && !trial.helped) setSolved(name);
  next.focus({ preventScroll: true });
}

/** What may be seen once the puzzle is over. */
function finished() {
  part("themes").hidden = false;
  hint.disabled = true;
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

hint.addEventListener("click", () => {
  trial.helped = true;
  const left = part("hints").querySelectorAll("li[hidden]");
  left[0]?.removeAttribute("hidden");
  hint.disabled = left.length < 2;
});
solution.addEventListener("click", async () => {
  trial.helped = true;
  const turn = (shown += 1);
  const answer = await fetch(`${place}/solution`).then((got) => got.json(), () => undefined);
  if (!answer) return void tell(failed, "wrong");
  tell(answer.told);
  [undo.disabled, reset.disabled, submit.disabled] = [true, false, true];
  reset.textContent = root.dataset.again ?? "";
  next.hidden = false;
  submit.hidden = true;
  finished();
  for (const view of answer.views) {
    if (turn !== shown) return;
    board.show(view, []);
    await new Promise((go) => setTimeout(go, board.time ? SEEN : 0));
  }
});

part("buttons").hidden = false;
part("help").hidden = false;
trial.take(JSON.parse(root.dataset.state ?? ""));
