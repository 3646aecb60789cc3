/** The line of the referee: whose turn it is, what was refused and why, how the game has ended. */

import { Warming } from "./warming.js";

/** @typedef {import("../types.js").Game} Game */

export class Told {
  /** @type {[string, string] | undefined} What was told before the connection was lost, and how. */
  #before;

  /**
   * @param {HTMLElement} place
   * @param {Record<string, string>} words
   */
  constructor(place, words) {
    this.place = place;
    this.words = words;
    this.warming = new Warming(place, words);
  }

  /**
   * Say something.
   * @param {string} [sentence]
   * @param {string} [how]
   */
  tell(sentence = "", how = "") {
    this.place.textContent = sentence;
    this.place.className = `told ${how}`;
  }

  /** @param {import("../types.js").Warming} warming */
  #warm(warming) {
    if (!this.warming.shown) this.tell(this.words.warming, "warming");
    this.warming.show(warming);
  }

  /** The connection is lost; a result stays all the same. */
  lost() {
    if (this.place.classList.contains("result") || this.#before) return;
    this.#before = [this.place.textContent ?? "", this.place.className];
    this.tell(this.words.lost_line, "wrong");
  }

  /** The connection is there again: what was told before still holds, until the house says more. */
  found() {
    if (this.#before && this.place.textContent === this.words.lost_line) [this.place.textContent, this.place.className] = this.#before;
    this.#before = undefined;
  }

  /**
   * Tell how a game stands.
   * @param {Game} game
   * @param {Game | undefined} before How it stood.
   */
  explain(game, before) {
    const { words } = this;
    if (game.result) return this.tell(game.result, "result");
    if (game.stage === "waiting") return this.tell(words.waiting);
    if (game.waking) return this.tell(words.waking_line);
    if (game.paused) return this.tell(words.paused);
    if (game.warming) return this.#warm(game.warming);
    if (!before?.warming && before?.seq === game.seq && String(before?.draft) === String(game.draft)) return;
    if (game.draft.length) return this.tell(game.coach);
    const alone = game.own.length === game.seats.length;
    const moves = (words.to_move ?? "").replace("{name}", game.seats[game.mover ?? 0]?.name ?? "");
    this.tell([game.coach && !alone ? words.you_move : moves, game.coach].filter(Boolean).join(" "));
  }
}
