/**
 * The shapes of what the board is fed: the schema of trine.core.scene, trine.core.choices and
 * trine.draw.theme, field for field.
 *
 * @typedef {[number, number]} Point
 * @typedef {{path: string, fill: string, stroke: string, width: number}} Shape
 * @typedef {{role: string, outline: Point[]}} Area
 * @typedef {{id: string, role: string, at: Point, outline: Point[]}} Cell
 * @typedef {{role: string, points: Point[], owner: number | null, id: string, tooltip: string}} Line
 * @typedef {{text: string, at: Point, role: string, size: number}} Label
 * @typedef {{role: string, cell: string}} Mark
 * @typedef {{id: string, at: Point, size: Point, label: string, preview: Line | null}} Spot
 * @typedef {{id: string, label: string}} Button
 *
 * @typedef {object} Piece
 * @property {Point} at
 * @property {string} figure
 * @property {string} base
 * @property {number | null} owner
 * @property {string} cell
 * @property {string} key
 * @property {string} role
 * @property {number} scale
 * @property {number} height
 * @property {string} label
 * @property {string} tooltip
 * @property {string[]} marks
 *
 * @typedef {object} Board The half of a scene that stays the same from turn to turn.
 * @property {number} schema
 * @property {Point} size
 * @property {Cell[]} cells
 * @property {number} seat
 * @property {{role: string, name: string}[]} players
 * @property {Area[]} areas
 * @property {Line[]} lines
 * @property {Piece[]} ornaments
 * @property {Label[]} labels
 * @property {Spot[]} spots
 * @property {Button[]} buttons
 * @property {Record<string, Shape[]>} figures
 *
 * @typedef {object} Scene The half that changes.
 * @property {number} schema
 * @property {string} board The digest of the board.
 * @property {string} title
 * @property {string} alt
 * @property {string} status
 * @property {Area[]} areas
 * @property {Line[]} walls
 * @property {Mark[]} marks
 * @property {Piece[]} pieces
 * @property {Label[]} labels
 * @property {{role: string, text: string}[]} legend
 * @property {string[]} targets
 *
 * @typedef {object} Choosable A legal action, and the ids at which a person points to make it.
 * @property {string} id
 * @property {string[]} picks
 * @property {string} [label] What a person chooses by where several have the same picks.
 *
 * @typedef {{body: string, shade: string, light: string, ink: string}} Paint
 *
 * @typedef {object} Theme
 * @property {Record<string, Paint>} paints
 * @property {Record<string, Paint>} night The paints that differ by night.
 * @property {Record<string, string[]>} marks
 * @property {Record<string, Shape[]>} forms
 * @property {{path: string, tile: Point, width: number}} grain
 * @property {string[]} grained
 * @property {string[]} faded
 * @property {Record<string, number>} widths
 * @property {number} thin
 * @property {number} seam
 * @property {Record<string, number>} edges
 * @property {number} pale
 * @property {number} badge
 * @property {number} stacked
 * @property {number} stack_limit
 * @property {Point} count
 * @property {number} letter
 * @property {string} font
 * @property {string[]} layers
 */
export {};
