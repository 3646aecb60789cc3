/** The boards that are known, by their digests. */

import { fill } from "./fill.js";

/** @typedef {import("../types.js").Board} Board */

/** @type {Map<string, Board>} */
export const boards = new Map();

/**
 * Make a board known.
 * @param {string} digest
 * @param {Board} board
 */
export function know(digest, board) {
  boards.set(digest, fill("Board", board));
}

/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/**
 * Make a board known by asking for it, once.
 * @param {string} digest
 * @param {string | null} place An address with `{}` in place of the digest.
 */
export async function fetchBoard(digest, place) {
  if (!place) throw new Error(`no board ${digest} is known, and the attribute boards is not set`);
  const address = place.replace("{}", digest);
  const asking = asked.get(address) ?? keep(digest, address);
  asked.set(address, asking);
  // Who failed may ask again.
  await asking.catch((error) => {
    asked.delete(address);
    throw error;
  });
}

/**
 * @param {string} digest
 * @param {string} address
 */
async function keep(digest, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`no board at ${answer.url}`);
  know(digest, await answer.json());
}
