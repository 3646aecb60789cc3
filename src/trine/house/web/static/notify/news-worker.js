/**
 * The service worker for push messages: it shows each as a notification, also while no page is open,
 * and opens its page. The house serves it as /news/worker.js, and only for devices with notifications on.
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
    return {}; // browsers require that each message shows a notification
  }
}

/** @param {ReturnType<typeof read>} message */
function show({ title = "trine", body = "", to = "/", tag = "news", language = "" }) {
  const icon = `/static/${STAMP}/icons/icon-192.png`;
  return worker.registration.showNotification(title, { body, icon, tag, renotify: true, lang: language, data: { to } });
}

/**
 * Open the page of a notification, or focus its window if it is open.
 * @param {unknown} to
 */
async function lead(to) {
  const there = new URL(String(to ?? "/"), location.origin);
  const address = there.origin === location.origin ? there.href : location.origin;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find((/** @type {any} */ client) => client.url === address);
  return open ? open.focus() : worker.clients.openWindow(address);
}

/**
 * Send the house this device's new subscription, after the push service has changed it.
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
