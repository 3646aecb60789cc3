/** Gestures: as soon as one begins, its actions are requested from the house. */

/** @typedef {import("./board.js").TrineBoard} TrineBoard */

/** @typedef {{seq: number, handles: string[]}} Begun The last event, and the spots on which gestures begin. */

export class Reach {
  /** @type {{spot: string, of: string, found: Promise<House.Choosable[]>} | undefined} The gesture that has begun. */
  #begun;

  /**
   * @param {TrineBoard} board
   * @param {(message: {t: "reach", at: number, a: string[], spot: string}) => Promise<object>} ask
   */
  constructor(board, ask) {
    this.board = board;
    this.ask = ask;
  }

  /**
   * @param {string[]} picks
   * @param {Begun | undefined} game
   * @param {string[]} a The draft of the open turn.
   */
  async picked([spot, ...rest], game, a) {
    if (!game || !spot || rest.length) return;
    this.#begun = undefined;
    if (!game.handles.includes(spot)) return;
    const asked = this.ask({ t: "reach", at: game.seq, a, spot });
    const found = asked.then((answer) => /** @type {{choices?: House.Choosable[]}} */ (answer).choices ?? []);
    this.#begun = { spot, of: turnOf(game, a), found };
    await this.#extend(this.#begun);
  }

  /**
   * Continue a gesture after the board was shown again, if the turn has not changed.
   * @param {Begun} game
   * @param {string[]} a
   */
  goOn(game, a) {
    const begun = this.#begun;
    if (begun?.of === turnOf(game, a)) this.#extend(begun);
    else this.#begun = undefined;
  }

  /** @param {{spot: string, found: Promise<House.Choosable[]>}} begun */
  async #extend(begun) {
    const gestures = await begun.found;
    if (this.#begun === begun && this.board.draft[0] === begun.spot) this.board.extend(gestures);
  }

  /**
   * Wait for the gestures on the first pick; return them, and the one with these picks.
   * @param {string[]} picks
   */
  async #gestures(picks) {
    const begun = this.#begun;
    const gestures = begun?.spot === picks[0] ? await begun?.found : undefined;
    return { gestures, same: gestures?.find((one) => String(one.picks) === String(picks)) };
  }

  /**
   * Return the actions of the gesture with these picks, such as a push and its other half, or
   * undefined if there is none. If they had not arrived, the picks made an action alone.
   * @param {string[]} picks
   */
  async draftOf(picks) {
    return (await this.#gestures(picks)).same?.draft;
  }

  /**
   * Return whether picks without an action are a gesture whose actions had not arrived, or begin
   * another one; it is then picked.
   * @param {string[]} picks
   * @param {Begun | undefined} game
   */
  async makes(picks, game) {
    const begun = this.#begun;
    const last = picks.at(-1);
    if (picks.length < 2 || last === undefined) return false;
    const { gestures, same } = await this.#gestures(picks);
    if (!gestures || this.#begun !== begun) return false;
    if (!same && !game?.handles.includes(last)) return false;
    this.board.extend(gestures);
    this.board.restart(picks.slice(0, same ? 1 : 0));
    this.board.pick(last);
    return true;
  }
}

/** @param {Begun} game @param {string[]} a */
function turnOf(game, a) {
  return JSON.stringify([game.seq, a]);
}
