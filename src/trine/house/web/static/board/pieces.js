/** The pieces of a scene: a piece is recognised by its key, and glides to its new place. */

import { element, placed, units } from "./elements.js";

/** @typedef {import("./drawing.js").Drawing} Drawing */
/** @typedef {{group: SVGGraphicsElement, piece: House.Piece, place: House.Point, at: House.Point, written: string}} Shown */

const LIFTED = 1.18;
/** The scale of a piece lifted by a finger, which would hide a smaller one. */
const LIFTED_BY_FINGER = 1.6;

export class PieceLayer {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    /** @type {Map<string, Shown>} */
    this.shown = new Map();
    /** @type {House.Piece[]} The pieces that the last scene has moved. */
    this.moved = [];
    /** @type {House.Point | undefined} Where a person has put a piece since the last scene. */
    this.dropped = undefined;
  }

  /**
   * Show the pieces of a scene; those that were there before move to their places.
   * @param {House.Piece[]} pieces
   * @param {number} time Milliseconds.
   */
  show(pieces, time) {
    const layer = this.drawing.layer("pieces");
    /** @type {Map<string, Shown>} */
    const next = new Map();
    const before = this.shown.size > 0;
    /** @type {Shown[]} */
    const moved = [];
    for (const [index, piece] of pieces.entries()) {
      const key = nameOf(piece) || `#${index}`;
      const at = this.drawing.at(piece);
      const known = this.shown.get(key);
      const written = JSON.stringify({ ...piece, at: null, cell: "", tooltip: "" });
      const changed = !known || known.written !== written || piece.marks.length > 0;
      const group = known?.group ?? element("g", { "data-key": key });
      const one = { group, piece, place: at, at, written };
      if (changed) group.replaceChildren(...this.parts(piece));
      group.dataset.cell = piece.cell;
      group.classList.toggle("beside", !this.drawing.sees(at));
      group.classList.remove("lifted");
      group.removeAttribute("opacity");
      group.setAttribute("transform", placed(at));
      if (known && !same(known.place, at)) {
        moved.push(one);
        this.#glide(group, known.at, at, time);
      } else if (!known && before && !same(this.dropped, at)) {
        fade(group, 0, 1, time);
      }
      next.set(key, one);
      this.shown.delete(key);
    }
    for (const { group } of this.shown.values()) {
      if (time && group.getAttribute("opacity") !== "0") fade(group, 1, 0, time).finished.then(() => group.remove(), () => group.remove());
      else group.remove();
    }
    this.shown = next;
    this.dropped = undefined;
    this.moved = moved.map(({ piece }) => piece);
    // Moving pieces are drawn above the others.
    const standing = [...next.values()].filter((one) => !moved.includes(one));
    for (const { group } of [...standing, ...moved]) if (!group.parentNode) layer.append(group);
    for (const { group } of moved) if (group !== layer.lastChild && moved.length < 4) layer.append(group);
  }

  /**
   * Carry a piece to a point, until it is settled.
   * @param {string} key
   * @param {House.Point} at
   * @param {boolean} byFinger
   */
  lift(key, at, byFinger) {
    const one = this.shown.get(key);
    if (!one) return;
    one.at = at;
    if (!one.group.classList.contains("lifted")) {
      one.group.classList.add("lifted");
      one.group.getAnimations().forEach((animation) => animation.cancel());
      this.drawing.layer("pieces").append(one.group);
    }
    one.group.setAttribute("transform", placed(at, byFinger ? LIFTED_BY_FINGER : LIFTED));
  }

  /**
   * Put a lifted piece down at a place, where it waits for the next scene.
   * @param {string} key
   * @param {House.Point} at
   */
  drop(key, at) {
    const one = this.shown.get(key);
    if (!one) return;
    one.group.classList.remove("lifted");
    one.group.setAttribute("transform", placed(at));
    one.at = at;
    this.dropped = at;
  }

  /**
   * Move every lifted or dropped piece back to its place in the scene.
   * @param {number} time
   */
  settle(time) {
    for (const one of this.shown.values()) {
      if (same(one.at, one.place)) continue;
      one.group.classList.remove("lifted");
      one.group.setAttribute("transform", placed(one.place));
      this.#glide(one.group, one.at, one.place, time);
      one.at = one.place;
    }
  }

  /**
   * Show the movements of actions one after another.
   * @param {string[][][]} story For each action, pairs of cells, from and to; an empty string is no cell.
   * @param {number} time Milliseconds for each action.
   * @param {() => boolean} stops Whether to stop.
   */
  async tell(story, time, stops) {
    const stands = new Map([...this.shown.values()].map((one) => [one.piece.cell, one]));
    for (const movements of story) {
      for (const [from = "", to = ""] of movements) {
        const one = stands.get(from);
        if (!one) continue;
        stands.delete(from);
        const spot = this.drawing.spots.get(to);
        if (!spot) {
          fade(one.group, 1, 0, time).onfinish = () => one.group.setAttribute("opacity", "0");
          continue;
        }
        stands.set(to, one);
        this.drawing.layer("pieces").append(one.group);
        this.#glide(one.group, one.place, spot.at, time);
        one.group.setAttribute("transform", placed(spot.at));
        one.at = one.place = spot.at;
      }
      await new Promise((resolve) => setTimeout(resolve, time));
      if (stops()) return;
    }
  }

  /**
   * Make a player's pieces hop, one after another.
   * @param {number} player
   * @param {number} time Milliseconds; 0 for no motion.
   */
  celebrate(player, time) {
    const own = [...this.shown.values()].filter(({ piece }) => piece.owner === player && piece.cell);
    const hop = [0, -0.22, 0].map((height) => ({ translate: `0 ${units(height)}px` }));
    for (const [number, { group }] of own.entries()) {
      if (time) group.animate(hop, { duration: time, easing: "ease-out", delay: (number * time) / own.length });
    }
  }

  /** @param {string} cell */
  on(cell) {
    for (const one of this.shown.values()) if (one.piece.cell === cell) return one.piece;
    return undefined;
  }

  /**
   * Return a piece or a stack at its place, without movement.
   * @param {House.Piece} piece
   */
  draw(piece) {
    return element("g", { transform: placed(this.drawing.at(piece)) }, ...this.parts(piece));
  }

  /**
   * Return the parts of a piece or a stack, around its middle, with its badges and number.
   * @param {House.Piece} piece
   */
  parts(piece) {
    const { drawing } = this;
    const { theme, board } = drawing;
    const owner = piece.owner === null ? "other" : (board.players[piece.owner]?.role ?? "other");
    const drawn = Math.min(piece.height, theme.stack_limit);
    const rise = theme.stacked * piece.scale;
    const bottom = (rise * (drawn - 1)) / 2;
    /** @type {SVGGraphicsElement[]} */
    const parts = [];
    for (let level = 0; piece.base && level < drawn; level++) {
      parts.push(drawing.use("figure", piece.base, owner, [0, bottom - rise * level], piece.scale));
    }
    const top = /** @type {House.Point} */ ([0, -bottom]);
    if (piece.figure) {
      parts.push(drawing.use("figure", piece.figure, owner, top, piece.scale));
    } else if (piece.label) {
      const size = (theme.letter * piece.scale) / Math.max(1, 0.6 * [...piece.label].length);
      parts.push(drawing.words(piece.label, top, size, owner, true));
    }
    if (piece.height > 1) {
      const [aside, size] = theme.count;
      parts.push(drawing.use("form", "count", "count", [aside, aside]));
      parts.push(drawing.words(String(piece.height), [aside, aside], size, "count"));
    }
    for (const mark of piece.marks) parts.push(...drawing.badge(mark, drawing.at(piece), drawing.at(piece)));
    if (theme.faded.includes(piece.role)) for (const part of parts) part.setAttribute("opacity", String(theme.pale));
    return parts;
  }

  /**
   * @param {SVGGraphicsElement} group
   * @param {House.Point} from
   * @param {House.Point} to
   * @param {number} time
   */
  #glide(group, from, to, time) {
    if (!time) return;
    /** @param {House.Point} at */
    const at = ([x, y]) => ({ transform: `translate(${units(x)}px, ${units(y)}px)` });
    group.animate([at(from), at(to)], { duration: time, easing: "cubic-bezier(.3,0,.3,1)" });
  }
}

/**
 * Return the name by which a piece is recognised in the next scene.
 * @param {House.Piece} piece
 */
export const nameOf = ({ key, cell }) => key || cell;

/** @param {House.Point | undefined} one @param {House.Point | undefined} other */
const same = (one, other) => String(one) === String(other);

/** @param {SVGGraphicsElement} group @param {number} from @param {number} to @param {number} time */
const fade = (group, from, to, time) =>
  group.animate([{ opacity: from }, { opacity: to }], { duration: time, fill: "backwards" });
