/** What this browser keeps: lessons that were done, puzzles that were solved, what somebody likes. */

/**
 * Use what is kept; a browser that lets nothing be kept only forgets.
 * @template Found
 * @param {() => Found} use
 */
export function kept(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/**
 * @param {string} list
 * @returns {string[]}
 */
export const remembered = (list) => kept(() => JSON.parse(localStorage.getItem(list) ?? "[]")) ?? [];

/**
 * @param {string} list
 * @param {string[]} names
 */
export function remember(list, names) {
  kept(() => localStorage.setItem(list, JSON.stringify([...new Set([...remembered(list), ...names])])));
}

/** Whether there is sound: with a mouse until somebody wants none, with a finger once it is wanted. */
export function hears() {
  const sound = kept(() => localStorage.getItem("sound"));
  return sound ? sound === "on" : !matchMedia("(pointer: coarse)").matches;
}

/** @param {boolean} whether */
export const hear = (whether) => kept(() => localStorage.setItem("sound", whether ? "on" : "off"));

/** Whether ‹ and › walk through a turn action by action. */
export const walksSlowly = () => kept(() => localStorage.getItem("slowly")) === "yes";

/** @param {boolean} whether */
export const walkSlowly = (whether) => kept(() => localStorage.setItem("slowly", whether ? "yes" : "no"));
