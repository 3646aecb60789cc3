/** What a board says to those who do not see it: the whole position, and what has just happened. */

import { block } from "./buttons.js";

export class Speech {
  #position = block("unseen");
  #news = block("unseen");

  constructor() {
    this.#position.id = "alt";
    this.#position.hidden = true;
    this.#news.setAttribute("aria-live", "polite");
  }

  /** What belongs into the page. */
  get parts() {
    return [this.#position, this.#news];
  }

  /** @param {string} words The position. */
  tell(words) {
    this.#position.textContent = words;
  }

  /** @param {string} words The news. */
  say(words) {
    this.#news.textContent = words;
  }
}
