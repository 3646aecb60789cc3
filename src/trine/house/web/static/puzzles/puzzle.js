/** A puzzle: sends a turn as a trial, and shows whether it solves the puzzle, or its refutation. */

import { Exercise } from "../lessons/stage.js";
import { copies, part } from "../page/parts.js";
import { remember } from "../page/remembered.js";

/** How long each turn of the solution is shown, in milliseconds. */
const SEEN = 1400;

const root = part("puzzle");
const { place = "", name = "", themes = "" } = root.dataset;
/** Counts what is shown, so that the replay of a solution stops when something else is shown. */
let shown = 0;
const exercise = new Exercise(root, `${place}/try`, ({ state }) => {
  shown += 1;
  if (state !== "solved") return;
  finished();
  if (name && !exercise.helped) remember("puzzles", [name]);
}, async () => {
  const turn = (shown += 1);
  const answer = await fetch(`${place}/solution`).then((got) => got.json(), () => undefined);
  if (!answer) return void exercise.tell(exercise.words.unheard ?? "", "wrong");
  exercise.tell(answer.told);
  exercise.over("shown");
  finished();
  for (const view of answer.views) {
    if (turn !== shown) return;
    exercise.board.show(view, []);
    await new Promise((go) => setTimeout(go, exercise.board.time ? SEEN : 0));
  }
});

exercise.begin();
for (const copy of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("button.copy"))) {
  copies(copy, () => copy.parentElement?.querySelector("input")?.value ?? "", copy.dataset.copied);
}

/** Show the themes of the puzzle, and what was played, once it is over. */
function finished() {
  exercise.told.append(themes && ` · ${themes}`);
  document.getElementById("after")?.removeAttribute("hidden");
}
