/** Stepping through a game with the wheel over the board and with keys, which press the page's buttons. */

/** Pixels of the wheel for one turn of the game; a line of text counts as many. */
const NOTCH = 50;
/** Milliseconds between two steps of a held key: the house limits the requests of a page. */
const HELD = 150;
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

/**
 * At both ends of the game the wheel scrolls the page. Fields and a focused board keep their keys.
 * @param {HTMLElement} board
 * @param {Record<string, () => void>} [others] Functions of other keys.
 */
export function walk(board, others = {}) {
  /** @param {string} name */
  const usable = (name) => {
    const button = /** @type {HTMLButtonElement | null} */ (document.getElementById(name));
    return button?.checkVisibility() && !button.disabled ? button : undefined;
  };
  let [turned, walked] = [0, 0];
  board.addEventListener("wheel", (event) => {
    const button = usable(event.deltaY < 0 ? "previous" : "next");
    if (event.ctrlKey || !event.deltaY || !button) return;
    event.preventDefault();
    turned += event.deltaMode ? event.deltaY * NOTCH : event.deltaY;
    if (Math.abs(turned) < NOTCH) return;
    turned = 0;
    button.click();
  }, { passive: false });
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (target instanceof HTMLElement && target.matches("input, select, textarea")) return;
    if (event.composedPath().includes(board) || event.altKey || event.ctrlKey || event.metaKey) return;
    const button = usable(KEYS[key] ?? "");
    if (!button && !(key in others)) return;
    event.preventDefault();
    if (event.repeat && event.timeStamp - walked < HELD) return;
    walked = event.timeStamp;
    if (button) button.click();
    else others[key]?.();
  });
}
