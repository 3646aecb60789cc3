/** Elements of pages and of pictures, and the paths in these. */

const NAMESPACE = "http://www.w3.org/2000/svg";

/** How many units of the picture one unit of a scene is: figures come in hundredths. */
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
 * Say something in the line of the referee.
 * @param {HTMLElement} told
 * @param {string} [sentence]
 * @param {string} [how]
 */
export function say(told, sentence = "", how = "") {
  [told.textContent, told.className] = [sentence, `told ${how}`];
}

/** @type {WeakMap<HTMLElement, {sentence: string, before: string[]}>} The last that was said in each line for a while. */
const asides = new WeakMap();

/**
 * Say something in the line of the referee for a while.
 * @param {HTMLElement} told
 * @param {string} sentence
 * @param {string} [how]
 * @returns {() => void} Brings back what stood there otherwise, if nothing else has been said since.
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
 * A length of a scene in units of the picture, without the noise of binary fractions.
 * @param {number} length
 */
export const units = (length) => Math.round(length * UNIT * 100) / 100;

/** @param {House.Point[]} points */
export const chain = (points) => "M" + points.map(([x, y]) => `${units(x)} ${units(y)}`).join("L");

/**
 * The transform that brings a drawing to a place.
 * @param {House.Point} at
 * @param {number} [scale]
 */
export const placed = ([x, y], scale = 1) =>
  `translate(${units(x)} ${units(y)})` + (scale === 1 ? "" : ` scale(${scale})`);
