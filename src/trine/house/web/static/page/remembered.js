/** Lists of names that this browser keeps: lessons that were done, puzzles that were solved. */

/**
 * @param {string} list
 * @returns {string[]}
 */
export function remembered(list) {
  try {
    return JSON.parse(localStorage.getItem(list) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * @param {string} list
 * @param {string[]} names
 */
export function remember(list, names) {
  try {
    localStorage.setItem(list, JSON.stringify([...new Set([...remembered(list), ...names])]));
  } catch {
    // A browser that keeps nothing only forgets.
  }
}
