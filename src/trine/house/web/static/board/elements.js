/** Elements of HTML and SVG, and paths. */

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Units of the picture in a unit of the scene; figures are drawn in these. */
export const UNIT = 100;

/**
 * Make an element of HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function made(tag, { dataset = {}, ...properties } = {}, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  Object.assign(element.dataset, dataset);
  element.append(...content);
  return element;
}

/**
 * Show a sentence in the status line.
 * @param {HTMLElement} told
 * @param {string} [sentence]
 * @param {string} [how]
 */
export function say(told, sentence = "", how = "") {
  [told.textContent, told.className] = [sentence, `told ${how}`];
}

/** @type {WeakMap<HTMLElement, {sentence: string, before: string[]}>} The last temporary sentence of each line. */
const asides = new WeakMap();

/**
 * Show a sentence in the status line temporarily.
 * @param {HTMLElement} told
 * @param {string} sentence
 * @param {string} [how]
 * @returns {() => void} Restores the line, if it has not changed since.
 */
export function aside(told, sentence, how = "") {
  const last = asides.get(told);
  const before = last?.sentence === told.textContent ? last.before : [told.textContent ?? "", told.className];
  asides.set(told, { sentence, before });
  say(told, sentence, how);
  return () => {
    if (told.textContent === sentence) [told.textContent = "", told.className = ""] = before;
  };
}

/**
 * Make an element of SVG.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} content
 */
export function element(name, attributes = {}, ...content) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...content);
  return /** @type {SVGGraphicsElement} */ (made);
}

/**
 * Return a length of a scene in units of the picture, rounded to a hundredth.
 * @param {number} length
 */
export const units = (length) => Math.round(length * UNIT * 100) / 100;

/** @param {House.Point[]} points */
export const chain = (points) => "M" + points.map(([x, y]) => `${units(x)} ${units(y)}`).join("L");

/**
 * Return the transform that moves a drawing to a place.
 * @param {House.Point} at
 * @param {number} [scale]
 */
export const placed = ([x, y], scale = 1) =>
  `translate(${units(x)} ${units(y)})` + (scale === 1 ? "" : ` scale(${scale})`);
