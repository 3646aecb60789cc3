/** The notes on a game that is over: they follow the turn that is looked at, and lead to turns. */

export class Notes {
  /**
   * @param {HTMLElement} place The notes.
   * @param {HTMLElement} link Leads to them.
   * @param {(turn: number) => void} go
   */
  constructor(place, link, go) {
    this.place = place;
    this.link = link;
    place.addEventListener("click", (event) => {
      const to = event.target instanceof Element ? event.target.closest("a[data-turn]") : null;
      if (!(to instanceof HTMLElement)) return;
      event.preventDefault();
      go(Number(to.dataset.turn));
      scrollTo({ top: 0, behavior: "smooth" });
    });
    link.addEventListener("click", (event) => {
      const menu = link.closest("[popover]");
      if (menu instanceof HTMLElement && menu.matches(":popover-open")) menu.hidePopover();
      if (!place.hidden) return;
      event.preventDefault(); // the game has ended since the page was written
      location.hash = "notes";
      location.reload();
    });
  }

  /**
   * Have a note that is written be about the turn that is looked at.
   * @param {number | undefined} turn Undefined is the newest: then it is about the whole game.
   * @param {number} newest
   */
  follow(turn, newest) {
    for (const note of this.place.querySelectorAll("li")) {
      note.classList.toggle("meant", Number(note.dataset.turn) === (turn ?? newest));
    }
    const about = this.place.querySelector("#note-turn");
    if (about instanceof HTMLSelectElement) about.value = turn ? String(turn) : "";
  }
}
