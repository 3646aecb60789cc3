/** A page with nothing but a board: it shows what it is given, and keeps what it hears. */

import { TrineBoard } from "/static/board/board.js";

const board = document.querySelector("trine-board");
const heard = [];
for (const name of ["action", "refused", "draft"]) {
  board.addEventListener(name, ({ detail }) => heard.push({ name, ...detail }));
}
Object.assign(window, {
  board,
  heard,
  show({ digest, half, scene, choices }) {
    if (half) TrineBoard.keep(digest, half);
    board.show(scene, choices);
  },
  listen: () => heard.splice(0),
});
