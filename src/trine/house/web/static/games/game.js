/** The page of a game: shows the state that the house sends, and sends the person's actions. */

import "../board/board.js";
import { Marks } from "../board/marks.js";
import { Playing } from "../board/playing.js";
import { Conditions } from "./conditions.js";
import { History } from "./history.js";
import { asks, offered, possible, questions, retractable } from "./offered.js";
import { ViewSettings } from "./view_settings.js";
import { Clocks, Seats } from "./seats.js";
import { begin, button, copies, list, part, ticked } from "../page/parts.js";
import { SOON, Socket } from "../page/socket.js";
import { hears, prefer, prefers, walksSlowly } from "../page/page.js";
import { applyChanges } from "./apply_changes.js";
import { StatusLine } from "./status_line.js";
import { Turn } from "./turn.js";

const root = part("game");
const words = JSON.parse(root.dataset.words ?? "{}");
const id = root.dataset.game ?? "";
const board = /** @type {import("../board/board.js").TrineBoard} */ (document.getElementById("board"));
/** @type {House.Game | undefined} The current state. */
let game;
/** Whether the player here has just won, and the board has not shown it yet. */
let won = false;
/** Whether the house may have lost the draft. */
let returned = false;

/** @type {import("../page/socket.js").Socket<House.OfGame, House.AnswerOfGame>} */
const socket = new Socket(`/game/${id}/socket?changes`, root.dataset.begins ? () => begin(`/game/${id}`) : undefined);
const clocks = new Clocks(() => Date.now() + socket.offset, words.vacation_used);
const seats = new Seats(words);
const talk = /** @type {HTMLDetailsElement} */ (part("chat"));
/** @type {Promise<import("../talk/chat.js").Chat> | undefined} Loaded with the first chat lines, so that the page loads faster. */
let chat;
const history = new History(part("turns"), part("now"), (number, actions) => look(number, actions), walksSlowly);
const told = new StatusLine(part("told"), words);
const turn = new Turn(`draft ${id}`, act);
const field = /** @type {HTMLInputElement} */ (part("named"));
const settings = new ViewSettings({ id, root, board, socket, game: () => game }, () => draw());

/** Return the number of turns before the shown position. */
const shown = () => history.shown ?? history.length;
const marks = new Marks(board, part("mark"), (written) => (written ? `?turn=${shown()}#${written}` : location.pathname));

/** @type {Conditions} */
const conditions = new Conditions({
  words,
  board,
  history,
  act,
  tell: (sentence) => (sentence || !game ? told.tell(sentence) : told.explain(game, undefined)),
  redraw: () => {
    draw();
    offer();
  },
  asksFirst: () => playing.asksFirst,
});

/** Whether a turn is the placing of one piece. */
const placed = () => Boolean(game?.setup.length && !game.whole);
/** Whether Undo takes back the turn that was just sent. */
const takesBack = () => Boolean(game && !turn.actions.length && !conditions.prepared && turn.sentJustNow && retractable(game));
/** @type {Playing} */
const playing = new Playing({
  board,
  words,
  asksFirst: () => prefers("ask", game?.clock?.spare !== undefined),
  told: part("told"),
  buttons: { undo: button("undo"), reset: button("reset"), submit: button("submit"), pass: button("pass") },
  open: () => {
    const [changed, mine] = [turn.actions.length > 0, game && !game.over && isOwn(game)];
    const undo = changed || Boolean(conditions.prepared);
    // A complete turn that is about to be sent does not wait for Submit.
    const closed = Boolean(game?.closed) && !(turn.sending && !playing.asksFirst);
    return { actions: turn.actions, closed, mine: mine ?? false, undo, reset: changed, sent: takesBack() };
  },
  begun: () => (conditions.on ? undefined : game),
  ask: (message) => socket.ask(message),
  async act(actions, plays, action) {
    if (conditions.on) return conditions.action(action);
    if (game?.one && plays) return send(actions);
    await sketch(actions);
    // A complete turn is sent, unless the player wants to be asked first.
    if (!game?.closed || turn.actions.length !== actions.length) return;
    if (plays) await send();
    else if (playing.keys) button("submit").focus();
  },
  async why(picks) {
    const ahead = conditions.on ? { path: conditions.path, a: conditions.draft } : { a: turn.actions };
    const answer = await socket.ask({ t: "why", picks, ...ahead });
    return "why" in answer ? answer.why : undefined;
  },
  async undo() {
    if (conditions.prepared) return conditions.drop();
    if (takesBack()) return act({ t: "offer", at: game?.seq ?? 0, what: "takeback" });
    if (await turn.undo()) offer();
    else draw();
  },
  reset: () => sketch([]),
  submit: () => send(),
});

socket.addEventListener("message", (event) => {
  const message = /** @type {CustomEvent<House.OfGame>} */ (event).detail;
  if (message.t === "game" || message.t === "changes") take(applyChanges(message, game));
  else if (message.t === "chat") chatted().then((shown) => shown.take(message));
  else if (message.t === "no") told.tell(message.why, "wrong");
  else if (message.t === "busy" && turn.sending) told.tell(message.why);
});

