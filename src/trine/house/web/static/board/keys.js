/**
 * Keyboard and screen reader: every spot is a button with a name. Arrow keys move over squares and,
 * after W, over walls of one direction; from a piece they go to its possible targets. Page Up and Page
 * Down go through the possible picks, Enter picks, Escape goes back.
 */

import { ARROWS, towards } from "./places.js";
import { element, units } from "./elements.js";

/** @typedef {import("./board.js").TrineBoard} TrineBoard */
/** @typedef {import("./drawing.js").Drawing} Drawing */

export class Keys {
  /** @param {TrineBoard} board @param {Drawing} drawing */
  constructor(board, drawing) {
    this.board = board;
    this.drawing = drawing;
    /** @type {Map<string, SVGGraphicsElement>} */
    this.buttons = new Map(drawing.board.spots.map((spot) => [spot.id, button(spot)]));
    this.group = element("g", { "data-layer": "spots", tabindex: -1 }, ...this.buttons.values());
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

  /** Show which spots are chosen and which can be picked. */
  refresh() {
    const { draft, next, picking: { handles } } = this.board;
    const stays = this.touched && (this.group.matches(":focus-within") || [...next, ...handles].includes(this.current ?? ""));
    if (!stays) this.current = this.#first() ?? this.current;
    for (const [id, shown] of this.buttons) {
      state(shown, "aria-pressed", draft.includes(id) ? "true" : "false");
      state(shown, "aria-disabled", next.has(id) ? "false" : "true");
      state(shown, "tabindex", id === this.current ? "0" : "-1");
    }
  }

  /** Return the spot that gets the focus first: the own piece that the task names, any own piece, or any pick. */
  #first() {
    const { next, scene, picking: { handles } } = this.board;
    const spots = [...next, ...handles].filter((id) => this.buttons.has(id));
    const own = spots.filter((id) => this.drawing.pieces.on(id));
    const named = own.find((id) => scene?.marks.some(({ cell, role }) => cell === id && role === "named"));
    return named ?? own[0] ?? spots[0];
  }

  /** Focus the last focused spot, or the first one. */
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
    // A pointer moves the focus, too, but previews walls itself.
    this.aiming = this.buttons.get(id)?.matches(":focus-visible") && this.board.next.has(id);
    if (this.aiming && this.drawing.spots.get(id)?.preview) this.drawing.overlay.aim(id);
    if (!this.explained && this.buttons.get(id)?.matches(":focus-visible")) {
      this.explained = true;
      this.board.tell("keyboard", { walls: this.drawing.board.spots.some(({ preview }) => preview) });
    }
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
   * @returns {boolean} Whether the key has a function here.
   */
  #act(key) {
    const here = this.current === undefined ? undefined : this.drawing.spots.get(this.current);
    if (!here) return false;
    const way = ARROWS[key];
    if (way) this.#go(this.#ahead(here, way)?.id);
    else if (key.toLowerCase() === "w") this.#go(this.#turnedWall(here)?.id);
    else if (key === "PageDown" || key === "PageUp") this.#go(this.#neighbour(here.id, key === "PageUp"));
    else if (key === "Enter" || key === " ") this.board.pick(here.id);
    else if (key === "Escape") return this.board.back();
    else return false;
    return true;
  }

  /**
   * Return the spot that an arrow leads to: from a square a possible move first, from a wall a wall
   * of the same direction.
   * @param {House.Spot} here
   * @param {House.Point} way
   */
  #ahead(here, way) {
    const { spots } = this.drawing.board;
    if (here.preview) return towards(spots.filter((spot) => directionOf(spot) === directionOf(here)), here, way);
    const squares = spots.filter(({ preview }) => !preview);
    const possible = squares.filter(({ id }) => this.board.next.has(id));
    return (this.drawing.pieces.on(here.id) && towards(possible, here, way, 0.5)) || towards(squares, here, way);
  }

  /**
   * Return the nearest wall after W: from a square a horizontal one, then a vertical one, then a square.
   * @param {House.Spot} here
   */
  #turnedWall(here) {
    const { spots } = this.drawing.board;
    const wanted = { "": "h", h: "v", v: "" }[directionOf(here)];
    const away = (/** @type {House.Spot} */ { at: [x, y] }) => Math.hypot(x - here.at[0], y - here.at[1]);
    return spots.filter((spot) => directionOf(spot) === wanted).sort((one, other) => away(one) - away(other))[0];
  }

  /** @param {string | undefined} id */
  #go(id) {
    if (id !== undefined) this.buttons.get(id)?.focus();
  }

  /**
   * Return the next spot that can be picked, in the order of the board.
   * @param {string} from
   * @param {boolean} before
   */
  #neighbour(from, before) {
    const ids = [...this.buttons.keys()];
    const at = ids.indexOf(from);
    const after = [...ids.slice(at + 1), ...ids.slice(0, at)];
    const { next, picking } = this.board;
    return (before ? after.reverse() : after).find((id) => next.has(id) || (picking.given && picking.leadsOn(id)));
  }
}

/**
 * Return the direction of a wall, horizontal or vertical; empty for a square.
 * @param {House.Spot} spot
 * @returns {"h" | "v" | ""}
 */
function directionOf({ preview }) {
  const [first, last] = [preview?.points[0], preview?.points.at(-1)];
  if (!first || !last) return "";
  return Math.abs(first[1] - last[1]) < Math.abs(first[0] - last[0]) ? "h" : "v";
}

/** @param {House.Spot} spot */
function button({ id, at, size, label }) {
  const [x, y, width, height] = [at[0] - size[0] / 2, at[1] - size[1] / 2, ...size].map(units);
  return element("rect", {
    ...{ "data-spot": id, role: "button", tabindex: -1, "aria-label": label },
    ...{ x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0, rx: 8, class: "spot" },
  });
}

/** @param {Element} shown @param {string} name @param {string} value */
function state(shown, name, value) {
  if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
}
