// A finished game, move by move.
import { say, showBand } from "./panels.js";
import { STOCK, drawTable, mark } from "./table.js";
import { shortCard, spokenCard, words } from "./words.js";

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

/** What the move that comes next was worth, when it was made; cards are named by a function. */
function worthText(name) {
  const worth = film.worth[frame];
  if (!worth) return "";
  const [share, best] = [worth.share, worth.share + worth.gave_up].map((part) => Math.round(100 * part));
  if (best > share) return words().nextWorse(share, best, betterText(worth.best, name));
  if (share > 0) return words().nextGood(share);
  return worth.exact ? words().nextLost : words().nextHopeless;
}

function betterText(action, name) {
  return action === STOCK ? words().toDraw : name(film.views[frame].peaks[action]);
}

/** The move that comes next is marked on the table. */
export function tell() {
  const all = film.actions.length;
  mark(frame < all ? film.actions[frame] : null);
  const where = frame ? words().frame(frame, all) : words().frameDeal;
  const ways = [
    ["first", () => step(-all)],
    ["back", () => step(-1)],
    ["next", () => step(1)],
    ["last", () => step(all)],
    ["close", stopReplay],
  ];
  const line = (name) => `${where}. ${worthText(name)}`.trim();
  showBand(line(shortCard), ways, "replay");
  say(line(spokenCard));
}
