// The seats around the table: who sits there, their stock and their pile. One's own is at the front.
import { rankShape, showFace } from "./cards.js";
import { gesture, onTouch } from "./flights.js";
import { spokenCard, words } from "./words.js";

const SIDES = ["own", "left", "right"];
const root = document.getElementById("seats");
let chairs = []; // By seat.
let own = 0;

/** Put up the seats of a table; `tapped` hears of the own stock, of a pile, and of a wish for an agent. */
export function layChairs(seats, mine, tapped) {
  own = mine;
  root.dataset.seats = seats;
  chairs = Array.from({ length: seats }, (_, seat) => makeChair((seat - mine + seats) % seats, seat, tapped));
  root.replaceChildren(...[...chairs].sort((a, b) => a.order - b.order).map((chair) => chair.root));
}

function makeChair(order, seat, tapped) {
  const chair = { order, number: order + 1, seat, root: made("section", `seat ${SIDES[order]}`) };
  const plate = made("p", "plate");
  chair.name = made("span", "name");
  chair.status = made("span", "status");
  chair.replace = made("button", "replace");
  plate.append(badge(chair.number), chair.name, chair.status, chair.replace);
  chair.stock = made(order ? "div" : "button", "card stock");
  chair.left = made("span", "left");
  chair.stock.append(chair.left);
  chair.pile = made("button", "card face pile");
  chair.bubble = made("p", "bubble");
  chair.bubble.hidden = chair.replace.hidden = true;
  chair.root.append(plate, chair.stock, chair.pile, chair.bubble);
  chair.pile.dataset.seat = seat;
  onTouch(chair.pile, () => tapped.pile(seat));
  chair.replace.addEventListener("click", () => tapped.replace(seat));
  if (order) chair.stock.setAttribute("role", "img");
  else onTouch(chair.stock, () => tapped.stock());
  return chair;
}

function made(tag, className) {
  const element = document.createElement(tag);
  element.className = className;
  if (tag === "button") element.type = "button";
  return element;
}

/** The sign of a seat, seen from one's own, which is 1; the next to the left is 2. */
export function badge(number) {
  const sign = made("span", `badge seat-${number}`);
  sign.append(rankShape(String(number)));
  return sign;
}

/** The seats' own elements, `{number, stock, pile}`. */
export function chairOf(seat) {
  return chairs[seat];
}

/** The seat whose number, seen from here, is this one; undefined if there is none. */
export function seatNumbered(number) {
  return chairs.findIndex((chair) => chair.number === number);
}

/** How somebody is called. */
export function nameOf(seat, players) {
  if (seat === own) return words().you;
  return players?.[seat]?.agent || words().partner;
}

/** How those are called whose hands play faster than can be seen: the only ones who can have played unseen. */
export function unseenNames(tempos, players) {
  const seats = tempos.flatMap(({ carry }, seat) => (carry ? [] : [seat]));
  return seats.map((seat) => nameOf(seat, players)).join(" / ");
}

/** Say who sits where. */
export function drawPlayers({ players, game, games, total, stage }) {
  const missing = stage === "waiting" ? words().awaited : words().gone;
  players.forEach((player, seat) => {
    const chair = chairs[seat];
    const hunt = seat === own && games > 1 ? words().hunt(game, games, total) : "";
    chair.name.textContent = nameOf(seat, players);
    chair.status.textContent = player.present ? hunt : missing;
    chair.root.classList.toggle("away", !player.present);
    chair.root.setAttribute("aria-label", words().seatLabel(chair.number, nameOf(seat, players)));
    chair.replace.hidden = !player.replaceable;
    chair.replace.textContent = player.wishes.includes(own) ? words().wished : words().replace;
    chair.replace.disabled = player.wishes.includes(own);
  });
}

/** Show stocks; piles change when their cards have landed. */
export function drawStocks(stocks, players) {
  stocks.forEach((left, seat) => {
    const { stock, left: count } = chairs[seat];
    count.textContent = left || "";
    stock.classList.toggle("empty", left === 0);
    stock.classList.toggle("down", left > 0);
    stock.setAttribute("aria-label", seat === own ? words().myStock(left) : words().stockOf(nameOf(seat, players), left));
    if (seat === own) stock.setAttribute("aria-disabled", String(left === 0));
  });
}

/** Show the top card of a pile. */
export function drawTop(seat, card, players, turning = false) {
  const { pile, number } = chairs[seat];
  pile.setAttribute("aria-label", words().pileOf(number, nameOf(seat, players), spokenCard(card)));
  if (pile.dataset.card === card) return;
  pile.dataset.card = card;
  showFace(pile, card);
  if (turning) gesture(pile, "turning");
}

/** Mark the pile that the next card goes on; null marks none. */
export function markPile(named) {
  for (const { seat, pile } of chairs) {
    pile.setAttribute("aria-pressed", String(seat === named));
    pile.classList.toggle("named", seat === named);
  }
}
