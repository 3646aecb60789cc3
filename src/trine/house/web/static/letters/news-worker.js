/**
 * The worker that is told news while no page is open: it shows them, and opens the page that they are
 * about. The house serves it under /news/worker.js, and only those devices have it that want news.
 */

const worker = /** @type {any} */ (self);
/** @type {string} */
const STAMP = worker.STAMP;
const END = "/account/devices/on";

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("push", (/** @type {any} */ event) => {
  event.waitUntil(show(read(event.data)));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data?.to));
});

worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => {
  event.waitUntil(renew(event));
});

/**
 * @param {any} data
 * @returns {{title?: string, body?: string, to?: string, tag?: string, language?: string}}
 */
function read(data) {
  try {
    return data.json() ?? {};
  } catch {
    return {}; // something has to be shown all the same
  }
}

/** @param {ReturnType<typeof read>} told */
function show({ title = "trine", body = "", to = "/", tag = "news", language = "" }) {
  const icon = `/static/${STAMP}/icons/icon-192.png`;
  return worker.registration.showNotification(title, { body, icon, tag, renotify: true, lang: language, data: { to } });
}

/**
 * Show the page that a piece of news is about, in its window if it is open.
 * @param {unknown} to
 */
async function lead(to) {
  const there = new URL(String(to ?? "/"), location.origin);
  const address = there.origin === location.origin ? there.href : location.origin;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find((/** @type {any} */ one) => one.url === address);
  return open ? open.focus() : worker.clients.openWindow(address);
}

/**
 * Tell the house that the push service reaches this device at another address.
 * @param {any} event
 */
async function renew(event) {
  const { userVisibleOnly = true, applicationServerKey } = event.oldSubscription?.options ?? {};
  const made =
    event.newSubscription ??
    (applicationServerKey &&
      (await worker.registration.pushManager.subscribe({ userVisibleOnly, applicationServerKey })));
  if (!made) return;
  const { endpoint, keys } = made.toJSON();
  await fetch(END, { method: "POST", body: new URLSearchParams({ endpoint, key: keys.p256dh, secret: keys.auth }) });
}
