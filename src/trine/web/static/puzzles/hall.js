/** The page of all puzzles: a mark where the puzzle of the day is solved. */

import { isSolved } from "./solved.js";

for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-solved]"))) {
  mark.hidden = !isSolved(mark.dataset.solved ?? "");
}
