/** The parts of a page, by their names. */

/** @param {string} name */
export const part = (name) => /** @type {HTMLElement} */ (document.getElementById(name));

/** @param {string} name */
export const button = (name) => /** @type {HTMLButtonElement} */ (part(name));

/** @param {string} name @param {string[]} lines */
export function list(name, lines) {
  const items = lines.map((textContent) => Object.assign(document.createElement("li"), { textContent }));
  part(name).replaceChildren(...items);
}

/** @param {EventTarget | null} target */
export const buttonOf = (target) => (target instanceof Element ? target.closest("button") : null);

/**
 * Mark the current one of the buttons in a list; the Tab key stops at that one only.
 * @param {HTMLElement} place
 * @param {(button: HTMLButtonElement) => boolean} is
 */
export function markCurrent(place, is) {
  const all = [...place.querySelectorAll("button")];
  const current = all.find(is);
  for (const one of all) {
    one.ariaCurrent = one === current ? "true" : null;
    one.tabIndex = one === (current ?? all[0]) ? 0 : -1;
  }
  return current;
}

/**
 * Connect a check box with a preference.
 * @param {string} name
 * @param {() => boolean} is
 * @param {(name: string, whether: boolean) => void} keep
 */
export function ticked(name, is, keep) {
  const field = /** @type {HTMLInputElement} */ (part(name));
  field.checked = is();
  field.addEventListener("change", () => keep(name, field.checked));
}

/** Return the fields of the form that creates what this page shows. */
export const fields = () => new URLSearchParams(/** @type {any} */ (new FormData(/** @type {HTMLFormElement} */ (part("begin")))));

/**
 * Ask the house to create what this page shows, by the page's form.
 * @param {string} address The address of the page from then on.
 */
export async function begin(address) {
  const form = /** @type {HTMLFormElement} */ (part("begin"));
  const answer = await fetch(form.action, { method: "POST", body: fields(), redirect: "manual" }).catch(() => undefined);
  // If that fails, submit the form: the page that it opens shows the error.
  if (answer?.type !== "opaqueredirect") return form.submit();
  history.replaceState(null, "", address);
}

/**
 * Make a button copy a text; shown only if the browser lets pages copy.
 * @param {HTMLElement} button
 * @param {() => string} what
 * @param {string} [copied] The label after copying.
 */
export function copies(button, what, copied = "") {
  if (!navigator.clipboard) return;
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(what());
    button.textContent = copied;
    setTimeout(() => (button.textContent = words), 4000);
  });
}
