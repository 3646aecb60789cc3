/**
 * Entering turns on a board, the same on all pages: a finger's wall is previewed, a complete turn is
 * sent, and the reason for a refusal is shown.
 */

import { aside, say } from "./elements.js";
import { sayNear } from "./tooltip.js";
import { Reach } from "./reach.js";

/** @typedef {{actions: string[], closed: boolean, mine: boolean, undo: boolean, reset: boolean, sent?: boolean}} Open The open turn: its actions, what can be undone, and whether Undo takes back the turn sent before. */
/** @typedef {import("./reach.js").Begun} Begun */

/**
 * @typedef {object} Page The parts of a page that are used here.
 * @property {import("./board.js").TrineBoard} board
 * @property {HTMLElement} told The status line.
 * @property {{undo: HTMLButtonElement, reset: HTMLButtonElement, submit: HTMLButtonElement, pass?: HTMLButtonElement}} buttons
 * @property {Record<string, string>} words
 * @property {() => boolean} [asksFirst] Whether a complete turn waits for Submit; by default it is sent.
 * @property {() => Open} open
 * @property {() => Begun | undefined} begun The state from which a gesture begins.
 * @property {(message: {t: "reach", at: number, a: string[], spot: string}) => Promise<object>} ask Requests the actions of a gesture that begins on a spot.
 * @property {(actions: string[], plays: boolean, action: string) => unknown} act Makes these actions the open turn, and plays it if it is complete and `plays`.
 * @property {(picks: string[]) => Promise<string | undefined>} why
 * @property {() => unknown} undo
 * @property {() => unknown} reset
 * @property {() => unknown} submit
 */

/** How long the status line explains the keys, in milliseconds. */
const KEYS_SHOWN = 8000;

export class Playing {
  /** Whether the board was used by the keyboard last. */
  keys = false;
  /** Whether the button that ends the turn was pressed: then no confirmation is needed. */
  #pressed = false;
  /** @type {(() => void) | undefined} Restores the status line after a preview. */
  #unsay;
  #undo;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    const { board, buttons, ask } = page;
    this.reach = new Reach(board, ask);
    this.#undo = buttons.undo.textContent;
    board.addEventListener("keydown", (event) => this.#key(event), true);
    addEventListener("pointerdown", () => (this.keys = false), true);
    board.addEventListener("keyboard", (event) => {
      const { walls } = /** @type {CustomEvent<{walls: boolean}>} */ (event).detail;
      const said = [page.words.keys, walls ? page.words.wall_key : ""].filter(Boolean).join(" ");
      if (said) setTimeout(aside(page.told, said), KEYS_SHOWN);
    });
    board.addEventListener("ghost", () => this.#foresee());
    board.addEventListener("scene", () => this.offer());
    board.addEventListener("draft", (event) => {
      this.reach.picked(/** @type {CustomEvent} */ (event).detail.picks, page.begun(), page.open().actions);
      this.offer();
    });
    board.addEventListener("refused", (event) => this.#refuse(/** @type {CustomEvent} */ (event).detail));
    board.addEventListener("action", async (event) => {
      const { id, picks, draft } = /** @type {CustomEvent} */ (event).detail;
      const [actions, pressed] = [page.open().actions, this.#pressed];
      this.#pressed = false;
      const gesture = draft ?? (await this.reach.draftOf(picks));
      page.act(gesture ?? [...actions, id], !gesture && (pressed || !this.asksFirst), id);
    });
    // Undo first removes a preview.
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

  /** @param {House.View} view @param {House.Choosable[]} choices */
  show(view, choices) {
    const begun = this.page.begun();
    this.page.board.show(view, choices, begun?.handles ?? []);
    if (begun) this.reach.goOn(begun, this.page.open().actions);
    this.offer();
    this.#refocus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    this.keys = true;
    const { undo, submit, pass } = this.page.buttons;
    const pressed = event.key === "Backspace" ? undo : event.key === "End" ? (submit.disabled ? pass : submit) : undefined;
    if (!pressed || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    pressed.click();
  }

  /** Focus the board again if a button that is disabled now has lost the focus. */
  #refocus() {
    const { board, open } = this.page;
    if (this.keys && document.activeElement?.matches("body, :disabled") && board.live && !open().closed) board.focus();
  }

  offer() {
    const { board, buttons, words } = this.page;
    const { closed, mine, undo, reset, sent = false } = this.page.open();
    const end = closed ? undefined : board.ending;
    // A pass has a button of its own, so that a second tap on Submit does not pass.
    const declines = buttons.pass && end?.declines;
    const ends = declines ? undefined : end;
    buttons.submit.disabled = !(mine && (closed || ends || board.ghost));
    buttons.submit.textContent = ends?.label ?? words.end_turn ?? "";
    buttons.undo.disabled = !(undo || board.ghost || sent);
    buttons.undo.textContent = sent && !board.ghost ? words.take_back ?? "" : this.#undo;
    buttons.reset.disabled = !(reset || board.ghost);
    if (!buttons.pass) return;
    buttons.reset.hidden = !(buttons.pass.hidden = !declines);
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

  /** Update the status line for a preview. */
  #foresee() {
    const { board, told, words } = this.page;
    const asks = told.textContent === words.tap_again;
    if (board.ghost && !asks) this.#unsay = aside(told, words.tap_again ?? "");
    else if (!board.ghost) this.#unsay?.();
    this.offer();
  }

  /**
   * Show why an action is not possible: near the pointer, or else in the status line.
   * @param {{picks: string[], quiet: boolean, x?: number, y?: number}} refused
   */
  async #refuse({ picks, quiet, x, y }) {
    const { board, told, begun, why } = this.page;
    if (await this.reach.makes(picks, begun()) || quiet) return;
    const sentence = await why(picks);
    if (!sentence) return;
    if (x === undefined || y === undefined) return say(told, sentence, "wrong");
    sayNear(sentence, x, y);
    board.announce(sentence);
  }
}
