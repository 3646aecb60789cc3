/** Setting up: the words that a game knows for it, and setups of one's own that the browser keeps. */

/** @typedef {{word: string, told: string, consent: boolean}} Known */

export class Setups {
  /**
   * @param {HTMLSelectElement} choice
   * @param {HTMLElement} keep The button that keeps what stands on the board.
   * @param {string} name Under which own setups are kept.
   * @param {string} heading Of own setups in the choice.
   */
  constructor(choice, keep, name, heading) {
    this.choice = choice;
    this.keep = keep;
    this.name = `setups ${name}`;
    this.heading = heading;
    this.side = 0;
    this.shown = "";
  }

  /** @returns {Record<string, string[]>} By name the actions of each setup of one's own. */
  get own() {
    return JSON.parse(localStorage.getItem(`${this.name} ${this.side}`) ?? "{}");
  }

  /**
   * Show what can be chosen.
   * @param {Known[]} known
   * @param {number} side Who sets up.
   * @param {string[]} draft What stands there now.
   * @param {boolean} whole Whether a side sets up in one turn, so that it can be kept.
   */
  show(known, side, draft, whole) {
    this.side = side;
    this.keep.hidden = !(whole && draft.length > 1);
    const ready = known.filter(({ word }) => !/[A-Z]/.test(word));
    const own = whole ? Object.keys(this.own) : [];
    const shown = JSON.stringify([side, ready, own]);
    if (shown === this.shown) return;
    this.shown = shown;
    const options = ready.map(({ word, told }) => new Option(told, word));
    const group = Object.assign(document.createElement("optgroup"), { label: this.heading });
    group.append(...own.map((name) => new Option(name, `own ${name}`)));
    this.choice.replaceChildren(...(own.length ? [group] : []), ...options);
  }

  /**
   * What was chosen: actions of one's own, or a word.
   * @returns {{actions: string[], word: string}}
   */
  get chosen() {
    const { value } = this.choice;
    const own = value.startsWith("own ") ? this.own[value.slice(4)] : undefined;
    return own ? { actions: own, word: "" } : { actions: [], word: value };
  }

  /**
   * Keep a setup under a name: the first time the name is asked for, in place of the choice.
   * @param {HTMLInputElement} field
   * @param {string[]} actions
   */
  save(field, actions) {
    const asks = field.hidden;
    const name = field.value.trim();
    if (!asks && name) {
      localStorage.setItem(`${this.name} ${this.side}`, JSON.stringify({ ...this.own, [name]: actions }));
    }
    field.hidden = !asks;
    this.choice.hidden = asks;
    field.value = "";
    if (asks) field.focus();
  }
}
