/** The boards that are known, by their digests. */

/** @typedef {import("./types.js").Board} Board */

/** @type {Map<string, Board>} */
export const boards = new Map();

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
  boards.set(digest, await answer.json());
}

/** How long a board that could not be had is waited for before it is asked for again, in milliseconds. */
const PATIENCE = 2000;

/**
 * A board, as soon as it can be had.
 * @param {string} digest
 * @param {string | null} place An address with `{}` in place of the digest.
 * @returns {Promise<Board>}
 */
export async function boardOf(digest, place) {
  for (;;) {
    const known = boards.get(digest);
    if (known) return known;
    await fetchBoard(digest, place).catch(() => new Promise((go) => setTimeout(go, PATIENCE)));
  }
}
