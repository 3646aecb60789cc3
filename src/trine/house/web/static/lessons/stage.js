/**
 * A board for trying a lesson, a puzzle or a clause: each request has all actions so far, and the
 * house returns the resulting state. The house stores nothing, so a reload starts over.
 */

import { narrow } from "../board/board.js";
import "../board/tray.js";
import { say } from "../board/elements.js";
import { Playing } from "../board/playing.js";

/** @typedef {House.LessonState & House.ExampleState} Told */
/** @typedef {Pick<Told, "view" | "choices" | "a" | "told"> & Partial<Told>} State The result of a trial. */
/** @typedef {Partial<State> & {why?: string}} Answer The response to a request; empty if the house cannot be reached. */

/** How long the learner's own turn is shown before the reply to it, in milliseconds. */
const PAUSE = 600;

export class Stage {
  /** @type {State | undefined} */
  state;
  /** Whether a hint or the solution of a puzzle was requested. */
  helped = false;
  /** Whether a turn ended by the last action is submitted. */
  #submitted = true;
  #count = 0;

  /**
   * @param {HTMLElement} root Contains the board, the status line, and the buttons.
   * @param {string} place The path for requests.
   * @param {Record<string, string>} words
   * @param {(state: State) => void} [shown] Called after a state is shown.
   */
  constructor(root, place, words, shown = () => undefined) {
    const board = (this.board = /** @type {import("../board/board.js").TrineBoard} */ (root.querySelector("trine-board")));
    this.place = place;
    this.words = words;
    this.shown = shown;
    /** @param {string} name */
    const button = (name) => /** @type {HTMLButtonElement} */ (root.querySelector(`button.${name}`));
    this.told = /** @type {HTMLElement} */ (root.querySelector(".told"));
    this.buttons = { undo: button("undo"), reset: button("reset"), submit: button("submit") };
    this.playing = new Playing({
      ...{ board, words, told: this.told, buttons: this.buttons },
      open: () => {
        const { a = [], closed = false, open = a.length, state = "" } = this.state ?? {};
        const undo = state === "missed" || (state !== "solved" && state !== "shown" && open > 0);
        return { actions: a, closed, mine: true, undo, reset: a.length > 0 || state === "shown" || this.state?.legal === false };
      },
      begun: () => this.state && { seq: 0, handles: this.state.handles ?? [] },
      ask: async ({ spot }) => {
        const { choices = [] } = await this.#ask({ a: this.actions, submit: this.#submitted, spot });
        return { choices: choices.map((one) => ({ ...one, draft: [...this.actions, ...(one.draft ?? [])] })) };
      },
      act: (actions, plays) => this.play(actions, plays),
      why: async (picks) => (await this.#ask({ a: this.actions, submit: this.#submitted, picks })).why ?? words.unheard,
      undo: () => this.play(this.actions.slice(0, -1)),
      reset: () => this.play([]),
      submit: () => this.play(this.actions),
    });
  }

  /** All actions so far. */
  get actions() {
    return this.state?.a ?? [];
  }

  /** @param {string} sentence @param {string} [how] */
  tell(sentence, how = "") {
    say(this.told, sentence, how);
  }

  /**
   * Try actions, from the beginning of the trial.
   * @param {string[]} actions
   * @param {boolean} [submit]
   */
  async play(actions, submit = true) {
    if (await this.#try({ a: actions, submit })) this.#submitted = submit;
    else if (this.state) this.playing.show(this.state.view, this.state.choices);
  }

  /**
   * Try a typed line.
   * @param {string} line
   */
  async read(line) {
    await this.#try({ line });
    this.#submitted = true;
  }

  /** @param {State} state */
  async take(state) {
    const asked = this.#count;
    this.state = state;
    if (state.first && this.board.time) {
      this.board.show(state.first, []);
      await new Promise((go) => setTimeout(go, PAUSE));
      if (asked !== this.#count) return;
    }
    const about = [state.told || (this.told.dataset.task ?? ""), state.rated ?? "", state.coach ?? ""];
    const missed = state.state === "missed" || state.legal === false;
    this.tell(about.filter(Boolean).join(" · "), state.state === "solved" ? "solved" : missed ? "wrong" : "");
    this.playing.show(state.view, state.choices);
    this.shown(state);
    if (this.playing.keys && state.closed) this.buttons.submit.focus();
  }

  /**
   * @param {object} question
   * @returns {Promise<boolean>} Whether a new state is shown.
   */
  async #try(question) {
    const asked = ++this.#count;
    const answer = await this.#ask(question);
    if (asked !== this.#count) return true;
    if (answer.view) await this.take(/** @type {State} */ (answer));
    else this.tell(answer.why ?? this.words.unheard ?? "", "wrong");
    return answer.view !== undefined;
  }

  /** @param {object} question @returns {Promise<Answer>} */
  async #ask(question) {
    try {
      const body = JSON.stringify(this.helped ? { ...question, helped: true } : question);
      const answer = await fetch(this.place, { method: "POST", body, headers: { "content-type": "application/json" } });
      return await answer.json();
    } catch {
      return {}; // no connection, or a response that is not JSON
    }
  }
}

/** The board of a lesson or a puzzle, with hints until it is solved or missed. */
export class Exercise extends Stage {
  #next = /** @type {HTMLElement} */ (document.getElementById("next"));
  #hint = /** @type {HTMLButtonElement} */ (document.getElementById("hint"));

  /**
   * @param {HTMLElement} root Has the texts, the hints, and the initial state as data attributes.
   * @param {string} place
   * @param {(state: State) => void} shown
   * @param {() => void} solve Shows how it is done.
   */
  constructor(root, place, shown, solve) {
    super(root, place, JSON.parse(root.dataset.words ?? "{}"), (state) => {
      this.over(state.state ?? "");
      shown(state);
    });
    /** @type {string[]} */
    const hints = JSON.parse(root.dataset.hints ?? "[]");
    const name = () => (this.#hint.textContent = (hints.length ? this.words.hint : this.words.solution) ?? "");
    this.#hint.addEventListener("click", () => {
      this.helped = true;
      const hint = hints.shift();
      if (hint) this.tell(hint);
      else solve();
      name();
    });
    name();
    if (root.querySelector("trine-tray") && narrow.matches) this.board.toggleAttribute("bare", true);
    this.begin = () => {
      for (const one of Object.values(this.buttons)) one.parentElement?.removeAttribute("hidden");
      const { state } = root.dataset;
      if (state) this.take(JSON.parse(state));
      else this.play([]);
    };
  }

  /**
   * Adapt the buttons to a state: after the solution, only starting over and going on are left.
   * @param {string} state
   */
  over(state) {
    const { reset, submit } = this.buttons;
    const open = state === "open";
    reset.textContent = (open ? this.words.reset : this.words.again) ?? "";
    reset.classList.toggle("main", state === "missed");
    submit.hidden = !open;
    this.#next.hidden = state !== "shown" && state !== "solved";
    this.#hint.hidden = !this.#next.hidden;
    if (this.state) this.state.state = state;
    this.playing.offer();
    // Focus the link, so that Enter goes on, as in a terminal.
    if (state === "solved") this.#next.focus({ preventScroll: true });
  }
}
