/** The status line of a game: whose turn it is, and how the game has ended. */

import { aside, made, say } from "../board/elements.js";

const SECOND = 1000;

/** The progress bar in the status line while the computer's code compiles, and the time left. */
class Warming {
  #bar = made("progress");
  #left = made("span", { ariaHidden: "true" }); // not read out each second by screen readers
  /** The earliest estimate so far of when it is ready; 0 if there is none. */
  #until = 0;
  /** @type {number | undefined} */
  #clock;
  /** @type {HTMLElement} */
  #meanwhile;

  /** @param {HTMLElement} place @param {Record<string, string>} words */
  constructor(place, words) {
    this.place = place;
    this.words = words;
    this.#meanwhile = made("a", { href: "/puzzles", target: "_blank", textContent: words.meanwhile ?? "" });
  }

  /** Whether the status line still contains the bar. */
  get shown() {
    return this.#bar.isConnected;
  }

  /** @param {House.Warming} warming @param {string} told */
  show({ done, of, left }, told) {
    this.#bar.ariaLabel = told;
    if (!this.shown) this.place.append(this.#bar, this.#left, " ", this.#meanwhile);
    if (of) {
      this.#bar.max = of;
      this.#bar.value = done;
    }
    if (left) this.#until = Math.min(this.#until || Infinity, Date.now() + left * SECOND);
    this.#count();
    this.#clock ??= setInterval(() => this.#count(), SECOND);
  }

  #count() {
    const left = Math.max(1, Math.ceil((this.#until - Date.now()) / SECOND));
    this.#left.textContent = this.#until ? (this.words.warming_left ?? "").replace("{left}", `${left}`) : "";
    if (this.shown) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
    this.#until = 0;
    this.#bar.removeAttribute("value");
  }
}

export class StatusLine {
  /** @type {(() => void) | undefined} Restores the sentence from before the connection was lost. */
  #found;

  /** @param {HTMLElement} place @param {Record<string, string>} words */
  constructor(place, words) {
    this.place = place;
    this.words = words;
    this.warming = new Warming(place, words);
  }

  /** @param {string} [sentence] @param {string} [how] */
  tell(sentence = "", how = "") {
    say(this.place, sentence, how);
  }

  /**
   * @param {House.Warming} warming
   * @param {string} name The name of the bot.
   */
  #warm(warming, name) {
    const told = (this.words.warming ?? "").replace("{name}", name);
    if (!this.warming.shown) this.tell(`${told} `, "warming");
    this.warming.show(warming, told);
  }

  /** Show that the connection is lost; a result stays visible. */
  lost() {
    if (this.place.classList.contains("result") || this.#found) return;
    this.#found = aside(this.place, this.words.lost_line ?? "", "wrong");
  }

  /** After a reconnect, restore the sentence from before, until the house sends more. */
  found() {
    this.#found?.();
    this.#found = undefined;
  }

  /** @param {House.Game} game @param {House.Game | undefined} before */
  explain(game, before) {
    const { words } = this;
    if (game.result) return this.tell(game.result, "result");
    if (game.stage === "waiting") return this.tell(words.waiting);
    if (game.waking) return this.tell(words.waking_line);
    if (game.paused) return this.tell(words.paused);
    const [decliner] = game.declined && game.own.includes(game.declined.seat) ? game.declined.waiting : [];
    if (decliner !== undefined && before && before.seq !== game.seq) {
      return this.tell((words.declines ?? "").replace("{player}", game.seats[decliner]?.name ?? ""));
    }
    if (game.warming) return this.#warm(game.warming, game.seats[game.mover ?? 0]?.name ?? "");
    if (!before?.warming && before?.seq === game.seq && String(before?.draft) === String(game.draft)) return;
    if (game.draft.length) return this.tell(game.coach);
    const alone = game.own.length === game.seats.length;
    const moves = (words.to_move ?? "").replace("{name}", game.seats[game.mover ?? 0]?.name ?? "");
    const hinted = game.hinted.map((seat) => (words.asks_hint ?? "").replace("{name}", game.seats[seat]?.name ?? ""));
    const mine = game.own.includes(game.mover ?? -1) && game.coach;
    this.tell([...hinted, mine && !alone ? words.you_move : moves, game.coach].filter(Boolean).join(" "));
  }
}
