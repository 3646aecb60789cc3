/** The button that switches on notifications on this device. */

const WORKER = "/news/worker.js";
const END = "/account/devices/on";

const able =
  isSecureContext && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** The house has refused the request; the message is its reason. */
class Refused extends Error {}

/**
 * Register the service worker, and wait until it is active.
 * @returns {Promise<ServiceWorkerRegistration>}
 */
async function worker() {
  const registration = await navigator.serviceWorker.register(WORKER);
  const one = registration.active ?? registration.waiting ?? registration.installing;
  while (one && one.state !== "activated") {
    if (one.state === "redundant") throw new Error("the worker could not be installed");
    await new Promise((done) => one.addEventListener("statechange", done, { once: true }));
  }
  return registration;
}

/**
 * Return the browser's present push subscription for this house, or null.
 * @returns {Promise<PushSubscription | null>}
 */
async function known() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** @param {string} key @returns {Uint8Array<ArrayBuffer>} */
function bytes(key) {
  return Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}

/** @param {string} key The public key of the house. */
async function switchOn(key) {
  const registration = await worker();
  await (await registration.pushManager.getSubscription())?.unsubscribe(); // it may use another key
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint = "", keys = {} } = made.toJSON();
  const body = new URLSearchParams({ endpoint, key: keys.p256dh ?? "", secret: keys.auth ?? "" });
  const answer = await fetch(END, { method: "POST", body });
  if (answer.ok) return;
  await made.unsubscribe();
  throw new Refused((await answer.json().catch(() => ({}))).why ?? "");
}

/** @param {HTMLElement} box */
async function begin(box) {
  const form = /** @type {HTMLFormElement} */ (box.querySelector("form[data-can]"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const failed = /** @type {HTMLElement} */ (form.querySelector("[data-failed]"));
  const cannot = /** @type {HTMLElement} */ (box.querySelector("[data-cannot]"));
  const here = box.querySelector("[data-here]");
  cannot.hidden = able || here !== null;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    failed.hidden = button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") throw new Refused(failed.dataset.denied);
      await switchOn(box.dataset.push ?? "");
      location.reload();
    } catch (error) {
      failed.textContent = (error instanceof Refused && error.message) || (failed.dataset.failed ?? "");
      failed.hidden = button.disabled = false;
    }
  });
  if (!able) return;
  const made = await known();
  form.hidden = here !== null && made !== null;
  if (!here) await made?.unsubscribe(); // the house deleted the device with its session
}

const box = /** @type {HTMLElement | null} */ (document.querySelector("[data-push]"));
if (box) void begin(box);
