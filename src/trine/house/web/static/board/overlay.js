/** What is drawn over a scene while a person picks: chosen spots, possible ones, previews, arrows. */

import { chain, element, units } from "./elements.js";

/** @typedef {import("./drawing.js").Drawing} Drawing */

/** The size of the ring around a finger's target, in sizes of the spot. */
const AROUND_FINGER = 1.9;

/** Milliseconds for which the cell of a lost piece stays marked. */
const FALLEN = 1500;

export class Overlay {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    this.chosen = element("g", { "data-layer": "chosen" });
    this.aimed = element("g", { "data-layer": "aimed" });
    this.arrows = element("g", { "data-layer": "arrows" });
    this.lit = element("g", { "data-layer": "lit" });
    this.fallen = element("g", { "data-layer": "fallen" });
    drawing.layer("pieces").before(this.chosen, this.fallen);
    this.marks = element("g", { "data-layer": "marks" });
    drawing.layer("targets").append(this.lit, this.marks, this.arrows, this.aimed);
  }

  /**
   * @param {string[]} chosen
   * @param {Set<string>} next
   * @param {Set<string>} falls The cells on which a piece would be lost.
   */
  light(chosen, next, falls) {
    const lost = [...falls].flatMap((id) => this.#lost(id));
    this.chosen.replaceChildren(...lost, ...this.#spots(chosen).filter(({ at }) => this.drawing.sees(at)).map((spot) => this.#tint(spot, "chosen")));
    // A piece hides its point, so the tint is drawn over the piece.
    const hidden = this.#spots(chosen).filter(({ id }) => !this.drawing.cells.get(id)?.outline.length && this.drawing.pieces.on(id));
    this.lit.replaceChildren(
      ...hidden.map((spot) => this.#tint(spot, "chosen")),
      ...this.#spots(next).flatMap((spot) => {
        const taken = this.drawing.pieces.on(spot.id);
        // Before the first pick, own pieces are not lit, and places of walls never: there are too many.
        if (spot.preview || (taken && !chosen.length)) return [];
        if (falls.has(spot.id)) return [this.drawing.use("form", "cross", "trapped", spot.at)];
        return [this.#form(taken ? "ring" : "target", spot)];
      }),
    );
  }

  /**
   * Mark the cell of a lost piece for a moment.
   * @param {string} id
   */
  fell(id) {
    const marks = this.#lost(id);
    this.fallen.append(...marks);
    setTimeout(() => marks.forEach((mark) => mark.remove()), FALLEN);
  }

  /** @param {string} id */
  #lost(id) {
    const cell = this.drawing.cells.get(id);
    if (!cell) return [];
    const ground = this.drawing.fill("trapped", cell);
    ground.classList.add("chosen");
    return [ground, this.drawing.use("form", "ring", "trapped", cell.at)];
  }

  /**
   * Show the target of a pointer: the preview of a wall, or a spot that can be picked.
   * @param {string | undefined} id
   * @param {boolean} [byFinger]
   */
  aim(id, byFinger = false) {
    const [spot] = id === undefined ? [] : this.#spots([id]);
    this.aimed.replaceChildren(...(spot ? [this.#ghost(spot, byFinger)] : []));
  }

  /**
   * Draw paths of picks as arrows from the first spot to the last, for hints.
   * @param {string[][]} paths
   */
  point(paths) {
    this.arrows.replaceChildren(...paths.flatMap((path) => this.#path(path, "target")));
  }

  /**
   * Draw a person's marks, in their own colour.
   * @param {string[][]} paths
   */
  mark(paths) {
    this.marks.replaceChildren(...paths.flatMap((path) => this.#path(path, "blue")));
  }

  /** @param {string[]} path @param {string} role */
  #path(path, role) {
    const [from, ...rest] = this.#spots(path);
    const to = rest.at(-1);
    if (!from) return [];
    if (to) return [this.#arrow(from.at, to.at, role)];
    return [from.preview ? this.#wall(from, role, "hint") : this.#form("ring", from, role)];
  }

  /** @param {Iterable<string>} ids */
  #spots(ids) {
    return [...ids].flatMap((id) => this.drawing.spots.get(id) ?? []);
  }

  /** @param {House.Spot} spot @param {boolean} byFinger */
  #ghost(spot, byFinger) {
    if (spot.preview) return this.#wall(spot, spot.preview.role, "ghost");
    if (!byFinger) return this.#tint(spot, "aim");
    const scale = AROUND_FINGER * 0.48 * Math.min(...spot.size);
    const [x, y] = spot.at.map(units);
    return element("circle", { class: `${this.drawing.paint("target")} around`, cx: x ?? 0, cy: y ?? 0, r: units(scale) });
  }

  /** @param {House.Spot} spot @param {string} role @param {string} name */
  #wall(spot, role, name) {
    if (!spot.preview) return this.#tint(spot, name);
    const group = this.drawing.line({ ...spot.preview, role: "wall" });
    for (const path of group.children) path.setAttribute("class", this.drawing.paint(role));
    group.classList.add(name);
    return group;
  }

  /**
   * Return a transparent tint of a spot, in the colour of possible actions.
   * @param {House.Spot} spot
   * @param {string} name
   */
  #tint(spot, name) {
    const cell = this.drawing.cells.get(spot.id);
    const shape = cell && cell.role !== "slot" ? this.drawing.fill("target", cell) : this.#plate(spot);
    shape.classList.add(name);
    return shape;
  }

  /** @param {House.Spot} spot */
  #plate({ at, size }) {
    const [x, y, width, height] = [at[0] - size[0] / 2, at[1] - size[1] / 2, ...size].map(units);
    const box = { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 };
    return element("rect", { class: this.drawing.paint("target"), ...box, rx: 12, fill: "var(--body)" });
  }

  /** @param {string} form @param {House.Spot} spot @param {string} [role] */
  #form(form, { at, size }, role = "target") {
    return this.drawing.use("form", form, role, at, form === "ring" ? Math.min(1, ...size) : 1);
  }

  /** @param {House.Point} from @param {House.Point} to @param {string} role */
  #arrow(from, to, role) {
    const paint = this.drawing.paint(role);
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [x, y] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    /** @type {(back: number, aside: number) => House.Point} */
    const at = (back, aside) => [to[0] - x * back - y * aside, to[1] - y * back + x * aside];
    const shaft = chain([[from[0] + x * 0.1, from[1] + y * 0.1], at(0.42, 0)]);
    const head = chain([at(0.12, 0), at(0.46, 0.2), at(0.46, -0.2)]) + "Z";
    return element("g", { class: `${paint} arrow` },
      element("path", { d: shaft, stroke: "var(--body)", "stroke-width": 14, "stroke-linecap": "round" }),
      element("path", { d: head, fill: "var(--body)", stroke: "none" }));
  }
}