function chatted() {
  return (chat ??= import("../talk/chat.js").then(({ Chat }) => new Chat(talk, part("open"), id, (message) => socket.ask(message), part("told"))));
}

socket.addEventListener("lost", () => {
  told.lost();
  // A cached game can be read offline: its names, its turns and its result.
  root.classList.toggle("still", !game);
});
socket.addEventListener("open", () => {
  returned = true;
  told.found();
  settings.resume();
});

/** @param {House.Game} next */
function take(next) {
  const before = game;
  history.take(next.from, next.turns);
  game = next;
  root.classList.remove("still");
  turn.take(next);
  if (next.stage !== "waiting") {
    document.getElementById("invite")?.remove();
    root.classList.remove("waits");
  }
  if (returned && turn.saved.length) turn.restore().then((possible) => (possible ? offer() : draw()));
  const old = returned && before?.declined && before.seq === next.seq; // a refusal that was shown before
  returned = false;
  if (before && isOwn(before) && !next.over && turnsOf(next) === turnsOf(before) + 1) turn.sent(offer);
  if (!before && root.dataset.turn) history.go(Number(root.dataset.turn));
  if (!next.draft.length && next.seq !== before?.seq) turn.forget();
  socket.urgent = isOwn(next);
  seats.show(next);
  won ||= Boolean(before && !before.over && next.winner !== null && next.own.includes(next.winner));
  sound(before, next);
  if (history.live && tells(before, next)) tell(next);
  else if (history.live || (before && before.side !== next.side)) draw();
  clocks.clock = next.clock;
  clocks.show();
  conditions.take(next);
  if (!conditions.on) told.explain(next, old ? undefined : before);
  offer();
  follow(before, next);
}

/**
 * Whether another player has just played a turn of several actions.
 * @param {House.Game | undefined} before
 * @param {House.Game} next
 */
function tells(before, next) {
  const others = before && before.mover !== null && !isOwn(before);
  return others && next.story.length > 0 && turnsOf(next) === turnsOf(before) + 1;
}

/** @param {House.Game} state */
const turnsOf = (state) => state.from + state.turns.length;

/**
 * Whether this player is to move.
 * @param {House.Game} state
 */
const isOwn = (state) => state.own.includes(state.mover ?? -1);

/**
 * Show the last turn action by action, and then the current state.
 * @param {House.Game} next
 */
async function tell(next) {
  if (await board.tellStory(next.story) && game === next && history.live) draw();
}

/** Show the current state, or the selected turn. */
function draw() {
  if (!game || conditions.on) return;
  settings.frame();
  if (history.shown !== undefined) return void look(history.shown, history.done);
  marks.at(String(shown()));
  board.toggleAttribute("one", placed());
  playing.show(game.view, game.choices);
  board.arrows = conditions.arrows;
  if (won && game.winner !== null) board.celebrate(game.winner);
  won = false;
}

/** @param {House.Game | undefined} before @param {House.Game} next */
async function sound(before, next) {
  if (!before || !hears()) return;
  const { play, soundOf } = await import("./sounds.js"); // loaded only if sounds are on
  const heard = next.over && !before.over ? "end" : soundOf(before.view, next.view);
  if (heard) play(heard);
}

/**
 * Open the next game, if it was agreed on while this page was open.
 * @param {House.Game | undefined} before
 * @param {House.Game} next
 */
function follow(before, next) {
  if (before && !before.next && next.next && next.own.length) location.assign(`/game/${next.next}`);
}

/** Show the choices. */
function offer() {
  if (!game) return;
  const state = game;
  for (const [name, whether] of Object.entries(offered(state, history.length, conditions.on))) part(name).hidden = !whether;
  for (const [name, whether] of Object.entries(possible(state, history.length))) button(name).disabled = !whether;
  if (state.next) part("rematch").hidden = true;
  /** @type {HTMLInputElement} */ (part("ask")).checked = playing.asksFirst;
  part("insight").setAttribute("aria-pressed", String(settings.insight));
  playing.offer();
  list("findings", state.insight);
  part("ways").replaceChildren(...state.choices.map((one) => new Option(one.id)));
  setUp(state);
  const [asked, lines] = [part("asked"), questions(state, words, act)];
  // Unchanged elements keep the focus.
  if (asked.innerHTML !== lines.map((line) => line.outerHTML).join("")) asked.replaceChildren(...lines);
}

/**
 * On narrow screens, show reasons over the status line until the next action.
 * @param {boolean} on
 */
const read = (on) => root.classList.toggle("reads", on);

/**
 * Send a message to the house; show a refusal in the status line.
 * @param {object} message
 */
async function act(message) {
  const answer = await socket.ask(message, "t" in message && message.t === "hint" ? undefined : SOON);
  if (answer.t === "no") told.tell(answer.why, "wrong");
  return answer;
}

