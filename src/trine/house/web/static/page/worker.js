/**
 * The service worker: pages that were read can be read again offline. The house serves it under
 * /worker.js, preceded by the stamp of its files, so a new version is a new worker. It handles GET
 * requests only, never a turn.
 */

const worker = /** @type {any} */ (self);
/** @type {string} */
const STAMP = worker.STAMP;
const SHELL = `shell ${STAMP}`;
/** Pages that do not change: rules, lessons, finished games. They stay cached in a new version. */
const PAGES = "pages";
const MOST_PAGES = 400;
const FIRST = ["/offline", ...["page/page.css", "icons/icon.svg", "page/page.js", "page/offline.js"].map((name) => `/static/${STAMP}/${name}`)];
/** Addresses that contain a hash of their content. */
const LASTING = /^\/(static|new\/[0-9a-f]{16})\/|\/board\/[0-9a-f]+$/;
/** Addresses to cache besides answers with the header `x-keep`. */
const KEPT = /^\/(rules|learn)\b/;

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FIRST)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(forget().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (LASTING.test(pathname)) event.respondWith(lasting(request));
  else if (request.mode === "navigate" || KEPT.test(pathname) || pathname.startsWith("/game/")) event.respondWith(newest(request));
});

/** Delete the caches of older versions. */
async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL && name !== PAGES).map((name) => caches.delete(name)));
}

/** @param {Request} request */
async function lasting(request) {
  const known = await caches.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await keep(new URL(request.url).pathname.startsWith("/static/") ? SHELL : PAGES, request, answer);
  return answer;
}

/**
 * Return the house's answer; offline, the cached one.
 * @param {Request} request
 */
async function newest(request) {
  try {
    const answer = await fetch(request);
    const may = KEPT.test(new URL(request.url).pathname) || answer.headers.has("x-keep");
    if (answer.ok && !answer.redirected && may) await keep(PAGES, request, answer);
    return answer;
  } catch (error) {
    const known = await caches.match(request);
    if (known) return known;
    if (request.mode !== "navigate") throw error;
    return (await caches.match("/offline")) ?? Response.error();
  }
}

/** @param {string} name @param {Request} request @param {Response} answer */
async function keep(name, request, answer) {
  const cache = await caches.open(name);
  // If there is no space, the next request goes to the house again.
  const full = await cache.put(request, answer.clone()).catch(() => true);
  if (full || name !== PAGES) return;
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST_PAGES)).map((one) => cache.delete(one)));
}
