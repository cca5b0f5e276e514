// The TriPeaks table: draws views of the server, and tells who was tapped.
import { showFace } from "./cards.js";
import { fly, gesture } from "./flights.js";
import { GONE, cards, drawPeaks, forgetPeaks } from "./peaks.js";
import { spokenCard, words } from "./words.js";

export const STOCK = 28;

const stock = document.getElementById("stock");
const pile = document.getElementById("pile");
const left = document.getElementById("left");
const cleared = document.getElementById("cleared");
const streak = document.getElementById("streak");

let shown = null; // The last view.

/** Call back with the place that was tapped, or `STOCK`. */
export function onTap(tapped) {
  cards.forEach((card, place) => card.addEventListener("click", () => tapped(place)));
  stock.addEventListener("click", () => tapped(STOCK));
}

/** Draw a view; one move that it is away from the last one is seen to happen. */
export function drawTable(view, fresh = false) {
  const before = fresh ? null : shown;
  shown = view;
  drawPeaks(view.peaks, fresh);
  drawFoot(view, before);
  if (before) animate(view, before);
  else showFace(pile, view.top);
}

/** Say everything on the table anew, in another language. */
export function redrawTable() {
  if (!shown) return;
  const view = shown;
  shown = null;
  forgetPeaks();
  drawTable(view);
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
