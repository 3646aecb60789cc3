/** The replay of a game of a static site, turn by turn. */

import { TrineBoard } from "../board/board.js";
import { History } from "../games/history.js";
import { part } from "../page/parts.js";

const board = /** @type {TrineBoard} */ (part("board"));
/** @type {{boards: Record<string, House.Board>, turns: House.PlayedTurn[], views: House.View[]}} */
const { boards, turns, views } = await (await fetch(board.dataset.game ?? "")).json();
for (const [digest, one] of Object.entries(boards)) TrineBoard.keep(digest, one);
const history = new History(part("turns"), part("now"), look, () => false);
history.walk(board);
history.take(0, turns);
look();

/** @param {number} [turn] */
function look(turn = turns.length) {
  board.scene = views[turn];
  part("told").textContent = views[turn]?.status ?? "";
}
