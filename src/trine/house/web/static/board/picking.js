/** The picks of mouse, finger and keyboard on a board, and the actions that they make. */

import { made } from "./elements.js";

/** @typedef {import("./board.js").TrineBoard} TrineBoard */
/** @typedef {import("./drawing.js").Drawing} Drawing */

/** @typedef {House.Choosable & {picks: string[]}} Choice */
/** A small list beside a spot, for several actions with the same picks. */
class Chooser {
  /** @type {HTMLElement | undefined} */
  #list;

  /** @param {HTMLElement} frame Where the picture is. */
  constructor(frame) {
    this.frame = frame;
  }

  /**
   * @param {House.Choosable[]} ways
   * @param {Element | undefined} spot The last spot picked; undefined for the middle.
   * @param {(way: House.Choosable | undefined) => void} chosen Called with the choice; undefined for none.
   */
  open(ways, spot, chosen) {
    const list = made("div", { className: "chooser" });
    /** @param {House.Choosable} [way] */
    const choose = (way) => {
      if (this.close()) chosen(way);
    };
    for (const way of ways) {
      list.append(made("button", { type: "button", textContent: way.label ?? way.id, onclick: () => choose(way) }));
    }
    list.addEventListener("keydown", ({ key }) => key === "Escape" && choose());
    const frame = this.frame.getBoundingClientRect();
    const { x, y, width, height } = spot?.getBoundingClientRect() ?? frame;
    const [right, below] = [x + width / 2 - frame.x, y + height / 2 - frame.y];
    list.style.left = `${100 * Math.min(0.85, Math.max(0.15, right / frame.width))}%`;
    list.style.top = `${(100 * below) / frame.height}%`;
    this.#list = list;
    this.frame.append(list);
    list.querySelector("button")?.focus();
  }

  /** @returns {boolean} Whether the list was open. */
  close() {
    const open = this.#list;
    open?.remove();
    this.#list = undefined;
    return open !== undefined;
  }
}

/** The picks so far on the way to an action. Mouse, finger, pen and keyboard all call it. */
export class Picking {
  /** @type {Choice[]} */
  #choices = [];
  /** Whether the actions of the gesture that has begun are not known yet. */
  #waits = false;
  /** The first pick of the last action, and whether the board has not shown its result yet. */
  #hand = "";
  #acted = false;
  /** @type {"" | "kind" | "moved"} What was chosen automatically, until the next pick. */
  given = "";
  /** @type {string[]} The spots on which gestures begin whose actions the house must be asked for. */
  handles = [];
  /** @type {string[]} The ids of the picks so far. */
  chosen = [];

  /** @param {TrineBoard} board */
  constructor(board) {
    this.board = board;
    this.chooser = new Chooser(board.frame);
  }

  /**
   * The legal actions. Setting them keeps the picks if they still lead to an action.
   * @returns {Choice[]}
   */
  get choices() {
    return this.#choices;
  }

