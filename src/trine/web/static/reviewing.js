/** The page that waits for a review: it says how far that is, and gives way to it. */

/** How long it waits before it asks again, in milliseconds. */
const PAUSE = 1500;

const told = /** @type {HTMLElement} */ (document.getElementById("reviewing"));
const bar = /** @type {HTMLProgressElement} */ (document.getElementById("bar"));
const { place = "", words = "", failed = "" } = told.dataset;

async function ask() {
  try {
    const answer = await fetch(place);
    const { over, done, total } = answer.ok ? await answer.json() : { over: true };
    if (over) return location.reload();
    if (total) {
      told.textContent = words.replace("{done}", done).replace("{total}", total);
      bar.max = total;
      bar.value = done;
    }
  } catch {
    told.textContent = failed;
  }
  setTimeout(ask, PAUSE);
}

setTimeout(ask, PAUSE);
