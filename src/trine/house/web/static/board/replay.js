/**
 * `<trine-replay src="game.json">`: a game turn by turn, as `trine show FILE --scenes` writes it.
 * One script on any page is enough. See docs/why/board.md.
 */

import { TrineBoard } from "./board.js";
import { element, made } from "./elements.js";

const REPLAY_STYLE = `
:host { display: block; font: 16px/1.4 system-ui, sans-serif; color: var(--ink, light-dark(#2b241b, #ece4d6));
  container-type: inline-size; }
:host([hidden]) { display: none; }
.frame { display: grid; gap: 12px; }
trine-board { width: min(100%, var(--most, 100%)); margin: 0 auto; }
.beside { display: flex; flex-direction: column; gap: 8px; min-width: 0; }
ol { list-style: none; margin: 0; padding: 4px; height: 132px; overflow-y: auto; position: relative;
  border: 1px solid var(--line, light-dark(#e3dccd, #3a342b)); border-radius: 6px; background: var(--raised, light-dark(#fff, #26221c)); }
p { margin: 0; min-height: 22px; }
button { font: inherit; color: inherit; background: none; border: 0; border-radius: 6px; cursor: pointer; }
ol button { width: 100%; text-align: start; padding: 4px 8px; display: flex; gap: 8px; }
ol span { min-width: 3ch; color: var(--soft, light-dark(#6d6252, #a89c88)); font-variant-numeric: tabular-nums; }
ol span:empty { display: none; }
button[aria-current] { background: light-dark(#e9e2d2, #3a342b); }
button:hover:enabled { background: light-dark(#f1ebde, #322d25); }
button:focus-visible { outline: 3px solid var(--accent, light-dark(#3d6b4f, #7fb795)); outline-offset: -3px; }
.bar { display: flex; min-height: 44px; }
.bar button { flex: 1; min-height: 44px; }
.bar button:disabled { opacity: .3; cursor: default; }
svg { width: 24px; height: 24px; display: block; margin: auto; fill: currentColor; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
@container (min-width: 620px) {
  .frame { grid-template-columns: minmax(0, 1fr) 220px; }
  .beside { flex-direction: column-reverse; }
  ol { flex: 1 1 0; height: auto; }
}
`;

/**
 * @typedef {object} Game
 * @property {Record<string, string>} tags
 * @property {Record<string, House.Board>} boards
 * @property {{tag: string, played: string, scenes: House.View[]}[]} turns
 * @property {Record<string, string>} words
 */

/** How long one action of a turn is shown before the next, in milliseconds. */
const STEP = 260;
/** The same for a whole turn when all turns are played. */
const TURN = 1100;
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };
/** @type {Record<string, string>} The forms on the buttons, which also have names. */
const FORMS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M16 5 7 12l9 7z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
};
const sheet = new CSSStyleSheet();
sheet.replaceSync(REPLAY_STYLE);

export class TrineReplay extends HTMLElement {
  static observedAttributes = ["src", "turn"];

