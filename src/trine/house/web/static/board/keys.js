/**
 * The keyboard, and what a screen reader reads: every spot is a button with a name. Arrows go by
 * what is seen, Page Up and Page Down from one possible pick to the next, Enter picks, Escape goes
 * back.
 */

import { ARROWS, towards } from "./places.js";
import { element, units } from "./elements.js";

/** @typedef {import("./board.js").TrineBoard} TrineBoard */
/** @typedef {import("./drawing.js").Drawing} Drawing */

export class Keys {
  /**
   * @param {TrineBoard} board
   * @param {Drawing} drawing
   */
  constructor(board, drawing) {
    this.board = board;
    this.drawing = drawing;
    /** @type {Map<string, SVGGraphicsElement>} */
    this.buttons = new Map(drawing.board.spots.map((spot) => [spot.id, button(spot)]));
    this.group = element("g", { "data-layer": "spots" }, ...this.buttons.values());
    drawing.svg.append(this.group);
    /** @type {string | undefined} */
    this.current = drawing.board.spots[0]?.id;
    this.group.addEventListener("keydown", (event) => this.#key(event));
    this.group.addEventListener("focusin", (event) => this.#reach(event.target));
    this.group.addEventListener("focusout", () => this.#leave());
    this.group.addEventListener("click", (event) => {
      // A screen reader clicks without a pointer.
      if (/** @type {PointerEvent} */ (event).detail === 0 && event.target instanceof SVGElement) {
        this.board.pick(event.target.dataset.spot ?? "");
      }
    });
  }

  /** @param {House.View} scene */
  name(scene) {
    const meaning = new Map(scene.legend.map(({ role, text }) => [role, text]));
    const pieces = new Map(scene.pieces.filter(({ cell }) => cell).map((piece) => [piece.cell, piece]));
    const walls = new Map(scene.walls.map((wall) => [wall.id, wall.tooltip]));
    for (const spot of this.drawing.board.spots) {
      const piece = pieces.get(spot.id);
      const said = piece?.tooltip || walls.get(spot.id) || "";
      const marks = (piece?.marks ?? []).map((role) => meaning.get(role) ?? "");
      const name = said.includes(spot.label) ? said : [spot.label, said].filter(Boolean).join(": ");
      const whole = [name, ...marks].filter(Boolean).join("; ");
      const shown = this.buttons.get(spot.id);
      if (!shown || shown.getAttribute("aria-label") === whole) continue;
      shown.setAttribute("aria-label", whole);
      shown.replaceChildren(...(said ? [element("title", {}, whole)] : []));
    }
  }

  /** Tell which spots are chosen and which can be picked. */
  refresh() {
    const { draft, next } = this.board;
    if (!this.touched) this.current = this.#first() ?? this.current;
    for (const [id, shown] of this.buttons) {
      state(shown, "aria-pressed", draft.includes(id) ? "true" : "false");
      state(shown, "aria-disabled", next.has(id) ? "false" : "true");
      state(shown, "tabindex", id === this.current ? "0" : "-1");
    }
  }

  /** Where the keyboard begins: at the first own piece that can be picked, or at what else can be. */
  #first() {
    const { next, picking: { handles } } = this.board;
    const spots = [...next, ...handles].filter((id) => this.buttons.has(id));
    return spots.find((id) => this.drawing.pieces.on(id)) ?? spots[0];
  }

  /** Put the keyboard where it was, or where it begins. */
  focus() {
    if (this.current !== undefined) this.buttons.get(this.current)?.focus();
  }

  /** @param {EventTarget | null} target */
  #reach(target) {
    const id = target instanceof SVGElement ? target.dataset.spot : undefined;
    if (id === undefined) return;
    this.touched = true;
    if (this.current !== undefined) this.buttons.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = id;
    this.buttons.get(id)?.setAttribute("tabindex", "0");
    // Pointers bring the focus too, and show walls themselves.
    this.aiming = this.buttons.get(id)?.matches(":focus-visible") && this.board.next.has(id);
    if (this.aiming && this.drawing.spots.get(id)?.preview) this.drawing.overlay.aim(id);
  }

  #leave() {
    if (this.aiming) this.drawing.overlay.aim(undefined);
    this.aiming = false;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || !this.#act(key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {string} key
   * @returns {boolean} Whether the key means anything here.
   */
  #act(key) {
    const here = this.current === undefined ? undefined : this.drawing.spots.get(this.current);
    if (!here) return false;
    const way = ARROWS[key];
    if (way) this.#go(towards(this.drawing.board.spots, here, way)?.id);
    else if (key === "PageDown" || key === "PageUp") this.#go(this.#neighbour(here.id, key === "PageUp"));
    else if (key === "Enter" || key === " ") this.board.pick(here.id);
    else if (key === "Escape") return this.board.back();
    else return false;
    return true;
  }

  /** @param {string | undefined} id */
  #go(id) {
    if (id !== undefined) this.buttons.get(id)?.focus();
  }

  /**
   * The next spot that can be picked, in the order of the board.
   * @param {string} from
   * @param {boolean} before
   */
  #neighbour(from, before) {
    const ids = [...this.buttons.keys()];
    const at = ids.indexOf(from);
    const after = [...ids.slice(at + 1), ...ids.slice(0, at)];
    const { next } = this.board;
    return (before ? after.reverse() : after).find((id) => next.has(id));
  }
}

/** @param {House.Spot} spot */
function button({ id, at, size, label }) {
  const [x, y, width, height] = [at[0] - size[0] / 2, at[1] - size[1] / 2, ...size].map(units);
  return element("rect", {
    ...{ "data-spot": id, role: "button", tabindex: -1, "aria-label": label },
    ...{ x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0, rx: 8, class: "spot" },
  });
}

/**
 * @param {Element} shown
 * @param {string} name
 * @param {string} value
 */
function state(shown, name, value) {
  if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
}