/** @param {string[]} actions @param {string} [line] */
async function sketch(actions, line = "") {
  if (await turn.sketch(actions, line)) offer();
  else draw();
}

/** @param {string[]} [actions] */
async function send(actions) {
  button("submit").disabled = true;
  if (!await turn.play(actions)) draw();
}

// The reasons close by Escape and by a tap anywhere beside them.
addEventListener("keydown", ({ key }) => key === "Escape" && read(false));
addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && !target.closest("#findings, #read, #hint, #insight")) read(false);
});
board.addEventListener("draft", () => read(false));

/** @param {number | undefined} number @param {number} actions */
async function look(number, actions) {
  if (conditions.on) return conditions.leave();
  if (number === undefined) return draw();
  const found = await settings.after(number, actions);
  if (!found || history.shown !== number || history.done !== actions) return;
  history.reached(found);
  marks.at(String(number));
  board.show(found.view, []);
}

/** @type {[string, () => void][]} */
const clicks = [
  ["flip", () => settings.flip()],
  ["insight", () => {
    settings.judge();
    told.tell(game?.result || game?.coach, game?.result ? "result" : "");
    read(settings.insight);
  }],
  ["read", () => {
    read(false);
    draw();
  }],
  ["hint", async () => {
    button("hint").disabled = true;
    const answer = await act({ t: "hint" });
    offer();
    if (answer.t !== "hint") return;
    if (!history.live) history.go(undefined);
    board.arrows = answer.paths;
    // The status line shows the hint; its reasons are shown with the insight.
    const [first, ...more] = answer.told;
    told.tell(first);
    list("findings", more);
    read(true);
    if (answer.line.length > 1) {
      const { expected } = await import("./expected.js");
      part("findings").append(expected(answer.line, words.expected ?? "", board, draw));
    }
  }],
];
for (const [name, call] of clicks) part(name).addEventListener("click", call);
history.walk(board);
asks(words, () => game?.seq ?? 0, act);

/** The line that was entered last and is being checked, and the count of such lines. */
let entered = "";
let lines = 0;

part("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const line = /** @type {HTMLInputElement} */ (part("line"));
  const given = line.value.trim();
  if (!given) return;
  // It cannot be confirmed while disconnected, or was confirmed by a second Enter.
  const plays = !socket.open || given === entered;
  entered = given;
  const number = ++lines;
  const possible = await turn.sketch(turn.actions, given);
  if (number !== lines) return;
  entered = "";
  if (!possible) return;
  line.value = "";
  offer();
  if (!game?.closed) return;
  if (plays) await send();
  else button("submit").focus();
});

// The field for typed turns is behind ⋯, and behind T.
addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  if (key.toLowerCase() !== "t" || ctrlKey || altKey || metaKey || part("typed").hidden) return;
  if (target instanceof HTMLElement && target.matches("input, select, textarea")) return;
  event.preventDefault();
  part("more").showPopover();
  part("line").focus();
});

part("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  keep();
});

/** @type {Promise<import("./setups.js").Setups> | undefined} Loaded when a side is set up. */
let setups;

/** @param {House.Game} state */
function setUp(state) {
  if (state.setup.length) {
    const place = { row: part("arrangements"), keep: part("keep"), field, board, address: () => `/game/${id}/arrangements?`, kind: root.dataset.kind ?? "" };
    setups ??= import("./setups.js").then(({ Setups }) => new Setups(place, arrange));
  }
  setups?.then((shown) => shown.show(state, turn.actions));
}

/** @param {import("./setups.js").Chosen} chosen */
async function arrange({ actions, word, consent }) {
  if (consent) await act({ t: "offer", at: game?.seq ?? 0, what: word });
  else await sketch(word ? turn.actions : actions, word);
}

function keep() {
  setups?.then((shown) => shown.save(turn.actions)).then(offer);
}
part("keep").addEventListener("click", keep);

ticked("sound", hears, (name, whether) => {
  prefer(name, whether);
  if (whether) import("./sounds.js").then(({ play }) => play("piece"));
});
ticked("slowly", walksSlowly, prefer);
ticked("ask", () => playing.asksFirst, prefer);
// An analysis begins at the selected turn.
document.getElementById("analyse")?.addEventListener("submit", ({ target }) => {
  const field = /** @type {HTMLFormElement} */ (target).elements.namedItem("turn");
  if (field instanceof HTMLInputElement) field.value = document.querySelector("#turns [aria-current]")?.getAttribute("data-turn") ?? "";
});
copies(button("copy"), () => `${location.origin}/game/${id}?turn=${shown()}${marks.written && `#${marks.written}`}`, words.copied);
for (const copy of document.querySelectorAll("button.copy")) {
  const field = copy.parentElement?.querySelector("input");
  if (field && copy instanceof HTMLElement) copies(copy, () => field.value, words.copied);
}
if (root.dataset.begins) take(applyChanges(JSON.parse(root.dataset.begins), undefined));
