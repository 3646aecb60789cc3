/** A tournament: it is kept as it is told, and whoever has a game is led to it. */

import { show } from "../page/lists.js";
import { tell } from "../page/moments.js";
import { Socket } from "../page/socket.js";

const lists = /** @type {HTMLElement} */ (document.querySelector("#lists"));
const line = /** @type {HTMLElement} */ (document.querySelector("#lost"));
const usual = line.textContent;
const socket = new Socket(`/tournament/${lists.dataset.tournament}/socket`);

socket.addEventListener("open", () => (line.textContent = usual));
socket.addEventListener("lost", () => (line.textContent = line.dataset.lost ?? ""));
socket.addEventListener("message", (event) => {
  /** @type {House.OfTournament} */
  const message = /** @type {CustomEvent} */ (event).detail;
  if (message.t === "go") location.assign(`/game/${message.game}`);
  if (message.t !== "tournament") return;
  const told = new DOMParser().parseFromString(message.html, "text/html").body;
  tell(told); // as it stands here, so that what is the same is seen to be the same
  show(lists, told.innerHTML);
});
