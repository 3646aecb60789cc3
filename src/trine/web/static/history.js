/** The turns of a game, and which of them is looked at. */

import { readable } from "./clocks.js";

/** @typedef {{tag: string, words: string, used?: number, left?: number}} Turn */

export class History {
  /** @type {Turn[]} */
  #turns = [];
  /** After how many turns the position is that is shown; undefined is the newest. */
  shown = /** @type {number | undefined} */ (undefined);

  /**
   * @param {HTMLElement} place
   * @param {(turn: number | undefined) => void} look
   */
  constructor(place, look) {
    this.place = place;
    this.look = look;
    place.addEventListener("click", ({ target }) => {
      const button = target instanceof HTMLElement ? target.closest("button") : null;
      if (button) this.go(Number(button.dataset.turn));
    });
  }

  get length() {
    return this.#turns.length;
  }

  /** Whether the newest position is shown. */
  get live() {
    return this.shown === undefined;
  }

  /**
   * Take the newest turns in.
   * @param {number} from
   * @param {Turn[]} turns
   * @returns {boolean} Whether none is missing.
   */
  take(from, turns) {
    if (from > this.#turns.length) return false;
    this.#turns = [...this.#turns.slice(0, from), ...turns];
    if (this.shown !== undefined && this.shown >= this.#turns.length) this.shown = undefined;
    this.#show(from);
    return true;
  }

  /** @param {number} by */
  step(by) {
    this.go((this.shown ?? this.#turns.length) + by);
  }

  /** @param {number | undefined} turn */
  go(turn) {
    const most = this.#turns.length;
    this.shown = turn === undefined || turn >= most ? undefined : Math.max(0, turn);
    this.#mark();
    this.look(this.shown);
  }

  /** @param {number} from */
  #show(from) {
    while (this.place.children.length > from) this.place.lastElementChild?.remove();
    this.#turns.slice(from).forEach((turn, number) => {
      const line = document.createElement("li");
      const button = document.createElement("button");
      button.dataset.turn = String(from + number + 1);
      button.append(`${turn.tag} ${turn.words}`);
      if (turn.left !== undefined) {
        const time = document.createElement("time");
        time.textContent = readable(turn.left);
        button.append(time);
      }
      line.append(button);
      this.place.append(line);
    });
    this.#mark();
    if (this.live) this.place.scrollTop = this.place.scrollHeight;
  }

  #mark() {
    const at = this.shown ?? this.#turns.length;
    for (const button of this.place.querySelectorAll("button")) {
      if (Number(button.dataset.turn) === at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }
}