  /** @param {House.Choosable[]} choices */
  set choices(choices) {
    // Without picks, the id is the only pick.
    this.#choices = choices.map((one) => ({ ...one, picks: one.picks?.length ? one.picks : [one.id] }));
    const begins = this.chosen.length === 1 && this.handles.includes(this.chosen[0] ?? "");
    const other = this.given === "moved" && this.board.shown?.pieces.moved.length; // undone, for example
    if (other || (!begins && !this.#following(this.chosen).length)) this.chosen = [];
    this.takeInHand();
    if (choices.length) this.#acted = false;
  }

  /**
   * Choose the piece that the last step has moved, if the turn has steps left, or the kind of piece
   * that was placed last, while the tray has some. If a turn places one piece, choose the first kind
   * at the beginning.
   */
  takeInHand() {
    if (this.chosen.length) return;
    const begun = this.#nextAfter([]);
    const inTray = (/** @type {string} */ id) => this.board.shown?.cells.get(id)?.role === "slot";
    const first = this.board.hasAttribute("one") && [...begun].every(inTray) ? [...begun][0] : undefined;
    const kind = begun.has(this.#hand) && inTray(this.#hand) ? this.#hand : first;
    const moved = this.#acted ? this.#movedPiece(begun) : undefined;
    this.given = kind ? "kind" : moved ? "moved" : "";
    this.chosen = [kind ?? moved ?? ""].filter(Boolean);
    this.#waits = moved !== undefined && this.handles.includes(moved);
    if (moved) this.board.tell("draft", { picks: this.chosen });
  }

  /**
   * Return the cell of the own piece that the last action moved, if the turn goes on. Pieces that
   * can go onto others are left out: a tap on another piece chooses that one.
   * @param {Set<string>} begun The first picks of all actions.
   */
  #movedPiece(begun) {
    const { scene, shown } = this.board;
    const [used, left] = ["step-used", "step"].map((role) => scene?.pieces.find((one) => one.role === role));
    const moved = shown?.pieces.moved.find(({ owner, cell }) => used && owner === left?.owner && begun.has(cell));
    return moved && [...this.#nextAfter([moved.cell])].some((id) => shown?.pieces.on(id)) ? undefined : moved?.cell;
  }

  /**
   * Add the actions of the gesture that has begun; they replace actions with the same picks.
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

  /** The cells on which the actions with these picks would lose a piece. */
  get falls() {
    const ways = this.chosen.length ? this.#following(this.chosen) : [];
    return new Set(ways.flatMap(({ falls }) => falls || []));
  }

  /**
   * Return whether more picks can follow an id, picked now or first.
   * @param {string} id
   */
  leadsOn(id) {
    const path = this.#pathTo(id);
    if ((path?.length ?? 1) === 1 && this.handles.includes(id)) return true;
    return path !== undefined && this.#nextAfter(path).size > 0;
  }

  /**
   * Return whether an id, picked now or first, completes an action.
   * @param {string} id
   */
  completes(id) {
    const path = String(this.#pathTo(id));
    return this.#choices.some(({ picks }) => String(picks) === path);
  }

  /** @param {string} id */
  leadsSomewhere(id) {
    return this.next.has(id) || this.leadsOn(id);
  }

  /** @param {string} id @param {{clientX: number, clientY: number}} [where] */
  pick(id, where) {
    if (!this.#choices.length || !id) return;
    this.chooser.close();
    if (!this.chosen.length && !means(id, this.#choices, this.board.shown) && !this.leadsSomewhere(id)) return;
    const { given } = this;
    this.given = "";
    if (id !== this.chosen.at(-1)) {
      const quiet = given === "moved" && !this.board.shown?.pieces.on(id);
      if (given === "moved" && !quiet) this.#letGo();
      if (this.#take(id, quiet, where)) return;
    } else if (!given) this.chosen = this.chosen.slice(0, -1);
    this.#changed();
  }

  /**
   * @param {string} id
   * @param {boolean} quiet Whether a refusal only lets a piece go that was chosen automatically.
   * @param {{clientX: number, clientY: number}} [where]
   * @returns {boolean} Whether the pick made an action.
   */
  #take(id, quiet, where) {
    const begins = this.handles.includes(id);
    const path = this.#pathTo(id) ?? (begins && !this.#waits ? [id] : undefined);
    if (!path) {
      const picks = [...this.chosen, id];
      this.#letGo();
      this.board.tell("refused", { picks, quiet, x: where?.clientX, y: where?.clientY });
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

  /** @returns {boolean} Whether there was a pick to take back. */
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

  #letGo() {
    this.chosen = [];
    this.#waits = false;
  }

  #changed() {
    this.board.refresh();
    this.board.tell("draft", { picks: this.chosen });
  }

  /** @param {House.Choosable} choice */
  #act({ id, picks, draft, falls }) {
    if (falls) this.board.shown?.overlay.fell(falls);
    this.#hand = picks?.[0] ?? "";
    // Nothing can be chosen until the result of this action is known.
    this.handles = [];
    this.choices = [];
    this.#acted = true;
    this.board.forget();
    this.board.refresh();
    this.board.tell("action", { id, picks, draft });
  }

  /**
   * Ask which of several actions with the same picks is meant.
   * @param {House.Choosable[]} ways
   * @param {string} id
   */
  #choose(ways, id) {
    this.chooser.open(ways, this.board.keyboard?.buttons.get(id), (way) => (way ? this.#act(way) : this.board.focus()));
  }

  /**
   * Return the picks with one more, or that one alone, if an action begins with them.
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
 * Return whether a first pick can have a meaning. An empty square has none if no action is a single
 * square.
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
