/**
 * A set of puzzles that is kept, to be solved without a connection: their pages, and what can be
 * answered there, since a page knows no rules. It stays among the pages that the service worker has.
 */

import { remembered } from "../page/remembered.js";

/** @typedef {import("../lessons/trial.js").State} State */
/** @typedef {import("../lessons/trial.js").Question} Question */

const SET = "puzzles kept";

/** Whether this browser can keep puzzles. */
export const canKeep = "caches" in globalThis && "serviceWorker" in navigator;

/** The addresses of those that are kept. */
export const keptPlaces = () => remembered(SET);

/** @param {string} place */
const nameOf = (place) => place.split("/").pop() ?? "";

/**
 * The address of the first puzzle that is kept and was not solved, or of none.
 * @param {string} [but]
 */
export const nextKept = (but = "") => keptPlaces().find((place) => place !== but && !remembered("puzzles").includes(nameOf(place)));

/**
 * Keep a new set in place of the one before.
 * @param {(done: number, total: number) => void} told
 */
export async function keepSet(told) {
  const cache = await caches.open("pages");
  /** @type {string[]} */
  const places = await read("/puzzles/set").then((answer) => answer.json());
  const left = keptPlaces().filter((place) => !places.includes(place));
  await import("../lessons/stage.js"); // all that the board of a puzzle is made of
  let done = 0;
  for (const place of places) {
    const page = await read(place);
    const shown = new DOMParser().parseFromString(await page.clone().text(), "text/html");
    const boards = shown.querySelector("trine-board")?.getAttribute("boards") ?? "";
    const { board } = JSON.parse(shown.getElementById("puzzle")?.dataset.state ?? "{}").view ?? {};
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (shown.querySelectorAll("script[src], link[rel=stylesheet]"))) {
      await read(part.getAttribute("src") ?? part.getAttribute("href") ?? "");
    }
    const drawn = boards.replace("{}", board);
    if (board) await cache.put(drawn, await read(drawn));
    await cache.put(`${place}/kept`, await read(`${place}/kept`));
    await cache.put(place, page);
    told((done += 1), places.length);
  }
  await cache.put("/puzzles", await read("/puzzles"));
  localStorage.setItem(SET, JSON.stringify(places));
  for (const place of left) await Promise.all([cache.delete(place), cache.delete(`${place}/kept`)]);
}

/** @param {string} place */
async function read(place) {
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(place);
  return answer;
}

/**
 * What can be said of a trial without a connection; undefined where the puzzle is not kept.
 * @param {string} place
 * @param {State | undefined} before What is seen now.
 * @param {Question} question
 * @returns {Promise<State | undefined>}
 */
export async function answerKept(place, before, question) {
  if (!canKeep || !before || question.picks || !question.a) return undefined;
  /** @type {House.Kept | undefined} */
  const kept = await (await caches.match(`${place}/kept`))?.json();
  if (!kept) return undefined;
  const asked = question.a.join(" ");
  const known = kept.states.find(({ submit, state }) => submit === (question.submit ?? true) && state.a.join(" ") === asked);
  return known?.state ?? { ...before, a: question.a, choices: [], closed: false, state: "missed", told: kept.otherwise, first: null };
}
