/** The bar in the line of the referee while the computer makes itself ready, and the time that is left. */

const SECOND = 1000;

export class Warming {
  #bar = document.createElement("progress");
  #left = document.createElement("span");
  /** When it will be ready, as estimated last; 0 where that is not known. */
  #until = 0;
  /** @type {number | undefined} */
  #clock;

  /**
   * @param {HTMLElement} place
   * @param {Record<string, string>} words
   */
  constructor(place, words) {
    this.place = place;
    this.words = words;
    this.#bar.ariaLabel = words.warming ?? "";
    this.#left.ariaHidden = "true"; // nobody wants to have each second read out
  }

  /** Whether the line still has it. */
  get shown() {
    return this.#bar.isConnected;
  }

  /** @param {import("../types.js").Warming} warming */
  show({ done, of, left }) {
    if (!this.shown) this.place.append(this.#bar, this.#left);
    if (of) {
      this.#bar.max = of;
      this.#bar.value = done;
    }
    this.#until = left && Date.now() + left * SECOND;
    this.#count();
    this.#clock ??= setInterval(() => this.#count(), SECOND);
  }

  #count() {
    const left = Math.max(1, Math.ceil((this.#until - Date.now()) / SECOND));
    this.#left.textContent = this.#until ? (this.words.warming_left ?? "").replace("{left}", `${left}`) : "";
    if (this.shown) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
    this.#bar.removeAttribute("value");
  }
}
