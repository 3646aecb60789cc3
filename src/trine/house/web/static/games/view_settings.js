/** The view settings of a game: the side, the insight, and the selected turn. */

import { narrow } from "../board/board.js";

/**
 * @typedef {object} Looker The parts of the page that are needed here.
 * @property {string} id
 * @property {HTMLElement} root
 * @property {import("../board/board.js").TrineBoard} board
 * @property {{say: (message: {t: string, [name: string]: unknown}) => void}} socket
 * @property {() => House.Game | undefined} game
 */

export class ViewSettings {
  insight = false;
  /** @type {number | undefined} The chosen side for viewing the board; undefined for the default. */
  #side;

  /** @param {Looker} page @param {() => void} redraw */
  constructor(page, redraw) {
    this.page = page;
    narrow.addEventListener("change", redraw);
  }

  /** Show the board from the next side. */
  flip() {
    const game = this.page.game();
    this.#side = ((this.#side ?? game?.side ?? 0) + 1) % (game?.seats.length ?? 2);
    this.show();
  }

  /** Switch the insight, such as threats, on or off. */
  judge() {
    this.insight = !this.insight;
    this.show();
  }

  /** Request the state again with the current settings. */
  show() {
    this.page.socket.say({ t: "look", insight: this.insight, ...(this.#side === undefined ? {} : { seat: this.#side }) });
  }

  /** After a reconnect, request the state again if the settings are not the defaults. */
  resume() {
    if (this.#side !== undefined || this.insight) this.show();
  }

  frame() {
    const { root, board, game } = this.page;
    root.classList.toggle("narrow", board.toggleAttribute("bare", narrow.matches));
    root.classList.toggle("sets", Boolean(game()?.setup.length));
  }

  /**
   * Fetch the position after a number of turns, and of actions of the next turn.
   * @param {number} turns
   * @param {number} actions
   * @returns {Promise<House.TurnShown | undefined>}
   */
  async after(turns, actions) {
    const { id, game } = this.page;
    const place = `/game/${id}/turn/${turns}?seat=${game()?.side ?? 0}&actions=${actions}`;
    const answer = await fetch(place).catch(() => undefined); // the house may be unreachable
    return answer?.ok ? answer.json() : undefined;
  }
}
