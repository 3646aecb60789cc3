/**
 * `<trine-tray>`: a player's tray of a scene as a thin row: pieces in hand or taken, walls, the steps of
 * the turn. It knows no game: the contents of a tray are what the scene has in the tray's area. A wall,
 * or a piece in hand, can be carried from it to the board.
 */

import { boxOf, drawShape } from "./drawing.js";
import { sheetOf } from "./look.js";
import { element, made, placed, units } from "./elements.js";

/** @typedef {import("./drawing.js").Drawing} Drawing */

/**
 * Return a separate picture of parts that a board has drawn.
 * @param {Drawing} drawing
 * @param {SVGGraphicsElement[]} parts
 * @param {[number, number, number, number]} box Left, top, width and height, in units.
 * @param {Record<string, string>} [more]
 */
function standalone(drawing, parts, box, more = {}) {
  const used = parts.flatMap((part) => [part, ...part.querySelectorAll("use")]);
  const needed = new Set(used.map((one) => one.getAttribute("href") ?? "").filter(Boolean));
  const definitions = [...needed].map((href) => {
    const [, kind = "", name = ""] = /^#(\w+?)-(.*)$/.exec(href) ?? [];
    const shapes = kind === "figure" ? drawing.board.figures[name] : drawing.theme.forms[name];
    return element("g", { id: href.slice(1) }, ...(shapes ?? []).map(drawShape));
  });
  const size = { viewBox: box.map(units).join(" "), "aria-hidden": "true", ...more };
  return element("svg", size, element("defs", {}, ...definitions), ...parts);
}

/**
 * Return a picture of pieces with their squares only.
 * @param {Drawing} drawing
 * @param {House.Piece[]} pieces
 * @param {string | null} theme
 */
export function still(drawing, pieces, theme) {
  const stand = pieces.map((piece) => drawing.at(piece));
  const { left, right, top, bottom } = boxOf(stand);
  const seen = drawing.board.cells.filter(({ at: [x, y] }) => x >= left && x <= right && y >= top && y <= bottom);
  const squares = seen.flatMap((cell) => drawing.cell(cell));
  const drawn = pieces.map((piece) => element("g", { transform: placed(drawing.at(piece)) }, ...drawing.pieces.parts(piece)));
  const host = made("span", { className: "still" });
  host.style.aspectRatio = String((right - left + 1) / (bottom - top + 1));
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheetOf(theme)];
  root.append(standalone(drawing, [...squares, ...drawn], [left - 0.5, top - 0.5, right - left + 1, bottom - top + 1]));
  return host;
}

/** @typedef {{drawn: SVGGraphicsElement, width: number, count: string, slot?: string}} Item */

const HIGH = 0.62;
/** Of a tray from which pieces are chosen: with it a cell is 40 pixels high on a phone. */
const HIGHER = 0.86;
const FIGURES = 0.36;

class TrineTray extends HTMLElement {
  static observedAttributes = ["theme", "player"];

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this.board = /** @type {import("./board.js").TrineBoard | null} */ (document.querySelector("trine-board"));
    for (const name of ["scene", "draft"]) this.board?.addEventListener(name, () => queueMicrotask(() => this.#stock())); // after the choices are set
    this.addEventListener("pointerdown", (event) => {
      const [inner] = event.composedPath();
      this.board?.carry(event, inner instanceof Element ? inner.closest("[data-slot]")?.getAttribute("data-slot") ?? "" : "");
    });
  }

  connectedCallback() {
    this.attributeChangedCallback();
  }

  attributeChangedCallback() {
    if (this.shadowRoot) this.shadowRoot.adoptedStyleSheets = [sheetOf(this.getAttribute("theme"))];
    this.#stock();
  }

  #stock() {
    const { shown, scene } = this.board ?? {};
    if (shown && scene) this.show(shown, scene, Number(this.getAttribute("player")));
  }

  /** @param {Drawing} drawing @param {House.View} scene @param {number} player */
  show(drawing, scene, player) {
    const items = itemsOf(drawing, scene, player);
    const high = this.toggleAttribute("choosable", items.some(({ slot }) => slot)) ? HIGHER : HIGH;
    let across = 0.08;
    /** @type {SVGGraphicsElement[]} */
    const parts = [];
    for (const { drawn, width, count, slot } of items) {
      const begin = across;
      parts.push(element("g", { transform: `translate(${units(across + width / 2)} ${units(high / 2)})` }, drawn));
      across += width;
      if (count) {
        const wide = 0.2 * count.length + 0.1;
        parts.push(drawing.words(count, [across + wide / 2, high / 2], FIGURES, "count"));
        across += wide + 0.1;
      }
      if (!slot) continue;
      const chosen = this.board?.draft.at(-1) === slot;
      const cell = { x: units(begin), width: units(across - begin), height: units(high), rx: 12, fill: "transparent" };
      parts.push(element("rect", { ...cell, "data-slot": slot, ...(chosen ? { stroke: "var(--accent)", "stroke-width": 6 } : {}) }));
    }
    across += 0.04;
    const ground = { width: units(across), height: units(high), rx: 12, fill: "var(--body)", class: drawing.paint("tray") };
    const tray = [element("rect", ground), ...parts];
    const svg = standalone(drawing, tray, [0, 0, across, high], { preserveAspectRatio: "xMinYMid meet" });
    this.shadowRoot?.replaceChildren(...(items.length ? [svg] : []));
  }
}

/**
 * Return the contents of a player's tray; the trays of a board are in turn order.
 * @param {Drawing} drawing
 * @param {House.View} scene
 * @param {number} player
 * @returns {Item[]}
 */
function itemsOf(drawing, scene, player) {
  const tray = drawing.board.areas.filter(({ role }) => role === "tray")[player];
  if (!tray) return [];
  const { left, right, top, bottom } = boxOf(tray.outline);
  /** @param {House.Point} at */
  const inside = ([x, y]) => x >= left && x <= right && y >= top && y <= bottom;
  const along = right - left > bottom - top ? 0 : 1;
  const counts = scene.labels.filter(({ at }) => inside(at));
  /** @type {Item[]} */
  const items = [];
  const pieces = scene.pieces.map((piece) => ({ piece, at: drawing.at(piece) }))
    .filter(({ piece, at }) => piece.cell && inside(at));
  pieces.sort((one, other) => one.at[along] - other.at[along]);
  for (const { piece, at } of pieces) {
    const count = counts.find(({ at: [x, y] }) => x > at[0] && x - at[0] < 0.6 && Math.abs(y - at[1]) < 0.1);
    const drawn = element("g", {}, ...drawing.pieces.parts({ ...piece, marks: [] }));
    items.push({ drawn, width: 0.56, count: count?.text ?? "", ...(piece.role === "hand" ? { slot: piece.cell } : {}) });
  }
  if (!pieces.length && counts.length) {
    const line = { role: "wall", points: /** @type {House.Point[]} */ ([[0, -0.2], [0, 0.2]]), owner: player, id: "", tooltip: "" };
    items.push({ drawn: drawing.line(line), width: 0.24, count: counts.map(({ text }) => text).join(" ") });
  }
  const steps = scene.pieces.filter(({ cell, owner, role }) => !cell && owner === player && role.startsWith("step"));
  for (const step of steps) {
    items.push({ drawn: element("g", {}, ...drawing.pieces.parts(step)), width: 0.26, count: "" });
  }
  return items;
}

customElements.define("trine-tray", TrineTray);
