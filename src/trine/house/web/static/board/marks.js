/**
 * Arrows and rings that people draw on a board: with the right button, or in marking mode with any
 * pointer. They are in the address, so a link shows them, and disappear with the position.
 */

export class Marks {
  /** @type {string | undefined} */
  #place;

  /**
   * @param {import("./board.js").TrineBoard} board
   * @param {HTMLElement} toggle
   * @param {(written: string) => string} address Returns the page's address with these marks.
   */
  constructor(board, toggle, address) {
    this.board = board;
    this.address = address;
    const [linked] = new URLSearchParams(location.hash.slice(1)).keys(); // decodes %21, too
    const written = linked?.match(/!(.+)$/)?.[1];
    board.marks = written?.split(",").map((path) => path.split("_")) ?? [];
    board.addEventListener("marked", () => this.write());
    toggle.addEventListener("click", () => {
      toggle.ariaPressed = String(board.toggleAttribute("marking"));
    });
  }

  /** The marks as a part of an address. */
  get written() {
    const paths = (this.board.marks ?? []).map((path) => path.join("_"));
    return paths.length ? `!${paths.join(",")}` : "";
  }

  write() {
    history.replaceState(null, "", this.address(this.written));
  }

  /**
   * Note the position shown; marks on another one are removed.
   * @param {string} place
   */
  at(place) {
    const moved = this.#place !== undefined && this.#place !== place;
    this.#place = place;
    if (!moved || !this.written) return;
    this.board.marks = [];
  }
}
