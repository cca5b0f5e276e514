// The Gipfelsturm table: draws states, and lets be seen and heard what has changed from one to the next.
import { callText, drawCalls } from "./calls.js";
import { chairOf, drawStocks, drawTop, nameOf, unseenNames } from "./chairs.js";
import { fly, gesture } from "./flights.js";
import { moveHands } from "./hands.js";
import { cards, drawPeaks, forgetPeaks } from "./peaks.js";
import { cardText, changes, cleared } from "./state.js";
import { spokenCard, words } from "./words.js";

const streak = document.getElementById("streak");
let shown = null;

/** Draw a state; returns what can be told of the way from the last one, as sentences. */
export function drawState(state, { tick_ms: tickMs, tempos }, players, fresh) {
  const before = fresh ? null : shown;
  shown = state;
  drawPeaks(state.peaks.map(cardText), fresh);
  drawStocks(state.stocks, players);
  drawCalls(state.calls);
  drawCounts(state, before);
  moveHands(state, tickMs, fresh);
  const news = before ? changes(before, state) : { plays: [], draws: [], calls: [], turned: [], back: [] };
  drawTops(state, players, news);
  return sentences(state, players, news, unseenNames(tempos, players));
}

/** Put everything anew where it belongs, after the window has changed. */
export function settleTable(tickMs) {
  if (shown) moveHands(shown, tickMs, true);
}

export function forgetTable() {
  shown = null;
  forgetPeaks();
}

function drawCounts(state, before) {
  document.getElementById("cleared").textContent = `${cleared(state)}/28`;
  streak.textContent = state.streak;
  if (before && state.streak > before.streak) gesture(streak, "grown");
  if (before && before.streak > 0 && state.streak === 0) gesture(streak, "broken");
}

/** What no hand was seen to carry flies to its pile; the others have landed with their hand. */
function drawTops(state, players, { plays, draws }) {
  const flights = new Set();
  const show = (seat, turning) => drawTop(seat, cardText(shown.tops[seat]), players, turning);
  for (const { place, card, pile, seat } of plays) {
    if (seat >= 0) continue;
    flights.add(pile);
    fly(card, cards[place], chairOf(pile).pile, () => show(pile));
  }
  for (const { seat, card, seen } of draws) {
    if (seen) continue;
    flights.add(seat);
    fly(card, chairOf(seat).stock, chairOf(seat).pile, () => show(seat));
  }
  const drawn = new Set(draws.map(({ seat }) => seat));
  state.tops.forEach((_, seat) => flights.has(seat) || show(seat, drawn.has(seat)));
}

function sentences(state, players, { plays, draws, calls, turned, back }, unseen) {
  const say = words();
  const spoken = (place) => spokenCard(cardText(state.peaks[place]));
  return [
    ...plays.map(({ card, pile, seat }) => say.saidPlay(seat < 0 ? unseen : nameOf(seat, players), spokenCard(card), chairOf(pile).number)),
    ...draws.map(({ seat, card }) => say.saidDraw(nameOf(seat, players), spokenCard(card))),
    ...(turned.length ? [say.saidTurned(turned.map(spoken).join(", "))] : []),
    ...back.map((place) => say.saidBackAgain(spoken(place))),
    ...calls.map(({ seat, call }) => say.saidCall(nameOf(seat, players), callText(call))),
  ];
}
