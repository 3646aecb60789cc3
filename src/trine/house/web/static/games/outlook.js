/** How a game is looked at: from whose side, with insight or without, and after which turn. */

import { narrow } from "../board/board.js";

/**
 * @typedef {object} Looker What the page lends.
 * @property {string} id
 * @property {HTMLElement} root
 * @property {import("../board/board.js").TrineBoard} board
 * @property {{say: (message: {t: string, [name: string]: unknown}) => void}} socket
 * @property {() => House.Game | undefined} game
 */

export class Outlook {
  insight = false;
  /** @type {number | undefined} From whose side the board is seen, where that was chosen. */
  #side;

  /**
   * @param {Looker} page
   * @param {() => void} redraw
   */
  constructor(page, redraw) {
    this.page = page;
    narrow.addEventListener("change", redraw);
  }

  /** Look from the next side. */
  flip() {
    const game = this.page.game();
    this.#side = ((this.#side ?? game?.side ?? 0) + 1) % (game?.seats.length ?? 2);
    this.show();
  }

  /** Have threats and the like shown, or not. */
  judge() {
    this.insight = !this.insight;
    this.show();
  }

  /** Ask for the game anew, as it is to be seen. */
  show() {
    this.page.socket.say({ t: "look", insight: this.insight, ...(this.#side === undefined ? {} : { seat: this.#side }) });
  }

  /** Ask for it where the house, which has forgotten who looks, would show it otherwise. */
  resume() {
    if (this.#side !== undefined || this.insight) this.show();
  }

  /** While a side sets up it takes its pieces from beside the board, which is then always seen. */
  frame() {
    const { root, board, game } = this.page;
    const bare = board.toggleAttribute("bare", narrow.matches && !game()?.setup.length);
    root.classList.toggle("narrow", bare);
  }

  /**
   * The position after a number of turns, and of actions of the one behind them.
   * @param {number} turns
   * @param {number} actions
   * @returns {Promise<House.TurnShown | undefined>}
   */
  async after(turns, actions) {
    const { id, game } = this.page;
    const place = `/game/${id}/turn/${turns}?seat=${game()?.side ?? 0}&actions=${actions}`;
    const answer = await fetch(place).catch(() => undefined); // the house may be away
    return answer?.ok ? answer.json() : undefined;
  }
}
