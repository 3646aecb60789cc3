/** A lesson: sends the learner's actions as trials, and shows their results. */

import { part } from "../page/parts.js";
import { remember } from "../page/remembered.js";
import { Exercise } from "./stage.js";

const root = part("lesson");
const { place = "", game = "", name = "", way = "", arrows = "[]" } = root.dataset;
const exercise = new Exercise(root, place, ({ state }) => {
  exercise.board.arrows = [];
  if (state === "solved") remember("lessons", [`${game} ${name}`]);
}, async () => {
  // The solution is shown on the board, too, from the beginning.
  if (exercise.actions.length) await exercise.play([]);
  exercise.tell(way);
  exercise.board.arrows = JSON.parse(arrows);
});
exercise.begin();
