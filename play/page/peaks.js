// The 28 cards of the peaks, for both games: a card is told as "TH", face down as "??", gone as "".
import { showFace } from "./cards.js";
import { gesture } from "./flights.js";
import { spokenCard, words } from "./words.js";

export const GONE = "";
export const DOWN = "??";

export const peaks = document.getElementById("peaks");
const PLACES = layout();
export const cards = PLACES.map(makeCard);
let shown = null; // What lies there.

/** Column (in steps of a card) and row of each place (rules.md section 1). */
function layout() {
  const places = [];
  for (let i = 0; i < 3; i++) places.push({ x: 3 * i + 1.5, row: 0 });
  for (let i = 0; i < 6; i++) places.push({ x: 3 * Math.floor(i / 2) + (i % 2) + 1, row: 1 });
  for (let i = 0; i < 9; i++) places.push({ x: i + 0.5, row: 2 });
  for (let i = 0; i < 10; i++) places.push({ x: i, row: 3 });
  return places;
}

function makeCard({ x, row }, place) {
  const card = document.createElement("button");
  card.type = "button";
  card.className = "card peak";
  card.dataset.place = place;
  card.tabIndex = -1;
  card.style.setProperty("--x", x);
  card.style.setProperty("--row", row);
  peaks.append(card);
  return card;
}

/** Draw what lies where; what has changed since the last time is seen to happen, unless it is all `fresh`. */
export function drawPeaks(next, fresh) {
  const before = fresh ? null : shown;
  const held = cards.indexOf(document.activeElement);
  shown = next;
  next.forEach((card, place) => drawPeak(card, place, before?.[place]));
  if (fresh) gesture(peaks, "dealt");
  tidyFocus(held);
}

/** Say everything anew with the next drawing, in another language. */
export function forgetPeaks() {
  shown = null;
}

function drawPeak(card, place, before) {
  const element = cards[place];
  element.classList.toggle("gone", card === GONE);
  element.setAttribute("aria-disabled", String(card === DOWN));
  if (card === before && card !== GONE) return;
  showFace(element, card === DOWN ? "" : card);
  element.setAttribute("aria-label", card === DOWN ? words().downCard : card && spokenCard(card));
  if (before === DOWN && card !== DOWN && card !== GONE) gesture(element, "turning");
}

/** The places of the cards that are free, as read from left to right. */
export function freePlaces() {
  const free = cards.map((_, place) => place).filter((place) => ![GONE, DOWN].includes(shown[place]));
  return free.sort((a, b) => PLACES[a].x - PLACES[b].x || PLACES[b].row - PLACES[a].row);
}

/** Exactly one free card can be reached with Tab, the arrows do the rest. */
function tidyFocus(held) {
  const free = freePlaces();
  const last = held >= 0 ? held : cards.findIndex((card) => card.tabIndex === 0);
  const next = free.includes(last) ? last : nearest(free, last);
  for (const card of cards) card.tabIndex = -1;
  if (next === undefined) return;
  cards[next].tabIndex = 0;
  if (held >= 0 && held !== next) cards[next].focus({ preventScroll: true });
}

function nearest(free, place) {
  if (place < 0) return free[0];
  const away = (other) =>
    Math.abs(PLACES[other].x - PLACES[place].x) + Math.abs(PLACES[other].row - PLACES[place].row) / 2;
  return free.reduce((best, other) => (best === undefined || away(other) < away(best) ? other : best), undefined);
}

/** Move the focus to the next free card in a direction, -1, 0 or 1 to the right and down. */
export function moveFocus(right, down) {
  const free = freePlaces();
  const place = cards.indexOf(document.activeElement);
  const target = place < 0 ? cards.findIndex((card) => card.tabIndex === 0) : neighbour(free, place, right, down);
  if (target === undefined || target < 0) return;
  for (const card of cards) card.tabIndex = -1;
  cards[target].tabIndex = 0;
  cards[target].focus();
}

function neighbour(free, place, right, down) {
  if (right) return free[free.indexOf(place) + right];
  const rows = free.filter((other) => Math.sign(PLACES[other].row - PLACES[place].row) === down);
  return nearest(rows, place);
}
