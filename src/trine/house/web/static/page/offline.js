/** The page without a connection: cached pages, the newest first. */

const MOST = 60;
const list = document.getElementById("kept");

async function show() {
  const cache = await caches.open("pages");
  const requests = [...await cache.keys()].reverse();
  for (const request of requests) {
    const answer = await cache.match(request);
    if (!answer?.headers.get("content-type")?.startsWith("text/html")) continue;
    const { title } = new DOMParser().parseFromString(await answer.text(), "text/html");
    const link = document.createElement("a");
    link.className = "row";
    link.href = request.url;
    link.textContent = title.replace(/ · trine$/, "");
    const item = document.createElement("li");
    item.append(link);
    list?.append(item);
    if (list && list.children.length >= MOST) return;
  }
}

if ("caches" in globalThis) void show();
