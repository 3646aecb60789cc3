/** The report below the analysis board: it is waited for, and goes when the main line is another. */

import { Report } from "./report.js";

export class Reviewed extends Report {
  /**
   * @param {HTMLElement} place
   * @param {Record<string, string>} words
   * @param {(turn: number) => void} go Look behind a turn of the main line, from 1.
   * @param {(turn: number, ids: string[]) => void} play Play in place of that turn.
   */
  constructor(place, words, go, play) {
    super(place, go, play);
    this.words = words;
    /** @type {number[] | undefined} The turns that the review tells of. */
    this.nodes = place.dataset.nodes ? JSON.parse(place.dataset.nodes) : undefined;
  }

  /**
   * Take the review away if it tells of other turns than those of the main line.
   * @param {number[]} nodes The main line.
   */
  check(nodes) {
    if (!this.nodes || String(nodes) === String(this.nodes)) return;
    this.nodes = undefined;
    this.place.replaceChildren();
  }

  /** @param {import("../types.js").Reviewing} progress */
  wait({ why, turn = "", done = 0, total = 0 }) {
    this.nodes = undefined;
    const line = document.createElement("p");
    line.textContent = why ?? (total
      ? this.words.reviewing?.replace("{turn}", turn).replace("{done}", String(done)).replace("{total}", String(total))
      : this.words.reviewing_begins) ?? "";
    if (why) line.className = "told wrong";
    this.place.replaceChildren(line);
    if (why) return;
    const bar = document.createElement("progress");
    bar.max = total || 1;
    if (total) bar.value = done;
    bar.setAttribute("aria-label", this.words.review ?? "");
    this.place.append(bar);
  }

  /** @param {import("../types.js").Reviewed} found */
  show({ html, nodes }) {
    this.nodes = nodes;
    this.place.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    this.at = this.at;
  }
}
