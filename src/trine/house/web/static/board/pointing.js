/**
 * Mouse, finger and pen alike: pressing and releasing on a spot picks it; a pressed piece is picked
 * up at once and can be carried; a wall is previewed before it is placed.
 */

import { nameOf } from "./pieces.js";
import { besides, inOneGroove, nearest } from "./places.js";
import { element, UNIT } from "./elements.js";

/** @typedef {import("./board.js").TrineBoard} TrineBoard */
/** @typedef {import("./drawing.js").Drawing} Drawing */

/** If a unit of the board has fewer pixels than this, a finger gets the lens. */
const TOO_SMALL = 33;
const RADIUS = 62;
const ABOVE = 104;
/** Pixels of a unit of the board in the lens. */
const UNIT_SEEN = 60;

/** A round magnifying glass above a finger, for squares that the finger hides. */
class Lens {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    this.seen = element("use", { href: "#picture" });
    this.hole = element("circle", { id: "lens-hole" });
    this.rim = element("circle", { class: "rim" });
    this.ground = element("circle", { class: "ground" });
    const clip = element("clipPath", { id: "lens" }, this.hole);
    const glass = element("g", { "clip-path": "url(#lens)" }, this.ground, this.seen);
    this.group = element("g", { class: "lens", "aria-hidden": "true" }, clip, glass, this.rim);
  }

  /**
   * @param {House.Point} point In units.
   * @param {number} scale Pixels of a unit of the board.
   */
  show([x, y], scale) {
    const pixel = UNIT / scale;
    // If there is no room above the finger, the lens is below it.
    const first = this.svg.viewBox.baseVal.y / UNIT;
    const top = this.svg.getBoundingClientRect().top + (y - first) * scale;
    const [over, zoom] = [top > ABOVE + RADIUS ? -ABOVE : ABOVE, UNIT_SEEN / scale];
    const middle = [x * UNIT, y * UNIT + over * pixel];
    for (const circle of [this.hole, this.rim, this.ground]) {
      circle.setAttribute("cx", String(middle[0]));
      circle.setAttribute("cy", String(middle[1]));
      circle.setAttribute("r", String(RADIUS * pixel));
    }
    const [right, down] = [(middle[0] ?? 0) - x * UNIT * zoom, (middle[1] ?? 0) - y * UNIT * zoom];
    this.seen.setAttribute("transform", `translate(${right} ${down}) scale(${zoom})`);
    if (!this.group.parentNode) this.svg.append(this.group);
  }

  hide() {
    this.group.remove();
  }
}

/** Pixels that a pointer moves before it carries. */
const CARRIES = { mouse: 4, touch: 9 };
/** Pixels from which a spot is hit; at least half a unit. */
const REACH = { mouse: 0, touch: 24 };
/** Pixels by which a spot that can be picked counts as nearer. */
const FAVOUR = { mouse: 0, touch: 7 };
/** Pixels above a finger at which a piece is carried. */
const ABOVE_FINGER = 46;

/**
 * @typedef {object} Press A pointer that is down.
 * @property {number} pointer
 * @property {"mouse" | "touch"} kind A pen counts as a mouse.
 * @property {number} x
 * @property {number} y
 * @property {House.Spot | undefined} spot
 * @property {boolean} moved
 * @property {boolean} begun Whether the press has picked the spot.
 * @property {boolean} again Whether the spot was the last pick before.
 * @property {string | undefined} carried The key of the carried piece.
 * @property {boolean} confirms Whether it is on a previewed wall.
 * @property {boolean} beside Whether it is beside a previewed wall, which it removes.
 * @property {boolean} walls Whether it began outside all spots: only a wall can be carried from there.
 */

export class Pointing {
  /** @type {Press | undefined} */
  press;
  /** @type {string | undefined} */
  #ghost;
  /** @type {string | undefined} The spot from which a mark is being drawn. */
  #stroke;

  /** @param {TrineBoard} board @param {Drawing} drawing */
  constructor(board, drawing) {
    this.board = board;
    this.drawing = drawing;
    this.lens = new Lens(drawing.svg);
    const { svg } = drawing;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    // Otherwise the browser takes the drag for a fling, and the next tap anywhere only stops the fling,
    // without a click.
    svg.addEventListener("touchmove", (event) => this.press && event.preventDefault(), { passive: false });
    svg.addEventListener("pointerleave", ({ pointerType }) => {
      // Lifting a finger fires this event, too, and must not remove its preview.
      if (!this.press && pointerType !== "touch") this.#aim(undefined, false);
    });
    svg.addEventListener("contextmenu", (event) => {
      if (!this.board.live && !this.board.marks) return;
      event.preventDefault();
      if (!this.press) this.board.back();
    });
  }

