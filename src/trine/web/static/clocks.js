/** The clocks of the players: they run smoothly, and say what the house says. */

/** Below so many seconds a clock stands out. */
const SHORT = 20;

/** @typedef {{left: (number | null)[], running: number | null, at: number} | null} Clock */

/**
 * What a player has at a moment, in seconds; null without a limit.
 * @param {Clock} clock
 * @param {number} seat
 * @param {number} now In milliseconds, by the clock of the house.
 */
export function leftAt(clock, seat, now) {
  const left = clock?.left[seat] ?? null;
  if (left === null || !clock) return null;
  const passed = clock.running === seat ? Math.max(0, now / 1000 - clock.at) : 0;
  return Math.max(0, left - passed);
}

/**
 * A time as people read it.
 * @param {number} seconds
 */
export function readable(seconds) {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60) % 60;
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (whole >= 3600) return `${Math.floor(whole / 3600)}:${two(minutes)}:${two(whole % 60)}`;
  if (seconds < 10) return `${minutes}:${two(whole % 60)}.${Math.floor((seconds * 10) % 10)}`;
  return `${minutes}:${two(whole % 60)}`;
}

export class Clocks {
  /** @type {Clock} */
  clock = null;

  /** @param {() => number} now The moment by the clock of the house, in milliseconds. */
  constructor(now) {
    this.now = now;
    setInterval(() => this.show(), 100);
  }

  show() {
    for (const place of document.querySelectorAll("time[data-seat]")) {
      if (!(place instanceof HTMLElement)) continue;
      const left = leftAt(this.clock, Number(place.dataset.seat), this.now());
      const told = left === null ? "" : readable(left);
      if (place.textContent !== told) place.textContent = told;
      place.classList.toggle("short", left !== null && left < SHORT);
    }
  }
}
