/** A choice between several actions that are pointed at alike: a small list beside the place. */

import { block, button } from "./buttons.js";

/** @typedef {import("../types.js").Choosable} Choosable */
/** @typedef {import("./drawing.js").Drawing} Drawing */

export class Chooser {
  /** @type {HTMLElement | undefined} */
  #list;

  /** @param {HTMLElement} frame Where the picture is. */
  constructor(frame) {
    this.frame = frame;
  }

  /**
   * Ask which action is meant.
   * @param {Choosable[]} ways
   * @param {Drawing} shown
   * @param {string} id The spot that was pointed at last.
   * @param {(way: Choosable | undefined) => void} chosen Hears which it is, or that it is none.
   */
  open(ways, shown, id, chosen) {
    const list = block("chooser");
    /** @param {Choosable} [way] */
    const choose = (way) => {
      if (this.close()) chosen(way);
    };
    for (const way of ways) {
      const one = button(way.label ?? way.id);
      one.addEventListener("click", () => choose(way));
      list.append(one);
    }
    list.addEventListener("keydown", ({ key }) => key === "Escape" && choose());
    const [right, below] = this.#place(shown, id);
    list.style.left = `${100 * Math.min(0.85, Math.max(0.15, right))}%`;
    list.style.top = `${100 * below}%`;
    this.#list = list;
    this.frame.append(list);
    list.querySelector("button")?.focus();
  }

  /**
   * Ask no more.
   * @returns {boolean} Whether something was asked.
   */
  close() {
    const open = this.#list;
    open?.remove();
    this.#list = undefined;
    return open !== undefined;
  }

  /**
   * Where a spot is, as shares of the frame: it may have another shape than the picture in its middle.
   * @param {Drawing} shown
   * @param {string} id
   * @returns {[number, number]}
   */
  #place({ view: { left, top, across, down }, spots }, id) {
    const [x, y] = spots.get(id)?.at ?? [left + across / 2, top + down];
    const { width, height } = this.frame.getBoundingClientRect();
    const scale = Math.min(width / across, height / down);
    const right = 0.5 + ((x - left - across / 2) * scale) / (width || 1);
    const below = 0.5 + ((y - top - down / 2) * scale) / (height || 1);
    return [right, below];
  }
}
