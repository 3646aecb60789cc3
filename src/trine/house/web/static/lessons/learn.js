/** The lists of lessons: which are done, and which is the next. */

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

// What the house knows of this person is done in this browser, too.
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-known]"))) {
  const names = (part.dataset.known ?? "").split(" ").filter(Boolean);
  remember("lessons", names.map((name) => `${gameOf(part)} ${name}`));
}

function show() {
  // A lesson that several rule sets share is done in all.
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
// Who comes back from a lesson sees it done.
addEventListener("pageshow", show);
