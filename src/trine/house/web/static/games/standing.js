/** How a game stands, from what the house tells: the whole of it, or what is different. */

import { fill } from "../board/fill.js";

/**
 * @param {House.Game | House.Changes} message
 * @param {House.Game | undefined} before How it stood; the house tells a page the whole first.
 * @returns {House.Game}
 */
export function standing(message, before) {
  if (message.t === "game") return fill("Game", message);
  const { game, view, runs, from = 0, turns = [] } = message;
  const known = /** @type {Record<string, unknown>} */ ({ ...before?.view });
  const lists = Object.entries(runs).map(([name, parts]) => [name, joined(known[name], parts)]);
  const next = { ...before, ...game, from, turns, view: { ...known, ...view, ...Object.fromEntries(lists) } };
  return fill("Game", /** @type {House.Game} */ (next));
}

/**
 * A list made of runs of another, by their bounds, and of what is new.
 * @param {unknown} before
 * @param {unknown[]} parts
 */
function joined(before, parts) {
  const known = /** @type {unknown[]} */ (before);
  return parts.flatMap((part) => (Array.isArray(part) ? known.slice(part[0], part[1]) : [part]));
}
