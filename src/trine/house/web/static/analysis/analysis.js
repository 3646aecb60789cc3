/** The analysis board: navigating, extending and saving a tree of turns; the computer's findings. */

import { narrow } from "../board/board.js";
import { say } from "../board/elements.js";
import { Box } from "../board/box.js";
import { Marks } from "../board/marks.js";
import { Playing } from "../board/playing.js";
import { Bar, linesOf } from "./chances.js";
import { Reviewed } from "./report.js";
import { begin, button, copies, fields, list, part, ticked } from "../page/parts.js";
import { Socket } from "../page/socket.js";
import { kept, prefer, walksSlowly } from "../page/page.js";
import { walk } from "../board/walking.js";
import { Tree } from "./tree.js";

const root = part("analysis");
const words = JSON.parse(root.dataset.words ?? "{}");
const id = root.dataset.study ?? "";
const board = /** @type {import("../board/board.js").TrineBoard} */ (document.getElementById("board"));
const seats = Number(root.dataset.seats);
/** How long after the last edit a note is saved, in milliseconds. */
const NOTED = 700;

/** @param {string} name */
const maybe = (name) => document.getElementById(name);

/** @type {House.At | undefined} The viewed turn. */
let at;
let own = false;
let seat = Number(root.dataset.seat);
let insight = false;
let thinks = kept(() => sessionStorage.getItem("analysis thinks")) === "yes";
/** @type {House.Findings | undefined} */
let thought;

