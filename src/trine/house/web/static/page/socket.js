/**
 * The socket of a page: it comes back when it is lost, reads the clock of the house, and sends what
 * was not acknowledged again, under the same name.
 */

/** How long the first pause is before it tries again, in milliseconds; each is longer. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 6000;
/** A house that has said that it is busy counts as busy for that long, in milliseconds. */
const BUSY = 60000;
/** The house says something every few seconds; whoever hears nothing for so long has lost it. */
const SILENCE = 15000;
/** A house that can be reached is reached sooner than that, also over a poor line. */
const REACHED = 8000;
/** What has been asked for is answered sooner than that, if the house hears it. */
export const SOON = 5000;
/** By how many pings the clock is read: that of either side may be set anew. */
const PINGS = 5;

/**
 * @template {{t: string}} Of What the house says.
 * @template {{t: string, id?: string}} Answer What it answers.
 */
export class Socket extends EventTarget {
  /** @type {Map<string, {message: object, settle?: (answer: Answer) => void}>} What is to be sent again: by its id; what needs no answer by its kind, the last of each. */
  #waiting = new Map();
  #pause = FIRST_PAUSE;
  #page = Math.random().toString(36).slice(2, 10);
  #count = 0;
  /** @type {Promise<void>} What came in is read one after the other. */
  #reading = Promise.resolve();
  #closed = false;
  open = false;
  /** By how much the clock of the house is ahead of this one, in milliseconds. */
  offset = 0;
  /** @type {number[]} The same by each of the last pings. */
  #offsets = [];
  #silence = 0;
  /** When the house is to have said something. */
  #due = 0;
  /** Over which time pages come back that have lost the connection, as the house last said, in milliseconds. */
  #spread = 0;
  /** When the house last said that it is busy. */
  #busy = -BUSY;
  /** Whether this page is waited for: such pages come back first. */
  urgent = false;

  /**
   * @param {string} path
   * @param {() => Promise<unknown>} [begin] Makes what is there, before the first question; until then it is not opened.
   */
  constructor(path, begin) {
    super();
    this.#begin = begin;
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.url = url;
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.#again());
    addEventListener("online", () => (this.#begin ? this.#tell("open", {}) : this.open || this.#socket?.close()));
    addEventListener("offline", () => {
      const socket = this.#socket;
      if (!socket) return this.#tell("lost", {});
      socket.close();
      this.#lose(socket, 1006);
    });
    if (!begin) this.#connect();
  }

  /** @type {(() => Promise<unknown>) | undefined} */
  #begin;

  /** @type {WebSocket | undefined} */
  #socket;

  #again() {
    this.#closed = false;
    if (!this.#begin) this.#connect();
  }

  /** The page goes. */
  close() {
    this.#closed = true;
    this.#socket?.close(1000);
  }

  #connect() {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#listen(socket, REACHED);
    socket.addEventListener("open", () => {
      this.#listen(socket);
      this.open = true;
      this.#pause = FIRST_PAUSE;
      this.#offsets = [];
      this.#tell("open", {});
      for (const [name, { message, settle }] of this.#waiting) {
        this.#write(message);
        if (!settle) this.#waiting.delete(name);
      }
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket !== this.#socket) return;
      this.#listen(socket);
      this.#reading = this.#reading.then(() => this.#read(data)).catch(console.error);
    });
    socket.addEventListener("close", ({ code }) => this.#lose(socket, code));
  }

  /**
   * Wait for the next word of the house, but not for ever.
   * @param {WebSocket} socket
   * @param {number} [time] In milliseconds.
   */
  #listen(socket, time = SILENCE) {
    if (socket !== this.#socket) return;
    clearTimeout(this.#silence);
    this.#due = performance.now() + time;
    this.#silence = setTimeout(() => {
      socket.close();
      this.#lose(socket, 1006); // who does not answer does not say goodbye either
    }, time);
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   */
  #lose(socket, code) {
    if (socket !== this.#socket) return;
    clearTimeout(this.#silence);
    this.#socket = undefined;
    const was = this.open;
    this.open = false;
    if (this.#closed) return;
    if (was || this.#pause === FIRST_PAUSE) this.#tell("lost", { code });
    // Not all at once, when the house opens again.
    const spread = was ? this.#spread * Math.random() * (this.urgent ? 0.25 : 1) : 0;
    setTimeout(() => this.#closed || this.#connect(), this.#pause * (0.5 + Math.random()) + spread);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 1.7);
  }

  /** @param {string | ArrayBuffer} data */
  async #read(data) {
    const words = typeof data === "string" ? data : await unpack(data);
    const message = JSON.parse(words);
    if (message.t === "ping") {
      const { n, now, spread } = /** @type {House.Ping} */ (message);
      this.#spread = (spread ?? 0) * 1000;
      this.#offsets = [...this.#offsets.slice(1 - PINGS), now * 1000 - Date.now()];
      // The least delayed ping tells best; one that says less has been under way for longer.
      this.offset = Math.max(...this.#offsets);
      this.#write({ t: "pong", n });
      return;
    }
    if (message.id) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      waiting?.settle?.(message);
      return;
    }
    if (message.t === "busy") this.#busy = performance.now();
    this.#tell("message", message);
  }

  /**
   * Ask for something, until it is answered.
   * @param {object} message
   * @param {number} [time] Where the house says nothing for so long, in milliseconds, it is lost; but not one that is busy.
   * @returns {Promise<Answer>}
   */
  ask(message, time = SILENCE) {
    const id = `${this.#page}.${++this.#count}`;
    const named = { ...message, id };
    return new Promise((settle) => {
      this.#waiting.set(id, { message: named, settle });
      this.#start();
      this.#write(named);
      const now = performance.now();
      const listens = this.#socket && this.open && now + time < this.#due && now > this.#busy + BUSY;
      if (this.#socket && listens) this.#listen(this.#socket, time);
    });
  }

  /**
   * Say something that needs no answer, at the latest when the connection is there again.
   * @param {{t: string, [name: string]: unknown}} message
   */
  say(message) {
    if (!this.#write(message)) this.#waiting.set(message.t, { message });
    this.#start();
  }

  #start() {
    this.#begin?.().then(() => this.#connect());
    this.#begin = undefined;
  }

  /**
   * @param {object} message
   * @returns {boolean} Whether there is a connection.
   */
  #write(message) {
    const open = this.#socket?.readyState === WebSocket.OPEN;
    if (open) this.#socket?.send(JSON.stringify(message));
    return open;
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** @param {ArrayBuffer} packed */
async function unpack(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
