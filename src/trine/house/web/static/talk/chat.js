/** The chat of a game: lines are shown as text, and sent by a preset button or by typing. */

import { aside, made } from "../board/elements.js";
import { part } from "../page/parts.js";
import { kept } from "../page/page.js";

/** How long the status line shows a new chat line, in milliseconds. */
const SAID = 6000;

export class Chat {
  /** @type {Map<string, HTMLLIElement[]>} The lines of each room. */
  #lines = new Map();
  /** @type {string[]} */
  #rooms = [];
  #room = "";
  #unread = 0;

  /**
   * @param {HTMLDetailsElement} place
   * @param {HTMLElement} opener The button that opens the chat on a phone.
   * @param {string} game
   * @param {(message: object) => Promise<House.AnswerOfGame>} ask
   * @param {HTMLElement} referee The status line, which shows new lines while the chat is not in view.
   */
  constructor(place, opener, game, ask, referee) {
    this.place = place;
    this.opener = opener;
    this.ask = ask;
    this.referee = referee;
    this.kept = `mute ${game}`;
    /** @type {Record<string, string>} */
    this.sentences = JSON.parse(place.dataset.words ?? "{}");
    /** @type {Record<string, string>} */
    this.whys = JSON.parse(place.dataset.whys ?? "{}");
    this.list = part("said");
    this.told = part("heard");
    const form = /** @type {HTMLFormElement} */ (part("speak"));
    this.field = /** @type {HTMLInputElement} */ (form.elements.namedItem("words"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.field.value.trim()) this.#say({ words: this.field.value });
    });
    for (const button of place.querySelectorAll("button[data-preset]")) {
      button.addEventListener("click", () => this.#say({ preset: button.getAttribute("data-preset") }));
    }
    for (const tab of place.querySelectorAll("button[data-room]")) {
      tab.addEventListener("click", () => this.#show(tab.getAttribute("data-room") ?? ""));
    }
    part("mute").addEventListener("click", () => {
      kept(() => (this.muted ? localStorage.removeItem(this.kept) : localStorage.setItem(this.kept, "1")));
      this.#show(this.#room);
    });
    place.addEventListener("toggle", () => this.#seen());
    document.getElementById("more")?.addEventListener("toggle", () => this.#seen());
  }

  /** Whether the visitor has muted the chat of this game. */
  get muted() {
    return typeof kept(() => localStorage.getItem(this.kept)) === "string";
  }

  /** Whether the lines are in view. */
  get #open() {
    return this.place.open && this.place.checkVisibility();
  }

  /** @param {House.Chat} message New lines, or all of them. */
  take(message) {
    if (message.whole) {
      this.#lines = new Map();
      this.#rooms = message.rooms;
      this.place.hidden = !message.rooms.length;
      this.place.classList.toggle("taps", !message.types);
      part("speak").hidden = !message.types;
      part("guests").hidden = message.types;
    }
    for (const line of message.lines) {
      const lines = this.#lines.get(line.room) ?? [];
      this.#lines.set(line.room, [...lines, this.#line(line)].slice(-100));
      if (message.whole || line.own || this.#open || this.muted) continue;
      this.#unread += 1;
      if (!this.referee.classList.contains("result")) setTimeout(aside(this.referee, `${line.name}: ${line.words}`), SAID);
    }
    const room = this.#rooms.includes(this.#room) ? this.#room : this.#rooms[0];
    const fresh = message.whole ? "" : message.lines.at(-1)?.room;
    this.#show(fresh && !this.#open ? fresh : (room ?? ""));
  }

  /** @param {string} room */
  #show(room) {
    this.#room = room;
    const tabs = this.place.querySelectorAll("button[data-room]");
    for (const tab of tabs) {
      tab.setAttribute("aria-pressed", String(tab.getAttribute("data-room") === room));
      tab.toggleAttribute("hidden", this.#rooms.length < 2);
    }
    const lines = this.muted ? [] : (this.#lines.get(room) ?? []);
    this.list.replaceChildren(...lines);
    this.list.hidden = !lines.length;
    const silence = this.muted ? this.sentences.muted : lines.length ? "" : this.sentences.nothing;
    part("silence").textContent = silence ?? "";
    const mute = part("mute");
    mute.textContent = (this.muted ? this.sentences.unmute : this.sentences.mute) ?? "";
    this.list.scrollTop = this.list.scrollHeight;
    this.#seen();
  }

  #seen() {
    if (this.#open || this.muted) this.#unread = 0;
    part("unread").textContent = this.#unread ? String(this.#unread) : "";
    this.opener.classList.toggle("news", this.#unread > 0);
  }

  /** @param {{words?: string, preset?: string | null}} what */
  async #say(what) {
    if (what.words) this.field.value = "";
    const answer = await this.ask({ t: "say", room: this.#room, ...what });
    this.#hear(answer);
    if (answer.t === "no") this.field.value ||= what.words ?? "";
  }

  /** @param {House.AnswerOfGame} answer What it says is shown above the field, and brought into view. */
  #hear(answer) {
    this.told.textContent = answer.t === "no" ? answer.why : answer.t === "ok" ? answer.told ?? "" : "";
    this.told.scrollIntoView({ block: "nearest" });
  }

  /**
   * Build a line: name and words are text, isolated so that their direction does not affect the rest.
   * @param {House.Said} line
   */
  #line(line) {
    const name = made("b", {}, made("bdi", { textContent: line.name }));
    // A URL of this house becomes a link; it may name a turn and arrows.
    const parts = line.words.split(/(https?:\/\/\S+)/).map((piece) =>
      piece.startsWith(`${location.origin}/`) ? made("a", { href: piece, target: "_blank", textContent: piece }) : piece);
    const item = made("li", {}, name, made("bdi", { className: "words" }, ...parts));
    if (!line.own) {
      const ariaLabel = (this.sentences.mind ?? "").replace("{name}", line.name);
      const mind = made("button", { className: "mind", textContent: "⋯", ariaLabel, ariaExpanded: "false" });
      mind.addEventListener("click", () => this.#mind(item, mind, line.n));
      item.append(mind);
    }
    return item;
  }

  /**
   * Show or hide the actions on a line: report it, or block its author.
   * @param {HTMLLIElement} item
   * @param {HTMLButtonElement} opener
   * @param {number} number
   */
  #mind(item, opener, number) {
    const shown = item.querySelector(".acts");
    opener.setAttribute("aria-expanded", String(!shown));
    if (shown) return shown.remove();
    const reasons = Object.entries(this.whys).map(([key, reason]) => new Option(reason, key));
    const why = made("select", { ariaLabel: this.sentences.why ?? "" }, ...reasons);
    const acts = made("span", { className: "acts" });
    /** @type {(name: string, what: string) => HTMLButtonElement} */
    const act = (name, what) => {
      const button = made("button", { textContent: name, dataset: { what } });
      button.addEventListener("click", async () => {
        const answer = await this.ask({ t: "mind", number, what, ...(what === "report" ? { why: why.value } : {}) });
        this.#hear(answer);
        acts.remove();
        opener.setAttribute("aria-expanded", "false");
      });
      return button;
    };
    acts.append(why, act(this.sentences.report ?? "", "report"), act(this.sentences.block ?? "", "block"));
    item.append(acts);
    acts.scrollIntoView({ block: "nearest" });
  }
}
