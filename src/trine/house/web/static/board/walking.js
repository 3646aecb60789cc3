/** Walking through a game by the wheel over the board, and by keys, which press the buttons. */

/** How far a wheel turns for one turn of the game, in pixels; a line of text counts as so many, too. */
const NOTCH = 50;
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement | null} */ (document.getElementById(name));

/**
 * Have the wheel press the button that leads back, or on; at both ends it scrolls the page.
 * @param {HTMLElement} board
 * @param {(back: boolean) => HTMLButtonElement | null} buttonOf
 */
export function wheel(board, buttonOf) {
  let turned = 0;
  board.addEventListener("wheel", (event) => {
    const one = buttonOf(event.deltaY < 0);
    if (event.ctrlKey || !event.deltaY || !one || one.disabled || !one.checkVisibility()) return;
    event.preventDefault();
    turned += event.deltaMode ? event.deltaY * NOTCH : event.deltaY;
    if (Math.abs(turned) < NOTCH) return;
    turned = 0;
    one.click();
  }, { passive: false });
}

/**
 * Have the wheel and the keys press the buttons of a page, where nothing is written and no board has the keys.
 * @param {HTMLElement} board
 * @param {Record<string, () => void>} [others] What other keys do.
 */
export function walk(board, others = {}) {
  wheel(board, (back) => button(back ? "previous" : "next"));
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (target instanceof HTMLElement && target.matches("input, select, textarea")) return;
    if (event.composedPath().includes(board) || event.altKey || event.ctrlKey || event.metaKey) return;
    const one = button(KEYS[key] ?? (key in others ? "next" : ""));
    if (!one?.checkVisibility() || (KEYS[key] && one.disabled)) return;
    event.preventDefault();
    if (KEYS[key]) one.click();
    else others[key]?.();
  });
}
