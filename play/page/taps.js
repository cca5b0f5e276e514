// What the own hand is wished to do: marked at once, before the server knows of it, until it is done or refused.
import { chairOf } from "./chairs.js";
import { gesture } from "./flights.js";
import { cards } from "./peaks.js";

let wish = null; // {place}, null for a draw
let own = 0;

/** Forget everything: this seat's hand is looked at from now on. */
export function freshTaps(seat) {
  own = seat;
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
  return waits;
}

/** Nothing is wished for any more. */
export function clearWish() {
  if (wish) target(wish.place).classList.remove("touched", "waiting");
  wish = null;
}

/** See whether the wish has come true; one that cannot be is refused. */
export function settle(before, state) {
  if (!wish) return;
  const hand = state.hands[own];
  const { place } = wish;
  if (place === null) {
    if (hand?.phase === "drawing" || state.stocks[own] < before.stocks[own]) clearWish();
  } else if (isUnderWay(place, state)) clearWish();
  if (wish && hand?.phase === "free") target(wish.place).classList.replace("waiting", "touched"); // It is under way.
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
