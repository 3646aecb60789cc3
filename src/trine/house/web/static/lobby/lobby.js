/** The lobby: its lists are kept as they are told, and whoever has a game is led to it. */

import { show } from "../page/lists.js";
import { Socket } from "../page/socket.js";

const lists = document.querySelector("#lists");
const line = /** @type {HTMLElement | null} */ (document.querySelector("#lost"));
const usual = line?.textContent ?? "";
const socket = new Socket(`/lobby/socket?show=${new URLSearchParams(location.search).get("show") ?? ""}`);

socket.addEventListener("open", () => line && (line.textContent = usual));
socket.addEventListener("lost", () => line && (line.textContent = line.dataset.lost ?? ""));
socket.addEventListener("message", (event) => {
  /** @type {House.OfLobby} */
  const message = /** @type {CustomEvent} */ (event).detail;
  if (message.t === "go") location.assign(`/game/${message.game}`);
  if (message.t === "lobby" && lists) show(lists, message.html);
});
