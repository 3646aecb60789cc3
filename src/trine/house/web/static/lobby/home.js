/** The game that is on, as it is played; when it is over, the next one. */

import "../board/board.js";
import { standing } from "../games/standing.js";
import { Socket } from "../page/socket.js";

/** How long the end of a game is shown, in milliseconds. */
const END = 8000;
/** After how long without news another game is asked for, in milliseconds. */
const QUIET = 60_000;

const place = /** @type {HTMLAnchorElement} */ (document.getElementById("show"));
const who = /** @type {HTMLElement} */ (document.getElementById("who"));
const board = /** @type {import("../board/board.js").TrineBoard} */ (place.querySelector("trine-board"));

/** @type {Socket<House.OfGame, never> | undefined} */
let socket;
let title = "";
/** @type {House.Game | undefined} */
let game;
let next = 0;

/** @param {number} time */
function openAfter(time) {
  clearTimeout(next);
  next = setTimeout(open, time);
}

async function open() {
  openAfter(QUIET);
  const answer = await fetch("/show").catch(() => undefined);
  if (!answer?.ok) return;
  const on = await answer.json();
  title = on.title;
  place.href = `/game/${on.game}`;
  board.setAttribute("boards", `/game/${on.game}/board/{}?language=${board.getAttribute("language")}`);
  socket?.close();
  socket = new Socket(`/game/${on.game}/socket?changes`);
  socket.addEventListener("message", (event) => take(/** @type {CustomEvent} */ (event).detail));
}

/** @param {House.OfGame} message */
function take(message) {
  if (message.t !== "game" && message.t !== "changes") return;
  game = standing(message, game);
  openAfter(QUIET);
  // Until both have begun there is nothing to see, and what the house shows stays.
  if (game.from + game.turns.length < 2 && !game.over) return;
  board.show(game.view, []);
  who.textContent = `${title} ${game.seats.map((seat) => seat.name).join(" – ")}`;
  if (!game.over) return;
  socket?.close();
  openAfter(END);
}

open();
