/** Walking through a game by the wheel over the board, and by keys, which press the buttons of the page. */

/** How far a wheel turns for one turn of the game, in pixels; a line of text counts as so many, too. */
const NOTCH = 50;
/** How often a key that is held walks on, in milliseconds: the house hears a page only so often. */
const HELD = 150;
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

/**
 * At both ends the wheel scrolls the page; keys are left to what is written, and to a board that has them.
 * @param {HTMLElement} board
 * @param {Record<string, () => void>} [others] What other keys do.
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