  /** The id of the previewed wall. */
  get ghost() {
    return this.#ghost;
  }

  set ghost(id) {
    if (id === this.#ghost) return;
    this.#ghost = id;
    this.board.tell("ghost", { id });
  }

  /**
   * Continue a press that began at a tray outside the board, and carries a wall, or a piece in hand.
   * @param {PointerEvent} event
   * @param {string} [slot] The spot of the pieces.
   */
  carry(event, slot = "") {
    const spot = this.drawing.spots.get(slot);
    if (!this.board.live || !event.isPrimary || event.button > 0) return;
    if (!spot && !this.drawing.board.spots.some(({ preview }) => preview)) return;
    event.preventDefault();
    this.#begin(event, spot);
  }

  /** End a press without a pick. */
  cancel() {
    this.press = undefined;
    this.ghost = undefined;
    this.lens.hide();
    this.drawing.overlay.aim(undefined);
    this.drawing.pieces.settle(this.board.time);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (this.#marks(event)) return;
    if (!this.board.live || !event.isPrimary || event.button > 0) return;
    const press = this.#begin(event, this.at(event));
    if (press.kind === "touch" && !press.confirms) this.#follow(event, press);
  }

  /** @param {PointerEvent} event @param {House.Spot | undefined} spot */
  #begin(event, spot) {
    const press = this.#press(event, spot);
    const { again, confirms } = press;
    if (spot && !again && !confirms && this.board.picking.leadsOn(spot.id)) {
      this.board.pick(spot.id, event);
      press.begun = true;
    }
    if (spot && (again || press.begun)) {
      const piece = this.drawing.pieces.on(spot.id);
      press.carried = piece && nameOf(piece);
    }
    return press;
  }

  /**
   * Begin a mark with the right button or in marking mode; any other press removes all marks.
   * @param {PointerEvent} event
   */
  #marks(event) {
    const { board } = this;
    const meant = event.button ? event.button === 2 && !(board.draft.length && board.picking.given !== "moved") : board.hasAttribute("marking");
    if (board.marks?.length && !event.button && !meant) board.marks = [];
    this.#stroke = board.marks && event.isPrimary && meant ? this.at(event)?.id : undefined;
    if (this.#stroke) this.drawing.svg.setPointerCapture(event.pointerId);
    return this.#stroke !== undefined;
  }

  /** @param {PointerEvent} event @param {House.Spot | undefined} spot @returns {Press} */
  #press(event, spot) {
    const kind = event.pointerType === "touch" ? "touch" : "mouse";
    const again = spot !== undefined && this.board.draft.at(-1) === spot.id;
    const confirms = this.#onGhost(event);
    this.drawing.svg.setPointerCapture(event.pointerId);
    return (this.press = {
      ...{ pointer: event.pointerId, kind, x: event.clientX, y: event.clientY, spot, again, confirms },
      ...{ moved: false, begun: false, carried: undefined, walls: !spot && !confirms },
      beside: this.ghost !== undefined && !confirms,
    });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { press } = this;
    if (this.#stroke) return this.drawing.overlay.mark([...(this.board.marks ?? []), this.#marked(event)]);
    if (!press) {
      if (this.board.live && event.pointerType !== "touch") this.#aim(this.at(event)?.id, false);
      return;
    }
    if (event.pointerId !== press.pointer) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    press.moved ||= far > CARRIES[press.kind];
    if (press.moved) this.#follow(event, press);
  }

  /**
   * Show what follows the pointer: a carried piece, its target, a wall, the lens.
   * @param {PointerEvent} event
   * @param {Press} press
   */
  #follow(event, press) {
    const { point, scale } = this.#point(event);
    const small = press.kind === "touch" && scale < TOO_SMALL;
    if (small) this.lens.show(point, scale);
    if (press.carried && press.moved) {
      const raised = press.kind === "touch" && !small;
      const at = /** @type {House.Point} */ ([point[0], point[1] - (raised ? ABOVE_FINGER / scale : 0)]);
      this.drawing.pieces.lift(press.carried, at, raised);
    }
    const spot = this.#meant(event, press);
    const back = spot?.id === press.spot?.id && press.begun;
    this.#aim(back ? undefined : spot?.id, press.kind === "touch");
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { press } = this;
    if (this.#stroke) {
      this.board.mark(this.#marked(event));
      this.#stroke = undefined;
    }
    if (!press || event.pointerId !== press.pointer) return;
    const spot = this.#meant(event, press);
    const ghost = this.ghost;
    this.press = undefined;
    this.lens.hide();
    if (press.confirms && !press.moved && ghost) return this.board.pick(ghost, event);
    if (press.carried && press.moved) return this.#put(press.carried, spot, press, event);
    this.drawing.overlay.aim(undefined);
    if (press.begun && !press.moved) return;
    if (!spot || (press.beside && !this.board.picking.leadsSomewhere(spot.id))) return this.board.restart();
    if (press.kind === "touch" && this.#isWall(spot.id)) return this.#foresee(spot.id);
    this.ghost = undefined;
    if (press.kind === "touch" || spot === press.spot || press.walls) this.board.pick(spot.id, event);
  }

  /**
   * Return the mark from where the stroke began to the pointer.
   * @param {PointerEvent} event
   */
  #marked(event) {
    const [from = "", to] = [this.#stroke, this.at(event)?.id];
    return to && to !== from ? [from, to] : [from];
  }

  /**
   * Return whether a wall can be placed at a spot.
   * @param {string} id
   */
  #isWall(id) {
    return Boolean(this.drawing.spots.get(id)?.preview) && this.board.picking.completes(id);
  }

  /**
   * Preview a wall.
   * @param {string} id
   */
  #foresee(id) {
    if (this.board.draft.length) this.board.restart(); // a picked pawn does not move
    this.ghost = id;
    this.drawing.overlay.aim(id);
  }

