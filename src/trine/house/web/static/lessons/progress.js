/** Which lessons were done, kept in this browser: one that several rule sets share is done in all. */

const KEPT = "lessons";

/** @returns {Set<string>} */
function kept() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEPT) ?? "[]"));
  } catch {
    return new Set();
  }
}

/**
 * Whether a lesson was done.
 * @param {string} game
 * @param {string} name
 */
export const isDone = (game, name) => kept().has(`${game} ${name}`);

/**
 * Note that a lesson was done.
 * @param {string} game
 * @param {string} name
 */
export function setDone(game, name) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...kept().add(`${game} ${name}`)]));
  } catch {
    // A browser that keeps nothing only forgets.
  }
}
