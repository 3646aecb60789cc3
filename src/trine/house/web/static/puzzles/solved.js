/** Which puzzles were solved in this browser. */

const KEPT = "puzzles";

/** @returns {Set<string>} */
function kept() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEPT) ?? "[]"));
  } catch {
    return new Set();
  }
}

/**
 * Whether a puzzle was solved.
 * @param {string} name
 */
export const isSolved = (name) => kept().has(name);

/**
 * Note that a puzzle was solved.
 * @param {string} name
 */
export function setSolved(name) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...kept().add(name)]));
  } catch {
    // A browser that keeps nothing only forgets.
  }
}
