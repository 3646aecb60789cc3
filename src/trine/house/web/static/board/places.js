/** Find the spot for a point of the picture, and for an arrow key. */

/**
 * Return the nearest spot within a radius of a point. Spots that can be picked count as nearer by
 * `favour`, so that a finger need not be exact. A point on the place of a wall never means a square,
 * even if the wall is not allowed.
 * @param {House.Spot[]} spots
 * @param {House.Point} point
 * @param {number} radius In units, as all lengths here.
 * @param {Set<string>} pickable
 * @param {number} favour
 */
export function nearest(spots, point, radius, pickable, favour) {
  const exact = favour ? nearest(spots, point, radius, pickable, 0) : undefined;
  /** @type {House.Spot | undefined} */
  let best;
  let least = Infinity;
  for (const spot of spots) {
    if (exact?.preview && !spot.preview) continue;
    const away = outside(spot, point);
    if (away > radius) continue;
    // If spots overlap, the one with the nearer middle is meant.
    const score = away - (pickable.has(spot.id) ? favour : 0) + 0.01 * distance(spot.at, point);
    if (score < least) [best, least] = [spot, score];
  }
  return best;
}

/**
 * Return the distance of a point from a spot; 0 inside it.
 * @param {House.Spot} spot
 * @param {House.Point} point
 */
export function outside(spot, point) {
  const across = Math.max(0, Math.abs(point[0] - spot.at[0]) - spot.size[0] / 2);
  const down = Math.max(0, Math.abs(point[1] - spot.at[1]) - spot.size[1] / 2);
  return Math.hypot(across, down);
}

/** @param {House.Point} one @param {House.Point} other */
const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

/**
 * Return the distance of a point from a line of two points.
 * @param {House.Point[]} line
 * @param {House.Point} point
 */
export function besides(line, point) {
  const [a, b] = [line[0] ?? point, line.at(-1) ?? point];
  const length = distance(a, b) ** 2 || 1;
  const along = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length;
  const part = Math.max(0, Math.min(1, along));
  return distance([a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])], point);
}

/**
 * Return whether two walls are in the same groove.
 * @param {House.Spot} one
 * @param {House.Spot} other
 */
export function inOneGroove(one, other) {
  const [[x = 0, y = 0] = [], ...points] = [...(one.preview?.points ?? []), ...(other.preview?.points ?? [])];
  const straight = points.every((at) => Math.abs(at[0] - x) < 0.01) || points.every((at) => Math.abs(at[1] - y) < 0.01);
  return points.length > 1 && Boolean(other.preview) && straight;
}

/** @type {Record<string, House.Point>} */
export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Return the spot that an arrow key leads to from another one: near, and ahead rather than aside.
 * @param {House.Spot[]} spots
 * @param {House.Spot} from
 * @param {House.Point} way
 * @param {number} [slant] The maximum distance aside for each unit ahead.
 */
export function towards(spots, from, way, slant = 2.5) {
  /** @type {House.Spot | undefined} */
  let best;
  let least = Infinity;
  for (const spot of spots) {
    const [x, y] = [spot.at[0] - from.at[0], spot.at[1] - from.at[1]];
    const ahead = x * way[0] + y * way[1];
    const aside = Math.abs(x * way[1]) + Math.abs(y * way[0]);
    if (ahead < 0.05 || aside > slant * ahead) continue;
    const score = ahead + 2 * aside;
    if (score < least) [best, least] = [spot, score];
  }
  return best;
}
