/** The buttons of a board: what is pointed at and has no place on it, such as the end of a turn. */

/**
 * Make a block with a name for the style sheet.
 * @param {string} name
 */
export function block(name) {
  const made = document.createElement("div");
  made.className = name;
  return made;
}

/**
 * Make a button.
 * @param {string} label
 * @param {DOMStringMap} [data]
 */
export function button(label, data = {}) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  Object.assign(made.dataset, data);
  return made;
}

export class Buttons {
  row = block("buttons");

  /** @param {(id: string) => void} pick Hears which of them was pressed. */
  constructor(pick) {
    this.row.addEventListener("click", (event) => {
      if (event.target instanceof HTMLElement) pick(event.target.dataset.pick ?? "");
    });
  }

  /** @param {House.Button[]} buttons */
  show(buttons) {
    this.row.replaceChildren(...buttons.map(({ id, label }) => button(label, { pick: id })));
  }

  /** @param {Set<string>} next What can be picked now. */
  offer(next) {
    for (const one of this.row.querySelectorAll("button")) one.disabled = !next.has(one.dataset.pick ?? "");
  }
}
