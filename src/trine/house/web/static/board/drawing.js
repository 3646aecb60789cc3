/** A board and the scenes on it as one SVG; independent of the game. */

import { Overlay } from "./overlay.js";
import { paintClass } from "./look.js";
import { PieceLayer } from "./pieces.js";
import { chain, element, placed, units, UNIT } from "./elements.js";

/** The corners of badges, right and down, in order. */
const CORNERS = [[1, -1], [-1, -1], [1, 1], [-1, 1]];

export class Drawing {
  /**
   * @param {House.Board} board
   * @param {House.BoardTheme} theme
   * @param {boolean} bare Whether trays beside the squares are left out.
   */
  constructor(board, theme, bare) {
    this.board = board;
    this.theme = theme;
    this.cells = new Map(board.cells.map((cell) => [cell.id, cell]));
    this.spots = new Map(board.spots.map((spot) => [spot.id, spot]));
    /** The boxes of the trays that are left out. */
    this.trays = bare ? board.areas.filter(isTray).map(({ outline }) => boxOf(outline)) : [];
    /** The visible part of the board, in units. */
    this.view = bare ? field(board) : { left: 0, top: 0, across: board.size[0], down: board.size[1] };
    const [x = 0, y = 0, width = 0, height = 0] =
      [this.view.left, this.view.top, this.view.across, this.view.down].map(units);
    /** @type {SVGSVGElement} */
    this.svg = /** @type {any} */ (element("svg", { viewBox: `${x} ${y} ${width} ${height}` }));
    this.picture = element("g", { id: "picture", "aria-hidden": "true" });
    if (bare) {
      this.svg.append(element("clipPath", { id: "view" }, element("rect", { x, y, width, height })));
    }
    this.svg.append(element("defs", {}, ...this.#definitions()), this.picture);
    /** @type {Map<string, SVGGraphicsElement>} */
    this.layers = new Map();
    for (const name of theme.layers) {
      // A carried piece may leave the view; the contents of trays may not enter it.
      const clipped = bare && !["pieces", "targets"].includes(name);
      const layer = element("g", { "data-layer": name, ...(clipped ? { "clip-path": "url(#view)" } : {}) });
      this.layers.set(name, layer);
      this.picture.append(layer);
    }
    this.pieces = new PieceLayer(this);
    /** @type {Map<string, number>} The number of badges at each place. */
    this.badges = new Map();
    this.overlay = new Overlay(this);
    this.#drawBoard();
  }

  /** @param {string} name */
  layer(name) {
    const found = this.layers.get(name);
    if (!found) throw new Error(`the theme has no layer ${name}`);
    return found;
  }

  /**
   * @param {House.View} scene
   * @param {number} time Milliseconds in which pieces move; 0 for at once.
   */
  show(scene, time) {
    const areas = scene.areas.filter((area) => !this.trays.length || !isTray(area));
    const walls = scene.walls.filter(({ points: [at] }) => !at || this.sees(at));
    const labels = scene.labels.filter(({ at }) => this.sees(at));
    this.layer("areas").replaceChildren(...areas.map((area) => this.#area(area)));
    this.layer("walls").replaceChildren(...walls.map((wall) => this.line(wall)));
    this.layer("labels").replaceChildren(...labels.map((label) => this.#label(label)));
    const tints = [], forms = [], badges = [];
    this.badges = new Map();
    this.pieces.show(scene.pieces, time);
    for (const { role, cell: id } of scene.marks) {
      const cell = this.cells.get(id);
      if (!cell) continue;
      tints.push(...this.#tint(role, cell));
      forms.push(...this.#forms(role, cell));
      badges.push(...this.badge(role, cell.at));
    }
    this.layer("tints").replaceChildren(...tints);
    this.layer("marks").replaceChildren(...forms);
    this.layer("badges").replaceChildren(...badges);
  }

  *#definitions() {
    const figures = Object.entries(this.board.figures).map(([name, shapes]) => ["figure", name, shapes]);
    const forms = Object.entries(this.theme.forms).map(([name, shapes]) => ["form", name, shapes]);
    for (const [kind, name, shapes] of /** @type {[string, string, House.Shape[]][]} */ ([...figures, ...forms])) {
      yield element("g", { id: `${kind}-${name}` }, ...shapes.map(drawShape));
    }
    const { path, tile, width } = this.theme.grain;
    for (const role of this.theme.grained) {
      const fibre = { d: path, fill: "none", stroke: "var(--shade)", "stroke-width": width };
      const fibres = element("path", { ...fibre, "stroke-linecap": "round" });
      const size = { width: tile[0], height: tile[1], patternUnits: "userSpaceOnUse" };
      yield element("pattern", { id: `grain-${role}`, class: this.paint(role), ...size }, fibres);
    }
  }

  /**
   * Return whether a place is in the visible part of the board.
   * @param {House.Point} at
   */
  sees([x, y]) {
    const { left, top, across, down } = this.view;
    if (this.trays.some((tray) => x > tray.left && x < tray.right && y > tray.top && y < tray.bottom)) return false;
    return x > left && y > top && x < left + across && y < top + down;
  }

  #drawBoard() {
    const { areas, cells, lines, ornaments, labels } = this.board;
    const seen = areas.filter((area) => !this.trays.length || !isTray(area));
    this.layer("board.areas").append(...seen.map((area) => this.#area(area)));
    this.layer("board.cells").append(...cells.flatMap((cell) => this.cell(cell)));
    this.layer("board.lines").append(...lines.map((line) => this.line(line)));
    this.layer("board.ornaments").append(...ornaments.map((piece) => this.pieces.draw(piece)));
    this.layer("board.labels").append(...labels.map((label) => this.#label(label)));
  }

  /**
   * Return the place of a piece: its own, or the middle of its cell.
   * @param {House.Piece} piece
   * @returns {House.Point}
   */
  at({ at, cell }) {
    return at ?? this.cells.get(cell)?.at ?? [0, 0];
  }

  /** @param {string} role */
  paint(role) {
    return paintClass(this.theme, role);
  }

  /**
   * Return a figure of the board or a form of the theme, at a place, in the paints of a role.
   * @param {"figure" | "form"} kind
   * @param {string} name
   * @param {string} role
   * @param {House.Point} at
   * @param {number} [scale]
   */
  use(kind, name, role, at, scale = 1) {
    return element("use", {
      href: `#${kind}-${name}`,
      class: this.paint(role),
      transform: placed(at, scale),
    });
  }

  /**
   * Return a surface, with its grain if it has one.
   * @param {House.Area} area
   */
  #area({ role, outline }) {
    const surface = this.surface(role, outline, this.theme.edges.area ?? 0);
    if (!this.theme.grained.includes(role)) return surface;
    const grain = element("path", { d: chain(outline) + "Z", fill: `url(#grain-${role})` });
    return element("g", {}, surface, grain);
  }

  /** @param {string} role @param {House.Point[]} outline @param {number} edge */
  surface(role, outline, edge) {
    return element("path", {
      class: this.paint(role),
      d: chain(outline) + "Z",
      fill: "var(--body)",
      stroke: "var(--ink)",
      "stroke-width": units(edge),
      "stroke-linejoin": "round",
    });
  }

  /**
   * Return a square with its ornament; nothing for a point.
   * @param {House.Cell} cell
   */
  cell(cell) {
    const parts = [];
    if (cell.outline.length) parts.push(this.surface(cell.role, cell.outline, this.theme.edges.cell ?? 0));
    if (cell.role in this.board.figures) parts.push(this.use("figure", cell.role, cell.role, cell.at));
    return parts;
  }

  /**
   * Return a line or a wall; a wall is broad, with a seam in its owner's colour.
   * @param {House.Line} line
   */
  line(line) {
    const wide = this.theme.widths[line.role] ?? this.theme.thin;
    const owner = line.owner === null ? undefined : this.board.players[line.owner]?.role;
    const group = element("g", {}, this.#stroke(line, line.role, units(wide)));
    if (owner) group.append(this.#stroke(line, owner, units(wide * this.theme.seam)));
    return group;
  }

  /** @param {House.Line} line @param {string} role @param {number} width */
  #stroke({ points }, role, width) {
    return element("path", {
      class: this.paint(role),
      d: chain(points),
      fill: "none",
      stroke: "var(--body)",
      "stroke-width": width,
      "stroke-linecap": "round",
    });
  }

  /**
   * Return the tint of a mark on a cell; none if it would hide the cell's ornament.
   * @param {string} role
   * @param {House.Cell} cell
   */
  #tint(role, cell) {
    if (!this.theme.marks[role]?.includes("tint") || cell.role in this.board.figures) return [];
    return [this.fill(role, cell)];
  }

  /** @param {string} role @param {House.Cell} cell */
  fill(role, cell) {
    if (!cell.outline.length) return this.use("form", "tint", role, cell.at);
    return element("path", { class: this.paint(role), d: chain(cell.outline) + "Z", fill: "var(--body)" });
  }

  /**
   * Return the forms of a mark on a cell, under its piece.
   * @param {string} role
   * @param {House.Cell} cell
   */
  #forms(role, cell) {
    const plain = role in this.board.figures ? [] : ["ring"];
    const forms = (this.theme.marks[role] ?? plain).filter((form) => form !== "tint");
    // A dot cannot be seen on an ornament, such as the hole of a trap.
    const shown = forms.map((form) => (form === "dot" && cell.role in this.board.figures ? "corners" : form));
    return shown.map((form) => {
      const round = form === "corners" && !cell.outline.length;
      return this.use("form", round ? "circle" : form, role, cell.at);
    });
  }

  /**
   * Return a small figure of a mark, in a corner that no other badge at this place has.
   * @param {string} role
   * @param {House.Point} at Where the place is.
   * @param {House.Point} [from] The origin of the picture that contains it.
   */
  badge(role, at, from = [0, 0]) {
    if (!(role in this.board.figures)) return [];
    const place = at.join();
    const taken = this.badges.get(place) ?? 0;
    this.badges.set(place, taken + 1);
    const [right = 1, down = -1] = CORNERS[taken % CORNERS.length] ?? [];
    const size = this.theme.badge;
    const reach = 0.5 - size / 2;
    const spot = /** @type {House.Point} */ ([at[0] - from[0] + right * reach, at[1] - from[1] + down * reach]);
    return [this.use("figure", role, role, spot, size)];
  }

  /** @param {House.Label} label */
  #label({ text, at, role, size }) {
    return this.words(text, at, size, role);
  }

  /**
   * @param {string} said
   * @param {House.Point} at
   * @param {number} size
   * @param {string} role
   * @param {boolean} [outlined] Whether an outline keeps them legible on any ground.
   */
  words(said, at, size, role, outlined = false) {
    const outline = {
      stroke: "var(--light)",
      "stroke-width": units(0.16 * size),
      "stroke-linejoin": "round",
      "paint-order": "stroke",
    };
    return element("text", {
      class: this.paint(role),
      x: units(at[0]),
      // Digits and capitals are about 0.7 em high.
      y: units(at[1] + 0.35 * size),
      "font-family": this.theme.font,
      "font-size": size * UNIT,
      "text-anchor": "middle",
      fill: "var(--ink)",
      ...(outlined ? outline : {}),
    }, said);
  }
}

/** @param {House.Area} area */
const isTray = ({ role }) => role.startsWith("tray");

/** @param {House.Point[]} outline */
export function boxOf(outline) {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/**
 * Return the box of a board's squares or points, with their coordinates and a margin, in units.
 * @param {House.Board} board
 */
function field({ size, areas, labels }) {
  const names = labels.filter(({ role }) => role === "coordinate").flatMap(({ at: [x, y] }) =>
    [[x - 0.25, y - 0.25], [x + 0.25, y + 0.25]]);
  const grounds = areas.filter(({ role }) => role !== "board" && !role.startsWith("tray"));
  const points = [...grounds.flatMap(({ outline }) => outline), ...names];
  const [xs, ys] = [points.map(([x = 0]) => x), points.map(([, y = 0]) => y)];
  const [left, top] = [Math.max(0, Math.min(...xs) - 0.12), Math.max(0, Math.min(...ys) - 0.12)];
  const right = Math.min(size[0], Math.max(...xs) + 0.12);
  return { left, top, across: right - left, down: Math.min(size[1], Math.max(...ys) + 0.12) - top };
}

/** @param {House.Shape} shape */
export function drawShape({ path, fill, stroke, width }) {
  /** @param {string} name */
  const paint = (name) => (name === "none" ? "none" : `var(--${name})`);
  const line = { stroke: paint(stroke), "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return element("path", { d: path, fill: paint(fill), ...(stroke === "none" ? {} : line) });
}
