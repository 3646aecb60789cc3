/** The page of a game: what the house says is shown, what a person does is sent. */

import "./board.js";
import { Clocks } from "./clocks.js";
import { History } from "./history.js";
import { Seats } from "./seats.js";
import { Socket } from "./socket.js";

/** @typedef {import("./socket.js").Message} Message */

const root = /** @type {HTMLElement} */ (document.getElementById("game"));
const words = JSON.parse(root.dataset.words ?? "{}");
const id = root.dataset.game ?? "";
const board = /** @type {import("./board.js").TrineBoard} */ (document.getElementById("board"));
const kept = `draft ${id}`;
/** Who taps with a finger confirms a turn; with a mouse it is played when it is complete. */
const confirms = matchMedia("(pointer: coarse)").matches;

/** @param {string} name */
function part(name) {
  return /** @type {HTMLElement} */ (document.getElementById(name));
}

/** @type {Message | undefined} How the game stands. */
let game;
/** @type {string[]} The draft that was sent last. */
let draft = [];
let sending = 0;
/** @type {number | undefined} From whose side the board is seen, where that was chosen. */
let side;
let insight = false;

const socket = new Socket(`/game/${id}/socket`);
const clocks = new Clocks(() => Date.now() + socket.offset);
const seats = new Seats(part("above"), part("below"), words);
const history = new History(part("turns"), (turn) => look(turn));

socket.addEventListener("message", (event) => {
  const message = /** @type {CustomEvent} */ (event).detail;
  if (message.t === "game") take(message);
  else if (message.why) tell(message.why, "wrong");
});
socket.addEventListener("lost", () => tell(words.lost_line, "wrong"));
socket.addEventListener("open", () => {
  if (told.textContent === words.lost_line) tell("");
  if (side !== undefined || insight) show();
});

const told = part("told");

/**
 * Say something in the line of the referee.
 * @param {string} sentence
 * @param {string} [how]
 */
function tell(sentence, how = "") {
  told.textContent = sentence;
  told.className = `told ${how}`;
}

/** @param {Message} next */
function take(next) {
  const before = game;
  if (!history.take(next.from, next.turns)) {
    show(); // some turns are missing here: all are asked for
    return;
  }
  if (before && next.version < before.version) return;
  game = next;
  if (sending === 0 || next.seq !== before?.seq) draft = next.draft;
  if (before?.stage === "waiting" && next.stage !== "waiting") part("invite")?.remove();
  if (!before) restore();
  if (!next.draft.length && next.seq !== before?.seq) sessionStorage.removeItem(kept);
  if (history.live) draw();
  clocks.clock = next.clock ?? null;
  seats.show(next, next.side);
  clocks.show();
  explain(before);
  offer();
}

function draw() {
  if (!game) return;
  board.show(game.view, game.choices);
  board.arrows = [];
}

/** After the page was loaded again: the draft that was open then. */
function restore() {
  const saved = sessionStorage.getItem(kept);
  if (!saved || !game || game.draft.length) return;
  const { seq, actions } = JSON.parse(saved);
  if (seq === game.seq && actions.length) sketch(actions);
}

/** @param {Message | undefined} before */
function explain(before) {
  if (!game) return;
  if (game.result) return tell(game.result, "result");
  if (game.stage === "waiting") return tell(words.waiting);
  if (game.waking) return tell(words.waking_line);
  if (game.paused) return tell(words.paused);
  if (before?.seq === game.seq && before?.draft.length === game.draft.length) return;
  const mine = game.own.includes(game.mover);
  const alone = game.own.length === game.seats.length;
  tell(mine && !alone ? words.you_move : words.to_move.replace("{name}", game.seats[game.mover].name));
}

