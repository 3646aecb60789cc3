/**
 * `<trine-board>`: shows a scene of any game, and lets a person pick actions on it. It knows no
 * rules: the page sets the scene and the choices. See docs/guides/board.md.
 */

import { Drawing } from "./drawing.js";
import { made } from "./elements.js";
import { fill } from "./fill.js";
import { Keys } from "./keys.js";
import { sheetOf, themeOf } from "./look.js";
import { Picking } from "./picking.js";
import { Pointing } from "./pointing.js";

/** @type {Map<string, House.Board>} Loaded boards by digest. */
export const boards = new Map();

/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/**
 * Load a board, once.
 * @param {string} digest
 * @param {string | null} place An address with `{}` in place of the digest.
 */
export async function fetchBoard(digest, place) {
  if (!place) throw new Error(`no board ${digest} is known, and the attribute boards is not set`);
  const address = place.replace("{}", digest);
  const asking = asked.get(address) ?? keep(digest, address);
  asked.set(address, asking);
  // After a failure it can be requested again.
  await asking.catch((error) => {
    asked.delete(address);
    throw error;
  });
}

/** @param {string} digest @param {string} address */
async function keep(digest, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`no board at ${answer.url}`);
  TrineBoard.keep(digest, await answer.json());
}

/** On a narrow page the trays are not beside the board, which is larger. */
export const narrow = matchMedia("(max-width: 899px)");

