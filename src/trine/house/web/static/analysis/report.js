/** The report of a review, with its curve beside the board; it is removed when the main line changes. */

import { made } from "../board/elements.js";
import { part } from "../page/parts.js";

/** How many points of the chance to win a turn loses that a review begins with. */
const MUCH = 15;

export class Reviewed {
  /**
   * @param {HTMLElement} place The page that contains the report.
   * @param {Record<string, string>} words
   * @param {(turn: number) => void} go Show the position after a turn of the main line, from 1.
   * @param {(turn: number, ids: string[]) => void} play Play in place of that turn.
   */
  constructor(place, words, go, play) {
    this.place = place;
    const body = (this.body = part("report"));
    this.words = words;
    /** @type {number[] | undefined} The reviewed nodes of the main line. */
    this.nodes = body.dataset.nodes ? JSON.parse(body.dataset.nodes) : undefined;
    this.#put(...body.childNodes);
    place.addEventListener("click", (event) => {
      if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const costly = event.target.closest('a[href^="#worst-"]')?.getAttribute("href");
      if (costly) place.querySelector(`${costly} details`)?.setAttribute("open", "");
      // Opening a costly turn shows it on the board, too.
      const opened = event.target.closest("summary")?.closest("details[data-turn]");
      if (opened) return go(Number(opened.getAttribute("data-turn")));
      const link = event.target.closest("a[data-turn], [data-better]");
      if (!link) return;
      event.preventDefault();
      if (link.hasAttribute("data-turn")) go(Number(link.getAttribute("data-turn")));
      else play(Number(link.getAttribute("data-better")), JSON.parse(link.getAttribute("data-ids") ?? "[]"));
    });
  }

  /** The turn that lost most, from 1; 0 if none lost much. */
  get #worst() {
    return Number(this.place.querySelector("article [data-turn]")?.getAttribute("data-turn") ?? 0);
  }

  /**
   * Return the turn to begin with, from 1: a player's first one that lost much, else their costliest
   * mistake, else the costliest of all; 0 if no turn is a mistake.
   * @param {string} [player] The number of the viewer's only seat.
   */
  opening(player) {
    const rows = /** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll("tr[data-lost]"));
    const own = [...rows].filter(({ dataset }) => dataset.player === player);
    const lost = (/** @type {HTMLElement} */ { dataset }) => Number(dataset.lost);
    const [costliest] = own.filter(({ dataset }) => dataset.mark).sort((one, other) => lost(other) - lost(one));
    const first = own.find((row) => lost(row) >= MUCH) ?? costliest;
    return Number(first?.id.replace("turn-", "") ?? this.#worst);
  }

  #at = 0;

  /** The chances after the viewed turn, or at the beginning. */
  get chances() {
    /** @type {HTMLElement | null} */
    const table = this.place.querySelector("table.all");
    /** @type {HTMLElement | null | undefined} */
    const row = this.#at ? table?.querySelector(`#turn-${this.#at}`) : table;
    /** @type {string[]} */
    const names = JSON.parse(table?.dataset.names ?? "[]");
    /** @type {number[]} */
    const shares = JSON.parse(row?.dataset.chances ?? "[]");
    return shares.map((share, seat) => ({ name: names[seat] ?? "", share }));
  }

  /** The verdict on the viewed turn, if it lost much. */
  get verdict() {
    const told = this.place.querySelector(`#worst-${this.#at}`)?.querySelectorAll("h3, h3 ~ p, summary + p");
    return [...(told ?? [])].map(({ textContent }) => textContent?.trim()).join(" · ");
  }

  /** The marks of all turns, such as "??". */
  get marks() {
    const rows = /** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll("tr[data-mark]"));
    return [...rows].map((row) => row.dataset.mark ?? "");
  }

  /** The number of the viewed turn; 0 is none. */
  get at() {
    return this.#at;
  }

  set at(turn) {
    this.#at = turn;
    const slice = this.place.querySelector(`.curve [data-turn="${turn}"]`);
    const now = this.place.querySelector(".curve .now");
    now?.toggleAttribute("hidden", !slice);
    now?.setAttribute("transform", `translate(${slice?.getAttribute("data-x") ?? 0} 0)`);
    for (const row of this.place.querySelectorAll("tr[id]")) {
      if (row.id === `turn-${turn}`) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
  }

  /** @param {...Node} content */
  #put(...content) {
    this.body.replaceChildren(...content);
    part("curve").replaceChildren(...this.body.querySelectorAll(":scope > figure"));
    const { mine } = this.place.dataset;
    const mistake = `tr:not([data-mark=""])[data-mark]${mine ? `[data-player="${mine}"]` : ""}`;
    document.getElementById("to-moments")?.toggleAttribute("hidden", !this.body.querySelector(mistake));
  }

  /**
   * Remove the review if its turns differ from the main line.
   * @param {number[]} nodes The main line.
   */
  check(nodes) {
    if (!this.nodes || String(nodes) === String(this.nodes)) return;
    this.nodes = undefined;
    this.#put();
  }

  /** @param {House.Reviewing} progress */
  wait({ why, turn = "", done = 0, total = 0 }) {
    this.nodes = undefined;
    const line = made("p", { className: why ? "told wrong" : "" });
    line.textContent = why ?? (total
      ? this.words.reviewing?.replace("{turn}", turn).replace("{done}", String(done)).replace("{total}", String(total))
      : this.words.reviewing_begins) ?? "";
    this.#put(line);
    if (why) return;
    const bar = made("progress", { max: total || 1, ariaLabel: this.words.review ?? "" });
    if (total) bar.value = done;
    this.body.append(bar);
  }

  /** @param {House.Reviewed} found */
  show({ html, nodes }) {
    this.nodes = nodes;
    this.#put(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    this.at = this.at;
  }
}
