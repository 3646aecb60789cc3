/** The lessons done and puzzles solved that this browser has stored. */

import { kept } from "./page.js";

/** @param {string} list @returns {string[]} */
export const remembered = (list) => kept(() => JSON.parse(localStorage.getItem(list) ?? "[]")) ?? [];

/** @param {string} list @param {string[]} names */
export function remember(list, names) {
  kept(() => localStorage.setItem(list, JSON.stringify([...new Set([...remembered(list), ...names])])));
}
