// All hands at the table, and the cards in them. They move by transform alone, in the time that their phase still takes.
import { showFace } from "./cards.js";
import { badge, chairOf } from "./chairs.js";
import { boxOf, fly, still } from "./flights.js";
import { cards } from "./peaks.js";
import { cardText } from "./state.js";

const layer = document.getElementById("flights");
let hands = []; // By seat: the hand, the card in it, and what it was last seen to do.

/** One hand for each seat, resting. */
export function layHands(seats) {
  for (const { hand, card } of hands) [hand, card].forEach((element) => element.remove());
  hands = Array.from({ length: seats }, (_, seat) => makeHand(seat));
}

function makeHand(seat) {
  const hand = badge(chairOf(seat).number);
  hand.classList.add("hand");
  const card = document.createElement("div");
  card.className = "card carried";
  card.hidden = true;
  layer.append(card, hand);
  return { hand, card, doing: "" };
}

/** Let every hand do what it does in this state; `fresh` puts it there without a way. */
export function moveHands(state, tickMs, fresh) {
  hands.forEach((mine, seat) => moveHand(mine, seat, state, tickMs, fresh));
  cards.forEach((card, place) => card.classList.toggle("held", isHeld(state, place)));
}

function isHeld(state, place) {
  return state.hands.some((hand) => hand.place === place && carries(hand)) && state.peaks[place] > 0;
}

function carries({ phase }) {
  return phase === "carrying" || phase === "returning";
}

function moveHand(mine, seat, state, tickMs, fresh) {
  const doing = state.hands[seat] ?? { phase: "free", place: -1, pile: -1, left: 0 };
  const key = `${doing.phase} ${doing.place} ${doing.pile}`;
  if (key === mine.doing && !fresh) return;
  if (!state.hands.length && !fresh) bringBack(mine, state);
  const isNew = mine.doing.split(" ")[0] !== doing.phase || mine.doing.split(" ")[1] !== String(doing.place);
  mine.doing = key;
  const [from, to] = way(doing, seat);
  const ms = still.matches || fresh ? 0 : doing.left * tickMs;
  showCarried(mine.card, doing, state);
  if (isNew && from) {
    put(mine.hand, gripOf(from, mine.hand), 0);
    put(mine.card, boxOf(from), 0);
    void mine.card.offsetWidth; // From here on it is on its way.
  }
  put(mine.hand, to === null ? restOf(seat, mine.hand) : gripOf(to, mine.hand), to === null ? Math.min(ms, 200) : ms);
  if (to) put(mine.card, boxOf(to), ms);
}

/** The time is up: what a hand holds goes back at once. */
function bringBack(mine, state) {
  const [phase, place, pile] = mine.doing.split(" ");
  if (phase !== "carrying" || state.peaks[place] < 0) return;
  cards[place].style.visibility = "hidden";
  fly(cardText(state.peaks[place]), chairOf(pile).pile, cards[place], () => (cards[place].style.visibility = ""));
}

/** From where to where a hand goes: null where it comes from anywhere, or goes to rest. */
function way({ phase, place, pile }, seat) {
  const home = chairOf(seat);
  if (phase === "reaching") return [null, cards[place]];
  if (phase === "drawing") return [home.stock, still.matches ? home.stock : home.pile];
  if (phase === "carrying") return [cards[place], still.matches ? cards[place] : chairOf(pile).pile];
  if (phase === "returning") return [pile < 0 || still.matches ? cards[place] : chairOf(pile).pile, cards[place]];
  return [null, null];
}

function showCarried(card, doing, state) {
  card.hidden = !carries(doing) && doing.phase !== "drawing";
  if (!card.hidden) showFace(card, doing.phase === "drawing" ? "" : cardText(state.peaks[doing.place]));
}

/** Where a hand holds a card: at the middle of its lower edge. */
function gripOf(target, hand) {
  const box = boxOf(target);
  return { x: box.x + (box.width - hand.offsetWidth) / 2, y: box.y + box.height - hand.offsetHeight * 0.7, width: 0 };
}

/** Where a hand lies while it does nothing: at the corner of its pile. */
function restOf(seat, hand) {
  const box = boxOf(chairOf(seat).pile);
  return { x: box.x + box.width - hand.offsetWidth * 0.6, y: box.y + box.height - hand.offsetHeight * 0.6, width: 0 };
}

function put(element, { x, y, width }, ms) {
  const scale = width ? ` scale(${width / element.offsetWidth || 1})` : "";
  element.style.transitionDuration = `${ms}ms`;
  element.style.transform = `translate(${x}px, ${y}px)${scale}`;
}
