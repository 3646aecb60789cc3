/** The open turn: its draft is checked by the house, survives a reload of the page, and is submitted. */

import { kept } from "../page/page.js";

/** How long a turn can be taken back after it was sent, in milliseconds. */
const UNDO_WINDOW = 5000;

export class Turn {
  /** @type {string[]} The draft that was sent last. */
  actions = [];
  /** @type {House.Game | undefined} The current state. */
  #game;
  #sending = 0;
  /** @type {string[][]} The drafts before each change. */
  #before = [];
  /** When the last turn was played here, as `Date.now()`. */
  #sentAt = -Infinity;

  /**
   * @param {string} kept The key of the draft in the browser's storage.
   * @param {(message: object) => Promise<House.AnswerOfGame>} act Sends a message to the house.
   */
  constructor(kept, act) {
    this.kept = kept;
    this.act = act;
  }

  /** @param {House.Game} next */
  take(next) {
    const moved = next.seq !== this.#game?.seq;
    this.#game = next;
    if (this.#sending === 0 || moved) this.actions = next.draft;
    if (moved) this.#before = [];
  }

  /**
   * Return the draft from before a reload or a reconnect, if it is still valid.
   * @returns {string[]}
   */
  get saved() {
    const saved = kept(() => sessionStorage.getItem(this.kept));
    if (!saved || this.#sending || !this.#game || this.#game.draft.length) return [];
    const { seq, actions } = JSON.parse(saved);
    return seq === this.#game.seq ? actions : [];
  }

  /** Whether a message to the house is unanswered. */
  get sending() {
    return this.#sending > 0;
  }

  /** Whether a turn was sent so recently that it may be taken back. */
  get sentJustNow() {
    return Date.now() < this.#sentAt + UNDO_WINDOW;
  }

  /**
   * Remember that a turn was played now.
   * @param {() => void} passed Called when it can no longer be taken back.
   */
  sent(passed) {
    this.#sentAt = Date.now();
    setTimeout(passed, UNDO_WINDOW);
  }

  /** Forget the stored draft. */
  forget() {
    kept(() => sessionStorage.removeItem(this.kept));
  }

  /**
   * Send a draft to be checked and shown, and store it.
   * @param {string[]} actions
   * @param {string} [line] The line typed for it.
   * @returns {Promise<boolean>} Whether it can be played.
   */
  async sketch(actions, line = "") {
    const before = this.actions;
    const possible = await this.#judge(actions, line);
    if (possible) this.#before.push(before);
    return possible;
  }

  /**
   * Send the current draft to be checked and shown.
   * @returns {Promise<boolean>} Whether it can be played.
   */
  restore() {
    return this.#judge(this.saved);
  }

  /**
   * Undo the last change; one gesture may have added several actions.
   * @returns {Promise<boolean>} Whether it was possible.
   */
  undo() {
    return this.#judge(this.#before.pop() ?? this.actions.slice(0, -1));
  }

  /** @param {string[]} actions @param {string} [line] */
  async #judge(actions, line = "") {
    if (!this.#game) return false;
    this.actions = actions;
    this.#sending += 1;
    const { seq } = this.#game;
    const answer = await this.act({ t: "draft", at: seq, a: actions, line });
    this.#sending -= 1;
    const possible = answer.t !== "no";
    // The typed line has become actions.
    if (!possible || this.#sending === 0) this.actions = this.#game.draft;
    if (possible) kept(() => sessionStorage.setItem(this.kept, JSON.stringify({ seq, actions: this.actions })));
    return possible;
  }

  /**
   * @param {string[]} [actions]
   * @returns {Promise<boolean>} Whether it was played.
   */
  async play(actions = this.actions) {
    this.actions = actions;
    this.#sending += 1;
    const answer = await this.act({ t: "turn", at: this.#game?.seq, a: actions });
    this.#sending -= 1;
    if (answer.t === "no") return false;
    this.forget();
    return true;
  }
}
