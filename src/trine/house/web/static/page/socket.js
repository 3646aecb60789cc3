/**
 * The WebSocket of a page: it reconnects, estimates the clock of the house, and sends unacknowledged
 * messages again with the same id.
 */

/** Milliseconds before the first attempt to reconnect; each pause is longer than the one before. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 6000;
/** Milliseconds for which a house counts as busy after it has said so. */
const BUSY = 60000;
/** Milliseconds without a message after which the connection is lost; the house pings every few seconds. */
const SILENCE = 15000;
/** Milliseconds allowed for connecting, even over a poor line. */
const REACHED = 8000;
/** Milliseconds in which a request is usually answered. */
export const SOON = 5000;
/** The number of pings that estimate the clock; old ones are dropped, because clocks can be set. */
const PINGS = 5;

/**
 * @template {{t: string}} Of The messages of the house.
 * @template {{t: string, id?: string}} Answer Its answers.
 */
export class Socket extends EventTarget {
  /** @type {Map<string, {message: object, settle?: (answer: Answer) => void}>} Messages to send again: requests by id, others by type, the last of each. */
  #waiting = new Map();
  #pause = FIRST_PAUSE;
  #page = Math.random().toString(36).slice(2, 10);
  #count = 0;
  /** @type {Promise<void>} Messages are read in order. */
  #reading = Promise.resolve();
  #closed = false;
  open = false;
  /** Milliseconds by which the clock of the house is ahead of this one. */
  offset = 0;
  /** @type {number[]} The offsets by the last pings. */
  #offsets = [];
  #silence = 0;
  /** When the next message is due, by `performance.now()`. */
  #due = 0;
  /** Milliseconds over which pages spread their reconnects, as the house last said. */
  #spread = 0;
  /** When the house last said that it is busy. */
  #busy = -BUSY;
  /** Whether other players wait for this page: such pages reconnect first. */
  urgent = false;

  /**
   * @param {string} path
   * @param {() => Promise<unknown>} [begin] Called before the first message; the socket opens after it.
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

  /** Close the connection for good. */
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
   * Close the connection if no message comes in time.
   * @param {WebSocket} socket
   * @param {number} [time] Milliseconds.
   */
  #listen(socket, time = SILENCE) {
    if (socket !== this.#socket) return;
    clearTimeout(this.#silence);
    this.#due = performance.now() + time;
    this.#silence = setTimeout(() => {
      socket.close();
      this.#lose(socket, 1006); // the close event could take long
    }, time);
  }

  /** @param {WebSocket} socket @param {number} code */
  #lose(socket, code) {
    if (socket !== this.#socket) return;
    clearTimeout(this.#silence);
    this.#socket = undefined;
    const was = this.open;
    this.open = false;
    if (this.#closed) return;
    // Messages that came before are still being unpacked.
    if (was || this.#pause === FIRST_PAUSE) this.#reading.then(() => this.open || this.#tell("lost", { code }));
    // Reconnects are spread, so that an opening house is not flooded.
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
      // The largest offset is the best estimate: delays only make offsets smaller.
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
   * Send a request, repeatedly until it is answered.
   * @param {object} message
   * @param {number} [time] Milliseconds without any message after which the connection is lost, unless the house is busy.
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
   * Send a message that needs no answer; after the next reconnect, if there is no connection.
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

  /** @param {string} name @param {object} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** @param {ArrayBuffer} packed */
async function unpack(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