/** Show what can be done. */
function offer() {
  if (!game) return;
  const state = game;
  const plays = state.own.length > 0;
  const runs = state.stage === "playing" && !state.over;
  const mine = runs && state.own.includes(state.mover);
  /** @type {Record<string, boolean>} */
  const shown = {
    buttons: plays && runs,
    actions: true,
    hint: mine && state.casual,
    takeback: plays && runs && state.takebacks && history.length > 0,
    draw: plays && runs && state.draws && history.length > 0,
    pause: plays && runs && !state.paused && state.clock !== null,
    resume: plays && runs && state.agreed_pause,
    resign: plays && runs && history.length > 0,
    abort: plays && state.stage !== "over" && history.length === 0,
    rematch: plays && state.over && !state.next,
    review: state.over && !state.aborted,
    setup: mine && state.setup.length > 0,
  };
  for (const [name, whether] of Object.entries(shown)) part(name).hidden = !whether;
  part("insight").setAttribute("aria-pressed", String(insight));
  button("undo").disabled = button("reset").disabled = !draft.length;
  button("submit").disabled = !(mine && state.closed);
  list("status", state.status ?? []);
  list("findings", state.insight ?? []);
  const choice = /** @type {HTMLSelectElement} */ (part("words"));
  const setups = (state.setup ?? []).filter((/** @type {string} */ one) => !/[A-Z]/.test(one));
  if (choice.options.length !== setups.length) {
    choice.replaceChildren(...setups.map((/** @type {string} */ one) => new Option(one, one)));
  }
  questions(state);
}

/** @param {string} name */
function button(name) {
  return /** @type {HTMLButtonElement} */ (part(name));
}

/**
 * @param {string} name
 * @param {string[]} lines
 */
function list(name, lines) {
  part(name).replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })),
  );
}

/**
 * What others ask for, and what may be claimed, each with its buttons.
 * @param {Message} state
 */
function questions(state) {
  const place = part("asked");
  /** @type {HTMLElement[]} */
  const lines = [];
  /** @type {(sentence: string, ...buttons: [string, object][]) => void} */
  const add = (sentence, ...buttons) => {
    const line = document.createElement("p");
    line.className = "line";
    line.append(sentence);
    for (const [name, message] of buttons) {
      const made = Object.assign(document.createElement("button"), { textContent: name });
      made.addEventListener("click", () => act(message));
      line.append(made);
    }
    lines.push(line);
  };
  for (const { what, seat, waiting } of state.offers ?? []) {
    if (!waiting.some((/** @type {number} */ one) => state.own.includes(one))) {
      if (state.own.includes(seat)) add(words.agree_sent);
      continue;
    }
    const sentence = words[`asks_${what}`] ?? words.asks_other.replace("{what}", what);
    add(
      sentence.replace("{name}", state.seats[seat].name),
      [words.accept, { t: "answer", what, yes: true }],
      [words.decline, { t: "answer", what, yes: false }],
    );
  }
  if (state.own.length && !state.over) {
    state.seats.forEach((/** @type {any} */ seat, /** @type {number} */ number) => {
      if (!seat.claim || !seat.plays || state.own.includes(number)) return;
      /** @type {[string, object][]} */
      const claims = [[words.claim, { t: "do", what: "claim" }]];
      if (state.draws) claims.push([words.claim_draw, { t: "do", what: "claim-draw" }]);
      add(`${seat.name} ${words.left}.`, ...claims);
    });
  }
  if (state.next) {
    const line = document.createElement("p");
    const link = Object.assign(document.createElement("a"), { href: `/game/${state.next}`, textContent: words.to_next });
    link.className = "main";
    line.append(link);
    lines.push(line);
  } else if (state.rematch?.length && state.own.length) {
    const own = state.rematch.some((/** @type {number} */ seat) => state.own.includes(seat));
    add(own ? words.rematch_waits : words.rematch_wanted);
  }
  place.replaceChildren(...lines);
}

/**
 * Ask the house for something; a refusal is said in the line of the referee.
 * @param {object} message
 */
async function act(message) {
  const answer = await socket.ask(message);
  if (answer.t === "no") tell(answer.why ?? "", "wrong");
  return answer;
}

/**
 * Show a draft, and keep it over a reload of the page.
 * @param {string[]} actions
 * @param {string} [line]
 */
