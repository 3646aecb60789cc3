/** The open turn of a game: its draft is judged by the house, kept over a reload of the page, and played. */

import { kept } from "../page/page.js";

export class Turn {
  /** @type {string[]} The draft that was sent last. */
  actions = [];
  /** @type {House.Game | undefined} How the game stands. */
  #game;
  #sending = 0;
  /** @type {string[][]} What stood before each change of the draft. */
  #before = [];

  /**
   * @param {string} kept The name under which the browser keeps the draft.
   * @param {(message: object) => Promise<House.AnswerOfGame>} act Asks the house for something.
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
   * The draft that was open before the page was loaded, or heard of the house, again, if it still is one.
   * @returns {string[]}
   */
  get saved() {
    const saved = kept(() => sessionStorage.getItem(this.kept));
    if (!saved || this.#sending || !this.#game || this.#game.draft.length) return [];
    const { seq, actions } = JSON.parse(saved);
    return seq === this.#game.seq ? actions : [];
  }

  /** Whether something is on its way to the house. */
  get sending() {
    return this.#sending > 0;
  }

  /** What was kept is of no use any more. */
  forget() {
    kept(() => sessionStorage.removeItem(this.kept));
  }

  /**
   * Have a draft judged and shown, and keep it.
   * @param {string[]} actions
   * @param {string} [line] What was typed for it.
   * @returns {Promise<boolean>} Whether it can be played.
   */
  async sketch(actions, line = "") {
    const before = this.actions;
    const possible = await this.#judge(actions, line);
    if (possible) this.#before.push(before);
    return possible;
  }

  /**
   * Have that draft judged and shown.
   * @returns {Promise<boolean>} Whether it can be played.
   */
  restore() {
    return this.#judge(this.saved);
  }

  /**
   * Take back what was changed last: a gesture may have made several actions of it.
   * @returns {Promise<boolean>} Whether it was possible.
   */
  undo() {
    return this.#judge(this.#before.pop() ?? this.actions.slice(0, -1));
  }

  /**
   * @param {string[]} actions
   * @param {string} [line]
   */
  async #judge(actions, line = "") {
    if (!this.#game) return false;
    this.actions = actions;
    this.#sending += 1;
    const { seq } = this.#game;
    const answer = await this.act({ t: "draft", at: seq, a: actions, line });
    this.#sending -= 1;
    const possible = answer.t !== "no";
    // What was typed has become actions.
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