/** @type {string | undefined} The turn that the URL's fragment names, such as `#12` or `#turn-12`. */
const asked = location.hash.match(/^#(?:[a-z]+-)?([0-9][0-9.]*)(?:!|$)/)?.[1];
const reviews = "review" in root.dataset;
const told = part("told");
const bar = new Bar(part("bar"), JSON.parse(root.dataset.paints ?? "[]"));
bar.seat(seat);
const marks = new Marks(board, part("mark"), (written) => `#${at?.place ?? 0}${written}`);
const tree = new Tree(part("tree"), go);
const report = new Reviewed(root, words, behind, better);
/** @type {Socket<House.OfAnalysis, House.AnswerOfAnalysis>} */
const socket = new Socket(`/analysis/${id}/socket?at=${encodeURIComponent(asked ?? (reviews ? report.opening(root.dataset.mine) : 0))}&seat=${seat}`, root.dataset.begins ? created : undefined);
const playing = new Playing({
  board,
  words,
  told,
  buttons: { undo: button("undo"), reset: button("reset"), submit: button("end") },
  open: () => {
    const actions = at?.draft ?? [];
    return { actions, closed: false, mine: own, undo: actions.length > 0, reset: actions.length > 0 };
  },
  begun: () => (at && !box.open ? { seq: at.node, handles: plays() ? at.handles : [] } : undefined),
  ask: (message) => socket.ask(message),
  act: (actions) => (box.open ? undefined : play(actions)),
  async why(picks) {
    if (box.open) return undefined;
    const answer = await socket.ask({ t: "why", picks });
    return "why" in answer ? answer.why : undefined;
  },
  undo: () => play(at?.draft.slice(0, -1) ?? []),
  reset: () => go(at?.node ?? 0),
  submit: () => undefined,
});
/** @type {import("./explorer.js").Explorer | undefined} Loaded only if the house has an archive. */
let explorer;
const box = new Box(board, part("parts"), part("settings"), words, ask);

socket.addEventListener("message", (event) => {
  const message = /** @type {CustomEvent<House.OfAnalysis>} */ (event).detail;
  if (message.t === "tree") grow(message);
  else if (message.t === "at") look(message);
  else if (message.t === "thought") think(message);
  else if (message.t === "explored") explorer?.show(message);
  else if (message.t === "edit") edit(message);
  else if (message.t === "reviewing") reviewing(message);
  else if (message.t === "reviewed") reviewed(message);
  else if (message.t === "no") tell(message.why, "wrong");
});
socket.addEventListener("lost", () => tell(words.lost_line, "wrong"));
socket.addEventListener("open", () => {
  if (told.textContent === words.lost_line) tell("");
  socket.say({ t: "look", seat, insight });
  if (thinks) wish();
  if (explorer?.on) socket.say({ t: "explore", on: true });
  if (reviews && !report.nodes) ask({ t: "review" });
});

/** @type {(sentence: string, how?: string) => void} */
const tell = (sentence, how) => say(told, sentence, how);

/**
 * Send a request; a refusal is shown in the status line.
 * @param {object} message
 */
async function ask(message) {
  const answer = await socket.ask(message);
  if (answer.t === "no") tell(answer.why, "wrong");
  else if ("go" in answer && answer.go) location.assign(answer.go);
  return answer;
}

/** @param {number} node */
function go(node) {
  if (node >= 0) socket.say({ t: "go", node });
}

/** Ask the house to store this analysis, at its first use. */
async function created() {
  await begin(`/analysis/${id}`);
  root.classList.remove("begins");
}

// --- the tree ------------------------------------------------------------------------------------

/** @param {House.Tree} message */
function grow(message) {
  own = message.own;
  tree.take(message.nodes);
  check();
  const saved = maybe("saved");
  if (saved) saved.textContent = message.fault || (message.saved ? words.saved : words.saving);
  offer();
}

const plays = () => own || !at?.draft.length;

/** @param {House.At} message */
function look(message) {
  const before = at;
  at = message;
  if (box.open) {
    box.close();
    part("box").hidden = true;
    part("playing").hidden = false;
  }
  frame();
  playing.show(message.view, plays() ? message.choices : []);
  socket.url.searchParams.set("at", message.place);
  marks.at(message.place);
  marks.write();
  maybe("copying")?.setAttribute("action", `/analysis/${id}/copy#${message.place}`);
  tree.mark(message.node);
  report.at = tree.main.findIndex(({ id: node }) => node === message.node) + 1;
  if (message.result) tell(message.result, "result");
  else if (!before || before.node !== message.node || before.draft.length !== message.draft.length) {
    tell(report.verdict || message.told);
  }
  if (before?.node !== message.node || String(before?.draft) !== String(message.draft)) think(undefined);
  const note = /** @type {HTMLTextAreaElement | null} */ (maybe("note"));
  if (note && (before?.node !== message.node || document.activeElement !== note)) note.value = message.note;
  explorer?.look(message);
  list("status", message.status);
  list("findings", message.insight);
  const setups = maybe("setups");
  setups?.replaceChildren(...message.setup.map((one) => new Option(one)));
  arrange(message);
  offer();
}

/** Enlarge the board on a narrow page by hiding the trays beside it, except during a setup. */
const frame = () => board.toggleAttribute("bare", narrow.matches && !box.open && !at?.setup.length);
narrow.addEventListener("change", frame);

/** @type {Promise<import("../games/setups.js").Setups> | undefined} Loaded when pieces are first set up. */
let arrangements;

/** @param {House.At} message */
function arrange({ setup, mover, draft }) {
  const row = maybe("arrangements");
  if (!row) return;
  row.hidden = !setup.length;
  if (setup.length) {
    const address = () => `/analysis/${id}/arrangements?at=${at?.place}&${root.classList.contains("begins") ? fields() : ""}`;
    const place = { row, board, address, kind: root.dataset.kind ?? "" };
    arrangements ??= import("../games/setups.js").then(({ Setups }) => new Setups(place, ({ actions }) => play(actions)));
  }
  const words = setup.map((word) => ({ word, told: word, consent: false }));
  arrangements?.then((shown) => shown.show({ setup: words, whole: true, mover, own: [mover] }, draft));
}

/** Show what can be done. */
function offer() {
  playing.offer();
  const draft = at?.draft ?? [];
  button("previous").disabled = button("first").disabled = !tree.current && !draft.length;
  button("next").disabled = button("last").disabled = tree.step(1) < 0;
  button("review").disabled = !tree.main.length;
  button("insight").setAttribute("aria-pressed", String(insight));
  button("think").setAttribute("aria-pressed", String(thinks));
  part("count").hidden = !thinks;
  for (const name of ["note", "changes"]) maybe(name)?.toggleAttribute("hidden", !tree.current);
  maybe("promote")?.toggleAttribute("hidden", !tree.aside);
}

/** @param {string[]} actions */
const play = (actions) => ask({ t: "act", node: at?.node ?? 0, a: actions });

/**
 * Show the position after a turn of the main line, and scroll the board into view.
 * @param {number} turn
 */
function behind(turn) {
  go(tree.main[turn - 1]?.id ?? 0);
  const { top, bottom } = board.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) board.scrollIntoView({ block: "nearest" });
}

