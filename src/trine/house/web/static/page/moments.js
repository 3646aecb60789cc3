/** Times in the reader's time zone; without scripts they are in UTC. */

/** @param {ParentNode} place */
export function tell(place) {
  for (const time of place.querySelectorAll("time[datetime]")) {
    const moment = new Date(1000 * Number(time.getAttribute("datetime")));
    const alone = time.hasAttribute("data-time");
    const told = alone ? moment.toLocaleTimeString(language(), { timeStyle: "short" }) : moment.toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
    if (time.textContent !== told) time.textContent = told;
  }
}

function language() {
  return document.documentElement.lang;
}

tell(document);
