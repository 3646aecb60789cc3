/** What a person picks on a board, by whatever means: what is meant by it, and what comes of it. */

import { made } from "./elements.js";

/** @typedef {import("./board.js").TrineBoard} TrineBoard */
/** @typedef {import("./drawing.js").Drawing} Drawing */

/** @typedef {House.Choosable & {picks: string[]}} Choice */
/** A choice between several actions that are pointed at alike: a small list beside the place. */
class Chooser {
  /** @type {HTMLElement | undefined} */
  #list;

  /** @param {HTMLElement} frame Where the picture is. */
  constructor(frame) {
    this.frame = frame;
  }

  /**
   * @param {House.Choosable[]} ways
   * @param {Drawing} shown
   * @param {string} id The spot that was pointed at last.
   * @param {(way: House.Choosable | undefined) => void} chosen Hears which it is, or that it is none.
   */
  open(ways, shown, id, chosen) {
    const list = made("div", { className: "chooser" });
    /** @param {House.Choosable} [way] */
    const choose = (way) => {
      if (this.close()) chosen(way);
    };
    for (const way of ways) {
      const one = made("button", { type: "button", textContent: way.label ?? way.id });
      one.addEventListener("click", () => choose(way));
      list.append(one);
    }
    list.addEventListener("keydown", ({ key }) => key === "Escape" && choose());
    const [right, below] = this.#place(shown, id);
    list.style.left = `${100 * Math.min(0.85, Math.max(0.15, right))}%`;
    list.style.top = `${100 * below}%`;
    this.#list = list;
    this.frame.append(list);
    list.querySelector("button")?.focus();
  }

  /**
   * Ask no more.
   * @returns {boolean} Whether something was asked.
   */
  close() {
    const open = this.#list;
    open?.remove();
    this.#list = undefined;
    return open !== undefined;
  }

  /**
   * Where a spot is, as shares of the frame: it may have another shape than the picture in its middle.
   * @param {Drawing} shown
   * @param {string} id
   * @returns {[number, number]}
   */
  #place({ view: { left, top, across, down }, spots }, id) {
    const [x, y] = spots.get(id)?.at ?? [left + across / 2, top + down];
    const { width, height } = this.frame.getBoundingClientRect();
    const scale = Math.min(width / across, height / down);
    const right = 0.5 + ((x - left - across / 2) * scale) / (width || 1);
    const below = 0.5 + ((y - top - down / 2) * scale) / (height || 1);
    return [right, below];
  }
}

/**
 * What has been pointed at so far, on the way to an action, by whatever means: mouse, finger, pen and
 * keyboard all end here.
 */
export class Picking {
  /** @type {Choice[]} */
  #choices = [];
  /** Whether it is not known yet what the gesture can make that has begun. */
  #waits = false;
  /** The first pick of the last action, and whether it was chosen again without a pick. */
  #hand = "";
  #given = false;
  /** @type {string[]} Where a gesture may begin that is not known yet. */
  handles = [];
  /** @type {string[]} The ids that have been pointed at, in order. */
  chosen = [];

  /** @param {TrineBoard} board */
  constructor(board) {
    this.board = board;
    this.chooser = new Chooser(board.frame);
  }

  /**
   * The legal actions. What has been chosen stays chosen where it still leads somewhere.
   * @returns {Choice[]}
   */
  get choices() {
    return this.#choices;
  }

