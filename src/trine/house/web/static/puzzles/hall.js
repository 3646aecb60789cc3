/** The page of all puzzles: marks solved puzzles of the day. */

import { remembered } from "../page/remembered.js";

for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-solved]"))) {
  mark.hidden = !remembered("puzzles").includes(mark.dataset.solved ?? "");
}