async function sketch(actions, line = "") {
  if (!game) return;
  draft = actions;
  sending += 1;
  const { seq } = game;
  const answer = await act({ t: "draft", at: seq, a: actions, line });
  sending -= 1;
  if (answer.t === "no") {
    draft = game?.draft ?? [];
    draw();
    return;
  }
  if (sending === 0 && game) draft = game.draft; // what was typed has become actions
  offer();
  sessionStorage.setItem(kept, JSON.stringify({ seq, actions: draft }));
}

async function submit() {
  if (!game) return;
  button("submit").disabled = true;
  const answer = await act({ t: "turn", at: game.seq, a: draft });
  if (answer.t === "no") draw();
  else sessionStorage.removeItem(kept);
}

board.addEventListener("action", async (event) => {
  const { id: action } = /** @type {CustomEvent} */ (event).detail;
  if (!game) return;
  const whole = [...draft, action];
  if (game.one && !confirms) {
    draft = whole;
    await submit();
    return;
  }
  await sketch(whole);
  // What closes a turn plays it, unless a tap has to be confirmed.
  if (game?.closed && draft.length === whole.length && !confirms) await submit();
});

board.addEventListener("refused", async (event) => {
  const { picks } = /** @type {CustomEvent} */ (event).detail;
  const answer = await socket.ask({ t: "why", a: draft, picks });
  if (answer.why) tell(answer.why, "wrong");
});

/** Ask for the game anew, as it is to be seen. */
function show() {
  socket.say({ t: "look", insight, ...(side === undefined ? {} : { seat: side }) });
}

/** @param {number | undefined} turn */
async function look(turn) {
  if (turn === undefined) return draw();
  const answer = await fetch(`/game/${id}/turn/${turn}?seat=${game?.side ?? 0}`);
  if (answer.ok && history.shown === turn) board.show((await answer.json()).view, []);
}

/** @type {[string, () => void][]} */
const clicks = [
  ["undo", () => sketch(draft.slice(0, -1))],
  ["reset", () => sketch([])],
  ["submit", submit],
  ["first", () => history.go(0)],
  ["previous", () => history.step(-1)],
  ["next", () => history.step(1)],
  ["last", () => history.go(undefined)],
  ["flip", () => {
    side = ((side ?? game?.side ?? 0) + 1) % (game?.seats.length ?? 2);
    show();
  }],
  ["insight", () => {
    insight = !insight;
    show();
  }],
  ["takeback", () => act({ t: "offer", at: game?.seq ?? 0, what: "takeback" })],
  ["draw", () => act({ t: "offer", at: game?.seq ?? 0, what: "draw" })],
  ["pause", () => act({ t: "offer", at: game?.seq ?? 0, what: "pause" })],
  ["resume", () => act({ t: "do", what: "resume" })],
  ["abort", () => act({ t: "do", what: "abort" })],
  ["rematch", () => act({ t: "do", what: "rematch" })],
  ["resign", () => {
    if (part("resign").dataset.sure) {
      act({ t: "do", what: "resign" });
      delete part("resign").dataset.sure;
      part("resign").textContent = words.resign;
      return;
    }
    part("resign").dataset.sure = "yes";
    part("resign").textContent = words.yes_resign;
    setTimeout(() => {
      delete part("resign").dataset.sure;
      part("resign").textContent = words.resign;
    }, 4000);
  }],
  ["hint", async () => {
    button("hint").disabled = true;
    const answer = await act({ t: "hint" });
    button("hint").disabled = false;
    if (answer.t !== "hint") return;
    board.arrows = answer.paths;
    list("findings", answer.told);
  }],
];
for (const [name, call] of clicks) part(name).addEventListener("click", call);

part("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  sketch([], /** @type {HTMLSelectElement} */ (part("words")).value);
});
for (const copy of document.querySelectorAll("button.copy")) {
  const field = copy.parentElement?.querySelector("input");
  if (!field || !(copy instanceof HTMLElement) || !navigator.clipboard) continue;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    copy.textContent = words.copied;
  });
}
addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  if (event.composedPath().includes(board) || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") history.step(-1);
  if (event.key === "ArrowRight") history.step(1);
});
