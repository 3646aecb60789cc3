/** Gestures: the house is asked what one can make as soon as it begins, and what it makes is shown. */

/** @typedef {import("../types.js").Game} Game */
/** @typedef {import("../types.js").Choosable} Choosable */
/** @typedef {import("../board/board.js").TrineBoard} TrineBoard */

export class Reach {
  /** @type {{spot: string, found: Promise<Choosable[]>} | undefined} The gesture that has begun. */
  #begun;

  /**
   * @param {TrineBoard} board
   * @param {(message: object) => Promise<import("../types.js").AnswerOfGame>} ask
   */
  constructor(board, ask) {
    this.board = board;
    this.ask = ask;
  }

  /**
   * Something has been picked.
   * @param {string[]} picks
   * @param {Game | undefined} game
   * @param {string[]} a The draft of the open turn.
   */
  async picked(picks, game, a) {
    const [spot] = picks;
    if (!game || !spot || picks.length > 1 || !game.handles.includes(spot)) return;
    const found = this.ask({ t: "reach", at: game.seq, a, spot }).then((answer) => ("choices" in answer ? answer.choices : []));
    const begun = { spot, found };
    this.#begun = begun;
    const gestures = await found;
    if (this.#begun === begun && this.board.draft[0] === spot) this.board.extend(gestures);
  }

  /**
   * Whether picks that made no action make a gesture that was not known yet; then it is picked.
   * @param {string[]} picks
   */
  async makes([spot, ...rest]) {
    const begun = this.#begun;
    if (!begun || begun.spot !== spot) return false;
    const gestures = await begun.found;
    if (!gestures.some((one) => String(one.picks) === String([spot, ...rest]))) return false;
    this.board.restart([spot]);
    this.board.extend(gestures);
    for (const id of rest) this.board.pick(id);
    return true;
  }
}
