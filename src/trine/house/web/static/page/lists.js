/**
 * Live lists of the lobby or of a tournament: unchanged items are kept, so that the focus is not lost.
 * When a game of this person begins, the page goes there.
 */

import { tell } from "./moments.js";
import { part } from "./parts.js";
import { Socket } from "./socket.js";

const lists = part("lists");
const line = part("lost");
const usual = line.textContent ?? "";
/** @type {Socket<House.OfLobby | House.OfTournament, never>} */
const socket = new Socket(lists.dataset.socket ?? "");

socket.addEventListener("open", () => (line.textContent = usual));
socket.addEventListener("lost", () => (line.textContent = line.dataset.lost ?? ""));
socket.addEventListener("message", (event) => {
  /** @type {House.OfLobby | House.OfTournament} */
  const message = /** @type {CustomEvent} */ (event).detail;
  if (message.t === "go") location.assign(`/game/${message.game}`);
  else if ("html" in message) show(message.html);
});

/** Milliseconds between two turns of a replayed game. */
const SLOWLY = 1500;
const replay = /** @type {HTMLImageElement | null} */ (document.querySelector("[data-turns]"));
const still = matchMedia("(prefers-reduced-motion: reduce)");
let turn = 0;
if (replay) setInterval(() => {
  const hidden = document.hidden || still.matches || !replay.complete;
  if (!hidden) replay.src = `${replay.src.split("?")[0]}?turn=${turn++ % (Number(replay.dataset.turns) + 1)}`;
}, SLOWLY);

/** @param {string} html */
function show(html) {
  document.getElementById("replay")?.toggleAttribute("hidden", html.includes("data-key=\"live-"));
  const told = new DOMParser().parseFromString(html, "text/html").body;
  tell(told); // format times as in the page, so that equal items compare equal
  for (const list of lists.querySelectorAll("[data-list]")) {
    const fresh = told.querySelector(`[data-list="${list.getAttribute("data-list")}"]`);
    if (!fresh) continue;
    const known = new Map([...list.children].map((item) => [item.getAttribute("data-key"), item]));
    const items = [...fresh.children].map((item) => {
      const before = known.get(item.getAttribute("data-key"));
      return before?.isEqualNode(item) ? before : item;
    });
    const same = items.length === list.children.length && items.every((item, n) => item === list.children[n]);
    if (!same) arrange(list, items);
    const section = list.closest("section");
    const hidden = fresh.closest("section")?.hasAttribute("hidden") ?? false;
    section?.toggleAttribute("hidden", hidden);
  }
}

/**
 * Put items into a list in order, moving existing ones only if necessary.
 * @param {Element} list
 * @param {Element[]} items
 */
function arrange(list, items) {
  const wanted = new Set(items);
  for (const item of [...list.children]) if (!wanted.has(item)) item.remove();
  items.forEach((item, number) => {
    const there = list.children[number];
    if (there !== item) list.insertBefore(item, there ?? null);
  });
}
