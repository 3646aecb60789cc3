/** The bar of chances beside the board, in the colours of the seats, and the lines of the computer. */

import { made } from "../board/elements.js";

export class Bar {
  below = 0;
  /** @type {House.Chance[]} */
  chances = [];

  /** @param {HTMLElement} place @param {{body: string, ink: string, light: string}[]} paints */
  constructor(place, paints) {
    this.place = place;
    this.parts = paints.map(({ body, ink, light }) => {
      const part = made("span");
      part.style.background = body;
      part.style.color = brightness(body) > 0.4 ? ink : light;
      return part;
    });
    place.replaceChildren(...this.parts);
    this.named = place.getAttribute("aria-label") ?? "";
    this.seat(0);
  }

  /**
   * Turn the bar so that the player at the bottom of the board has its lower end.
   * @param {number} seat
   */
  seat(seat) {
    this.below = seat;
    this.show(this.chances);
  }

  /** @param {House.Chance[]} chances */
  show(chances) {
    this.chances = chances;
    const known = chances.length > 0;
    this.place.classList.toggle("unknown", !known);
    const count = this.parts.length;
    let from = 0;
    // Each part overlaps the parts before it and is only moved, which needs no new layout.
    for (let place = 0; place < count; place += 1) {
      const seat = (this.below + place) % count;
      const [part, share] = [this.parts[seat], chances[seat]?.share ?? 100 / count];
      if (!part) continue;
      part.style.zIndex = String(place);
      part.style.setProperty("--from", String(from));
      part.textContent = known && share >= 12 ? String(share) : "";
      from += share;
    }
    const told = chances.map(({ name, share }) => `${name} ${share} %`).join(", ");
    this.place.setAttribute("aria-label", told ? `${this.place.dataset.told} ${told}` : this.named);
  }
}

/**
 * How bright a colour is to the eye, from 0 to 1, roughly.
 * @param {string} colour As in ``#b4462f``.
 */
function brightness(colour) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.3 * red + 0.59 * green + 0.11 * blue;
}

/**
 * The best lines, each turn a button that plays up to it.
 * @param {House.LineOfThought[]} lines
 * @param {string} plain The text in place of the score if there was no search.
 * @param {(ids: string[]) => void} play
 */
export function linesOf(lines, plain, play) {
  return lines.map((line) => {
    const row = made("li", {}, made("span", { textContent: line.score || plain }));
    /** @type {string[]} */
    const ids = [];
    for (const turn of line.turns) {
      ids.push(...turn.ids);
      const upTo = [...ids];
      row.append(made("button", { onclick: () => play(upTo) }, made("b", { textContent: turn.tag }), ` ${turn.words}`));
    }
    return row;
  });
}