/**
 * Play the better turn in place of one of the main line.
 * @param {number} turn
 * @param {string[]} actions
 */
async function better(turn, actions) {
  const answer = await ask({ t: "act", node: tree.main[turn - 2]?.id ?? 0, a: actions });
  if (answer.t === "ok") part("analysis").scrollIntoView({ block: "start" });
}

/** @type {number | undefined} */
let noting;
maybe("note")?.addEventListener("input", (event) => {
  const words = /** @type {HTMLTextAreaElement} */ (event.target).value;
  const node = at?.node ?? 0;
  clearTimeout(noting);
  noting = setTimeout(() => ask({ t: "note", node, words }), NOTED);
});
maybe("typed")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const line = /** @type {HTMLInputElement} */ (part("line"));
  if (!line.value.trim()) return;
  const answer = await ask({ t: "act", node: at?.node ?? 0, a: at?.draft ?? [], line: line.value });
  if (answer.t === "ok") line.value = "";
});

// --- the computer --------------------------------------------------------------------------------

function wish() {
  const lines = Number(/** @type {HTMLSelectElement} */ (part("lines")).value);
  socket.say({ t: "think", on: thinks, lines });
}

/** @param {House.Thinking | undefined} message */
function think(message) {
  if (message && message.node !== at?.node) return;
  if (message?.state === "away") {
    thinks = false;
    offer();
  }
  // The last findings stay until the next part of the analysis arrives.
  if (message?.found || !message || !["thinking", "done"].includes(message.state)) thought = message?.found;
  board.arrows = thought?.paths ?? [];
  bar.show(chances());
  const sentences = { over: words.engine_over, waking: words.waking, away: words.away, unfair: words.unfair, failed: words.failed };
  const state = message?.state ?? "";
  const plain = sentences[/** @type {keyof sentences} */ (state)] ?? (thought?.lines ? "" : thinks ? words.thinking : "");
  part("depth").textContent = thought?.depth ? words.depth.replace("{count}", String(thought.depth)) : "";
  part("best").replaceChildren(...linesOf(thought?.lines ?? [], words.not_searched, (ids) => play([...(at?.draft ?? []), ...ids])));
  list("reasons", plain ? [plain] : thought?.told ?? []);
}

/** The chances that the computer has found, or else the chances of the review. */
const chances = () => thought?.chances ?? (at?.node && !report.at ? [] : report.chances);

// --- the review ----------------------------------------------------------------------------------

/** Whether the page waits for its review: no turn was asked for or viewed yet. */
const waits = () => reviews && !asked && !at?.node;

/** Remove the review if the main line has changed; otherwise mark its turns. */
function check() {
  report.check(tree.main.map(({ id: node }) => node));
  tree.remark(report.marks);
}

/** @param {House.Reviewing} message */
function reviewing(message) {
  report.wait(message);
  if (waits()) tell(report.body.textContent ?? "");
  button("review").disabled = !message.why;
}

