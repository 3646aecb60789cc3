/** What every page does: it remembers what somebody likes, and can be read without a connection. */

import "./taste.js";

if ("serviceWorker" in navigator && isSecureContext) {
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => undefined));
}
