/** A puzzle: a turn is tried, the house says whether it solves it, and the board shows why not. */

import { Stage } from "../lessons/stage.js";
import { button, part } from "../page/parts.js";
import { remember } from "../page/remembered.js";

/** How long each turn of the solution is seen, in milliseconds. */
const SEEN = 1400;

const root = part("puzzle");
const [hint, solution] = [button("hint"), button("solution")];
const { place = "", name = "", failed = "" } = root.dataset;
/** Counts what is shown, so that a solution ends where something else begins. */
let shown = 0;
const stage = new Stage(root, `${place}/try`, (state) => {
  shown += 1;
  if (state.state !== "solved") return;
  finished();
  if (name && !stage.trial.helped) remember("puzzles", [name]);
});

/** What may be seen once the puzzle is over. */
function finished() {
  part("themes").hidden = false;
  hint.disabled = true;
}

hint.addEventListener("click", () => {
  stage.trial.helped = true;
  const left = part("hints").querySelectorAll("li[hidden]");
  left[0]?.removeAttribute("hidden");
  hint.disabled = left.length < 2;
});
solution.addEventListener("click", async () => {
  stage.trial.helped = true;
  const turn = (shown += 1);
  const answer = await fetch(`${place}/solution`).then((got) => got.json(), () => undefined);
  if (!answer) return void stage.tell(failed, "wrong");
  stage.tell(answer.told);
  stage.close();
  finished();
  for (const view of answer.views) {
    if (turn !== shown) return;
    stage.board.show(view, []);
    await new Promise((go) => setTimeout(go, stage.board.time ? SEEN : 0));
  }
});

part("help").hidden = false;
stage.begin();