/** @param {House.Reviewed} message */
function reviewed(message) {
  report.show(message);
  check();
  bar.show(chances());
  button("review").disabled = false;
  if (!waits()) return;
  // If no turn was viewed yet, a costly one is shown.
  const first = report.opening(root.dataset.mine);
  if (first) go(tree.main[first - 1]?.id ?? 0);
  else tell(at?.told ?? "");
}

// --- setting a position up -----------------------------------------------------------------------

/** @param {House.Editing} message */
function edit(message) {
  const opens = part("box").hidden;
  part("box").hidden = false;
  part("playing").hidden = true;
  if (opens) part("box").scrollIntoView({ block: "nearest" });
  bar.show([]);
  board.arrows = [];
  box.show(message);
  frame();
  tell(message.refusal, message.refusal ? "wrong" : "");
  button("use").disabled = Boolean(message.refusal);
}

// --- the archive ---------------------------------------------------------------------------------

async function explores() {
  const { Explorer } = await import("./explorer.js");
  explorer = new Explorer(id, play);
  if (at) explorer.look(at);
  if (explorer.on) socket.say({ t: "explore", on: true });
}
if (maybe("explore")) explores();

// --- navigating ----------------------------------------------------------------------------------

/** @param {number} by */
function step(by) {
  const drafted = at?.draft.length ?? 0;
  if (!walksSlowly()) return by < 0 && drafted ? go(at?.node ?? 0) : go(tree.step(by));
  if (by < 0 && drafted) return drafted > 1 && own ? void play(at?.draft.slice(0, -1) ?? []) : go(at?.node ?? 0);
  const node = by > 0 ? tree.step(1) : tree.current;
  if (node >= 0 && (by > 0 || node)) socket.say({ t: "go", node, slowly: by });
}

/** @type {[string, () => void][]} */
const clicks = [
  ["first", () => go(0)],
  ["previous", () => step(-1)],
  ["next", () => step(1)],
  ["last", () => go(tree.end)],
  ["promote", () => ask({ t: "change", node: at?.node ?? 0, what: "promote" })],
  ["delete", () => ask({ t: "change", node: at?.node ?? 0, what: "remove" })],
  ["think", () => {
    thinks = !thinks;
    kept(() => sessionStorage.setItem("analysis thinks", thinks ? "yes" : "no"));
    think(undefined);
    wish();
    offer();
  }],
  ["explore", () => socket.say({ t: "explore", on: explorer?.turn() ?? false })],
  ["flip", () => {
    seat = (seat + 1) % seats;
    bar.seat(seat);
    socket.say({ t: "look", seat, insight });
  }],
  ["insight", () => {
    insight = !insight;
    socket.say({ t: "look", seat, insight });
    offer();
  }],
  ["review", () => ask({ t: "review" })],
  ["setup", () => ask({ t: "edit", what: "begin" })],
  ["use", () => ask({ t: "edit", what: "use" })],
  ["empty", () => ask({ t: "edit", what: "empty" })],
  ["leave", () => ask({ t: "edit", what: "leave" })],
];
for (const [name, call] of clicks) maybe(name)?.addEventListener("click", call);
part("lines").addEventListener("change", wish);
// A chosen file is read in the browser, and submitted as text.
maybe("file")?.parentElement?.removeAttribute("hidden");
maybe("file")?.addEventListener("change", async ({ target }) => {
  const [text, [file] = []] = [/** @type {HTMLTextAreaElement} */ (part("text")), /** @type {HTMLInputElement} */ (target).files ?? []];
  if (file) text.value = await file.text();
  if (file) text.form?.requestSubmit();
});
copies(button("copy"), () => location.href, words.copied);
ticked("slowly", walksSlowly, prefer);

/** @param {number} by */
const beside = (by) => box.open || go(tree.beside(by));
walk(board, { ArrowUp: () => beside(-1), ArrowDown: () => beside(1) });
for (const message of JSON.parse(root.dataset.begins || "[]")) message.t === "tree" ? grow(message) : look(message);
