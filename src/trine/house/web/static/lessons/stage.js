/**
 * The board on which a lesson or a puzzle is tried, with its buttons and the line that tells what has
 * come of it.
 */

import "../board/board.js";
import { button, part } from "../page/parts.js";
import { Trial } from "./trial.js";

/** @typedef {import("./trial.js").State} State */

/** Who taps with a finger confirms a turn; with a mouse it is played when it is complete. */
const confirms = matchMedia("(pointer: coarse)").matches;

export class Stage {
  board = /** @type {import("../board/board.js").TrineBoard} */ (part("board"));
  #told = part("told");
  #undo = button("undo");
  #reset = button("reset");
  #submit = button("submit");
  #next = part("next");
  /** Whether the button was pressed that ends the turn: then nothing is to be confirmed. */
  #pressed = false;

  /**
   * @param {HTMLElement} root Has the words of the buttons, and the state at the beginning.
   * @param {string} place Where the house is asked.
   * @param {(state: State) => void} shown What else happens when a state is shown.
   */
  constructor(root, place, shown) {
    this.root = root;
    this.shown = shown;
    const { board } = this;
    const trial = (this.trial = new Trial(board, place, root.dataset.failed ?? ""));
    board.addEventListener("draft", () => this.#main());
    board.addEventListener("action", (event) => {
      const { id } = /** @type {CustomEvent} */ (event).detail;
      trial.play([...trial.actions, id], this.#pressed || !confirms);
      this.#pressed = false;
    });
    trial.addEventListener("state", (event) => this.#show(/** @type {CustomEvent} */ (event).detail));
    trial.addEventListener("refused", (event) => this.tell(/** @type {CustomEvent} */ (event).detail, "wrong"));
    this.#undo.addEventListener("click", () => trial.play(trial.actions.slice(0, -1)));
    this.#reset.addEventListener("click", () => trial.play([]));
    this.#submit.addEventListener("click", () => this.#end());
  }

  /** Begin, once all is in place. */
  begin() {
    part("buttons").hidden = false;
    this.trial.take(JSON.parse(this.root.dataset.state ?? ""));
  }

  /**
   * @param {string} sentence
   * @param {string} [how]
   */
  tell(sentence, how = "") {
    this.#told.textContent = sentence;
    this.#told.className = `told ${how}`;
  }

  /** Leave nothing but to begin anew or to go on. */
  close() {
    [this.#undo.disabled, this.#reset.disabled] = [true, false];
    this.#reset.textContent = this.root.dataset.again ?? "";
    this.#submit.hidden = true;
    this.#next.hidden = false;
  }

  /** @param {State} state */
  #show(state) {
    const [solved, missed] = [state.state === "solved", state.state === "missed"];
    const about = [state.told || (this.#told.dataset.task ?? ""), state.rated ?? "", state.coach ?? ""];
    this.tell(about.filter(Boolean).join(" · "), solved ? "solved" : missed ? "wrong" : "");
    this.#undo.disabled = solved || !(state.open || missed);
    this.#reset.disabled = !state.a.length;
    this.#reset.textContent = (solved || missed ? this.root.dataset.again : this.root.dataset.reset) ?? "";
    this.#reset.classList.toggle("main", missed);
    this.#submit.hidden = solved || missed;
    this.#main();
    this.#next.hidden = !solved;
    this.shown(state);
    // Enter goes on, as in a terminal.
    if (solved) this.#next.focus({ preventScroll: true });
  }

  /** The one button: it submits the turn, or ends it by what the board has for it. */
  #main() {
    const { trial, board } = this;
    this.#submit.disabled = !(trial.state?.closed || board.ending);
    const label = trial.state?.closed ? undefined : board.ending?.label;
    this.#submit.textContent = label ?? this.root.dataset.submit ?? "";
  }

  #end() {
    const { trial, board } = this;
    const ends = trial.state?.closed ? undefined : board.ending;
    if (!ends) return void trial.play(trial.actions);
    this.#pressed = true;
    board.pick(ends.id);
  }
}