  /** @param {House.Choosable[]} choices */
  set choices(choices) {
    // What has no picks is picked by its id alone.
    this.#choices = choices.map((one) => ({ ...one, picks: one.picks?.length ? one.picks : [one.id] }));
    const begins = this.chosen.length === 1 && this.handles.includes(this.chosen[0] ?? "");
    if (!begins && !this.#following(this.chosen).length) this.chosen = [];
    this.takeInHand();
  }

  /**
   * Choose the kind of piece that was placed last, as long as the tray has some. Where a turn places
   * one piece, the first kind is chosen from the beginning.
   */
  takeInHand() {
    if (this.chosen.length) return;
    const kinds = new Set(this.#choices.map(({ picks }) => picks[0] ?? ""));
    const inTray = (/** @type {string} */ id) => this.board.shown?.cells.get(id)?.role === "slot";
    const first = this.board.hasAttribute("one") && [...kinds].every(inTray) ? [...kinds][0] : undefined;
    const kind = kinds.has(this.#hand) && inTray(this.#hand) ? this.#hand : first;
    this.#given = kind !== undefined;
    if (kind) this.chosen = [kind];
  }

  /**
   * Take in what the gesture that has begun can make; it goes before actions with the same picks.
   * @param {House.Choosable[]} gestures
   */
  extend(gestures) {
    this.#waits = false;
    const known = gestures.map((one) => ({ ...one, picks: one.picks ?? [one.id] }));
    const paths = new Set(known.map(({ picks }) => String(picks)));
    this.#choices = [...this.#choices.filter(({ picks }) => !paths.has(String(picks))), ...known];
    this.board.refresh();
  }

  /** The ids that can be picked next. */
  get next() {
    return this.#nextAfter(this.chosen);
  }

  /** The cells on which something is lost by what may come of what has been pointed at. */
  get falls() {
    const ways = this.chosen.length ? this.#following(this.chosen) : [];
    return new Set(ways.flatMap(({ falls }) => falls || []));
  }

  /**
   * Whether pointing at an id, now or afresh, leads to more that can be pointed at.
   * @param {string} id
   */
  leadsOn(id) {
    const path = this.#pathTo(id);
    if ((path?.length ?? 1) === 1 && this.handles.includes(id)) return true;
    return path !== undefined && this.#nextAfter(path).size > 0;
  }

  /**
   * Whether pointing at an id, now or afresh, makes an action.
   * @param {string} id
   */
  completes(id) {
    const path = String(this.#pathTo(id));
    return this.#choices.some(({ picks }) => String(picks) === path);
  }

  /**
   * Whether pointing at an id is of any use.
   * @param {string} id
   */
  leadsSomewhere(id) {
    return this.next.has(id) || this.leadsOn(id);
  }

  /**
   * @param {string} id
   * @param {{clientX: number, clientY: number}} [where]
   */
  pick(id, where) {
    if (!this.#choices.length || !id) return;
    this.chooser.close();
    if (!this.chosen.length && !means(id, this.#choices, this.board.shown) && !this.leadsSomewhere(id)) return;
    if (id === this.chosen.at(-1) && this.#given) this.#given = false;
    else if (id === this.chosen.at(-1)) this.chosen = this.chosen.slice(0, -1);
    else if (this.#take(id, where)) return;
    this.#changed();
  }

  /**
   * @param {string} id
   * @param {{clientX: number, clientY: number}} [where]
   * @returns {boolean} Whether it made an action.
   */
  #take(id, where) {
    const begins = this.handles.includes(id);
    const path = this.#pathTo(id) ?? (begins && !this.#waits ? [id] : undefined);
    if (!path) {
      const picks = [...this.chosen, id];
      this.chosen = [];
      this.#waits = false;
      this.board.tell("refused", { picks, x: where?.clientX, y: where?.clientY });
      return false;
    }
    this.#waits = begins && path.length === 1;
    const reached = this.#choices.filter((way) => String(way.picks) === String(path));
    const [first, ...others] = reached;
    this.chosen = first ? [] : path;
    if (first && !others.length) this.#act(first);
    else if (first) this.#choose(reached, id);
    return reached.length === 1;
  }

  /** @returns {boolean} Whether there was one. */
  back() {
    if (this.chooser.close()) return true;
    if (!this.chosen.length) return false;
    this.chosen = this.chosen.slice(0, -1);
    this.#changed();
    return true;
  }

  /** @param {string[]} [picks] */
  restart(picks = []) {
    this.chooser.close();
    this.chosen = this.#following(picks).length ? [...picks] : [];
    this.board.pointing?.cancel();
    this.board.refresh();
  }

  #changed() {
    this.board.refresh();
    this.board.tell("draft", { picks: this.chosen });
  }

  /** @param {House.Choosable} choice */
  #act({ id, picks, draft, falls }) {
    if (falls) this.board.shown?.overlay.fell(falls);
    this.#hand = picks?.[0] ?? "";
    // Nothing can be chosen until it is known what has become of this.
    this.handles = [];
    this.choices = [];
    this.board.forget();
    this.board.refresh();
    this.board.tell("action", { id, picks, draft });
  }

  /**
   * Ask which of several actions is meant that are pointed at alike.
   * @param {House.Choosable[]} ways
   * @param {string} id
   */
  #choose(ways, id) {
    if (!this.board.shown) return;
    this.chooser.open(ways, this.board.shown, id, (way) => (way ? this.#act(way) : this.board.focus()));
  }

  /**
   * The picks with one more, or with that one alone, if any action begins with them.
   * @param {string} id
   */
  #pathTo(id) {
    return [[...this.chosen, id], [id]].find((path) => this.#following(path).length);
  }

  /** @param {string[]} begun */
  #following(begun) {
    return this.#choices.filter((way) => begun.every((id, index) => way.picks[index] === id));
  }

  /** @param {string[]} begun */
  #nextAfter(begun) {
    const ways = this.#following(begun).map((way) => way.picks[begun.length] ?? "");
    return new Set(ways.filter(Boolean));
  }
}

/**
 * Whether a person who points here first can have meant something: an empty square where no square
 * alone is an action means nothing.
 * @param {string} id
 * @param {Choice[]} choices
 * @param {Drawing | undefined} shown
 */
function means(id, choices, shown) {
  const spot = shown?.spots.get(id);
  if (!spot || spot.preview || shown?.pieces.on(id)) return true;
  return choices.some(({ picks }) => {
    const only = picks.length === 1 ? shown?.spots.get(picks[0] ?? "") : undefined;
    return only && !only.preview;
  });
}