/** Milliseconds for each action of a replayed turn. */
const STEP = 150;
/** Milliseconds in which a piece glides to its place. */
const GLIDE = 200;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class TrineBoard extends HTMLElement {
  static observedAttributes = ["size", "theme", "bare"];

  /**
   * Store a board, so that scenes can name it by its digest.
   * @param {string} digest
   * @param {House.Board} board
   */
  static keep(digest, board) {
    boards.set(digest, fill("Board", board));
  }

  /** @type {House.View | undefined} */
  #scene;
  /** @type {string[][]} */
  #arrows = [];
  /** @type {string[][] | undefined} */
  #marks;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    this.frame = made("div", { className: "shape" });
    /** Actions without a place on the board, such as the end of a turn. */
    this.buttons = made("div", { className: "buttons" });
    this.buttons.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLElement) this.pick(target.dataset.pick ?? "");
    });
    /** For screen readers: the whole position, and the last event. */
    this.position = made("div", { className: "unseen", id: "alt", hidden: true });
    this.news = made("div", { className: "unseen", ariaLive: "polite" });
    this.picking = new Picking(this);
    // Until there is a scene, the element's content is shown: a picture.
    this.frame.append(document.createElement("slot"));
    root.append(this.frame, this.buttons, this.position, this.news);
  }

  connectedCallback() {
    this.#dress();
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (name === "size") return this.#reserve(...this.#size());
    if (name === "theme") this.#dress();
    if (this.#scene) this.#redraw(this.#scene);
  }

  /** The scene shown. Its board must be loaded, or the attribute `boards` is its address. */
  get scene() {
    return this.#scene;
  }

  set scene(scene) {
    if (!scene) return;
    fill("View", scene);
    const known = boards.get(scene.board);
    const before = this.#scene;
    this.#scene = scene;
    if (!known) this.#fetch(scene.board);
    else if (before?.board === scene.board && this.shown) this.#show(scene, this.time);
    else this.#redraw(scene);
    if (scene.status && scene.status !== before?.status) this.announce(scene.status);
  }

  /**
   * The actions to choose from; empty if the person here is not to move.
   * @returns {House.Choosable[]}
   */
  get choices() {
    return this.picking.choices;
  }

  /** @param {House.Choosable[]} choices */
  set choices(choices) {
    this.picking.choices = choices ?? [];
    this.shown?.pieces.settle(this.time);
    this.pointing?.cancel();
    this.refresh();
  }

  /** The picks so far. */
  get draft() {
    return this.picking.chosen;
  }

  set draft(picks) {
    this.restart(picks);
  }

  /**
   * Show the scene after an action, with its choices.
   * @param {House.View} scene
   * @param {House.Choosable[]} choices
   * @param {string[]} [handles] The spots on which other gestures may begin.
   */
  show(scene, choices, handles = []) {
    this.scene = scene;
    this.picking.handles = handles;
    this.choices = choices;
  }

  /** @param {House.Choosable[]} gestures */
  extend(gestures) {
    this.picking.extend(gestures);
  }

  /**
   * Replay a turn action by action. Nothing can be chosen meanwhile; the caller then shows the new scene.
   * @param {string[][][]} story For each action, the cells from which and to which pieces move.
   * @returns {Promise<boolean>} Whether it was shown to its end; another scene stops it.
   */
  async tellStory(story) {
    const before = this.#scene;
    this.choices = [];
    if (this.time) await this.shown?.pieces.tell(story, STEP, () => this.#scene !== before);
    return this.#scene === before;
  }

  /**
   * Show on the board that a player has won.
   * @param {number} player
   */
  celebrate(player) {
    this.shown?.pieces.celebrate(player, 2 * this.time);
  }

  /** The seat from which the board is seen. */
  get seat() {
    return this.shown?.board.seat ?? 0;
  }

  /** Paths of picks to show as arrows: hints. */
  get arrows() {
    return this.#arrows;
  }

  set arrows(paths) {
    this.#arrows = paths ?? [];
    this.shown?.overlay.point(this.#arrows);
  }

  /** The arrows and rings that a person has drawn, as paths; undefined if drawing is off. */
  get marks() {
    return this.#marks;
  }

  set marks(paths) {
    this.#marks = paths;
    this.shown?.overlay.mark(paths ?? []);
    this.tell("marked", {});
  }

  /**
   * Draw a mark, or remove it if it is there.
   * @param {string[]} path
   */
  mark(path) {
    const others = this.#marks?.filter((one) => String(one) !== String(path)) ?? [];
    this.marks = others.length === this.#marks?.length ? [...others, path] : others;
  }

  /** Whether the board is drawn and there is something to choose. */
  get live() {
    return this.shown !== undefined && this.choices.length > 0;
  }

  /** The ids that can be picked next. */
  get next() {
    return this.picking.next;
  }

  /** The button that can be picked now, such as the one that ends the turn. */
  get ending() {
    return this.shown?.board.buttons.find(({ id }) => this.choices.some(({ picks }) => picks?.[0] === id));
  }

  /** Milliseconds in which pieces move; 0 if reduced motion is preferred. */
  get time() {
    return still.matches ? 0 : GLIDE;
  }

  /**
   * Pick a spot or a button.
   * @param {string} id
   * @param {{clientX: number, clientY: number}} [where]
   */
  pick(id, where) {
    this.picking.pick(id, where);
  }

  /** @returns {boolean} Whether there was a pick to take back. */
  back() {
    return this.picking.back();
  }

  /** @param {string[]} [picks] */
  restart(picks) {
    this.picking.restart(picks);
  }

  /** The id of the previewed wall, if any. */
  get ghost() {
    return this.pointing?.ghost;
  }

  /**
   * Continue to carry what was taken from a tray: a wall, or a piece in hand.
   * @param {PointerEvent} event
   * @param {string} [slot] The spot of the pieces.
   */
  carry(event, slot) {
    this.pointing?.carry(event, slot);
  }

  /** Remove the preview. */
  forget() {
    if (this.pointing) this.pointing.ghost = undefined;
    this.shown?.overlay.aim(undefined);
  }

  /**
   * Return the id of the spot under a pointer that carries something from elsewhere.
   * @param {PointerEvent} event
   */
  spotAt(event) {
    return this.pointing?.at(event)?.id;
  }

  /**
   * Have a screen reader say something.
   * @param {string} words
   */
  announce(words) {
    this.news.textContent = words;
  }

  focus() {
    this.keyboard?.focus();
  }

  /** @param {string} name @param {object} detail */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** @param {string} digest */
  async #fetch(digest) {
    await fetchBoard(digest, this.getAttribute("boards")).catch((error) => {
      if (!(error instanceof TypeError)) throw error; // offline: the next scene tries again
    });
    if (this.#scene?.board === digest) this.#redraw(this.#scene);
  }

  /** @param {House.View} scene */
  #redraw(scene) {
    const board = boards.get(scene.board);
    if (!board) return;
    this.shown = new Drawing(board, themeOf(this.getAttribute("theme")), this.hasAttribute("bare"));
    this.pointing = new Pointing(this, this.shown);
    this.keyboard = undefined;
    this.#reserve(this.shown.view.across, this.shown.view.down);
    this.buttons.replaceChildren(...board.buttons.map(({ id, label }) =>
      made("button", { type: "button", textContent: label, dataset: { pick: id } })));
    this.frame.replaceChildren(this.shown.svg);
    this.picking.takeInHand();
    this.#show(scene, 0);
    this.shown.overlay.point(this.#arrows);
    this.shown.overlay.mark(this.#marks ?? []);
    this.refresh();
  }

  /** @param {House.View} scene @param {number} time */
  #show(scene, time) {
    this.shown?.show(scene, time);
    this.shown?.svg.setAttribute("aria-label", scene.title);
    this.position.textContent = scene.alt;
    this.keyboard?.name(scene);
    this.refresh();
    this.tell("scene", {});
  }

  /** Show what can be picked now. */
  refresh() {
    const { shown } = this;
    if (!shown) return;
    const { svg } = shown;
    svg.classList.toggle("live", this.live);
    if (this.live && !this.keyboard && this.#scene) {
      this.keyboard = new Keys(this, shown);
      this.keyboard.name(this.#scene);
    }
    svg.setAttribute("role", this.keyboard ? "application" : "img");
    svg.setAttribute("aria-describedby", "alt");
    this.keyboard?.refresh();
    shown.overlay.light(this.draft, this.next, this.picking.falls);
    for (const button of this.buttons.querySelectorAll("button")) {
      button.disabled = !this.live || !this.picking.completes(button.dataset.pick ?? "");
    }
  }

  #dress() {
    if (this.shadowRoot) this.shadowRoot.adoptedStyleSheets = [sheetOf(this.getAttribute("theme"))];
  }

  /** @returns {[number, number]} */
  #size() {
    const [across, down] = (this.getAttribute("size") ?? "").split("x").map(Number);
    return [across || 1, down || 1];
  }

  /**
   * Reserve the space of the picture.
   * @param {number} across
   * @param {number} down
   */
  #reserve(across, down) {
    this.frame.style.setProperty("--shape", `${across} / ${down}`);
  }
}

customElements.define("trine-board", TrineBoard);
