/** What a person picks on a board, by whatever means: what is meant by it, and what comes of it. */

import { Chooser } from "./chooser.js";
import { Draft } from "./draft.js";

/** @typedef {import("../types.js").Choosable} Choosable */
/** @typedef {import("./draft.js").Choice} Choice */
/** @typedef {import("./board.js").TrineBoard} TrineBoard */
/** @typedef {import("./drawing.js").Drawing} Drawing */

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

  /** @param {Choosable[]} choices */
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
   * @param {Choosable[]} gestures
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

  /** @param {Choosable} choice */
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
   * @param {Choosable[]} ways
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
