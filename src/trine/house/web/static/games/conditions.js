/**
 * Conditional turns: the player plays an expected turn of an opponent on the board, then their own
 * answer, and so on. The house checks each turn and stores the saved lines. A move made on the
 * board during an opponent's turn prepares an answer to any turn: one to a turn without actions.
 */

import { made } from "../board/elements.js";
import { button, part } from "../page/parts.js";

/**
 * @typedef {object} Page The parts of the game's page that are needed here.
 * @property {Record<string, string>} words
 * @property {import("../board/board.js").TrineBoard} board
 * @property {import("./history.js").History} history
 * @property {(message: object) => Promise<House.AnswerOfGame>} act
 * @property {(sentence: string) => void} tell
 * @property {() => void} redraw Show the current state and its choices.
 * @property {() => boolean} asksFirst Whether a complete turn waits for Submit.
 */

export class Conditions {
  /** @type {House.Game | undefined} */
  #game;
  /** @type {number} The last event before the turns shown. */
  #at = 0;
  #asked = 0;
  #last = false;
  /** Whether the button that ends the turn was pressed: then no confirmation is needed. */
  #pressed = false;
  /** Whether conditional turns are being entered. */
  on = false;
  /** @type {string[][]} */
  path = [];
  /** @type {string[]} */
  draft = [];
  /** @type {string[][]} The picks of the answer to any turn, as arrows. */
  #arrows = [];

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    for (const name of ["plan", "plan-live"]) part(name).addEventListener("click", () => this.enter([]));
    part("plan-back").addEventListener("click", () => this.#back());
    part("plan-leave").addEventListener("click", () => this.leave());
    part("plan-keep").addEventListener("click", () => this.#main());
    page.board.addEventListener("pointerdown", (event) => this.#prepare(event));
    page.board.addEventListener("action", (event) => {
      if (this.on) this.#arrows.push(/** @type {CustomEvent} */ (event).detail.picks);
    });
    for (const name of ["scene", "draft", "ghost"]) page.board.addEventListener(name, () => this.on && this.buttons());
  }

  /** The line that answers any turn, if there is one. */
  get prepared() {
    return this.#game?.conditions.find(([first]) => first && !first.a.length);
  }

  /** The answer to any turn, as arrows. */
  get arrows() {
    return this.prepared ? this.#arrows.filter(([first]) => !first?.startsWith("#")) : [];
  }

  /** Remove the answer to any turn. */
  async drop() {
    const line = this.prepared?.map(({ a }) => a);
    await this.page.act({ t: "if", at: this.#game?.seq ?? 0, line, drop: true });
    this.page.tell("");
    this.page.redraw();
  }

  /**
   * Begin to prepare a turn when the player points at the board during an opponent's turn.
   * @param {PointerEvent} event
   */
  async #prepare(event) {
    const { board, history } = this.page;
    if (this.on || !history.live || event.button || board.hasAttribute("marking") || !board.shown || part("plan").hidden) return;
    await this.enter([[]]);
    const spot = board.spotAt(event) ?? "";
    if (this.on && board.next.has(spot)) board.pick(spot, event);
  }

  /**
   * Handle a new state of the game.
   * @param {House.Game} game
   */
  take(game) {
    const moved = this.#game?.turn !== game.turn || this.#game?.over !== game.over;
    this.#game = game;
    if (this.on && moved) this.leave();
    this.#list(game.conditions);
  }

  /** @param {string[][]} path */
  async enter(path) {
    if (!this.#game) return;
    if (!this.page.history.live) this.page.history.go(undefined);
    this.on = true;
    this.path = path;
    this.draft = [];
    this.#arrows = [];
    this.#pressed = false;
    this.#at = this.#game.seq;
    this.page.redraw();
    const more = document.getElementById("more");
    if (more?.matches(":popover-open")) more.hidePopover();
    await this.#look();
  }

  leave() {
    this.on = false;
    this.page.tell("");
    this.page.redraw();
  }

  /** @param {string} action */
  async action(action) {
    this.draft = [...this.draft, action];
    await this.#look();
  }

  /** Update the buttons. */
  buttons() {
    button("plan-back").disabled = !this.path.length && !this.draft.length;
    const keep = button("plan-keep");
    const { board, words } = this.page;
    keep.textContent = board.ending?.label ?? (board.ghost ? words.end_turn : words.plan_keep) ?? "";
    keep.disabled = !board.ending && !board.ghost && !(this.#last && !this.draft.length);
  }

  async #back() {
    if (this.draft.length) this.draft = this.draft.slice(0, -1);
    else this.path = this.path.slice(0, -1);
    await this.#look();
  }

  async #main() {
    const { board } = this.page;
    const picked = board.ghost ?? board.ending?.id;
    this.#pressed = picked !== undefined;
    if (picked) return board.pick(picked);
    const answer = await this.page.act({ t: "if", at: this.#at, line: this.path });
    if (answer.t === "no") return;
    const { words } = this.page;
    const kept = this.path[0]?.length ? words.plan_kept : words.premove_kept;
    this.leave();
    this.page.tell(kept ?? "");
  }

  /**
   * Request the position after the entered turns.
   * @returns {Promise<void>}
   */
  async #look() {
    const asked = ++this.#asked;
    const answer = await this.page.act({ t: "ahead", at: this.#at, path: this.path, a: this.draft });
    if (asked !== this.#asked || !this.on) return;
    if (answer.t !== "ahead") {
      if (this.draft.length) this.draft = [];
      else this.leave();
      this.page.redraw();
      return;
    }
    if (answer.closed) {
      this.path = [...this.path, this.draft];
      this.draft = [];
      await this.#look();
      return;
    }
    const any = this.path.every((turn) => !turn.length);
    if (any && this.path.length && !answer.over && !this.#game?.own.includes(answer.mover)) {
      this.path = [...this.path, []];
      return this.#look();
    }
    this.#show(answer);
    if (!any && !this.path[0]?.length && this.#last && (this.#pressed || !this.page.asksFirst())) await this.#main();
  }

  /** @param {House.AheadView} answer */
  #show(answer) {
    const { words, board } = this.page;
    const { own = [], seats = [] } = this.#game ?? {};
    board.show(answer.view, answer.choices);
    board.arrows = [];
    this.#last = own.includes(answer.line.at(-1)?.player ?? -1);
    const before = answer.line.filter((one) => one.words).map((one) => `${one.tag} ${one.words}`).join(", ");
    const mine = own.includes(answer.mover);
    const more = this.path[0]?.length === 0 ? "" : words.plan_more;
    const asks = mine ? (before ? words.plan_then : words.premove) : answer.line.length ? more : words.plan_if;
    const next = answer.over ? "" : (asks ?? "").replace("{name}", seats[answer.mover]?.name ?? "");
    this.page.tell([before, next].filter(Boolean).join(" "));
    this.buttons();
  }

  /** @param {House.Prepared[][]} lines */
  #list(lines) {
    part("planned").textContent = lines.length ? `(${lines.length})` : "";
    part("lines").replaceChildren(...lines.map((line) => this.#line(line)));
  }

  /** @param {House.Prepared[]} line */
  #line(line) {
    const turns = line.map(({ mine, tag, words }) => made(mine ? "b" : "span", { textContent: `${tag} ${words} ` }));
    const path = line.map((one) => one.a);
    const ariaLabel = this.page.words.plan_drop ?? "";
    const drop = () => this.page.act({ t: "if", at: this.#game?.seq ?? 0, line: path, drop: true });
    const open = made("button", { onclick: () => this.enter(path) }, ...turns);
    return made("li", {}, open, made("button", { textContent: "×", ariaLabel, onclick: drop }));
  }
}
