/** The review of a whole game below the board: its curve, its players, the turns that cost most. */

/** @typedef {import("./socket.js").Message} Message */

/**
 * @param {string} name
 * @param {string} [words]
 * @param {string} [kind]
 */
function made(name, words = "", kind = "") {
  const one = document.createElement(name);
  if (words) one.textContent = words;
  if (kind) one.className = kind;
  return one;
}

/** @param {string} drawing */
function picture(drawing) {
  const svg = new DOMParser().parseFromString(
    drawing.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'), "image/svg+xml").documentElement;
  return document.adoptNode(svg);
}

export class Report {
  /**
   * @param {HTMLElement} place
   * @param {Record<string, string>} words
   * @param {(index: number) => void} go Look behind a turn of the main line, from 1.
   * @param {(index: number, ids: string[]) => void} play Play in place of that turn.
   */
  constructor(place, words, go, play) {
    this.place = place;
    this.words = words;
    /** @type {number[] | undefined} The turns that the review tells of. */
    this.nodes = undefined;
    this.play = play;
    place.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("[data-turn]") : null;
      if (!link) return;
      event.preventDefault();
      go(Number(link.getAttribute("data-turn")));
    });
  }

  /**
   * Take the review away if it tells of other turns than those of the main line.
   * @param {number[]} nodes The main line.
   */
  check(nodes) {
    if (!this.nodes || String(nodes) === String(this.nodes)) return;
    this.nodes = undefined;
    this.place.replaceChildren();
  }

  /** @param {Message} progress */
  wait({ why, turn, done, total }) {
    this.nodes = undefined;
    const told = why ?? (total
      ? this.words.reviewing?.replace("{turn}", turn).replace("{done}", done).replace("{total}", total)
      : this.words.reviewing_begins) ?? "";
    const line = made("p", told, why ? "told wrong" : "");
    const parts = [line];
    if (!why) {
      const bar = /** @type {HTMLProgressElement} */ (made("progress"));
      bar.max = total || 1;
      if (total) bar.value = done;
      bar.setAttribute("aria-label", this.words.review ?? "");
      parts.push(bar);
    }
    this.place.replaceChildren(...parts);
  }

  /** @param {Message} found */
  show(found) {
    this.nodes = found.nodes;
    const figure = made("figure");
    const legend = made("figcaption", "", "legend");
    for (const { mark, words } of found.legend) {
      const one = made("span");
      one.append(picture(mark), words);
      legend.append(one, " ");
    }
    figure.append(picture(found.curve), legend);
    const wide = made("div", "", "wide");
    wide.tabIndex = 0;
    wide.setAttribute("role", "region");
    wide.setAttribute("aria-label", this.words.accuracy ?? "");
    wide.append(table(found, this.words.accuracy ?? ""));
    const costly = found.worst.map((/** @type {any} */ one) => this.#costly(one));
    if (!costly.length) costly.push(made("p", this.words.nothing_costly));
    this.place.replaceChildren(figure, wide, made("h2", this.words.reviewed), ...costly);
    this.mark(this.at);
  }

  at = 0;

  /**
   * Show on the curve which turn is looked at; 0 is none.
   * @param {number} index
   */
  mark(index) {
    this.at = index;
    const slice = this.place.querySelector(`.curve [data-turn="${index}"]`);
    const now = this.place.querySelector(".curve .now");
    now?.toggleAttribute("hidden", !slice);
    now?.setAttribute("transform", `translate(${slice?.getAttribute("data-x") ?? 0} 0)`);
  }

  /** @param {{index: number, headline: string, better: string, because: string[], answer: string, harm: string[], ids: string[]}} one */
  #costly({ index, headline, better, because, answer, harm, ids }) {
    const article = made("article");
    const title = made("h3");
    const link = made("button", headline);
    link.dataset.turn = String(index + 1);
    title.append(link);
    article.append(title);
    for (const [line, reasons] of /** @type {[string, string[]][]} */ ([[better, because], [answer, harm]])) {
      article.append(made("p", line));
      if (!reasons.length) continue;
      const list = made("ul");
      list.append(...reasons.map((reason) => made("li", reason)));
      article.append(list);
    }
    if (ids.length) {
      const button = made("button", this.words.better);
      button.addEventListener("click", () => this.play(index, ids));
      article.append(button);
    }
    return article;
  }
}

/**
 * @param {Message} found
 * @param {string} accuracy
 */
function table({ players, grades }, accuracy) {
  const body = made("table");
  const head = made("tr");
  head.append(made("td"), ...[accuracy, ...grades].map((name) => {
    const cell = made("th", name);
    cell.setAttribute("scope", "col");
    return cell;
  }));
  body.append(head);
  for (const player of players) {
    const row = made("tr");
    const name = made("th", player.name);
    name.setAttribute("scope", "row");
    row.append(name, ...[player.accuracy, ...player.counts].map((told) => made("td", String(told))));
    body.append(row);
  }
  return body;
}
