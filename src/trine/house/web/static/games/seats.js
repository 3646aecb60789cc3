/** The players: their names, their clocks, who is there, and what each has beside the board. */

import "../board/tray.js";

/** Where players sit, as the board is seen: below, and on clockwise. */
const PLACES = ["below", "left", "above", "right"];

export class Seats {
  /**
   * @param {(name: string) => HTMLElement} part
   * @param {Record<string, string>} words
   */
  constructor(part, words) {
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
      line.classList.toggle("gone", !seat.plays);
      const [name, more] = [line.querySelector("b"), line.querySelector("small")];
      if (name) this.#call(name, seat);
      const away = this.words[seat.presence] ?? "";
      if (more) more.textContent = [seat.bot ? this.words.program : "", seat.guest ? this.words.guest : "", seat.rating, seat.side === seat.name ? "" : seat.side, away].filter(Boolean).join(" · ");
      more?.classList.toggle("away", away !== "");
      const place = this.places[game.places[number] ?? 0];
      if (line.parentElement !== place) place?.replaceChildren(line);
      return line;
    });
  }

  /**
   * Show what the players have beside the board.
   * @param {import("../board/board.js").TrineBoard} board
   */
  stock(board) {
    if (!board.shown || !board.scene) return;
    for (const [number, line] of this.lines.entries()) {
      const tray = /** @type {import("../board/tray.js").Tray | null} */ (line.querySelector("trine-tray"));
      tray?.show(board.shown, board.scene, number);
    }
  }

  /**
   * Write a name; that of an account leads to its page.
   * @param {HTMLElement} place
   * @param {House.Seat} seat
   */
  #call(place, seat) {
    if (place.textContent === seat.name && (place.firstElementChild !== null) === (seat.player !== "")) return;
    if (!seat.player) {
      place.textContent = seat.name;
      return;
    }
    const link = document.createElement("a");
    link.href = `/player/${encodeURIComponent(seat.player)}`;
    link.textContent = seat.name;
    place.replaceChildren(link);
  }

  /**
   * @param {number} number
   * @param {string} theme
   */
  #line(number, theme) {
    const line = document.createElement("div");
    line.className = "seat";
    const name = document.createElement("span");
    name.className = "name";
    name.append(document.createElement("b"), document.createElement("small"));
    const tray = document.createElement("trine-tray");
    tray.setAttribute("theme", theme);
    tray.addEventListener("pointerdown", (event) => {
      /** @type {import("../board/board.js").TrineBoard | null} */ (document.querySelector("trine-board"))?.carryWall(event);
    });
    const time = document.createElement("time");
    time.className = "time";
    time.dataset.seat = String(number);
    line.append(name, tray, time);
    return line;
  }
}
