/** A lesson: what the learner does is tried, and what has come of it is told. */

import { part } from "../page/parts.js";
import { remember } from "../page/remembered.js";
import { Stage } from "./stage.js";

const root = part("lesson");
const { place = "", game = "", name = "" } = root.dataset;
const stage = new Stage(root, place, (state) => {
  stage.board.arrows = arrows();
  if (state.state === "solved") remember("lessons", [`${game} ${name}`]);
});

// One way to do it is shown on the board too, from where it begins.
const solution = /** @type {HTMLDetailsElement} */ (part("solution"));
/** @returns {string[][]} */
const arrows = () => (solution.open && !stage.trial.actions.length ? JSON.parse(root.dataset.arrows ?? "[]") : []);
solution.addEventListener("toggle", () => {
  if (solution.open && stage.trial.actions.length) stage.trial.play([]);
  stage.board.arrows = arrows();
});

stage.begin();
