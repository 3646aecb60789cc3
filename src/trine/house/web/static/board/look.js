/** Themes of a board, by name, and their style sheets. */

import { THEMES } from "./theme.js";

/** The style sheet of the board; the paints of roles are in the theme. */
const STYLE = `
:host {
  display: block;
  position: relative;
  box-sizing: border-box;
  font: 16px/1.4 system-ui, sans-serif;
  color: var(--ink, light-dark(#2b241b, #ece4d6));
}
:host([hidden]) { display: none; }
.shape { aspect-ratio: var(--shape, 1); width: 100%; position: relative; }
:host(.fit) .shape { aspect-ratio: auto; height: 100%; }
::slotted(img) { width: 100%; height: 100%; object-fit: contain; }
svg {
  position: absolute; inset: 0;
  display: block; width: 100%; height: 100%;
  overflow: visible;
  user-select: none; -webkit-user-select: none; -webkit-touch-callout: none;
  -webkit-tap-highlight-color: transparent;
}
svg.live, :host([marking]) svg { touch-action: none; }
svg.live.can-pick { cursor: pointer; }
#picture { pointer-events: none; }
.beside { visibility: hidden; }
.chosen { opacity: .42; }
.aim { opacity: .26; }
.ghost { opacity: .62; }
.hint { opacity: .8; }
.arrow { opacity: .78; }
.around { fill: var(--body); fill-opacity: .22; stroke: var(--body); stroke-width: 5; }
.lifted { filter: drop-shadow(0 6px 5px rgb(0 0 0 / .35)); }
.spot { fill: transparent; outline: none; }
.spot:focus-visible { stroke: #fff; stroke-width: 5; paint-order: stroke;
  filter: drop-shadow(0 0 2px #000) drop-shadow(0 0 1px #000); }
.lens { pointer-events: none; }
.lens .rim { fill: none; stroke: light-dark(#fff, #ece4d6); stroke-width: 6; filter: drop-shadow(0 4px 8px rgb(0 0 0 / .4)); }
.lens .ground { fill: light-dark(#e3dccd, #1c1915); }
.buttons { display: flex; gap: 8px; flex-wrap: wrap; min-height: 44px; margin-top: 8px; justify-content: center; }
.buttons:empty, :host([buttons=none]) .buttons { display: none; }
button {
  font: inherit; min-height: 44px; padding: 0 16px; border-radius: 6px; cursor: pointer;
  touch-action: manipulation;
  color: var(--ink, light-dark(#2b241b, #ece4d6));
  background: var(--raised, light-dark(#fff, #26221c));
  border: 1px solid var(--line, light-dark(#e3dccd, #3a342b));
}
button:focus-visible { outline: 3px solid var(--accent, light-dark(#3d6b4f, #7fb795)); outline-offset: 2px; }
.buttons button:disabled { visibility: hidden; }
button:disabled { color: var(--soft, light-dark(#6d6252, #a89c88)); cursor: default; opacity: .55; }
.chooser {
  position: absolute; z-index: 1; display: flex; flex-direction: column; gap: 4px; padding: 4px;
  border-radius: 6px; background: var(--raised, light-dark(#fff, #26221c));
  box-shadow: 0 4px 16px rgb(0 0 0 / .3); transform: translate(-50%, 8px);
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/**
 * Return the class of a role's paint; a role unknown to the theme gets that of `other`.
 * @param {House.BoardTheme} theme
 * @param {string} role
 */
export const paintClass = (theme, role) => "paint-" + (role in theme.paints ? role : "other");

/**
 * Return the paints of a theme as CSS rules, for light and dark colour schemes.
 * @param {House.BoardTheme} theme
 */
function paintRules(theme) {
  const day = Object.entries(theme.paints).map(([role, paint]) => rule(role, paint));
  const both = Object.entries(theme.night).map(([role, dark]) => {
    const light = theme.paints[role] ?? dark;
    const name = /** @param {keyof House.Paint} part */ (part) =>
      light[part] === dark[part] ? light[part] : `light-dark(${light[part]},${dark[part]})`;
    return rule(role, { body: name("body"), shade: name("shade"), light: name("light"), ink: name("ink") });
  });
  return `${day.join("\n")}\n@supports (color: light-dark(#000,#fff)) {\n${both.join("\n")}\n}`;
}

/** @param {string} role @param {House.Paint} paint */
const rule = (role, paint) =>
  `.paint-${role}{--body:${paint.body};--shade:${paint.shade};--light:${paint.light};--ink:${paint.ink}}`;

/** @type {Map<House.BoardTheme, CSSStyleSheet>} */
const sheets = new Map();

/**
 * Return a theme by name; the first one if the name is unknown.
 * @param {string | null} name
 */
export function themeOf(name) {
  const theme = THEMES[name ?? ""] ?? Object.values(THEMES)[0];
  if (!theme) throw new Error("there is no theme");
  return theme;
}

/**
 * Return the style sheet of a theme, shared by all boards.
 * @param {string | null} name
 */
export function sheetOf(name) {
  const theme = themeOf(name);
  const sheet = sheets.get(theme) ?? new CSSStyleSheet();
  if (!sheets.has(theme)) sheet.replaceSync(STYLE + paintRules(theme));
  sheets.set(theme, sheet);
  return sheet;
}
