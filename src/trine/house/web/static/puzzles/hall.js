/** The page of all puzzles: a mark where the puzzle of the day is solved. */

import { canKeep, isSolved, keepSet, keptPlaces, nextKept } from "./kept.js";

for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-solved]"))) {
  mark.hidden = !isSolved(mark.dataset.solved ?? "");
}

const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.getElementById(name));
const [keep, how] = [/** @type {HTMLButtonElement} */ (part("keep")), part("how")];
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
