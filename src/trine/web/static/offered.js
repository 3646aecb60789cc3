/** What can be done in a game as it stands: the parts of its page by their names, and whether they are seen. */

/**
 * @param {import("./socket.js").Message} state
 * @param {number} turns How many have been played.
 * @returns {Record<string, boolean>}
 */
export function offered(state, turns) {
  const plays = state.own.length > 0;
  const runs = state.stage === "playing" && !state.over;
  const mine = runs && state.own.includes(state.mover);
  /** By correspondence nobody sits and waits for a turn of another. */
  const waits = plays && runs && !mine && state.clock?.spare !== undefined;
  return {
    buttons: plays && runs && !waits,
    onward: waits,
    actions: true,
    hint: mine && state.casual,
    insight: state.casual || state.over,
    takeback: plays && runs && state.takebacks && turns > 0,
    draw: plays && runs && state.draws && turns > 0,
    pause: plays && runs && !state.paused && state.clock !== null,
    resume: plays && runs && state.agreed_pause,
    resign: plays && runs && turns > 0,
    abort: plays && state.stage !== "over" && turns === 0,
    after: plays && state.over && !state.next,
    review: state.over && !state.aborted,
    setup: mine && state.setup.length > 0,
  };
}
