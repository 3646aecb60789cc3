/** What a message leaves out where it is as usual, filled in again. */

import { USUAL } from "./defaults.js";

/**
 * Fill in what is missing.
 * @template {object} T
 * @param {string} kind The type of the data.
 * @param {T} data
 * @returns {T}
 */
export function fill(kind, data) {
  const { usual, parts } = USUAL[kind] ?? { usual: {}, parts: {} };
  const fields = /** @type {Record<string, unknown>} */ (data);
  for (const [name, value] of Object.entries(usual)) {
    fields[name] ??= Array.isArray(value) ? [] : value;
  }
  for (const [name, part] of Object.entries(parts)) each(part, fields[name]);
  return data;
}

/**
 * @param {string} kind
 * @param {unknown} value Data, or several, or several by name.
 */
function each(kind, value) {
  if (Array.isArray(value)) for (const one of value) each(kind, one);
  else if (value && Object.values(value).every(Array.isArray)) for (const one of Object.values(value)) each(kind, one);
  else if (value) fill(kind, value);
}
