/**
 * Replaces the house for a static site: requests of a page are answered from its scripts with
 * answers (house/static_site/branches.py). A plain script, because browsers load no modules from
 * files; it has all modules as text, and runs those that a page names.
 */

/** @typedef {{state: any, next: Record<string, number>, why: Record<string, string>}} Branch */
/** @typedef {{nodes: Branch[], lines: Record<string, any>, strange: string, forbidden: string}} Tree */

/** @type {Record<string, any>} */
const answers = {};

Object.assign(globalThis, {
  /**
   * Store answers. In them, "~7" is a sentence in the language of the page, and "^7" a part.
   * @param {Record<string, string>} given JSON by the path that a house would answer.
   * @param {string[]} parts
   * @param {Record<string, string[]>} words
   */
  know(given, parts, words) {
    const said = words[document.documentElement.lang] ?? [];
    /** @type {(key: string, value: any) => any} */
    const revived = (_, value) =>
      typeof value !== "string" || value.length < 2 ? value
      : value[0] === "~" ? said[Number(value.slice(1))]
      : value[0] === "^" ? JSON.parse(parts[Number(value.slice(1))] ?? "null", revived)
      : value;
    for (const [place, written] of Object.entries(given)) answers[place] = JSON.parse(written, revived);
  },

  /** @param {string} place @param {{body?: string}} [options] */
  async fetch(place, { body } = {}) {
    const known = answers[place.split("?")[0] ?? ""] ?? answers[place.replace(/.*\/board\/(\w+).*/, "$1")];
    if (!known) throw new TypeError(`this folder does not know ${place}`);
    const answer = body ? tried(known, JSON.parse(body)) : known;
    return { ok: true, json: async () => structuredClone(answer) };
  },

  /**
   * Run modules; `modules` are the texts of all by name.
   * @param {string[]} names
   * @param {Record<string, string>} modules
   */
  run(names, modules) {
    const imports = Object.fromEntries(Object.entries(modules).map(([name, text]) =>
      [name, `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`]));
    const map = Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports }) });
    document.head.append(map);
    for (const name of names) import(`trine/${name}`);
  },
});

/**
 * Look up the state after a page's actions in the tree that was built with the site.
 * @param {Tree} tree
 * @param {{a?: string[], submit?: boolean, picks?: string[], line?: string, spot?: string}} question
 */
function tried({ nodes, lines, strange, forbidden }, { a = [], submit = true, picks, line, spot }) {
  if (line) return lines[line];
  /** @type {Branch | undefined} */
  let node = nodes[0];
  for (const id of a) node = nodes[node?.next[id] ?? -1];
  if (!node) return { why: strange };
  if (spot) return { choices: [] };
  if (picks) return { why: node.why[picks.join(" ")] ?? forbidden };
  const { state } = node;
  if (submit || !state.state || state.open) return { ...state, a };
  // The turn is over, but not yet submitted.
  return { ...state, a, view: state.first ?? state.view, first: null, choices: [], open: 1, closed: true, state: "open", told: "" };
}
