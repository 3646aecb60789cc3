/** The notes on a finished game: those on the turn being viewed are marked, and link to their turns. */

const turns = /** @type {HTMLElement} */ (document.getElementById("turns"));
const place = /** @type {HTMLElement} */ (document.getElementById("notes"));
const link = /** @type {HTMLElement} */ (document.getElementById("to-notes"));
const about = document.getElementById("note-turn");
const notes = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("li")]);

/** @param {string | undefined} turn */
function button(turn) {
  const found = turns.querySelector(`button[data-turn="${turn}"]`);
  return found instanceof HTMLElement ? found : undefined;
}

/** Whether the visitor has chosen the turn of a new note, so that it must not change. */
let chosen = false;
about?.addEventListener("change", () => (chosen = true));

/** Mark the notes on the turn being viewed, and select this turn for a new note. */
function follow() {
  const current = turns.querySelector("[aria-current]");
  const turn = current instanceof HTMLElement ? current.dataset.turn : "0";
  for (const note of notes) {
    note.classList.toggle("meant", note.dataset.turn === turn);
    button(note.dataset.turn)?.closest("li")?.classList.add("noted");
  }
  if (chosen) return;
  const newest = turns.lastElementChild?.contains(current);
  if (about instanceof HTMLSelectElement) about.value = newest || turn === "0" ? "" : turn ?? "";
}

new MutationObserver(follow).observe(turns, { subtree: true, childList: true, attributeFilter: ["aria-current"] });
place.addEventListener("click", (event) => {
  const to = event.target instanceof Element ? event.target.closest("a[data-turn]") : null;
  const turn = to instanceof HTMLElement ? button(to.dataset.turn) : undefined;
  if (!turn) return;
  event.preventDefault();
  turn.click();
  scrollTo({ top: 0 });
});
link.addEventListener("click", () => {
  const menu = link.closest(":popover-open");
  if (menu instanceof HTMLElement) menu.hidePopover();
});
export {};
