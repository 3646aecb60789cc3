/** A round magnifying glass above a finger, for boards whose squares a finger hides. */

import { element, UNIT } from "./svg.js";

/** @typedef {import("../types.js").Point} Point */

/** Where a unit of the board has fewer pixels than this, a finger gets the lens. */
export const TOO_SMALL = 33;
const RADIUS = 62;
const ABOVE = 104;
/** How many pixels a unit of the board has in the lens. */
const UNIT_SEEN = 60;

export class Lens {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    this.seen = element("use", { href: "#picture" });
    this.hole = element("circle", { id: "lens-hole" });
    this.rim = element("circle", { class: "rim" });
    this.ground = element("circle", { class: "ground" });
    const clip = element("clipPath", { id: "lens" }, this.hole);
    const glass = element("g", { "clip-path": "url(#lens)" }, this.ground, this.seen);
    this.group = element("g", { class: "lens", "aria-hidden": "true" }, clip, glass, this.rim);
  }

  /**
   * Show what lies under a finger.
   * @param {Point} point In units.
   * @param {number} scale How many pixels a unit of the board has.
   */
  show([x, y], scale) {
    const pixel = UNIT / scale;
    // Near the upper edge of the window there is no room above the finger.
    const first = this.svg.viewBox.baseVal.y / UNIT;
    const top = this.svg.getBoundingClientRect().top + (y - first) * scale;
    const [over, zoom] = [top > ABOVE + RADIUS ? -ABOVE : ABOVE, UNIT_SEEN / scale];
    const middle = [x * UNIT, y * UNIT + over * pixel];
    for (const circle of [this.hole, this.rim, this.ground]) {
      circle.setAttribute("cx", String(middle[0]));
      circle.setAttribute("cy", String(middle[1]));
      circle.setAttribute("r", String(RADIUS * pixel));
    }
    const [right, down] = [(middle[0] ?? 0) - x * UNIT * zoom, (middle[1] ?? 0) - y * UNIT * zoom];
    this.seen.setAttribute("transform", `translate(${right} ${down}) scale(${zoom})`);
    if (!this.group.parentNode) this.svg.append(this.group);
  }

  hide() {
    this.group.remove();
  }
}
