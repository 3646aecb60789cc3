/** The players: their names, their clocks, and who is there. */

export class Seats {
  /**
   * @param {HTMLElement} above
   * @param {HTMLElement} below
   * @param {Record<string, string>} words
   */
  constructor(above, below, words) {
    this.above = above;
    this.below = below;
    this.words = words;
  }

  /**
   * Show the players: whose side of the board is below stands below.
   * @param {import("./socket.js").Message} game
   * @param {number} side
   */
  show(game, side) {
    /** @type {HTMLElement[]} */
    const lines = game.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => {
      const line = document.createElement("div");
      line.className = "seat";
      line.classList.toggle("moves", number === game.mover && !game.over);
      line.classList.toggle("gone", !seat.plays);
      const name = document.createElement("b");
      name.textContent = seat.name;
      const more = document.createElement("small");
      more.textContent = [seat.side === seat.name ? "" : seat.side, this.words[seat.presence] ?? ""]
        .filter(Boolean)
        .join(" · ");
      const time = document.createElement("time");
      time.className = "time";
      time.dataset.seat = String(number);
      line.append(name, more, time);
      return line;
    });
    const own = lines[side];
    this.below.replaceChildren(...(own ? [own] : []));
    this.above.replaceChildren(...lines.filter((line) => line !== own));
  }
}
