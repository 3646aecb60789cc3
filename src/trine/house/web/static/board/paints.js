/** A theme as a style sheet: each role is a class that sets the four paints. */

/** @typedef {import("../types.js").Theme} Theme */
/** @typedef {import("../types.js").Paint} Paint */

/**
 * The class that paints a role; a role that the theme does not know looks like `other`.
 * @param {Theme} theme
 * @param {string} role
 */
export const paintClass = (theme, role) => "paint-" + (role in theme.paints ? role : "other");

/**
 * The paints of a theme as rules, by day and, where the page's colour scheme is dark, by night.
 * @param {Theme} theme
 */
export function paintRules(theme) {
  const day = Object.entries(theme.paints).map(([role, paint]) => rule(role, paint));
  const both = Object.entries(theme.night).map(([role, dark]) => {
    const light = theme.paints[role] ?? dark;
    const name = /** @param {keyof Paint} part */ (part) =>
      light[part] === dark[part] ? light[part] : `light-dark(${light[part]},${dark[part]})`;
    return rule(role, { body: name("body"), shade: name("shade"), light: name("light"), ink: name("ink") });
  });
  return `${day.join("\n")}\n@supports (color: light-dark(#000,#fff)) {\n${both.join("\n")}\n}`;
}

/**
 * @param {string} role
 * @param {Paint} paint
 */
const rule = (role, paint) =>
  `.paint-${role}{--body:${paint.body};--shade:${paint.shade};--light:${paint.light};--ink:${paint.ink}}`;
