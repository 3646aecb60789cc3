/** The page on which an analysis begins: a file is read here, and handed in as text. */

const input = /** @type {HTMLInputElement} */ (document.getElementById("file"));
const text = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
input.parentElement?.removeAttribute("hidden");
input.addEventListener("change", async () => {
  const file = input.files?.[0];
  if (!file) return;
  text.value = await file.text();
  text.form?.requestSubmit();
});
