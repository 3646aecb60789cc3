/** What the computer expects behind its hint: a button for each turn, which shows the board before it, and the turn by arrows. */

import { made } from "../board/elements.js";

/**
 * @param {House.TurnAhead[]} line
 * @param {string} told
 * @param {import("../board/board.js").TrineBoard} board
 * @param {() => void} redraw Shows the game as it stands.
 */
export function expected(line, told, board, redraw) {
  const buttons = line.map((turn, number) => {
    const button = made("button", { textContent: `${number + 1} ${turn.told}`, ariaPressed: "false" });
    button.addEventListener("click", () => look(button.ariaPressed === "true" ? -1 : number));
    return button;
  });
  /** @param {number} number */
  const look = (number) => {
    const turn = line[number];
    buttons.forEach((button, place) => (button.ariaPressed = String(place === number)));
    if (!turn || !number) redraw();
    else board.show(turn.view, [], []);
    board.arrows = turn?.paths ?? [];
  };
  const row = made("li", {}, `${told} `, ...buttons);
  // Whoever points at the board wants to play on it.
  const leave = () => {
    if (!row.isConnected) board.removeEventListener("pointerdown", leave);
    else if (buttons.slice(1).some((button) => button.ariaPressed === "true")) look(-1);
  };
  board.addEventListener("pointerdown", leave);
  return row;
}
