/** The page of all puzzles: a mark where the puzzle of the day is solved. */

import { remembered } from "../page/remembered.js";

for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-solved]"))) {
  mark.hidden = !remembered("puzzles").includes(mark.dataset.solved ?? "");
}
