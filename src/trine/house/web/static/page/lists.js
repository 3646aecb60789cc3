/** Lists that the house writes anew: what is the same stays, so that nobody loses the focus. */

/**
 * Show lists as the house has written them.
 * @param {Element} lists
 * @param {string} html
 */
export function show(lists, html) {
  const told = new DOMParser().parseFromString(html, "text/html").body;
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
 * Put items into a list in their order; what is there already is moved only if it must be.
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
