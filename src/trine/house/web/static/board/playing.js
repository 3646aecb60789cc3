/**
 * How turns are made on a board, alike on all pages: a finger sees a wall before placing it, a complete
 * turn is sent, and the reason of a refusal is shown.
 */

import { aside, say } from "./elements.js";
import { sayNear } from "./tooltip.js";
import { Reach } from "./reach.js";

/** @typedef {{actions: string[], closed: boolean, mine: boolean, undo: boolean, reset: boolean, sent?: boolean}} Open The open turn: its actions, what can be undone, and whether Undo takes back the turn sent before. */
/** @typedef {import("./reach.js").Begun} Begun */

/**
 * @typedef {object} Page What a page lends.
 * @property {import("./board.js").TrineBoard} board
 * @property {HTMLElement} told The line of the referee.
 * @property {{undo: HTMLButtonElement, reset: HTMLButtonElement, submit: HTMLButtonElement, pass?: HTMLButtonElement}} buttons
 * @property {Record<string, string>} words
 * @property {() => boolean} [asksFirst] Whether a complete turn waits for Submit; by default it is sent.
 * @property {() => Open} open
 * @property {() => Begun | undefined} begun What a gesture begins from.
 * @property {(message: {t: "reach", at: number, a: string[], spot: string}) => Promise<object>} ask What the gesture makes that begins on a spot.
 * @property {(actions: string[], plays: boolean, action: string) => unknown} act Make of the open turn what these actions are; whether it is played if they close it.
 * @property {(picks: string[]) => Promise<string | undefined>} why
 * @property {() => unknown} undo
 * @property {() => unknown} reset
 * @property {() => unknown} submit
 */

export class Playing {
  /** Whether the board was used by the keyboard last. */
  keys = false;
  /** Whether the button was pressed that ends the turn: then nothing is to be confirmed. */
  #pressed = false;
  /** @type {(() => void) | undefined} Brings back what was told before a wall was seen. */
  #unsay;
  /** The label of Undo. */
  #undo;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    const { board, buttons, ask } = page;
    this.reach = new Reach(board, ask);
    this.#undo = buttons.undo.textContent;
    board.addEventListener("keydown", () => (this.keys = true), true);
    addEventListener("pointerdown", () => (this.keys = false), true);
    board.addEventListener("keyboard", (event) => {
      const { walls } = /** @type {CustomEvent<{walls: boolean}>} */ (event).detail;
      if (walls && page.words.keys) aside(page.told, page.words.keys);
    });
    board.addEventListener("ghost", () => this.#foresee());
    board.addEventListener("scene", () => this.offer());
    board.addEventListener("draft", (event) => {
      this.reach.picked(/** @type {CustomEvent} */ (event).detail.picks, page.begun(), page.open().actions);
      this.offer();
    });
    board.addEventListener("refused", (event) => this.#refuse(/** @type {CustomEvent} */ (event).detail));
    board.addEventListener("action", (event) => {
      const { id, draft } = /** @type {CustomEvent} */ (event).detail;
      const plays = !draft && (this.#pressed || !this.asksFirst);
      this.#pressed = false;
      page.act(draft ?? [...page.open().actions, id], plays, id);
    });
    // A wall that is only seen is the first that is taken back.
    for (const [button, call] of /** @type {[HTMLElement, () => unknown][]} */ ([[buttons.undo, page.undo], [buttons.reset, page.reset]])) {
      button.addEventListener("click", () => (board.ghost ? board.restart() : call()));
    }
    buttons.submit.addEventListener("click", () => this.#submit());
    buttons.pass?.addEventListener("click", () => board.pick(board.ending?.id ?? ""));
  }

  /** Whether a complete turn waits for Submit. */
  get asksFirst() {
    return this.page.asksFirst?.() ?? false;
  }

  /**
   * @param {House.View} view
   * @param {House.Choosable[]} choices
   */
  show(view, choices) {
    const begun = this.page.begun();
    this.page.board.show(view, choices, begun?.handles ?? []);
    if (begun) this.reach.goOn(begun, this.page.open().actions);
    this.offer();
  }

  /** Show what the buttons can do. */
  offer() {
    const { board, buttons, words } = this.page;
    const { closed, mine, undo, reset, sent = false } = this.page.open();
    const end = closed ? undefined : board.ending;
    // What forgoes something does not stand where a finger has just submitted.
    const forgoes = buttons.pass && end?.declines;
    const ends = forgoes ? undefined : end;
    buttons.submit.disabled = !(mine && (closed || ends || board.ghost));
    buttons.submit.textContent = ends?.label ?? words.end_turn ?? "";
    buttons.undo.disabled = !(undo || board.ghost || sent);
    buttons.undo.textContent = sent && !board.ghost ? words.take_back ?? "" : this.#undo;
    buttons.reset.disabled = !(reset || board.ghost);
    if (!buttons.pass) return;
    buttons.reset.hidden = !(buttons.pass.hidden = !forgoes);
    buttons.pass.textContent = end?.label ?? "";
  }

  #submit() {
    const { board, buttons, open, submit } = this.page;
    const ends = open().closed ? undefined : board.ending;
    const picked = board.ghost ?? (buttons.pass && ends?.declines ? undefined : ends?.id);
    if (!picked) return submit();
    this.#pressed = true;
    board.pick(picked);
  }

  /** A wall is seen before it is placed, or is seen no longer. */
  #foresee() {
    const { board, told, words } = this.page;
    const asks = told.textContent === words.tap_again;
    if (board.ghost && !asks) this.#unsay = aside(told, words.tap_again ?? "");
    else if (!board.ghost) this.#unsay?.();
    this.offer();
  }

  /**
   * Say why something cannot be done, once: where somebody points, or else in the line of the referee.
   * @param {{picks: string[], x?: number, y?: number}} refused
   */
  async #refuse({ picks, x, y }) {
    const { board, told, begun, why } = this.page;
    if (await this.reach.makes(picks, begun())) return;
    const sentence = await why(picks);
    if (!sentence) return;
    if (x === undefined || y === undefined) return say(told, sentence, "wrong");
    sayNear(sentence, x, y);
    board.announce(sentence);
  }
}
