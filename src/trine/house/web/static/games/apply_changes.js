/** The state of a game, from a message with the whole state or with its changes. */

import { fill } from "../board/fill.js";

/**
 * @param {House.Game | House.Changes} message
 * @param {House.Game | undefined} before The state before; the first message has the whole state.
 * @returns {House.Game}
 */
export function applyChanges(message, before) {
  if (message.t === "game") return fill("Game", message);
  const { game, view, runs, from = 0, turns = [] } = message;
  const known = /** @type {Record<string, unknown>} */ ({ ...before?.view });
  const lists = Object.entries(runs).map(([name, parts]) => [name, joined(known[name], parts)]);
  const next = { ...before, ...game, from, turns, view: { ...known, ...view, ...Object.fromEntries(lists) } };
  return fill("Game", /** @type {House.Game} */ (next));
}

/**
 * Build a list from runs of an older list, given by their bounds, and from new items.
 * @param {unknown} before
 * @param {unknown[]} parts
 */
function joined(before, parts) {
  const known = /** @type {unknown[]} */ (before);
  return parts.flatMap((part) => (Array.isArray(part) ? known.slice(part[0], part[1]) : [part]));
}
