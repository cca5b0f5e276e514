// Gipfelsturm: from taps and keys to messages, and from messages to the page.
import { CALL_KEYS, layCalls, needOfKey } from "./calls.js";
import { chairOf, drawPlayers, layChairs, markPile, seatNumbered } from "./chairs.js";
import { showClock } from "./clock.js";
import { onTouch } from "./flights.js";
import { listenKeys, wireFrame } from "./frame.js";
import { drawState, forgetTable, settleTable } from "./gipfelsturm_table.js";
import { endSentence, showOver, showReady } from "./gipfelsturm_sheet.js";
import { layHands } from "./hands.js";
import { connect } from "./line.js";
import { recall, remember } from "./memory.js";
import { endShown, hideEnd, say, showBand, showRules } from "./panels.js";
import { cards, moveFocus } from "./peaks.js";
import { cardText, cleared, hasChanged } from "./state.js";
import { askOffer, friendsHere, openTable, usualPlan } from "./tables.js";
import { clearWish, freshTaps, isUnderWay, settle, springBack, wishFor } from "./taps.js";
import { spokenCard, words } from "./words.js";
import "./words_gipfelsturm.js";

const byId = (id) => document.getElementById(id);

const here = { seat: 0, welcome: null, roster: null, friends: [], recording: false };
let line = null;
let state = null;
let ending = null;
let online = false;
let seenAt = 0; // When the state came.
let fresh = true; // The next state is of another game, or the first one here.
let looking = false; // At the table after the end, with the sheet away.
let named = null; // The pile that the next card goes on.
let needing = false; // The next key is the rank that is needed.
let band = () => [""]; // What the band says, in whatever language.
let refusedAt = null; // The table at which something was refused, as long as the band says why.

// The band

function tellBand(next) {
  band = next;
  refusedAt = null;
  showBand(...band());
}

function tellUsual() {
  if (needing) tellBand(() => [words().needKey]);
  else if (named !== null) tellBand(() => [words().pileNamed(chairOf(named).number)]);
  else if (ending && looking) tellBand(() => [endSentence(ending), [["result", openSheet]]]);
  else if (here.roster?.stage === "running" && !recall("stormed")) tellBand(() => [words().firstStorm]);
  else tellBand(() => [""]);
}

// Messages

const HEARD = {
  welcome(message) {
    here.welcome = message;
    here.seat = message.seat;
    here.roster = null;
    online = true;
    layTable();
    tellBand(() => [""]);
  },
  roster(message) {
    const before = here.roster;
    here.roster = message;
    if (message.stage !== "over") ending = null;
    if (before?.stage === "over" && message.stage === "waiting") fresh = true;
    drawPlayers(message);
    drawSheet(before);
    if (before && before.stage !== "running" && message.stage === "running") start();
  },
  state(message) {
    const before = fresh ? null : state;
    state = message;
    seenAt = performance.now();
    const told = drawState(state, here.welcome.settings, here.roster.players, fresh);
    fresh = false;
    if (before) settle(before, state);
    if (refusedAt && hasChanged(refusedAt, state)) tellUsual();
    if (told.length) say(`${told.join(". ")}.`);
    tick();
  },
  refused({ reason, place }) {
    springBack(place);
    if (!ending) tellRefusal(words().refusedStorm[reason] ?? reason);
  },
  over(message) {
    ending = message;
    looking = false;
    clearWish();
    name(null);
    drawSheet();
    say(endSentence(ending));
    byId("end-title").focus({ preventScroll: true });
    tick();
  },
};

/** Put up an empty table for those who sit here. */
function layTable() {
  const { seats, calls } = here.welcome.settings;
  fresh = true;
  layChairs(seats, here.seat, { stock: draw, pile: namePile, replace });
  layHands(seats);
  layCalls(call);
  freshTaps(here.seat);
  forgetTable();
  named = null;
  byId("table").dataset.seats = seats;
  byId("calls").classList.toggle("silent", !calls);
}

function drawSheet(before) {
  const { stage } = here.roster;
  if (stage === "running") hideEnd();
  else if (stage !== "over") showReady(here, { go, replace, rules: () => showRules(words().stormRules) });
  else if (ending && !looking) openSheet();
  if (before?.stage !== stage) tellUsual();
}

function openSheet() {
  looking = false;
  showOver(here, ending, 28 - cleared(state), [nextChoice(), ["look", look], ["newTable", () => location.assign("/")]]);
  if (here.roster.players[here.seat].ready) byId("end-text").textContent = words().readyWait;
  tellUsual();
}

function nextChoice() {
  const { game, games } = here.roster;
  return [games > 1 && game === games ? "newHunt" : "nextGame", go];
}

