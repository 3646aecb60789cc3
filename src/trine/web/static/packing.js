/**
 * The scene and the choices of a message, made whole again: what many things share is said once in it,
 * and where they are stands in the board. See trine.web.packing, which makes it.
 */

import { boardOf } from "./boards.js";

/** @typedef {import("./socket.js").Message} Message */
/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Choosable} Choosable */
/** @typedef {import("./types.js").Point} Point */
/**
 * @typedef {object} Packed Things, as trine.web.packing tells.
 * @property {string[]} fields
 * @property {any[][]} kinds
 * @property {number[]} of
 * @property {string} names
 * @property {string} keys
 * @property {Record<string, any>} there
 */

/** The name of a thing, in the texts of its kind. */
const NAME = "\0";

/**
 * Make a message of a game whole.
 * @param {Message} message
 * @param {Element} board Its attribute `boards` says where boards are had.
 */
export async function unpack(message, board) {
  if (message.t !== "game") return;
  message.view = unpackScene(message.view, await boardOf(message.view.board, board.getAttribute("boards")));
  message.choices = unpackChoices(message.choices);
}

/**
 * @param {Record<string, any>} packed
 * @param {Board} board
 * @returns {Scene}
 */
export function unpackScene(packed, board) {
  const lines = new Map(board.spots.map(({ id, preview }) => [id, preview?.points ?? []]));
  const cells = new Map(board.cells.map(({ id, at }) => [id, at]));
  const walls = things(packed.walls, "points", (id) => lines.get(id));
  const pieces = things(packed.pieces, "at", (name) => cells.get(name) ?? middle(lines.get(name) ?? []));
  return /** @type {any} */ ({ ...packed, walls, pieces });
}

/**
 * @param {[string, string, string, string][]} groups
 * @returns {Choosable[]}
 */
export function unpackChoices(groups) {
  return groups.flatMap(([id, label, first, last]) => last.split(" ").map((pick) => {
    const picks = [...first.split(" ").filter(Boolean), pick];
    return { id: said(id, picks), picks, ...(label && { label: said(label, picks) }) };
  }));
}

/**
 * @param {Packed} packed
 * @param {string} where The field of the place.
 * @param {(name: string) => Point | Point[] | undefined} place What the board has for a name.
 */
function things({ fields, kinds, of, names, keys, there }, where, place) {
  const [named, keyed] = [names.split(" "), keys.split(" ")];
  return of.map((kind, number) => {
    const name = named[number] ?? "";
    /** @type {Record<string, any>} */
    const thing = { [where]: there[number] ?? place(name) };
    fields.forEach((field, index) => {
      const value = kinds[kind]?.[index];
      thing[field] = typeof value === "string" ? value.replaceAll(NAME, () => name) : value;
    });
    if (keyed[number]) thing.key = keyed[number];
    return thing;
  });
}

/**
 * A text with its picks; each stands there as the character of its number.
 * @param {string} words
 * @param {string[]} picks
 */
function said(words, picks) {
  return picks.reduceRight((told, pick, number) => told.replaceAll(String.fromCharCode(number), () => pick), words);
}

/**
 * @param {Point[]} line
 * @returns {Point}
 */
function middle(line) {
  const [[left, top] = [0, 0], [right, bottom] = [0, 0]] = [line[0], line.at(-1)];
  return [(left + right) / 2, (top + bottom) / 2];
}
