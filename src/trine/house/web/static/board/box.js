/**
 * The box of parts for setting up a position: tap a part and then a spot, or carry it to the board;
 * carry pieces elsewhere, or off the board. The house sends the contents, so it knows no game.
 */

import { boards, fetchBoard } from "./board.js";
import { drawShape } from "./drawing.js";
import { paintClass, sheetOf, themeOf } from "./look.js";
import { element, made } from "./elements.js";

/** Pixels that a pointer moves before it carries. */
const CARRIES = 8;
const HAND = "";

export class Box {
  /** @type {House.BoxPart[]} */
  #parts = [];
  /** The part that a tap places; empty for the hand, which moves pieces on the board. */
  chosen = HAND;
  open = false;
  /** @type {House.Editing | undefined} */
  #state;

  /**
   * @param {import("./board.js").TrineBoard} board
   * @param {HTMLElement} parts
   * @param {HTMLElement} settings
   * @param {Record<string, string>} words
   * @param {(message: object) => void} ask
   */
  constructor(board, parts, settings, words, ask) {
    this.board = board;
    this.place = parts;
    this.settings = settings;
    this.words = words;
    this.ask = ask;
    board.addEventListener("action", (event) => {
      if (this.open) this.#put(/** @type {CustomEvent} */ (event).detail.picks);
    });
    board.addEventListener("off", (event) => {
      if (this.open) ask({ t: "put", origin: /** @type {CustomEvent} */ (event).detail.id, to: "" });
    });
  }

  /** @param {House.Editing} state */
  async show(state) {
    this.open = true;
    this.#state = state;
    await fetchBoard(state.view.board, this.board.getAttribute("boards"));
    const board = boards.get(state.view.board);
    if (!board || !this.open) return;
    if (JSON.stringify(state.parts) !== JSON.stringify(this.#parts)) {
      this.#parts = state.parts;
      this.place.replaceChildren(this.#hand(), ...this.#parts.map((part) => this.#button(part, board)));
    }
    this.settings.replaceChildren(...state.settings.map((one) => this.#setting(one)));
    this.board.show(state.view, []);
    this.#offer();
  }

  close() {
    this.open = false;
  }

  /** Offer the spots of the chosen part; for the hand, every piece with all its targets. */
  #offer() {
    const board = this.#state && boards.get(this.#state.view.board);
    if (!board) return;
    for (const button of this.place.querySelectorAll("button")) {
      button.setAttribute("aria-checked", String((button.dataset.part ?? "") === this.chosen));
    }
    const cells = new Set(board.cells.filter(({ role }) => role !== "slot").map(({ id }) => id));
    const part = this.#parts.find(({ id }) => id === this.chosen);
    const places = board.spots.filter((spot) => (part && !part.piece ? spot.preview : cells.has(spot.id)));
    if (part) {
      this.board.choices = places.map(({ id }) => ({ id, picks: [id] }));
      return;
    }
    const standing = /** @type {string[]} */ (this.#state?.standing ?? []);
    this.board.choices = standing.flatMap((from) => cells.has(from)
      ? places.filter(({ id }) => id !== from).map(({ id }) => ({ id: `${from} ${id}`, picks: [from, id] }))
      : [{ id: from, picks: [from] }]);
  }

  /** @param {string[]} picks */
  #put(picks) {
    const [first = "", second] = picks;
    if (this.chosen !== HAND) this.ask({ t: "put", part: this.chosen, to: first });
    else this.ask({ t: "put", origin: first, to: second ?? "" });
  }

  #hand() {
    const button = radio(this.words.hand ?? "");
    button.textContent = this.words.hand ?? "";
    button.className = "hand";
    button.addEventListener("click", () => this.#choose(HAND));
    return button;
  }

  /** @param {string} part */
  #choose(part) {
    this.chosen = part;
    this.#offer();
  }

  /** @param {House.BoxPart} part @param {House.Board} board */
  #button(part, board) {
    const button = radio(part.label, part.id);
    button.title = part.label;
    if (part.piece) button.append(pictureOf(part.piece, board));
    else button.textContent = part.label;
    button.addEventListener("click", () => this.#choose(part.id));
    button.addEventListener("pointerdown", (event) => this.#carry(event, part, button));
    return button;
  }

  /**
   * Carry a part from the box to the board.
   * @param {PointerEvent} down
   * @param {House.BoxPart} part
   * @param {HTMLElement} button
   */
  #carry(down, part, button) {
    if (!down.isPrimary || down.button > 0) return;
    /** @type {HTMLElement | undefined} */
    let carried;
    const end = new AbortController();
    const { signal } = end;
    button.setPointerCapture(down.pointerId);
    button.addEventListener("pointermove", (event) => {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < CARRIES && !carried) return;
      if (!carried) {
        this.#choose(part.id);
        carried = /** @type {HTMLElement} */ (button.cloneNode());
        const board = this.#state && boards.get(this.#state.view.board);
        if (part.piece && board) carried.append(pictureOf(part.piece, board));
        else carried.textContent = part.label;
        carried.className = "carried";
        document.body.append(carried);
      }
      carried.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -70%)`;
    }, { signal });
    button.addEventListener("pointerup", (event) => {
      end.abort();
      if (!carried) return;
      carried.remove();
      const to = this.board.spotAt(event);
      const box = this.board.getBoundingClientRect();
      const inside = event.clientX > box.left && event.clientX < box.right && event.clientY > box.top && event.clientY < box.bottom;
      if (to && inside) this.ask({ t: "put", part: part.id, to });
    }, { signal });
    button.addEventListener("pointercancel", () => {
      end.abort();
      carried?.remove();
    }, { signal });
  }

  /** @param {House.Setting} setting */
  #setting({ id, label, values, value }) {
    const choice = made("select", {}, ...values.map(([one, told]) => new Option(told, one, false, one === value)));
    choice.addEventListener("change", () => this.ask({ t: "set", name: id, value: choice.value }));
    return made("label", {}, `${label} `, choice);
  }
}

/** @param {string} label @param {string} [part] */
function radio(label, part = HAND) {
  return made("button", { type: "button", dataset: { part }, ariaLabel: label, role: "radio" });
}

/**
 * Return the picture of a part, as boards draw it.
 * @param {House.Piece} piece
 * @param {House.Board} board
 */
function pictureOf({ figure, base, owner }, board) {
  const host = made("span", { className: "part" });
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheetOf(null)];
  const role = owner === null ? "other" : board.players[owner]?.role ?? "other";
  const shapes = [base, figure].flatMap((name) => board.figures[name] ?? []);
  const group = element("g", { class: paintClass(themeOf(null), role) }, ...shapes.map(drawShape));
  root.append(element("svg", { viewBox: "-52 -52 104 104", "aria-hidden": "true" }, group));
  return host;
}
