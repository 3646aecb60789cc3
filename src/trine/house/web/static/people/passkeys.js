/** Passkeys: forms that ask the device for a signature before they are sent. */

const ENDS = "/account/passkey";

/** Whether this browser supports passkeys. */
const able = typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === "function";

/** The house has refused the request; the message is its reason. */
class Refused extends Error {}

/** @param {string} end @param {URLSearchParams} body @returns {Promise<any>} */
async function ask(end, body) {
  const answer = await fetch(`${ENDS}/${end}`, { method: "POST", body });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(data.why ?? "");
  return data;
}

/**
 * Get a challenge from the house, have it signed by a passkey, and send the signature.
 * @param {string} purpose
 * @param {FormData} [form] The values of the form.
 * @returns {Promise<string>} The path of the page to go to.
 */
async function sign(purpose, form) {
  const body = new URLSearchParams({ for: purpose });
  for (const [name, value] of form ?? []) if (typeof value === "string") body.set(name, value);
  const options = await ask("begin", body);
  const made =
    purpose === "create" || purpose === "add"
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  const credential = /** @type {PublicKeyCredential} */ (made);
  const answer = JSON.stringify(credential.toJSON());
  return (await ask("finish", new URLSearchParams({ answer }))).to;
}

/** @param {HTMLFormElement} form */
async function press(form) {
  const purpose = form.dataset.passkey ?? "";
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const failed = /** @type {HTMLElement} */ (form.querySelector("[data-failed]"));
  failed.hidden = button.disabled = true;
  try {
    if (form.dataset.first) await sign(form.dataset.first);
    const there = await sign(purpose, purpose === "sure" ? undefined : new FormData(form));
    if (purpose === "sure") form.submit();
    else if (new URL(there, location.href).pathname === location.pathname) location.reload();
    else location.assign(there);
  } catch (error) {
    failed.textContent = (error instanceof Refused && error.message) || (failed.dataset.failed ?? "");
    failed.hidden = false;
    button.disabled = false;
  }
}

for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-able]"))) part.hidden = !able;
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-unable]"))) part.hidden = able;
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-passkey]"))) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void press(form);
  });
}
