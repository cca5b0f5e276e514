// What the own hand is wished to do: marked at once, before the server knows of it, until it is done or refused.
import { chairOf } from "./chairs.js";
import { gesture } from "./flights.js";
import { cards } from "./peaks.js";
import { holder } from "./state.js";

const ANSWER_MS = 500; // A free hand does what it is told sooner than that; else it has come back empty.
let wish = null; // {place}, null for a draw
let timer = 0;
let own = 0;
let missed = () => {};

/** Forget everything: this seat's hand is looked at from now on; `onMiss` is called when it comes back empty. */
export function freshTaps(seat, onMiss) {
  own = seat;
  missed = onMiss;
  clearWish();
}

/** Whether the own hand has this card already: whoever taps twice wishes for it once. */
export function isUnderWay(place, state) {
  const hand = state.hands[own];
  return place !== null && hand?.phase === "carrying" && hand.place === place;
}

/** Mark a card, or the own stock for null, as tapped; it waits if the hand is busy. Whether it waits. */
export function wishFor(place, state) {
  clearWish();
  wish = { place };
  const waits = (state.hands[own]?.phase ?? "free") !== "free";
  target(place).classList.add(waits ? "waiting" : "touched");
  if (!waits) expectAnswer();
  return waits;
}

function expectAnswer() {
  clearTimeout(timer);
  timer = setTimeout(miss, ANSWER_MS);
}

function miss() {
  springBack(wish.place);
  missed();
}

/** Nothing is wished for any more. */
export function clearWish() {
  clearTimeout(timer);
  if (wish) target(wish.place).classList.remove("touched", "waiting");
  wish = null;
}

/** See whether the wish has come true, or cannot any more. */
export function settle(before, state) {
  if (!wish) return;
  const hand = state.hands[own];
  const { place } = wish;
  if (place === null) {
    if (hand?.phase === "drawing" || state.stocks[own] < before.stocks[own]) clearWish();
  } else if (isUnderWay(place, state)) clearWish();
  else if (state.peaks[place] < 0 || (hand?.phase === "free" && holder(state, place) >= 0)) miss();
  if (wish && hand?.phase === "free") startNow();
}

/** The hand is free: what waited is under way. */
function startNow() {
  if (target(wish.place).classList.replace("waiting", "touched")) expectAnswer();
}

/** The server refused: the card, or the stock for null, springs back. */
export function springBack(place) {
  if (place === null && wish?.place !== null) return; // A call was refused.
  if (wish?.place === place) clearWish();
  gesture(target(place), "refused");
}

function target(place) {
  return place === null ? chairOf(own).stock : cards[place];
}
