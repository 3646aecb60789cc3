/** A sentence near the pointer. */

import { made } from "./elements.js";

const LONGEST = 6000;

/** @type {HTMLElement | undefined} */
let shown;

function hush() {
  shown?.remove();
  shown = undefined;
}
addEventListener("pointerdown", hush);
addEventListener("keydown", hush);

/**
 * Show a sentence near a point of the window.
 * @param {string} sentence
 * @param {number} x
 * @param {number} y
 */
export function sayNear(sentence, x, y) {
  hush();
  const bubble = made("div", { className: "bubble", ariaHidden: "true", textContent: sentence });
  document.body.append(bubble);
  const { width, height } = bubble.getBoundingClientRect();
  bubble.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, x - width / 2))}px`;
  bubble.style.top = `${y - height - 36 > 4 ? y - height - 36 : y + 36}px`;
  shown = bubble;
  setTimeout(() => shown === bubble && hush(), LONGEST);
}
