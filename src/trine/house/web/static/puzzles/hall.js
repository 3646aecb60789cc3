/** The page of all puzzles: a mark where the puzzle of the day is solved. */

import { button, part } from "../page/parts.js";
import { remembered } from "../page/remembered.js";
import { canKeep, keepSet, keptPlaces, nextKept } from "./kept.js";

for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-solved]"))) {
  mark.hidden = !remembered("puzzles").includes(mark.dataset.solved ?? "");
}

const [keep, how] = [button("keep"), part("how")];
const { done = "", failed = "", already = "" } = part("keeping").dataset;

function show() {
  const next = nextKept();
  how.textContent = keptPlaces().length ? already : how.textContent;
  part("kept").hidden = !next;
  if (next) part("kept").setAttribute("href", next);
}

keep.addEventListener("click", async () => {
  keep.disabled = true;
  try {
    await keepSet((count, total) => (how.textContent = done.replace("{done}", `${count}`).replace("{total}", `${total}`)));
    show();
  } catch {
    how.textContent = failed;
  }
  keep.disabled = false;
});
part("keeping").hidden = !canKeep;
show();
