// A finished game, move by move.
import { showBand } from "./panels.js";
import { drawTable, mark } from "./table.js";
import { words } from "./words.js";

let film = null;
let frame = 0;
let ended = null;

export function replaying() {
  return film !== null;
}

/** Begin to show a film; `done` is called when it is left. */
export function startReplay(answer, done) {
  film = answer;
  ended = done;
  frame = 0;
  drawTable(film.views[0], true);
  tell();
}

/** Go some moves on or back. */
export function step(moves) {
  const target = Math.max(0, Math.min(film.views.length - 1, frame + moves));
  const near = Math.abs(target - frame) <= 1;
  frame = target;
  drawTable(film.views[frame], !near);
  tell();
}

export function stopReplay() {
  film = null;
  mark(null);
  showBand("");
  ended();
}

/** The move that comes next is marked on the table. */
export function tell() {
  const all = film.actions.length;
  mark(frame < all ? film.actions[frame] : null);
  showBand(frame ? words().frame(frame, all) : words().frameDeal, [
    ["first", () => step(-all)],
    ["back", () => step(-1)],
    ["next", () => step(1)],
    ["last", () => step(all)],
    ["close", stopReplay],
  ]);
}