  /**
   * Put a carried piece down.
   * @param {string} key
   * @param {House.Spot | undefined} spot
   * @param {Press} press
   * @param {PointerEvent} event
   */
  #put(key, spot, press, event) {
    const { pieces, overlay } = this.drawing;
    overlay.aim(undefined);
    this.board.picking.given = ""; // the player has chosen what they carry
    if (!spot && press.spot) this.board.tell("off", { id: press.spot.id });
    if (!spot || spot === press.spot) return pieces.settle(this.board.time);
    if (this.board.next.has(spot.id)) pieces.drop(key, spot.at);
    else pieces.settle(this.board.time);
    this.board.pick(spot.id, event);
  }

  /** @param {string | undefined} id @param {boolean} byFinger */
  #aim(id, byFinger) {
    const possible = id !== undefined && (this.board.next.has(id) || this.#isWall(id));
    this.drawing.svg.classList.toggle("can-pick", id !== undefined && this.board.picking.leadsSomewhere(id));
    if (byFinger) this.ghost = possible && this.drawing.spots.get(id)?.preview ? id : undefined;
    this.drawing.overlay.aim(possible ? id : undefined, byFinger);
  }

  /** @param {PointerEvent} event */
  #onGhost(event) {
    const wall = this.ghost === undefined ? undefined : this.drawing.spots.get(this.ghost)?.preview;
    if (!wall) return false;
    const { point, scale } = this.#point(event);
    return besides(wall.points, point) < Math.max(0.3, REACH.touch / 2 / scale);
  }

  /**
   * Return the spot that a press means; a wall dragged along its groove is placed where the drag began.
   * @param {PointerEvent} event
   * @param {Press} press
   */
  #meant(event, { spot: begun }) {
    const spot = this.at(event);
    return begun && spot && inOneGroove(begun, spot) ? begun : spot;
  }

  /** @param {PointerEvent} event */
  at(event) {
    const { point, scale } = this.#point(event);
    const kind = event.pointerType === "touch" ? "touch" : "mouse";
    const radius = Math.max(0.5, REACH[kind] / scale);
    const { spots } = this.drawing.board;
    const meant = this.press?.walls ? spots.filter(({ preview }) => preview) : spots;
    return nearest(meant, point, radius, this.board.next, FAVOUR[kind] / scale);
  }

  /**
   * Return where a pointer is, in units, and the pixels of a unit.
   * @param {PointerEvent} event
   */
  #point(event) {
    const box = this.drawing.svg.getBoundingClientRect();
    const { across, down, ...view } = this.drawing.view;
    const scale = Math.min(box.width / across, box.height / down) || 1;
    const left = box.left + (box.width - across * scale) / 2 - view.left * scale;
    const top = box.top + (box.height - down * scale) / 2 - view.top * scale;
    const point = /** @type {House.Point} */ ([(event.clientX - left) / scale, (event.clientY - top) / scale]);
    return { point, scale };
  }
}
