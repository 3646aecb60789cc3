/** What a person picks on a board, by whatever means: what is meant by it, and what comes of it. */

import { block, button } from "./buttons.js";

/** @typedef {import("./board.js").TrineBoard} TrineBoard */
/** @typedef {import("./drawing.js").Drawing} Drawing */

/** @typedef {House.Choosable & {picks: string[]}} Choice */
/**
 * @typedef {object} Step What a pick has brought.
 * @property {"more" | "action" | "tie" | "refused" | "back"} kind
 * @property {Choice[]} reached The actions that the picks make, for `action` and `tie`.
 * @property {string[]} picks
 */

/**
 * What has been pointed at so far, on the way to an action. It knows no pointer and no picture:
 * mouse, finger, pen and keyboard all end here.
 */
class Draft {
  /** @type {Choice[]} */
  #choices = [];
  /** @type {string[]} */
  #chosen = [];
  /** @type {Set<string>} Where a gesture may begin that is not known yet. */
  #handles = new Set();
  /** Whether it is not known yet what the gesture can make that has begun. */
  #waits = false;

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
    const begins = this.#chosen.length === 1 && this.#handles.has(this.#chosen[0] ?? "");
    if (!begins && !this.#following(this.#chosen).length) this.#chosen = [];
  }

  /**
   * Where a gesture may begin.
   * @returns {Iterable<string>}
   */
  get handles() {
    return this.#handles;
  }

  /** @param {Iterable<string>} spots */
  set handles(spots) {
    this.#handles = new Set(spots);
  }

  /**
   * What a gesture can make that begins where it has begun; it goes before actions with the same picks.
   * @param {House.Choosable[]} gestures
   */
  extend(gestures) {
    this.#waits = false;
    const known = gestures.map((one) => ({ ...one, picks: one.picks ?? [one.id] }));
    const paths = new Set(known.map(({ picks }) => String(picks)));
    this.#choices = [...this.#choices.filter(({ picks }) => !paths.has(String(picks))), ...known];
  }

  /** The ids that have been pointed at, in order. */
  get chosen() {
    return this.#chosen;
  }

  /** The id that was pointed at last. */
  get last() {
    return this.#chosen.at(-1);
  }

  /** The ids that can be pointed at next. */
  get next() {
    return this.#nextAfter(this.#chosen);
  }

