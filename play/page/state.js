// What the messages of a table mean, without a word or a picture.
import { DOWN, GONE } from "./peaks.js";

const RANKS = "A23456789TJQK";
const SUITS = "CDHS";

/** A card as in messages: 1 + its code, 0 face down, -1 gone. */
export function cardText(number) {
  if (number <= 0) return number < 0 ? GONE : DOWN;
  return RANKS[(number - 1) >> 2] + SUITS[(number - 1) & 3];
}

/** How many cards have left the peaks. */
export function cleared(state) {
  return state.peaks.filter((card) => card < 0).length;
}

/** The seat that has the card of a place in hand, -1 if none has. */
export function holder(state, place) {
  return state.hands.findIndex((hand) => hand.place === place && ["carrying", "returning"].includes(hand.phase));
}

/**
 * What has happened between two states: plays `{place, card, pile, seat}`, draws `{seat, card}`, calls `{seat, call}`,
 * places of cards that turned up, and of those that go back. `seat` of a play is -1 where no hand was seen to carry it.
 */
export function changes(before, state) {
  const places = state.peaks.map((_, place) => place);
  return {
    plays: places.filter((place) => before.peaks[place] >= 0 && state.peaks[place] < 0).map((place) => play(before, state, place)),
    draws: state.stocks
      .map((left, seat) => ({ seat, card: cardText(state.tops[seat]), seen: before.hands[seat]?.phase === "drawing", left }))
      .filter(({ seat, left }) => left < before.stocks[seat]),
    calls: state.calls.map(({ call }, seat) => ({ seat, call })).filter(({ seat, call }) => call && isNew(before, state, seat)),
    turned: places.filter((place) => before.peaks[place] === 0 && state.peaks[place] > 0),
    back: state.hands.filter(({ phase }, seat) => phase === "returning" && before.hands[seat]?.phase !== phase).map(({ place }) => place),
  };
}

/** Whether anything lies otherwise than before: hands, calls and time do not count. */
export function hasChanged(before, state) {
  return ["peaks", "tops", "stocks"].some((name) => before[name].some((number, index) => number !== state[name][index]));
}

function isNew(before, state, seat) {
  const [old, now] = [before.calls[seat], state.calls[seat]];
  return old.call !== now.call || now.age < old.age + state.tick - before.tick;
}

function play(before, state, place) {
  const seat = holder(before, place);
  const shown = state.tops.indexOf(before.peaks[place]);
  const pile = shown >= 0 ? shown : Math.max(0, before.hands[seat]?.pile ?? 0); // Covered in the same tick already.
  return { place, card: cardText(before.peaks[place]), pile, seat };
}
