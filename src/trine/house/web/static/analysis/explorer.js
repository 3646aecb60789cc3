/** The turns played from the position on the board in the games of the archive. */

import { made } from "../board/elements.js";
import { button, part } from "../page/parts.js";
import { kept } from "../page/page.js";

/** The key in `sessionStorage` that stores whether the explorer is on. */
const KEPT = "analysis explores";

export class Explorer {
  /**
   * @param {string} study
   * @param {(ids: string[]) => void} play Play a turn on the board.
   */
  constructor(study, play) {
    this.study = study;
    this.play = play;
    this.on = kept(() => sessionStorage.getItem(KEPT)) === "yes";
    this.opens = false;
    /** The place of the viewed node in the tree, and the player to move. */
    this.place = "0";
    this.mover = 0;
    button("explore").disabled = false;
    this.offer();
  }

  /** Switch the explorer on or off; returns whether it is on. */
  turn() {
    this.opens = this.on = !this.on;
    kept(() => sessionStorage.setItem(KEPT, this.on ? "yes" : "no"));
    this.offer();
    return this.on;
  }

  offer() {
    part("explore").setAttribute("aria-pressed", String(this.on));
    if (this.on) return;
    part("explored").textContent = "";
    part("played").hidden = true;
  }

  /**
   * Handle a new position on the board.
   * @param {House.At} at
   */
  look({ place, mover }) {
    if (place === this.place) return;
    this.place = place;
    this.mover = mover;
    // The old rows stay, disabled, until new ones arrive, so that the layout does not jump.
    for (const turn of part("played").querySelectorAll("button")) turn.disabled = true;
  }

  /** @param {House.Explored} message */
  show({ told, turns = [], more = "", pictured = false }) {
    if (!this.on) return;
    part("explored").textContent = told;
    part("played").hidden = !turns.length;
    part("played").querySelector("tbody")?.replaceChildren(...turns.flatMap((turn) => this.rows(turn, pictured)));
    part("played").scrollTop = 0;
    part("further").textContent = more;
    if (!this.opens || !turns.length) return;
    this.opens = false;
    part("played").scrollIntoView({ block: "nearest" }); // below the fold of a phone nobody would see it
  }

  /** @param {House.ExploredTurn} turn @param {boolean} pictured */
  rows(turn, pictured) {
    const shown = pictured ? this.picture(turn) : turn.words;
    const turns = made("button", { disabled: !turn.ids.length, onclick: () => this.play(turn.ids) }, shown);
    const head = made("th", { scope: "row", colSpan: pictured ? 4 : 1 }, turns);
    const score = turn.score === null ? "–" : `${turn.score} %`;
    const figures = [String(turn.games), score, String(turn.rating ?? "–")].map((textContent) => made("td", { textContent }));
    const rows = pictured ? [made("tr", {}, head), made("tr", {}, made("td"), ...figures)] : [made("tr", {}, head, ...figures)];
    if (!turn.meetings.length) return rows;
    const meetings = turn.meetings.flatMap((game, number) => [...(number ? [" · "] : []), named(game)]);
    return [...rows, made("tr", { className: "by" }, made("td", { colSpan: 4 }, ...meetings))];
  }

  /**
   * The board after a turn, with its player's side at the bottom.
   * @param {House.ExploredTurn} turn
   */
  picture({ words, ids }) {
    const asked = new URLSearchParams([["at", this.place], ["seat", String(this.mover)], ...ids.map((id) => ["a", id])]);
    const src = `/analysis/${this.study}/picture.svg?${asked}`;
    return made("img", { src, alt: words, loading: "lazy" });
  }
}

/**
 * The players and the year of a game, as a link to its page if it has one.
 * @param {House.ExploredGame} game
 */
function named({ players, year, link }) {
  const names = players.map(([name, rating]) => (rating ? `${name} (${rating})` : name)).join(" – ");
  const words = [names, year].filter(Boolean).join(", ");
  return link ? made("a", { href: link, textContent: words }) : words;
}
