/** The style sheet of a replay. */

export const REPLAY_STYLE = `
:host { display: block; font: 16px/1.4 system-ui, sans-serif; color: var(--ink, light-dark(#2b241b, #ece4d6));
  container-type: inline-size; }
:host([hidden]) { display: none; }
.frame { display: grid; gap: 12px; }
trine-board { width: min(100%, var(--most, 100%)); margin: 0 auto; }
.beside { display: flex; flex-direction: column; gap: 8px; min-width: 0; }
ol { list-style: none; margin: 0; padding: 4px; height: 132px; overflow-y: auto; position: relative;
  border: 1px solid var(--line, light-dark(#e3dccd, #3a342b)); border-radius: 6px; background: var(--raised, light-dark(#fff, #26221c)); }
p { margin: 0; min-height: 22px; }
button { font: inherit; color: inherit; background: none; border: 0; border-radius: 6px; cursor: pointer; }
ol button { width: 100%; text-align: start; padding: 4px 8px; display: flex; gap: 8px; }
ol span { min-width: 3ch; color: var(--soft, light-dark(#6d6252, #a89c88)); font-variant-numeric: tabular-nums; }
ol span:empty { display: none; }
button[aria-current] { background: light-dark(#e9e2d2, #3a342b); }
button:hover:enabled { background: light-dark(#f1ebde, #322d25); }
button:focus-visible { outline: 3px solid var(--accent, light-dark(#3d6b4f, #7fb795)); outline-offset: -3px; }
.bar { display: flex; min-height: 44px; }
.bar button { flex: 1; min-height: 44px; }
.bar button:disabled { opacity: .3; cursor: default; }
svg { width: 24px; height: 24px; display: block; margin: auto; fill: currentColor; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
@container (min-width: 620px) {
  .frame { grid-template-columns: minmax(0, 1fr) 220px; }
  .beside { flex-direction: column-reverse; }
  ol { flex: 1 1 0; height: auto; }
}
`;
