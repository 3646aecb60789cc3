/**
 * What has been pointed at so far, on the way to an action. It knows no pointer and no picture:
 * mouse, finger, pen and keyboard all end here.
 */

/** @typedef {import("../types.js").Choosable} Choosable */
/** @typedef {Choosable & {picks: string[]}} Choice */
/**
 * @typedef {object} Step What a pick has brought.
 * @property {"more" | "action" | "tie" | "refused" | "back"} kind
 * @property {Choice[]} reached The actions that the picks make, for `action` and `tie`.
 * @property {string[]} picks
 */

export class Draft {
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

  /** @param {Choosable[]} choices */
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
   * @param {Choosable[]} gestures
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
