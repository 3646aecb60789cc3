/** The available commands, and the offers of other players, each with its buttons. */

import { made } from "../board/elements.js";
import { part } from "../page/parts.js";

/** @typedef {[string, object]} Choice The name of a button, and the message that it sends. */

/**
 * Return the lines to show.
 * @param {House.Game} game
 * @param {Record<string, string>} words
 * @param {(message: object) => void} act
 * @returns {HTMLElement[]}
 */
export function questions(game, words, act) {
  /** @type {HTMLElement[]} */
  const lines = [];
  /** @type {(sentence: string, ...choices: Choice[]) => void} */
  const add = (sentence, ...choices) => {
    const buttons = choices.map(([name, message]) => made("button", { textContent: name, onclick: () => act(message) }));
    lines.push(made("p", { className: "line" }, sentence, ...buttons));
  };
  for (const { what, seat, waiting } of game.offers) {
    if (!waiting.some((one) => game.own.includes(one))) {
      if (game.own.includes(seat)) add(words.agree_sent ?? "", [words.withdraw ?? "", { t: "answer", what, yes: false }]);
      continue;
    }
    const wish = game.setup.find(({ word }) => word === what.split(" ")[0])?.told ?? what;
    const sentence = words[`asks_${what}`] ?? (words.asks_other ?? "").replace("{what}", wish);
    add(
      sentence.replace("{name}", game.seats[seat]?.name ?? ""),
      [words.accept ?? "", { t: "answer", what, yes: true }],
      [words.decline ?? "", { t: "answer", what, yes: false }],
    );
  }
  if (game.own.length && !game.over) {
    game.seats.forEach((seat, number) => {
      if (!seat.claim || !seat.plays) return;
      /** In correspondence games, players do not leave, but may run out of time. */
      const late = game.clock?.spare !== undefined;
      if (game.own.includes(number)) {
        if (late) add(words.late_self ?? "");
        return;
      }
      /** @type {Choice[]} */
      const claims = [[words.claim ?? "", { t: "do", what: "claim" }]];
      if (game.draws) claims.push([words.claim_draw ?? "", { t: "do", what: "claim-draw" }]);
      add(late ? (words.late ?? "").replace("{name}", seat.name) : `${seat.name} ${words.left}.`, ...claims);
    });
  }
  if (game.next) {
    const link = made("a", { href: `/game/${game.next}`, className: "main", textContent: words.to_next ?? "" });
    lines.push(made("p", { className: "line" }, link));
  } else if (game.rematch.length && game.own.length) {
    const own = game.rematch.some((seat) => game.own.includes(seat));
    add((own ? words.rematch_waits : words.rematch_wanted) ?? "");
  }
  return lines;
}

/** The time for a second press of a button, and for showing its result, in milliseconds. */
const WAITS = 4000;

/**
 * Make a button act only when it is pressed a second time.
 * @param {HTMLElement} button
 * @param {string} words
 * @param {string} sure The label between the two presses.
 * @param {() => void} call
 */
function whenSure(button, words, sure, call) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waits;
  const rest = () => {
    clearTimeout(waits);
    waits = undefined;
    button.textContent = words;
  };
  button.addEventListener("click", () => {
    if (waits !== undefined) {
      rest();
      call();
      return;
    }
    button.textContent = sure;
    waits = setTimeout(rest, WAITS);
  });
}

/** The commands that need consent, and those that do not. */
const OFFERS = ["takeback", "draw", "pause"];
const DEEDS = ["resume", "abort", "rematch"];

/**
 * Connect the buttons of these commands.
 * @param {Record<string, string>} words
 * @param {() => number} at The number of the last event.
 * @param {(message: object) => void} act
 */
export function asks(words, at, act) {
  for (const what of OFFERS) part(what).addEventListener("click", () => act({ t: "offer", at: at(), what }));
  for (const what of DEEDS) part(what).addEventListener("click", () => act({ t: "do", what }));
  whenSure(part("resign"), words.resign ?? "", words.yes_resign ?? "", () => {
    part("more").hidePopover();
    act({ t: "do", what: "resign" });
  });
  // If the board is below the menu, close the menu so that the result is seen.
  for (const name of ["flip", "hint", "insight", "mark", "plan-live", ...OFFERS, "resume", "abort"]) {
    part(name).addEventListener("click", () => part("more").hidePopover());
  }
}

/**
 * Return whether a takeback would be granted at once: no other person has seen the turn.
 * @param {House.Game} state
 */
export function retractable({ seats, own, takebacks, over }) {
  const others = seats.filter((_, number) => !own.includes(number));
  return takebacks && !over && others.every(({ kind, presence }) => kind !== "person" || presence !== "here");
}

/**
 * Return by name whether buttons are enabled; these stay in place while disabled.
 * @param {House.Game} state
 * @param {number} turns How many have been played.
 * @returns {Record<string, boolean>}
 */
export function possible(state, turns) {
  const mine = state.own.includes(state.mover ?? -1);
  /** @param {string} offer */
  const unasked = (offer) => !state.offers.some(({ what, seat }) => what === offer && state.own.includes(seat));
  return {
    hint: mine && !state.closed && !state.paused,
    takeback: turns > 0 && unasked("takeback"),
    draw: turns > 0 && unasked("draw"),
    pause: unasked("pause"),
    "plan-live": !mine,
    line: mine,
    "play-line": mine,
  };
}

/**
 * Return by name whether parts of the page are visible.
 * @param {House.Game} state
 * @param {number} turns How many have been played.
 * @param {boolean} plans Whether conditional turns are being entered.
 * @returns {Record<string, boolean>}
 */
export function offered(state, turns, plans) {
  const plays = state.own.length > 0;
  /** Players who have left a game of several watch it to its end. */
  const runs = state.stage === "playing" && !state.over && (!plays || state.own.some((seat) => state.seats[seat]?.plays));
  const mine = runs && state.own.includes(state.mover ?? -1);
  /** In correspondence games, players do not wait at the board for an opponent's turn. */
  const waits = plays && runs && !mine && state.clock?.spare !== undefined;
  const others = state.seats.filter((_, number) => !state.own.includes(number));
  const people = others.some((seat) => seat.kind === "person");
  /** Whether a review can find mistakes of this player, or, for spectators, of any player. */
  const judged = state.reviewable.some((seat) => !plays || state.own.includes(seat));
  const plannable = runs && state.own.length === 1 && people && !state.agreed_pause;
  return {
    buttons: plays && runs && !waits && !plans,
    onward: waits && !plans,
    planning: plans,
    plan: plannable && !mine,
    "plan-live": plannable && state.clock?.spare === undefined && !plans,
    // On a clock, the status line shows the answer to any turn, and Undo removes it.
    conditions: state.conditions.some(([first]) => waits || first?.a.length),
    actions: plays,
    hint: plays && runs && state.casual,
    insight: state.casual || state.over,
    takeback: plays && runs && state.takebacks,
    draw: plays && runs && state.draws,
    pause: plays && runs && !state.paused && state.clock !== null,
    resume: plays && runs && state.agreed_pause,
    resign: plays && runs && (turns > 0 || state.tournament),
    abort: plays && state.stage !== "over" && turns === 0 && !state.tournament,
    after: state.over,
    climb: plays && !state.next && state.winner !== null && state.own.includes(state.winner),
    "to-review": state.reviewable.length > 0,
    "to-moments": judged,
    "to-send": plays && judged,
    "to-notes": state.over && !state.aborted,
    setup: mine && state.setup.length > 0,
    typed: plays && runs && !waits && !plans,
  };
}
