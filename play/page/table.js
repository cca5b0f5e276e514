// The cards on the table: draws views of the server, and tells who was tapped.
import { showFace } from "./cards.js";
import { fly, gesture } from "./flights.js";
import { spokenCard, words } from "./words.js";

const GONE = "";
const DOWN = "??";
export const STOCK = 28;

const peaks = document.getElementById("peaks");
const stock = document.getElementById("stock");
const pile = document.getElementById("pile");
const left = document.getElementById("left");
const cleared = document.getElementById("cleared");
const streak = document.getElementById("streak");

const PLACES = layout();
const cards = PLACES.map(makeCard);
let shown = null; // The last view.

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

/** Call back with the place that was tapped, or `STOCK`. */
export function onTap(tapped) {
  cards.forEach((card, place) => card.addEventListener("click", () => tapped(place)));
  stock.addEventListener("click", () => tapped(STOCK));
}

/** Draw a view; one move that it is away from the last one is seen to happen. */
export function drawTable(view, fresh = false) {
  const before = fresh ? null : shown;
  const held = cards.indexOf(document.activeElement);
  shown = view;
  view.peaks.forEach((card, place) => drawPeak(card, place, before?.peaks[place]));
  drawFoot(view, before);
  if (before) animate(view, before);
  else showFace(pile, view.top);
  if (fresh) gesture(peaks, "dealt");
  tidyFocus(held);
}

/** Say everything on the table anew, in another language. */
export function redrawTable() {
  if (!shown) return;
  const view = shown;
  shown = null;
  drawTable(view);
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

function drawFoot(view, before) {
  left.textContent = view.stock || "";
  stock.classList.toggle("empty", view.stock === 0);
  stock.classList.toggle("down", view.stock > 0);
  stock.setAttribute("aria-label", words().stock(view.stock));
  stock.setAttribute("aria-disabled", String(view.stock === 0));
  pile.setAttribute("aria-label", words().pile(spokenCard(view.top)));
  cleared.textContent = `${view.cleared}/28`;
  streak.textContent = view.streak;
  if (before && view.streak > before.streak) gesture(streak, "grown");
  if (before && before.streak > 0 && view.streak === 0 && view.stock < before.stock) gesture(streak, "broken");
}

function animate(view, before) {
  const played = before.peaks.findIndex((card, place) => card !== GONE && view.peaks[place] === GONE);
  const back = before.peaks.findIndex((card, place) => card === GONE && view.peaks[place] !== GONE);
  const land = () => showFace(pile, view.top);
  if (view.moves > before.moves && played >= 0) fly(view.top, cards[played], pile, land);
  else if (view.moves > before.moves) fly(view.top, stock, pile, land);
  else if (view.moves < before.moves) takeBack(view, before, back);
  else land();
}

function takeBack(view, before, place) {
  showFace(pile, view.top);
  if (place < 0) {
    fly("", pile, stock, () => {});
    return;
  }
  cards[place].style.visibility = "hidden";
  fly(before.top, pile, cards[place], () => (cards[place].style.visibility = ""));
}

/** Spring back: nothing has changed. */
export function refuse(target) {
  gesture(target === STOCK ? stock : cards[target], "refused");
}

/** Mark the card of a hint; null marks none. */
export function mark(target) {
  for (const element of [...cards, stock]) element.classList.remove("marked");
  if (target === null) return;
  (target === STOCK ? stock : cards[target]).classList.add("marked");
}

/** The places of the cards that are free, as read from left to right. */
export function freePlaces() {
  const free = cards.map((_, place) => place).filter((place) => ![GONE, DOWN].includes(shown.peaks[place]));
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
