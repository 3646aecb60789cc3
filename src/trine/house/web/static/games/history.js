/** The list of a game's turns, and the selected one. */

import { made } from "../board/elements.js";
import { button, buttonOf, markCurrent } from "../page/parts.js";
import { walk } from "../board/walking.js";
import { days, readable } from "./seats.js";

/**
 * @param {number} at In seconds.
 * @param {Intl.DateTimeFormatOptions} how
 */
function date(at, how) {
  return new Date(at * 1000).toLocaleString(document.documentElement.lang || undefined, how);
}

export class History {
  /** @type {House.PlayedTurn[]} */
  #turns = [];
  /** The number of turns before the shown position; undefined for the newest position. */
  shown = /** @type {number | undefined} */ (undefined);
  /** The number of the next turn's actions that are shown, and of all its actions; negative if not known yet. */
  done = 0;
  seen = 0;

  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} now Shows the selected turn, if there is no room for the list.
   * @param {(turn: number | undefined, actions: number) => void} look
   * @param {() => boolean} slowly Whether to step through each turn action by action.
   */
  constructor(place, now, look, slowly) {
    this.place = place;
    this.now = now;
    this.look = look;
    this.slowly = slowly;
    place.addEventListener("click", ({ target }) => {
      const one = buttonOf(target);
      if (one) this.go(Number(one.dataset.turn));
    });
    new ResizeObserver(() => this.live && place.scrollTo(0, place.scrollHeight)).observe(place);
  }

  /**
   * Let buttons, the wheel over the board, and keys step through the turns.
   * @param {HTMLElement} board
   */
  walk(board) {
    /** @type {[string, () => void][]} */
    const ways = [
      ["first", () => this.go(0)],
      ["previous", () => this.step(-1)],
      ["next", () => this.step(1)],
      ["last", () => this.go(undefined)],
    ];
    for (const [name, go] of ways) button(name).addEventListener("click", go);
    walk(board);
  }

  get length() {
    return this.#turns.length;
  }

  /** Whether the newest position is shown. */
  get live() {
    return this.shown === undefined;
  }

  /** @param {number} from @param {House.PlayedTurn[]} turns */
  take(from, turns) {
    this.#turns = [...this.#turns.slice(0, from), ...turns];
    if (this.shown !== undefined && this.shown >= this.#turns.length) this.shown = undefined;
    this.#show(from);
  }

  /** @param {number} by */
  step(by) {
    const at = this.shown ?? this.#turns.length;
    if (!this.slowly()) return this.go(at + by);
    const done = this.done + by;
    if (this.done < 0 || (by > 0 && this.live)) return;
    if (done > 0 ? done < this.seen : done === 0) return this.go(at, done);
    if (by > 0) this.go(at + 1);
    else if (at > 0) this.go(at - 1, -1);
  }

  /**
   * @param {number | undefined} turn
   * @param {number} [actions] The number of the next turn's actions to show; negative for all but the last.
   */
  go(turn, actions = 0) {
    const most = this.#turns.length;
    this.shown = turn === undefined || turn >= most ? undefined : Math.max(0, turn);
    [this.done, this.seen] = this.live ? [0, 0] : [actions, 0];
    this.#mark();
    this.look(this.shown, actions);
  }

  /**
   * Handle the requested position, now that it is shown.
   * @param {{done: number, seen: number}} found
   */
  reached({ done, seen }) {
    this.done = done;
    this.seen = seen;
    this.#mark();
  }

  /** @param {number} from */
  #show(from) {
    while (this.place.children.length > from) this.place.lastElementChild?.remove();
    this.#turns.slice(from).forEach((turn, number) => {
      const words = [`${turn.tag} ${turn.words}`, ...timeOf(turn)];
      const one = made("button", { dataset: { turn: String(from + number + 1) } }, ...words);
      this.place.append(made("li", {}, one));
    });
    this.#mark();
    if (this.live) this.place.scrollTop = this.place.scrollHeight;
  }

  #mark() {
    const within = this.done > 0;
    const at = (this.shown ?? this.#turns.length) + Number(within);
    markCurrent(this.place, ({ dataset }) => Number(dataset.turn) === at);
    button("first").disabled = button("previous").disabled = !at;
    button("next").disabled = button("last").disabled = this.live;
    const turn = this.#turns[at - 1];
    const start = this.live ? "" : button("first").ariaLabel;
    const told = turn ? `${turn.tag} ${turn.words}` : start;
    this.now.textContent = within ? `${this.done}/${this.seen} · ${told}` : told;
  }
}

/**
 * Return when a turn was played, or how long it took.
 * @param {House.PlayedTurn} turn
 */
function timeOf({ at, used, left }) {
  if (at !== undefined) {
    return [made("time", {
      dateTime: new Date(at * 1000).toISOString(),
      textContent: date(at, { day: "numeric", month: "short" }),
      title: date(at, { dateStyle: "full", timeStyle: "short" }) + (used === undefined ? "" : ` · ${days(used)}`),
    })];
  }
  if (used === undefined) return [];
  return [made("time", { textContent: readable(used), title: left === undefined ? "" : readable(left) })];
}
