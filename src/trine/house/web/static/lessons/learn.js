/** The lists of lessons: marks the done ones, and the next one. */

import { remember, remembered } from "../page/remembered.js";

/** @param {HTMLElement} part */
const gameOf = (part) => /** @type {HTMLElement | null} */ (part.closest("[data-game]"))?.dataset.game ?? "";
/** @param {HTMLElement} part */
const lessonsOf = (part) => (part.dataset.lessons ?? "").split(" ");
/** @type {NodeListOf<HTMLElement>} */
const counted = document.querySelectorAll("[data-count]");
/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll("a[data-place]");
/** @type {NodeListOf<HTMLElement>} */
const lessons = document.querySelectorAll("[data-lesson]");

// Lessons that the house has stored as done are stored in this browser, too.
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-known]"))) {
  const names = (part.dataset.known ?? "").split(" ").filter(Boolean);
  remember("lessons", names.map((name) => `${gameOf(part)} ${name}`));
}

function show() {
  // A lesson shared by several rule sets is done in all of them.
  const known = new Set(remembered("lessons"));
  /** @type {(part: HTMLElement, name: string) => boolean} */
  const isDone = (part, name) => known.has(`${gameOf(part)} ${name}`);
  for (const part of counted) {
    const all = lessonsOf(part);
    const done = all.filter((name) => isDone(part, name)).length;
    const small = part.querySelector("small");
    const words = (part.dataset.count ?? "").replace("{done}", String(done));
    if (small) small.textContent = words.replace("{count}", String(all.length));
  }
  for (const link of links) {
    const all = lessonsOf(link);
    const next = all.find((name) => !isDone(link, name)) ?? all[0] ?? "";
    link.href = (link.dataset.place ?? "").replace("{}", next);
    if (all.some((name) => isDone(link, name))) link.textContent = link.dataset.go ?? "";
  }
  let lit = false;
  for (const line of lessons) {
    const done = isDone(line, line.dataset.lesson ?? "");
    line.classList.toggle("done", done);
    line.classList.toggle("next", !done && !lit);
    lit ||= !done;
    line.querySelector(".mark")?.toggleAttribute("hidden", !done);
  }
}

show();
// After a return from a lesson (back button), the lesson is marked as done.
addEventListener("pageshow", show);
