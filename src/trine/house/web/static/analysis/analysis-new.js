/** The form for a new analysis: a chosen file is read in the browser, and submitted as text. */

const input = /** @type {HTMLInputElement} */ (document.getElementById("file"));
const text = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
input.parentElement?.removeAttribute("hidden");
input.addEventListener("change", async () => {
  const file = input.files?.[0];
  if (!file) return;
  text.value = await file.text();
  text.form?.requestSubmit();
});
