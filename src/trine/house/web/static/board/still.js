/** Small pictures beside a board, of what lies on it: each with the figures that it needs, and no others. */

import { boxOf, drawShape } from "./drawing.js";
import { sheetOf } from "./look.js";
import { element, placed, units } from "./svg.js";

/** @typedef {import("../types.js").Piece} Piece */
/** @typedef {import("./drawing.js").Drawing} Drawing */

/**
 * A picture of its own, of parts that a board has drawn.
 * @param {Drawing} drawing
 * @param {SVGGraphicsElement[]} parts
 * @param {[number, number, number, number]} box Left, top, width and height, in units.
 * @param {Record<string, string>} [more]
 */
export function standalone(drawing, parts, box, more = {}) {
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
 * Pieces on their squares, and no more of the board than these.
 * @param {Drawing} drawing
 * @param {Piece[]} pieces
 * @param {string | null} theme
 */
export function still(drawing, pieces, theme) {
  const stand = pieces.map((piece) => drawing.at(piece));
  const { left, right, top, bottom } = boxOf(stand);
  const seen = drawing.board.cells.filter(({ at: [x, y] }) => x >= left && x <= right && y >= top && y <= bottom);
  const squares = seen.flatMap((cell) => drawing.cell(cell));
  const drawn = pieces.map((piece) => element("g", { transform: placed(drawing.at(piece)) }, ...drawing.pieces.parts(piece)));
  const host = document.createElement("span");
  host.className = "still";
  host.style.aspectRatio = String((right - left + 1) / (bottom - top + 1));
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheetOf(theme)];
  root.append(standalone(drawing, [...squares, ...drawn], [left - 0.5, top - 0.5, right - left + 1, bottom - top + 1]));
  return host;
}
