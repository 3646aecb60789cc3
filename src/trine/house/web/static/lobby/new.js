/** A new game: a chosen start and its seats are shown at once, without loading another page. */

/** The form; each new start replaces it. */
const form = () => /** @type {HTMLFormElement} */ (document.getElementById("new"));

/** Return all choices, as the query of this page's URL. */
function chosen() {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form())) if (typeof value === "string" && value) given.set(name, value);
  return given;
}

let [asked, answered] = [0, 0];

/**
 * Reload the form with these choices.
 * @param {URLSearchParams} given
 */
async function show(given) {
  given.delete("idempotency-key");
  const [mine, stood] = [++asked, chosen()];
  const address = `/new?${given}`;
  const answer = await fetch(address).catch(() => undefined);
  const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
  if (mine !== asked) return;
  answered = mine;
  // Keep the choices made during the request.
  const now = chosen();
  const others = [...stood.keys(), ...now.keys()].filter((name) => stood.get(name) !== now.get(name));
  for (const name of others) now.has(name) ? given.set(name, now.get(name) ?? "") : given.delete(name);
  if (others.length) return show(given);
  const next = page.getElementById("new");
  if (!next) return location.replace(address);
  const [at] = [document.activeElement].filter((one) => one instanceof HTMLInputElement || one instanceof HTMLSelectElement);
  document.querySelector("main > .refused")?.remove();
  form().before(...page.querySelectorAll("main > .refused"));
  form().replaceWith(next);
  history.replaceState(null, "", address);
  const again = at && [...form().elements].find((one) => one.getAttribute("name") === at.name && (at.type !== "radio" || one.getAttribute("value") === at.value));
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof Element && target.matches("#new [data-start]") && asked === answered) show(chosen());
});
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("#new a[href^='/new?']");
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const given = chosen();
  for (const field of form().querySelectorAll("[data-start]")) given.delete(field.getAttribute("name") ?? "");
  given.set("rules", new URL(link.href).searchParams.get("rules") ?? "");
  show(given);
});
export {};