  /** @type {Game | undefined} */
  #game;
  #at = 0;
  /** @type {number | undefined} */
  #timer;
  #playing = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    this.board = /** @type {TrineBoard} */ (document.createElement("trine-board"));
    this.board.setAttribute("buttons", "none");
    this.said = made("p");
    this.bar = made("div", { className: "bar" });
    this.turns = made("ol");
    const beside = made("div", { className: "beside" }, this.bar, this.said, this.turns);
    root.append(made("div", { className: "frame" }, this.board, beside));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.board.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    root.addEventListener("click", ({ target }) => {
      const { go, turn } = (target instanceof Element ? target.closest("button") : null)?.dataset ?? {};
      if (go) this.go(go);
      if (turn) this.turn = Number(turn);
    });
  }

  connectedCallback() {
    for (const name of ["size", "theme", "trays"]) {
      const value = this.getAttribute(name);
      if (value !== null) this.board.setAttribute(name, value);
    }
  }

  disconnectedCallback() {
    this.#stop();
  }

  /**
   * @param {string} name
   * @param {string | null} _before
   * @param {string | null} value
   */
  attributeChangedCallback(name, _before, value) {
    if (name === "src" && value) this.#fetch(value);
    if (name === "turn" && this.#game) this.turn = Number(value);
  }

  /** The game that is shown. */
  get game() {
    return this.#game;
  }

  set game(game) {
    if (!game) return;
    this.#stop();
    this.#game = game;
    for (const [digest, board] of Object.entries(game.boards)) TrineBoard.keep(digest, board);
    this.turns.setAttribute("aria-label", game.words.turns ?? "");
    this.turns.replaceChildren(...game.turns.map(({ tag, played }, index) => {
      const words = [made("span", { textContent: tag }), index ? played : (game.words.start ?? "")];
      return made("li", {}, made("button", { dataset: { turn: String(index) } }, ...words));
    }));
    const names = ["first", "back", "play", "forward", "last"];
    this.bar.replaceChildren(...names.map((go) => made("button", { dataset: { go } })));
    const [size = [1, 1]] = Object.values(game.boards).map((board) => board.size);
    // The whole board is in view at once, however wide the page is.
    this.board.style.setProperty("--most", `calc((100svh - 24px) * ${size[0] / size[1]})`);
    const wanted = this.getAttribute("turn");
    this.#show(this.#clamp(wanted === null ? game.turns.length - 1 : Number(wanted)), false);
  }

  /** Which turn is shown; 0 is the beginning. */
  get turn() {
    return this.#at;
  }

  set turn(index) {
    this.#stop();
    this.#show(this.#clamp(index), index === this.#at + 1);
  }

  /**
   * Go to the first or the last turn, one back or on, or play all of them.
   * @param {string} where
   */
  go(where) {
    const last = (this.#game?.turns.length ?? 1) - 1;
    if (where === "play") return this.#playing ? this.#stop() : this.#play();
    const turns = { first: 0, back: this.#at - 1, forward: this.#at + 1, last };
    if (where in turns) this.turn = turns[/** @type {keyof typeof turns} */ (where)];
  }

  /** @param {string} place */
  async #fetch(place) {
    const answer = await fetch(place);
    if (!answer.ok) throw new Error(`trine-replay found no game at ${answer.url}`);
    this.game = await answer.json();
  }

  /** @param {number} index */
  #clamp(index) {
    return Math.max(0, Math.min((this.#game?.turns.length ?? 1) - 1, Math.trunc(index) || 0));
  }

  /**
   * @param {number} index
   * @param {boolean} byStep Whether its actions are shown one after the other.
   */
  #show(index, byStep) {
    const scenes = this.#game?.turns[index]?.scenes ?? [];
    this.#at = index;
    clearTimeout(this.#timer);
    const rest = byStep && this.board.time ? scenes.slice() : scenes.slice(-1);
    const next = () => {
      const scene = rest.shift();
      if (scene) this.board.scene = scene;
      if (rest.length) this.#timer = setTimeout(next, STEP);
      else if (this.#playing) this.#timer = setTimeout(() => this.#onwards(), TURN);
    };
    next();
    this.#tell();
  }

  #tell() {
    const { turns = [], words = {} } = this.#game ?? {};
    this.said.textContent = turns[this.#at]?.scenes.at(-1)?.status ?? "";
    for (const button of this.turns.querySelectorAll("button")) {
      const here = Number(button.dataset.turn) === this.#at;
      if (!here) button.removeAttribute("aria-current");
      else button.setAttribute("aria-current", "step");
      // The list scrolls, and the page does not.
      if (here) this.turns.scrollTop = button.offsetTop - this.turns.clientHeight / 2;
    }
    const [first, last] = [this.#at === 0, this.#at === turns.length - 1];
    for (const button of this.bar.querySelectorAll("button")) {
      const name = button.dataset.go ?? "";
      const form = name === "play" && this.#playing ? "pause" : name;
      button.setAttribute("aria-label", words[form] ?? "");
      button.title = words[form] ?? "";
      button.disabled = name === "first" || name === "back" ? first : name === "play" ? false : last;
      if (button.dataset.form !== form) button.replaceChildren(icon(FORMS[form] ?? ""));
      button.dataset.form = form;
    }
    this.dispatchEvent(new CustomEvent("turn", { detail: { turn: this.#at }, bubbles: true }));
  }

  #play() {
    this.#playing = true;
    if (this.#at === (this.#game?.turns.length ?? 1) - 1) this.#show(0, false);
    else this.#onwards();
  }

  #onwards() {
    if (this.#at === (this.#game?.turns.length ?? 1) - 1) return this.#stop();
    this.#show(this.#at + 1, true);
  }

  #stop() {
    clearTimeout(this.#timer);
    if (!this.#playing) return;
    this.#playing = false;
    this.#tell();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const where = KEYS[event.key];
    const pressed = event.key === " " && event.composedPath()[0] instanceof HTMLButtonElement;
    if (!where || pressed || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.go(where);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const goal = this.#at + Math.sign(event.deltaY);
    // At both ends the wheel scrolls the page.
    if (event.ctrlKey || this.#clamp(goal) !== goal || goal === this.#at) return;
    event.preventDefault();
    const now = event.timeStamp;
    if (now - (this.turned ?? 0) < 60) return;
    this.turned = now;
    this.turn = goal;
  }
}

/** @param {string} d */
const icon = (d) => element("svg", { viewBox: "0 0 24 24" }, element("path", { d }));

customElements.define("trine-replay", TrineReplay);
