/** What every page does: it remembers what somebody likes, and can be read without a connection. */

import "./taste.js";

/** Whoever logs out leaves nothing behind that was theirs: no drafts, no pages of games with a name at their top. */
for (const form of document.querySelectorAll("form[action='/account/logout'], form[action='/account/delete']")) {
  form.addEventListener("submit", () => {
    sessionStorage.clear();
    if ("caches" in globalThis) void caches.delete("pages");
  });
}

if ("serviceWorker" in navigator && isSecureContext) {
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => undefined));
}
