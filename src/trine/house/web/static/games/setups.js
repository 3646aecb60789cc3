/** Setting up: setups as pictures, the game's setup words, and saved setups in the browser's storage. */

import { made } from "../board/elements.js";
import { fill } from "../board/fill.js";
import { still } from "../board/tray.js";
import { kept } from "../page/page.js";

/** @typedef {Pick<House.Game, "setup" | "whole" | "mover" | "own">} Sets The fields of a game that setting up needs. */
/** @typedef {{actions: string[], word: string, consent: boolean}} Chosen A choice: actions, or a word. */

/**
 * @typedef {object} Place What the page lends.
 * @property {HTMLElement} row The element for the choices.
 * @property {HTMLElement} [keep] The button that saves the setup on the board.
 * @property {HTMLInputElement} [field] The field for its name.
 * @property {import("../board/board.js").TrineBoard} board
 * @property {() => string} address Returns the URL of the setups, with a query.
 * @property {string} kind The name of the game that is played.
 */

export class Setups {
  #side = 0;
  #shown = "";
  /** @type {Map<HTMLElement, string[]>} The actions of each setup. */
  #actions = new Map();

  /** @param {Place} place @param {(chosen: Chosen) => Promise<unknown>} choose */
  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
  }

  get #name() {
    return `setups ${this.place.kind} ${this.#side}`;
  }

  /** @returns {Record<string, string[]>} The actions of each saved setup, by name. */
  get #own() {
    return JSON.parse(kept(() => localStorage.getItem(this.#name)) ?? "{}");
  }

  /**
   * @param {Sets} game
   * @param {string[]} draft The actions placed so far.
   */
  show(game, draft) {
    const sets = game.setup.length > 0 && game.mover !== null && game.own.includes(game.mover);
    this.#side = game.mover ?? 0;
    if (this.place.keep) this.place.keep.hidden = !(game.whole && draft.length > 1);
    const shown = sets ? JSON.stringify([this.#side, Object.keys(this.#own)]) : "";
    if (shown !== this.#shown) {
      this.#shown = shown;
      if (sets) this.#fill(game);
    }
    for (const [button, actions] of this.#actions) button.setAttribute("aria-pressed", String(String(actions) === String(draft)));
  }

  /** @param {Sets} game */
  async #fill(game) {
    const { row } = this.place;
    this.#actions.clear();
    if (!game.whole) {
      const words = game.setup.map(({ word, told, consent }) => this.#button(told, () => ({ actions: [], word, consent })));
      row.replaceChildren(...words);
      return;
    }
    const shown = this.#shown;
    const own = Object.entries(this.#own);
    const found = (await this.#ask(own.map(([, a]) => a))) ?? own.map(([told, a]) => ({ told, a, pieces: [] }));
    if (shown !== this.#shown) return;
    const named = new Map(own.map(([told, a]) => [String(a), told]));
    row.replaceChildren(...found.map((one) => this.#offered({ ...one, told: one.told || (named.get(String(one.a)) ?? "") })));
    row.scrollLeft = 0;
  }

  /**
   * @param {string[][]} [own] Saved setups; they come first if they are legal.
   * @returns {Promise<House.Arrangement[] | undefined>} Undefined if the house cannot be reached.
   */
  async #ask(own = []) {
    const { address, board } = this.place;
    if (!board.shown) await new Promise((seen) => board.addEventListener("scene", seen, { once: true }));
    const query = new URLSearchParams(own.map((actions) => ["kept", actions.join(" ")]));
    const answer = await fetch(`${address()}&seat=${board.seat}&${query}`).catch(() => undefined);
    return answer?.ok ? (await answer.json()).all : undefined;
  }

  /**
   * Return a picture button, or one with the name if there is no picture; a random setup changes after each tap.
   * @param {House.Arrangement} arrangement
   */
  #offered({ told, a, pieces }) {
    const { board, row } = this.place;
    const button = this.#button(told, () => ({ actions: this.#actions.get(button) ?? [], word: "", consent: false }), async () => {
      if (!pieces.length) return;
      const next = (await this.#ask())?.find((one) => one.told === told);
      if (!next || !row.contains(button) || String(next.a) === String(this.#actions.get(button))) return;
      this.#actions.set(button, next.a);
      button.querySelector(".still")?.replaceWith(...this.#picture(next.pieces));
    });
    this.#actions.set(button, a);
    button.setAttribute("aria-pressed", "false");
    button.prepend(...this.#picture(pieces));
    button.title = told;
    return button;
  }

  /** @param {House.Piece[]} pieces */
  #picture(pieces) {
    const { board } = this.place;
    const whole = pieces.map((piece) => fill("Piece", piece));
    return board.shown && whole.length ? [still(board.shown, whole, board.getAttribute("theme"))] : [];
  }

  /** @param {string} told @param {() => Chosen} chosen @param {() => void} [after] */
  #button(told, chosen, after) {
    const button = made("button", { type: "button" }, made("span", { textContent: told }));
    button.addEventListener("click", async () => {
      await this.choose(chosen());
      after?.();
    });
    return button;
  }

  /**
   * Save a setup under a name; the first press shows the name field in place of the choices.
   * @param {string[]} actions
   */
  save(actions) {
    const { field, row } = this.place;
    if (!field) return;
    const asks = field.hidden;
    const name = field.value.trim();
    if (!asks && name) kept(() => localStorage.setItem(this.#name, JSON.stringify({ ...this.#own, [name]: actions })));
    field.hidden = !asks;
    row.hidden = asks;
    field.value = "";
    if (asks) field.focus();
  }
}
