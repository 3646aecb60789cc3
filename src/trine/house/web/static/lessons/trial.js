/**
 * Something tried on a board: all actions so far are told to the house each time, and it says what
 * has come of them. The house keeps nothing, so a reload begins anew.
 */

/** @typedef {House.PuzzleState & House.ExampleState} Told */
/** @typedef {Pick<Told, "view" | "choices" | "a" | "told"> & Partial<Told>} State What has come of a trial. */
/** @typedef {{a?: string[], submit?: boolean, picks?: string[], line?: string, helped?: boolean}} Question */

/** How long the learner's own turn is seen before the answer to it, in milliseconds. */
const PAUSE = 600;

export class Trial extends EventTarget {
  /** @type {State | undefined} */
  state;
  /** Whether the last action is submitted, if it ends a turn. */
  submitted = true;
  /** Whether help was asked for, at a puzzle. */
  helped = false;
  #count = 0;

  /**
   * @param {import("../board/board.js").TrineBoard} board
   * @param {string} place Where the house is asked.
   * @param {string} failed What is said when it cannot be.
   */
  constructor(board, place, failed) {
    super();
    this.board = board;
    this.place = place;
    this.failed = failed;
    board.addEventListener("refused", (event) => {
      const { picks } = /** @type {CustomEvent} */ (event).detail;
      this.#ask({ a: this.actions, submit: this.submitted, picks });
    });
  }

  /** All actions so far. */
  get actions() {
    return this.state?.a ?? [];
  }

  /**
   * Try actions, all from the beginning.
   * @param {string[]} actions
   * @param {boolean} [submit]
   */
  async play(actions, submit = true) {
    const taken = await this.#ask({ a: actions, submit });
    if (taken) this.submitted = submit;
    else if (this.state) this.board.show(this.state.view, this.state.choices);
  }

  /** @param {string} line */
  async read(line) {
    await this.#ask({ line });
    this.submitted = true;
  }

  /** @param {State} state */
  async take(state) {
    const asked = this.#count;
    this.state = state;
    if (state.first && this.board.time) {
      this.board.show(state.first, []);
      await new Promise((go) => setTimeout(go, PAUSE));
      if (asked !== this.#count) return;
    }
    this.board.show(state.view, state.choices);
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }

  /**
   * @param {Question} question
   * @returns {Promise<boolean>} Whether something has come of it.
   */
  async #ask(question) {
    const asked = ++this.#count;
    const answer = await ask(this.place, this.helped ? { ...question, helped: true } : question);
    if (asked !== this.#count) return true;
    if (answer.view) await this.take(answer);
    else this.dispatchEvent(new CustomEvent("refused", { detail: answer.why ?? this.failed }));
    return answer.view !== undefined;
  }
}

/**
 * @param {string} place
 * @param {Question} question
 * @returns {Promise<State | {view?: undefined, why?: string}>} Neither where the house cannot be asked.
 */
async function ask(place, question) {
  try {
    const answer = await fetch(place, {
      method: "POST",
      body: JSON.stringify(question),
      headers: { "content-type": "application/json" },
    });
    return await answer.json();
  } catch {
    return {}; // no connection, or an answer that is not for us
  }
}
