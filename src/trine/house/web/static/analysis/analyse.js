/** On the page of a game: an analysis begins at the turn that is looked at. */

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("analyse"));
form?.addEventListener("submit", () => {
  const turn = document.querySelector("#turns [aria-current]");
  const field = form.elements.namedItem("turn");
  if (turn instanceof HTMLElement && field instanceof HTMLInputElement) field.value = turn.dataset.turn ?? "";
});
