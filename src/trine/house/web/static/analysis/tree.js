/** The tree of an analysis: the main line downwards, and every variation in a list of its own. */

import { made } from "../board/elements.js";
import { buttonOf, markCurrent } from "../page/parts.js";

/** @typedef {{id: number, before: number, tag: string, words: string, note: string, played: boolean, after: Node[]}} Node */

export class Tree {
  /** @type {Map<number, Node>} */
  #nodes = new Map();
  current = 0;

  /** @param {HTMLElement} place @param {(node: number) => void} go */
  constructor(place, go) {
    this.place = place;
    this.go = go;
    place.addEventListener("click", ({ target }) => {
      const button = buttonOf(target);
      if (button) this.go(Number(button.dataset.node));
    });
  }

  /** @param {House.Tree["nodes"]} rows */
  take(rows) {
    const root = { id: 0, before: -1, tag: "", words: "", note: "", played: true, after: [] };
    this.#nodes = new Map([[0, root]]);
    for (const [id, before, tag, words, note, played] of rows) {
      /** @type {Node} */
      const node = { id, before, tag, words, note, played: played === 1, after: [] };
      this.#nodes.set(id, node);
      this.#nodes.get(before)?.after.push(node);
    }
    const top = this.place.scrollTop;
    const list = made("ol");
    this.#fill(list, root);
    this.place.replaceChildren(list);
    this.place.scrollTop = top;
    this.mark(this.current);
  }

  /**
   * Mark turns of the main line.
   * @param {string[]} marks
   */
  remark(marks) {
    this.main.forEach(({ id }, number) => {
      const [button, mark = ""] = [this.place.querySelector(`[data-node="${id}"]`), marks[number]];
      button?.querySelector("em")?.remove();
      if (mark) button?.append(made("em", { className: mark === "??" ? "worst" : "", textContent: ` ${mark}` }));
    });
  }

  /** The nodes of the main line, without the beginning. */
  get main() {
    const line = [];
    let node = this.#nodes.get(0)?.after[0];
    while (node?.played) {
      line.push(node);
      node = node.after[0];
    }
    return line;
  }

  /**
   * Return the next node along first continuations, or the node before if `by` is negative.
   * @param {number} by
   */
  step(by) {
    const node = this.#nodes.get(this.current);
    return by < 0 ? node?.before ?? -1 : node?.after[0]?.id ?? -1;
  }

  /** The last node after the viewed one, along first continuations. */
  get end() {
    let node = this.#nodes.get(this.current);
    while (node?.after[0]) node = node.after[0];
    return node?.id ?? 0;
  }

  /**
   * Return the variation that is `by` places after the viewed node among its siblings.
   * @param {number} by
   */
  beside(by) {
    const node = this.#nodes.get(this.current);
    const ways = this.#nodes.get(node?.before ?? -1)?.after ?? [];
    return ways[ways.findIndex(({ id }) => id === this.current) + by]?.id ?? -1;
  }

  /** Whether the viewed node belongs to a variation. */
  get aside() {
    let node = this.#nodes.get(this.current);
    while (node && node.before >= 0) {
      const before = this.#nodes.get(node.before);
      if (before?.after[0] !== node || (before.played && !node.played)) return true;
      node = before;
    }
    return false;
  }

  /** @param {number} id */
  mark(id) {
    this.current = id;
    const button = markCurrent(this.place, ({ dataset }) => Number(dataset.node) === id);
    if (!button) return void (this.place.scrollTop = 0);
    const box = this.place.getBoundingClientRect(), line = button.getBoundingClientRect();
    if (line.top < box.top) this.place.scrollTop -= box.top - line.top;
    if (line.bottom > box.bottom) this.place.scrollTop += line.bottom - box.bottom;
  }

  /**
   * Write what follows a node.
   * @param {HTMLElement} list
   * @param {Node} before
   */
  #fill(list, before) {
    /** @type {Node | undefined} */
    let node = before;
    let count = 0;
    while (node) {
      /** @type {Node[]} */
      const after = node.after;
      const [first, ...others] = after;
      /** @type {boolean} */
      const goes = first !== undefined && (first.played || !node.played);
      if (goes) list.append(item(first, (count += 1)));
      for (const other of goes ? others : after) {
        const inner = made("ol", {}, item(other, 1));
        this.#fill(inner, other);
        list.append(made("li", { className: "branch" }, inner));
      }
      node = goes ? first : undefined;
    }
  }
}

/** @param {Node} node @param {number} number */
function item(node, number) {
  const words = [made("b", { textContent: node.tag }), ` ${node.words}`];
  const button = made("button", { dataset: { node: String(node.id) } }, ...words);
  return made("li", { className: number % 2 ? "" : "answer" }, button, ...(node.note ? [made("i", { textContent: node.note })] : []));
}
