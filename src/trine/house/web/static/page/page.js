/** On every page: stored preferences (colours, board, pieces, sound), and the service worker for reading offline. */

/** If a busy house takes long to answer a form, say that it need not be sent again. */
addEventListener("submit", (event) => {
  const [form, { busy = "" }] = [event.target, document.body.dataset];
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  const line = document.createElement("p");
  line.role = "status";
  form.append(line);
  const timer = setTimeout(() => (line.textContent = busy), 2000);
  addEventListener("pagehide", () => [clearTimeout(timer), line.remove()], { once: true });
});

/** Logging out deletes drafts and cached pages, which show the person's name. */
for (const form of document.querySelectorAll("form[action='/account/logout'], form[action='/account/delete']")) {
  form.addEventListener("submit", () => {
    kept(() => sessionStorage.clear());
    if ("caches" in globalThis) void caches.delete("pages");
  });
}

if ("serviceWorker" in navigator && isSecureContext) {
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => undefined));
}

const YEAR = 365 * 86400;

/**
 * Store a preference in a cookie, so that the house makes the next page accordingly.
 * @param {string} name
 * @param {string} value
 */
function remember(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
}

for (const choice of document.querySelectorAll("[data-taste]")) {
  if (!(choice instanceof HTMLSelectElement)) continue;
  choice.addEventListener("change", () => {
    const { taste = "", anew } = choice.dataset;
    remember(taste, choice.value);
    if (taste === "look") document.documentElement.dataset.look = choice.value;
    if (taste === "board") {
      for (const board of document.querySelectorAll("trine-board, trine-tray")) board.setAttribute("theme", choice.value);
    }
    if (anew !== undefined) location.reload();
  });
}

/**
 * Use the browser's storage; return undefined if the browser forbids it.
 * @template Found
 * @param {() => Found} use
 */
export function kept(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/**
 * Return whether a preference is switched on in the browser's storage.
 * @param {string} name
 * @param {boolean} [usual] Whether it is on while nothing is stored.
 */
export function prefers(name, usual = false) {
  const stored = kept(() => localStorage.getItem(name));
  return stored ? stored === "yes" : usual;
}

/** @param {string} name @param {boolean} whether */
export const prefer = (name, whether) => kept(() => localStorage.setItem(name, whether ? "yes" : "no"));

/** Whether there is sound; by default with a mouse, but not on a touch screen. */
export const hears = () => prefers("sound", !matchMedia("(pointer: coarse)").matches);

/** Whether ‹ and › walk through a turn action by action. */
export const walksSlowly = () => prefers("slowly");
