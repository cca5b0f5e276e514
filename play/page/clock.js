// The clock at the table, between two messages that tell of it.
import { say } from "./panels.js";
import { clockText, words } from "./words.js";

const WARN_AT = [60, 30, 10]; // Seconds.
const HURRY_S = 10;
const clock = document.getElementById("clock");

/** Show the time that is left, or that has gone where there is no clock; `since` is how long ago the state was told. */
export function showClock({ tick_ms: tickMs, clock_ms: limit }, state, since) {
  const timed = limit !== null;
  const ms = timed ? Math.max(0, state.clock * tickMs - since) : state.tick * tickMs + since;
  const seconds = timed ? Math.ceil(ms / 1000) : Math.floor(ms / 1000);
  const text = clockText(1000 * seconds);
  if (clock.textContent === text) return;
  clock.textContent = text;
  clock.classList.toggle("hurry", timed && seconds <= HURRY_S);
  if (since && timed && WARN_AT.includes(seconds)) say(words().saidSeconds(seconds));
}
