// What people say: buttons and keys to call, and bubbles in which calls are seen.
import { rankShape } from "./cards.js";
import { chairOf } from "./chairs.js";
import { words } from "./words.js";

const RANKS = "A23456789TJQK";
const HOLD = 14;
const DRAWING = 15;
const strip = document.getElementById("needs");
const KEYS = { 0: "T", 1: "T", b: "J", d: "Q" }; // Beside those that are printed on English cards.

/** Buttons for all calls; `call` hears of their numbers. */
export function layCalls(call) {
  strip.replaceChildren(...[...RANKS].map((rank, i) => needButton(rank, () => call(i + 1))));
  document.getElementById("hold").onclick = () => call(HOLD);
  document.getElementById("drawing").onclick = () => call(DRAWING);
}

function needButton(rank, run) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.rank = rank;
  button.append(rankShape(words().ranks[rank] ?? rank));
  button.setAttribute("aria-label", words().need(words().needRanks[rank]));
  button.addEventListener("click", run);
  return button;
}

/** The call that a key means after `need`, 0 if it means none. */
export function needOfKey(key) {
  return RANKS.indexOf(KEYS[key.toLowerCase()] ?? key.toUpperCase()) + 1;
}

/** A call in words. */
export function callText(call) {
  if (call === HOLD) return words().holdCall;
  if (call === DRAWING) return words().drawingCall;
  return words().need(words().needRanks[RANKS[call - 1]]);
}

/** Show the calls that can still be heard. */
export function drawCalls(calls) {
  calls.forEach(({ call }, seat) => {
    const { bubble } = chairOf(seat);
    bubble.hidden = call === 0;
    if (call) bubble.textContent = callText(call);
  });
}

export const CALL_KEYS = { w: HOLD, i: DRAWING };
