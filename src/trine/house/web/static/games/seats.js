/** The players: names, presence and trays, and the running clocks. */

import { made } from "../board/elements.js";
import "../board/tray.js";
import { part } from "../page/parts.js";

/** The places of players around the board as shown: below, then clockwise. */
const PLACES = ["below", "left", "above", "right"];

export class Seats {
  /** @param {Record<string, string>} words */
  constructor(words) {
    this.places = PLACES.map(part);
    this.words = words;
    /** @type {HTMLElement[]} */
    this.lines = [];
  }

  /**
   * Show the players, each at their side of the board.
   * @param {House.Game} game
   */
  show(game) {
    const theme = document.querySelector("trine-board")?.getAttribute("theme") ?? "";
    this.lines = game.seats.map((seat, number) => {
      const line = this.lines[number] ?? this.#line(number, theme);
      line.classList.toggle("moves", number === game.mover && !game.over);
      line.classList.toggle("own", game.own.includes(number));
      line.classList.toggle("gone", !seat.plays);
      const [name, more] = [line.querySelector("b"), line.querySelector("small")];
      const you = seat.name === seat.side && String(game.own) === String(number);
      if (name) this.#call(name, you ? { ...seat, name: this.words.you ?? "" } : seat);
      const away = this.words[seat.presence] ?? "";
      if (more) more.textContent = [seat.bot ? this.words.program : "", seat.guest ? this.words.guest : "", seat.rating, seat.side === seat.name ? "" : seat.side, away].filter(Boolean).join(" · ");
      more?.classList.toggle("away", away !== "");
      const place = this.places[game.places[number] ?? 0];
      if (line.parentElement !== place) place?.replaceChildren(line);
      return line;
    });
  }

  /**
   * Show a name, with a link if it is that of an account.
   * @param {HTMLElement} place
   * @param {House.Seat} seat
   */
  #call(place, seat) {
    if (place.textContent === seat.name && (place.firstElementChild !== null) === (seat.player !== "")) return;
    const href = `/player/${encodeURIComponent(seat.player)}`;
    place.replaceChildren(seat.player ? made("a", { href, textContent: seat.name }) : seat.name);
  }

  /** @param {number} number @param {string} theme */
  #line(number, theme) {
    const name = made("span", { className: "name" }, made("b"), made("small"));
    const tray = document.createElement("trine-tray");
    tray.setAttribute("theme", theme);
    tray.setAttribute("player", String(number));
    const time = made("time", { className: "time", dataset: { seat: String(number) } });
    return made("div", { className: "seat" }, name, tray, time);
  }
}

/** A clock with less time than this is highlighted, in seconds. */
const SHORT = 20;

const DAY = 86_400;

/**
 * Return a player's remaining time in seconds; null if it is unlimited.
 * @param {House.Clock | null} clock
 * @param {number} seat
 * @param {number} now In milliseconds, by the clock of the house.
 */
function leftAt(clock, seat, now) {
  const left = clock?.left[seat] ?? null;
  if (left === null || !clock) return null;
  const passed = clock.running === seat ? Math.max(0, now / 1000 - clock.at) : 0;
  return Math.max(0, left - passed);
}

/** @param {number} seconds */
export function readable(seconds) {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60) % 60;
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (whole >= 3600) return `${Math.floor(whole / 3600)}:${two(minutes)}:${two(whole % 60)}`;
  if (seconds < 10) return `${minutes}:${two(whole % 60)}.${Math.floor((seconds * 10) % 10)}`;
  return `${minutes}:${two(whole % 60)}`;
}

/**
 * Return a time in days or hours as text, in the words of the browser's locale.
 * @param {number} seconds
 */
export function days(seconds) {
  const language = document.documentElement.lang || undefined;
  const tell = (/** @type {number} */ count, /** @type {string} */ unit) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  const minutes = Math.ceil(seconds / 60);
  const counts = /** @type {[number, string][]} */ ([
    [Math.floor(minutes / 1440), "day"],
    [Math.floor(minutes / 60) % 24, "hour"],
    [minutes % 60, "minute"],
  ]);
  const first = counts.findIndex(([count]) => count > 0);
  if (first < 0) return tell(0, "minute");
  const told = counts.slice(first, first + 2).filter(([count]) => count > 0);
  return told.map(([count, unit]) => tell(count, unit)).join(" ");
}

/**
 * Return the text of a clock: first the days of the turn, then, if they are over, the vacation.
 * @param {House.Clock | null} clock
 * @param {number} seat
 * @param {number} left
 * @param {string} vacation
 * @returns {[string, string]} The time, and the remaining vacation below it.
 */
function shown(clock, seat, left, vacation) {
  const spare = clock?.spare?.[seat];
  if (spare === undefined) return [readable(left), ""];
  if (left <= spare) return [days(left), vacation];
  return [days(left - spare), spare ? `+ ${days(spare)}` : ""];
}

export class Clocks {
  /** @type {House.Clock | null} */
  clock = null;

  /**
   * @param {() => number} now Returns the time by the clock of the house, in milliseconds.
   * @param {string} vacation The label when the days of a turn are over.
   */
  constructor(now, vacation) {
    this.now = now;
    this.vacation = vacation;
    setInterval(() => this.show(), 100);
  }

  show() {
    for (const place of document.querySelectorAll("time[data-seat]")) {
      if (!(place instanceof HTMLElement)) continue;
      const seat = Number(place.dataset.seat);
      const left = leftAt(this.clock, seat, this.now());
      const [told, spare] = left === null ? ["", ""] : shown(this.clock, seat, left, this.vacation);
      if ((place.dataset.spare ?? "") !== spare) place.dataset.spare = spare;
      if (place.textContent !== told) place.textContent = told;
      const short = this.clock?.spare ? DAY / 4 : SHORT;
      place.classList.toggle("short", left !== null && left < short);
      place.classList.toggle("long", this.clock?.spare !== undefined);
    }
  }
}
