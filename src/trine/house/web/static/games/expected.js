/** The turns expected after a hint: a button for each shows the board before it, with arrows for the turn. */

import { made } from "../board/elements.js";

/**
 * @param {House.TurnAhead[]} line
 * @param {string} told
 * @param {import("../board/board.js").TrineBoard} board
 * @param {() => void} redraw Shows the current state.
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
  // Pointing at the board means playing on it.
  const leave = () => {
    if (!row.isConnected) board.removeEventListener("pointerdown", leave);
    else if (buttons.slice(1).some((button) => button.ariaPressed === "true")) look(-1);
  };
  board.addEventListener("pointerdown", leave);
  return row;
}