  /**
   * Whether pointing at an id, now or afresh, leads to more that can be pointed at.
   * @param {string} id
   */
  leadsOn(id) {
    const path = this.#pathTo(id);
    if (!path || path.length === 1) return this.#handles.has(id) || (path !== undefined && this.#nextAfter(path).size > 0);
    return this.#nextAfter(path).size > 0;
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
   * Point at something.
   * @param {string} id
   * @returns {Step}
   */
  pick(id) {
    if (id === this.last) return this.back();
    const begins = this.#handles.has(id);
    const path = this.#pathTo(id) ?? (begins && !this.#waits ? [id] : undefined);
    if (!path) {
      const picks = [...this.#chosen, id];
      this.#chosen = [];
      this.#waits = false;
      return { kind: "refused", reached: [], picks };
    }
    this.#waits = begins && path.length === 1;
    const reached = this.#choices.filter((way) => String(way.picks) === String(path));
    this.#chosen = reached.length ? [] : path;
    const kind = reached.length > 1 ? "tie" : reached.length ? "action" : "more";
    return { kind, reached, picks: path };
  }

  /**
   * Take the last pick back.
   * @returns {Step}
   */
  back() {
    this.#chosen = this.#chosen.slice(0, -1);
    return { kind: "back", reached: [], picks: this.#chosen };
  }

  /**
   * Choose afresh.
   * @param {string[]} picks
   */
  restart(picks = []) {
    this.#chosen = this.#following(picks).length ? [...picks] : [];
  }

  /**
   * The picks with one more, or with that one alone, if any action begins with them.
   * @param {string} id
   */
  #pathTo(id) {
    return [[...this.#chosen, id], [id]].find((path) => this.#following(path).length);
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

/** A choice between several actions that are pointed at alike: a small list beside the place. */
class Chooser {
  /** @type {HTMLElement | undefined} */
  #list;

  /** @param {HTMLElement} frame Where the picture is. */
  constructor(frame) {
    this.frame = frame;
  }

  /**
   * Ask which action is meant.
   * @param {House.Choosable[]} ways
   * @param {Drawing} shown
   * @param {string} id The spot that was pointed at last.
   * @param {(way: House.Choosable | undefined) => void} chosen Hears which it is, or that it is none.
   */
  open(ways, shown, id, chosen) {
    const list = block("chooser");
    /** @param {House.Choosable} [way] */
    const choose = (way) => {
      if (this.close()) chosen(way);
    };
    for (const way of ways) {
      const one = button(way.label ?? way.id);
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

export class Picking {
  #draft = new Draft();

  /** @param {TrineBoard} board */
  constructor(board) {
    this.board = board;
    this.chooser = new Chooser(board.frame);
  }

  /**
   * What can be chosen.
   * @returns {Choice[]}
   */
  get choices() {
    return this.#draft.choices;
  }

  /** @param {House.Choosable[]} choices */
  set choices(choices) {
    this.#draft.choices = choices;
  }

  /** Where a gesture may begin. */
  get handles() {
    return this.#draft.handles;
  }

  /** @param {Iterable<string>} spots */
  set handles(spots) {
    this.#draft.handles = spots;
  }

  /**
   * Take in what the gesture that has begun can make.
   * @param {House.Choosable[]} gestures
   */
  extend(gestures) {
    this.#draft.extend(gestures);
    this.board.refresh();
  }

  /** What has been pointed at so far. */
  get chosen() {
    return this.#draft.chosen;
  }

  /** The ids that can be picked next. */
  get next() {
    return this.#draft.next;
  }

  /**
   * Whether pointing at an id leads to more that can be pointed at.
   * @param {string} id
   */
  leadsOn(id) {
    return this.#draft.leadsOn(id);
  }

  /**
   * Whether pointing at an id makes an action.
   * @param {string} id
   */
  completes(id) {
    return this.#draft.completes(id);
  }

  /**
   * Whether pointing at an id is of any use.
   * @param {string} id
   */
  leadsSomewhere(id) {
    return this.next.has(id) || this.leadsOn(id);
  }

  /**
   * Point at a spot or a button, by whatever means.
   * @param {string} id
   * @param {{clientX: number, clientY: number}} [where]
   */
  pick(id, where) {
    if (!this.choices.length || !id) return;
    this.chooser.close();
    if (!this.chosen.length && !means(id, this.choices, this.board.shown) && !this.leadsSomewhere(id)) return;
    const step = this.#draft.pick(id);
    if (step.kind === "action" && step.reached[0]) return this.#act(step.reached[0]);
    if (step.kind === "tie") this.#choose(step.reached, id);
    if (step.kind === "refused") {
      this.board.tell("refused", { picks: step.picks, x: where?.clientX, y: where?.clientY });
    }
    this.board.refresh();
    this.board.tell("draft", { picks: this.chosen });
  }

  /**
   * Take the last pick back.
   * @returns {boolean} Whether there was one.
   */
  back() {
    if (this.chooser.close()) return true;
    if (!this.chosen.length) return false;
    this.#draft.back();
    this.board.refresh();
    this.board.tell("draft", { picks: this.chosen });
    return true;
  }

  /**
   * Choose afresh.
   * @param {string[]} [picks]
   */
  restart(picks = []) {
    this.chooser.close();
    this.#draft.restart(picks);
    this.board.pointing?.cancel();
    this.board.refresh();
  }

  /** @param {House.Choosable} choice */
  #act({ id, picks, draft }) {
    // Nothing can be chosen until it is known what has become of this.
    this.#draft.choices = [];
    this.#draft.handles = [];
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