function look() {
  looking = true;
  hideEnd();
  tellUsual();
}

/** The clock runs from now on. */
function start() {
  seenAt = performance.now();
  if (state) say(words().saidGo(state.tops.map((top, seat) => `${chairOf(seat).number}: ${spokenCard(cardText(top))}`).join(", ")));
  cards.find((card) => card.tabIndex === 0)?.focus({ preventScroll: true });
}

/** Why something was refused, until the table changes: then it may no longer be so. */
function tellRefusal(sentence) {
  tellBand(() => [sentence]);
  refusedAt = state;
  say(sentence);
}

function lost(why) {
  clearWish();
  if (why === "lost") tellBand(() => [words().lostLine, [], "fault"]);
  else if (why === "taken") tellBand(() => [words().otherWindow, [["playHere", line.reopen]], "fault"]);
  else tellBand(() => [words().noSeat, [["newTable", () => location.assign("/")]], "fault"]);
  online = false;
}

function tick() {
  if (!state) return;
  const running = online && here.roster?.stage === "running";
  showClock(here.welcome.settings, state, running ? performance.now() - seenAt : 0);
}

// What can be done

function go() {
  line.send({ type: "go" });
}

function replace(seat) {
  line.send({ type: "replace", seat });
}

function tap(place, shift) {
  const seats = here.welcome.settings.seats;
  const pile = named ?? (shift ? (here.seat + 1) % seats : null);
  hope(place, { type: "tap", place, pile });
}

function draw() {
  hope(null, { type: "draw" });
}

/** Send what the own hand is to do, and mark it at once. */
function hope(place, message) {
  if (!state || isUnderWay(place, state) || !line.send(message)) return;
  remember("stormed", "yes");
  const waits = wishFor(place, state);
  name(null);
  if (waits) say(words().waits);
}

function call(number) {
  needing = false;
  tellUsual();
  line.send({ type: "call", call: number });
}

/** Name the pile that the next card goes on; naming it again, or null, takes that back. */
function name(seat) {
  named = seat === named ? null : seat;
  markPile(named);
  tellUsual();
}

/** A pile was tapped, or its number pressed: there is something to be named while the game runs. */
function namePile(seat) {
  if (here.roster?.stage === "running") name(seat);
}

function nameNumber(number) {
  const seat = seatNumbered(number);
  if (seat >= 0) namePile(seat);
}

function need() {
  needing = here.welcome?.settings.calls ?? false;
  tellUsual();
  if (needing) say(words().needKey);
}

function callNeeded(key) {
  const number = needOfKey(key);
  if (number) call(number);
  else escape();
}

function escape() {
  if (needing || named !== null) {
    needing = false;
    name(null);
  } else if (ending && endShown()) look();
  else tellUsual();
}

const KEYS = {
  d: draw,
  n: need,
  g: go,
  w: () => call(CALL_KEYS.w),
  i: () => call(CALL_KEYS.i),
  1: () => nameNumber(1),
  2: () => nameNumber(2),
  3: () => nameNumber(3),
  escape,
  arrowleft: () => moveFocus(-1, 0),
  arrowright: () => moveFocus(1, 0),
  arrowup: () => moveFocus(0, -1),
  arrowdown: () => moveFocus(0, 1),
};

function keyRun(key) {
  if (!state) return undefined;
  if (needing && key.length === 1) return () => callNeeded(key);
  return KEYS[key];
}

// Wires

function sayAnew() {
  if (!here.roster || !state) return;
  const pile = named;
  layTable();
  drawPlayers(here.roster);
  drawState(state, here.welcome.settings, here.roster.players, true);
  fresh = false;
  drawSheet(here.roster);
  if (pile === null) showBand(...band());
  else name(pile);
}

function wire() {
  cards.forEach((card, place) => onTouch(card, (event) => tap(place, event.shiftKey)));
  wireFrame(sayAnew, () => words().stormRules);
  listenKeys(keyRun);
  window.addEventListener("resize", () => here.welcome && settleTable(here.welcome.settings.tick_ms));
  setInterval(tick, 100);
}

async function begin() {
  tellBand(() => [words().seating]);
  const token = () => location.pathname.split("/")[2] ?? "";
  try {
    const offer = await askOffer();
    here.recording = offer.recording;
    for (const element of document.querySelectorAll(".recording")) element.hidden = !offer.recording;
    if (!token()) history.replaceState(null, "", await openTable(usualPlan(offer)));
    here.friends = friendsHere(offer.address);
  } catch {
    tellBand(() => [words().noServer, [["retry", begin]], "fault"]);
    return;
  }
  line = connect(token(), (message) => HEARD[message.type](message), lost);
}

wire();
begin();
