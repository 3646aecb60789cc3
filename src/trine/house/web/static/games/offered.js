/** What can be done in a game as it stands, and asked of the others in it. */

import { whenSure } from "./pressed.js";

/** What has to be agreed on, and what is done at once. */
const OFFERS = ["takeback", "draw", "pause"];
const DEEDS = ["resume", "abort", "rematch"];

/**
 * Have the buttons ask for it.
 * @param {(name: string) => HTMLElement} part
 * @param {Record<string, string>} words
 * @param {() => number} at How far the game is.
 * @param {(message: object) => void} act
 */
export function asks(part, words, at, act) {
  for (const what of OFFERS) part(what).addEventListener("click", () => act({ t: "offer", at: at(), what }));
  for (const what of DEEDS) part(what).addEventListener("click", () => act({ t: "do", what }));
  whenSure(part("resign"), words.resign ?? "", words.yes_resign ?? "", () => {
    part("more").hidePopover();
    act({ t: "do", what: "resign" });
  });
  // Where the board lies below the menu, what was chosen there is to be seen.
  for (const name of ["flip", "hint", "insight", ...OFFERS, "resume", "abort"]) {
    part(name).addEventListener("click", () => part("more").hidePopover());
  }
}

/**
 * The buttons that keep their place while they cannot be pressed, by their names, and whether they can.
 * @param {import("../types.js").Game} state
 * @param {number} turns How many have been played.
 * @returns {Record<string, boolean>}
 */
export function possible(state, turns) {
  const mine = state.mover !== null && state.own.includes(state.mover);
  return {
    hint: mine && !state.closed && !state.paused,
    takeback: turns > 0,
    draw: turns > 0,
    "plan-live": !mine,
    line: mine,
    "play-line": mine,
  };
}

/**
 * The parts of the page by their names, and whether they are seen.
 * @param {import("../types.js").Game} state
 * @param {number} turns How many have been played.
 * @param {boolean} plans Whether conditional turns are being made.
 * @returns {Record<string, boolean>}
 */
export function offered(state, turns, plans) {
  const plays = state.own.length > 0;
  const runs = state.stage === "playing" && !state.over;
  const mine = runs && state.mover !== null && state.own.includes(state.mover);
  /** By correspondence nobody sits and waits for a turn of another. */
  const waits = plays && runs && !mine && state.clock?.spare !== undefined;
  const others = state.seats.filter((_, number) => !state.own.includes(number));
  const people = others.some((seat) => seat.kind === "person");
  const plannable = runs && state.own.length === 1 && people && !state.agreed_pause;
  return {
    buttons: plays && runs && !waits && !plans,
    onward: waits && !plans,
    planning: plans,
    plan: plannable && !mine,
    "plan-live": plannable && state.clock?.spare === undefined && !plans,
    conditions: state.conditions.length > 0,
    actions: plays,
    hint: plays && runs && state.casual,
    insight: state.casual || state.over,
    takeback: plays && runs && state.takebacks,
    draw: plays && runs && state.draws,
    pause: plays && runs && !state.paused && state.clock !== null,
    resume: plays && runs && state.agreed_pause,
    resign: plays && runs && (turns > 0 || state.tournament),
    abort: plays && state.stage !== "over" && turns === 0 && !state.tournament,
    after: plays && state.over && !state.next,
    climb: plays && state.winner !== null && state.own.includes(state.winner),
    review: state.over && !state.aborted && !(plays && !state.next),
    "to-review": !state.aborted,
    "to-moments": !state.aborted,
    moments: state.over && !state.aborted && !(plays && !state.next),
    "to-notes": state.over && !state.aborted,
    setup: mine && state.setup.length > 0,
    typed: plays && runs && !waits && !plans,
  };
}
