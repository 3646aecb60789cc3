/** Three short, quiet, synthesized sounds: wood on wood, a capture, and the end of a game. */

/** @typedef {"piece" | "capture" | "end"} Sound */

/** The notes of each sound: pitch in Hz, start and duration in seconds, and volume. */
const NOTES = {
  piece: [[210, 0, 0.07, 0.16], [420, 0, 0.03, 0.05]],
  capture: [[150, 0, 0.1, 0.2], [210, 0.07, 0.08, 0.12]],
  end: [[392, 0, 0.5, 0.07], [523, 0.16, 0.7, 0.07]],
};

/** @type {AudioContext | undefined} */
let context;

/**
 * Play a sound, if the browser allows it: only after the visitor has interacted with the page.
 * @param {Sound} sound
 */
export function play(sound) {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const [pitch = 0, from = 0, length = 0, loud = 0] of NOTES[sound]) {
    const [note, volume] = [new OscillatorNode(context, { type: "triangle", frequency: pitch }), new GainNode(context)];
    note.frequency.exponentialRampToValueAtTime(pitch * 0.8, now + from + length);
    volume.gain.setValueAtTime(0.0001, now + from);
    volume.gain.exponentialRampToValueAtTime(loud, now + from + 0.005);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + from + length);
    note.connect(volume).connect(context.destination);
    note.start(now + from);
    note.stop(now + from + length);
  }
}

/**
 * Return the sound for the difference between two views, if there is any.
 * @param {House.View | undefined} before
 * @param {House.View} after
 * @returns {Sound | undefined}
 */
export function soundOf(before, after) {
  if (!before) return undefined;
  const [one, other] = [before, after].map((scene) => {
    const pieces = scene.pieces.filter(({ key, cell, role }) => (key || cell) && !role.startsWith("step"));
    return {
      count: pieces.reduce((sum, { height, role }) => sum + (role === "captured" || role === "hand" ? 0 : height), 0),
      seen: JSON.stringify([pieces.map(({ at, cell, height }) => [at ?? cell, height]), scene.walls.length]),
    };
  });
  if (!one || !other || one.seen === other.seen) return undefined;
  return other.count < one.count ? "capture" : "piece";
}
