/** Buttons that say by their own words what has come of pressing them. */

/** How long a button waits to be pressed a second time, or says what has come of it, in milliseconds. */
const WAITS = 4000;

/**
 * A button that does what it says when it is pressed a second time.
 * @param {HTMLElement} button
 * @param {string} words
 * @param {string} sure What it says in between.
 * @param {() => void} call
 */
export function whenSure(button, words, sure, call) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waits;
  const rest = () => {
    clearTimeout(waits);
    waits = undefined;
    button.textContent = words;
  };
  button.addEventListener("click", () => {
    if (waits !== undefined) {
      rest();
      call();
      return;
    }
    button.textContent = sure;
    waits = setTimeout(rest, WAITS);
  });
}

/**
 * A button that copies something, seen only where a page may copy.
 * @param {HTMLElement} button
 * @param {() => string} what
 * @param {string} copied What it says then.
 */
export function copies(button, what, copied) {
  if (!navigator.clipboard) return;
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(what());
    button.textContent = copied;
    setTimeout(() => (button.textContent = words), WAITS);
  });
}
