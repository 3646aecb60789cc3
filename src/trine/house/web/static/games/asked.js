/** What others ask for, and what may be claimed, each with its buttons. */

/** @typedef {import("../types.js").Game} Game */
/** @typedef {[string, object]} Choice The name of a button, and the message that it sends. */

/**
 * The lines to show.
 * @param {Game} game
 * @param {Record<string, string>} words
 * @param {(message: object) => void} act
 * @returns {HTMLElement[]}
 */
export function questions(game, words, act) {
  /** @type {HTMLElement[]} */
  const lines = [];
  /** @type {(sentence: string, ...choices: Choice[]) => void} */
  const add = (sentence, ...choices) => {
    lines.push(lineOf(sentence, ...choices.map(([name, message]) => button(name, () => act(message)))));
  };
  for (const { what, seat, waiting } of game.offers) {
    if (!waiting.some((one) => game.own.includes(one))) {
      if (game.own.includes(seat)) add(words.agree_sent ?? "");
      continue;
    }
    const sentence = words[`asks_${what}`] ?? (words.asks_other ?? "").replace("{what}", what);
    add(
      sentence.replace("{name}", game.seats[seat]?.name ?? ""),
      [words.accept ?? "", { t: "answer", what, yes: true }],
      [words.decline ?? "", { t: "answer", what, yes: false }],
    );
  }
  if (game.own.length && !game.over) {
    game.seats.forEach((seat, number) => {
      if (!seat.claim || !seat.plays || game.own.includes(number)) return;
      /** @type {Choice[]} */
      const claims = [[words.claim ?? "", { t: "do", what: "claim" }]];
      if (game.draws) claims.push([words.claim_draw ?? "", { t: "do", what: "claim-draw" }]);
      add(`${seat.name} ${words.left}.`, ...claims);
    });
  }
  if (game.next) {
    const link = Object.assign(document.createElement("a"), { href: `/game/${game.next}`, textContent: words.to_next });
    link.className = "main";
    lines.push(lineOf("", link));
  } else if (game.rematch.length && game.own.length) {
    const own = game.rematch.some((seat) => game.own.includes(seat));
    add((own ? words.rematch_waits : words.rematch_wanted) ?? "");
  }
  return lines;
}

/**
 * @param {string} sentence
 * @param {...HTMLElement} more
 */
function lineOf(sentence, ...more) {
  const line = document.createElement("p");
  line.className = "line";
  line.append(sentence, ...more);
  return line;
}

/**
 * @param {string} name
 * @param {() => void} call
 */
function button(name, call) {
  const made = Object.assign(document.createElement("button"), { textContent: name });
  made.addEventListener("click", call);
  return made;
}
