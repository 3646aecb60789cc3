/** How a board looks: its theme by name, and the style sheet that goes with it. */

import { paintRules } from "./paints.js";
import { STYLE } from "./style.js";
import { THEMES } from "./theme.js";

/** @type {Map<import("../types.js").Theme, CSSStyleSheet>} */
const sheets = new Map();

/**
 * A theme by its name; the first one where there is none of that name.
 * @param {string | null} name
 */
export function themeOf(name) {
  const theme = THEMES[name ?? ""] ?? Object.values(THEMES)[0];
  if (!theme) throw new Error("there is no theme");
  return theme;
}

/**
 * The style sheet of a theme, which all boards share.
 * @param {string | null} name
 */
export function sheetOf(name) {
  const theme = themeOf(name);
  const sheet = sheets.get(theme) ?? new CSSStyleSheet();
  if (!sheets.has(theme)) sheet.replaceSync(STYLE + paintRules(theme));
  sheets.set(theme, sheet);
  return sheet;
}
