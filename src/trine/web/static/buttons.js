/** What is pointed at beside the board: its buttons, and a choice between actions that look alike. */

/** @typedef {import("./types.js").Choosable} Choosable */

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
 * The buttons of a board.
 * @param {import("./types.js").Button[]} buttons
 */
export const buttonsOf = (buttons) => buttons.map(({ id, label }) => button(label, { pick: id }));

/**
 * A small list of actions near a place.
 * @param {Choosable[]} ways
 * @param {[number, number]} at As shares of the picture.
 * @param {(way: Choosable | undefined) => void} chosen Hears what was chosen, or that nothing was.
 */
export function chooserOf(ways, [x, y], chosen) {
  const chooser = block("chooser");
  for (const way of ways) {
    const one = button(way.label ?? way.id);
    one.addEventListener("click", () => chosen(way));
    chooser.append(one);
  }
  chooser.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") chosen(undefined);
  });
  chooser.style.left = `${100 * Math.min(0.85, Math.max(0.15, x))}%`;
  chooser.style.top = `${100 * y}%`;
  return chooser;
}

/**
 * @param {string} label
 * @param {DOMStringMap} [data]
 */
function button(label, data = {}) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  Object.assign(made.dataset, data);
  return made;
}
