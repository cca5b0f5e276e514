// TriPeaks: from taps and keys to messages, and from views to the page.
import { listenKeys, wireFrame } from "./frame.js";
import { recall, remember } from "./memory.js";
import { endShown, hideEnd, say, showBand } from "./panels.js";
import { freePlaces, moveFocus } from "./peaks.js";
import { replaying, startReplay, step, stopReplay, tell } from "./replay.js";
import { act, ask, askHint, show, sit } from "./server.js";
import { STOCK, drawTable, mark, onTap, redrawTable, refuse } from "./table.js";
import { showResult, showStatistics } from "./tripeaks_panels.js";
import { clockText, reasonText, shortCard, spokenCard, words } from "./words.js";

const byId = (id) => document.getElementById(id);
let view = null;
let seenAt = 0; // When the view came.
let line = () => [""]; // What the band says, in whatever language.

// The band

function tellBand(next) {
  line = next;
  showBand(...line());
}

/** What there is to say while nothing has happened. */
function tellUsual() {
  if (view.status === "lost" && !endShown()) tellBand(() => [words().lostTitle + ".", exits()]);
  else if (view.status === "won" && !endShown()) tellBand(() => [words().wonTitle + ".", exits()]);
  else if (view.status === "running" && view.stock === 0) tellBand(() => [words().stockEmpty(28 - view.cleared)]);
  else if (!recall("played")) tellBand(() => [words().firstTime, [["close", closeNotice]]]);
  else tellNothing();
}

function tellNothing() {
  tellBand(() => [""]);
}

function exits() {
  const back = view.status === "lost" ? [["takeBack", undo]] : [];
  return [...back, ["again", again], ["deal", () => deal()], ["result", openEnd]];
}

// Views

function take(next, fresh = false) {
  const before = view;
  view = next;
  seenAt = performance.now();
  if (!view.refused) awaited = 0;
  mark(null);
  if (!view.refused || fresh) drawTable(view, fresh);
  if (fresh || view.status === "running") hideEnd();
  if (view.status !== "running" && before?.status !== view.status) openEnd();
  byId("undo").disabled = view.moves === 0;
  tellUsual();
  tick();
  if (view.moves > 0 && view.status === "running" && !view.ticking && !document.hidden) tellShown();
  if (!view.refused) announce(before, fresh);
}

function announce(before, fresh) {
  const spoken = (places) => places.map((place) => spokenCard(view.peaks[place])).join(", ");
  const phrases = words();
  if (fresh || !before) {
    say(phrases.saidDealt(spokenCard(view.top), spoken(freePlaces())));
    return;
  }
  const turned = freePlaces().filter((place) => before.peaks[place] === "??");
  const said = [];
  if (view.moves < before.moves) said.push(phrases.saidBack(spokenCard(view.top)));
  else if (view.stock < before.stock) said.push(phrases.saidDrawn(spokenCard(view.top)));
  else said.push(phrases.saidPlayed(spokenCard(view.top)), phrases.saidCleared(view.cleared));
  if (turned.length) said.push(phrases.saidTurned(spoken(turned)));
  if (view.status !== "running") said.push(view.status === "won" ? phrases.wonTitle : phrases.lostTitle);
  say(`${said.join(". ")}.`);
}

function openEnd() {
  const [same, other] = [["again", again], ["deal", () => deal()]];
  const first = view.status === "lost" ? [["takeBack", undo], same, other] : [other, same];
  showResult(view, [...first, ["look", closeEnd], ["replay", replay]]);
  tellNothing();
  byId("end-title").focus({ preventScroll: true });
}

function closeEnd() {
  hideEnd();
  tellUsual();
}

function tick() {
  const running = view?.ticking ? performance.now() - seenAt : 0;
  byId("clock").textContent = clockText((view?.elapsed ?? 0) + running);
}

// What can be done

/** Send a message, and show what comes of it; a lost server costs nothing but a sentence. */
async function send(message, target = null, fresh = false) {
  if (replaying()) stopReplay();
  const answer = await act(message).catch(tellLost);
  if (!answer) return null;
  if (!answer.refused) remember("played", "yes");
  take(answer, fresh && !answer.refused);
  if (answer.refused) tellRefusal(answer.refused, target);
  return answer;
}

function tellLost() {
  tellBand(() => [words().noServer, [], "fault"]);
  return null;
}

function tellRefusal(reason, target) {
  if (target !== null) refuse(target);
  if (!(reason in words().refused)) {
    drawTable(view, true); // Another window has played on: this is how the table stands.
    return;
  }
  tellBand(() => [words().refused[reason]]);
  say(words().refused[reason]);
}

function tap(target) {
  if (replaying()) return;
  send(target === STOCK ? { kind: "draw" } : { kind: "tap", place: target }, target);
}

function undo() {
  send({ kind: "undo" });
}

function again() {
  send({ kind: "again" }, null, true);
}

async function deal(id = "") {
  const answer = await send({ kind: "deal", deal: id }, null, true);
  if (answer && !answer.refused) history.replaceState(null, "", id ? `/tripeaks/${encodeURIComponent(id)}` : "/tripeaks");
  return answer;
}

let searches = 0;
let awaited = 0; // The search whose answer is still wanted, 0 if none is.

async function hint() {
  if (replaying() || awaited || view.status !== "running") return;
  const search = (awaited = ++searches);
  remember("played", "yes");
  const slow = setTimeout(() => search === awaited && tellBand(() => [words().searching, [["close", closeBand]]]), 150);
  const answer = await askHint().catch(tellLost);
  clearTimeout(slow);
  if (search !== awaited) return;
  awaited = 0;
  if (answer?.kind === "hinted") tellHint(answer);
  else if (answer?.kind === "view") {
    take(answer);
    tellRefusal(answer.refused, null);
  } else if (answer) begin(); // The server no longer has this table.
}

function tellHint(hinted) {
  const { action, hopeless } = hinted;
  mark(action);
  const move = () => (action === STOCK ? words().hintDraw : words().hintPlay(spokenCard(view.peaks[action])));
  const advice = (name) => `${move()} ${reasonText(hinted, name)}`.trim();
  const close = ["close", closeBand];
  const ways = [["undo", undo], ["hint", () => tellHint({ ...hinted, hopeless: false })], ["again", again], ["otherDeal", () => deal()]];
  tellBand(() => (hopeless ? [words().hopeless, [...ways, close], "ways"] : [advice(shortCard), [close]]));
  say(hopeless ? words().hopeless : advice(spokenCard));
}

function closeBand() {
  awaited = 0;
  mark(null);
  tellUsual();
}

async function replay() {
  hideEnd();
  const search = (awaited = ++searches);
  tellBand(() => [words().searching, [["close", closeBand]]]);
  const film = await ask({ kind: "replay" }).catch(() => null);
  if (search !== awaited) return;
  awaited = 0;
  if (film?.kind === "film") {
    startReplay(film, () => (take(view, true), openEnd()));
    return;
  }
  openEnd();
  if (film?.refused) tellRefusal(film.refused, null);
  else tellLost();
}

// Wires

function closeNotice() {
  if (replaying()) stopReplay();
  else if (endShown()) closeEnd();
  else {
    if (!recall("played")) remember("played", "yes");
    closeBand();
  }
}

const KEYS = {
  u: undo,
  h: hint,
  n: () => deal(),
  d: () => tap(STOCK),
  escape: closeNotice,
  arrowleft: () => (replaying() ? step(-1) : moveFocus(-1, 0)),
  arrowright: () => (replaying() ? step(1) : moveFocus(1, 0)),
  arrowup: () => moveFocus(0, -1),
  arrowdown: () => moveFocus(0, 1),
};

function sayAnew() {
  if (!view) return;
  redrawTable();
  if (replaying()) tell();
  else showBand(...line());
  if (endShown()) openEnd();
}

async function dealById(event) {
  event.preventDefault();
  const id = byId("id-text").value.trim();
  const answer = id && (await deal(id));
  const dealt = answer && !answer.refused;
  byId("id-fault").textContent = dealt ? "" : id && !answer ? words().noServer : words().noSuchDeal;
  if (dealt) byId("menu-dialog").close();
}

async function openStatistics() {
  byId("menu-dialog").close();
  const tally = await ask({ kind: "statistics" }).catch(tellLost);
  if (tally?.kind === "tally") showStatistics(tally);
  else if (tally) tellRefusal(tally.fault, null);
}

function wire() {
  onTap(tap);
  byId("undo").addEventListener("click", undo);
  byId("hint").addEventListener("click", hint);
  byId("deal").addEventListener("click", () => deal());
  byId("again").addEventListener("click", () => (byId("menu-dialog").close(), again()));
  byId("statistics").addEventListener("click", openStatistics);
  byId("id-form").addEventListener("submit", dealById);
  wireFrame(sayAnew, () => words().rulesText);
  listenKeys((key) => KEYS[key]);
  document.addEventListener("visibilitychange", tellShown);
  window.addEventListener("pageshow", (event) => event.persisted && begin());
  setInterval(tick, 250);
}

async function tellShown() {
  const answer = await show(!document.hidden).catch(() => null); // Whoever comes back taps, and hears of it then.
  if (answer?.kind !== "view") return;
  view = { ...view, elapsed: answer.elapsed, ticking: answer.ticking };
  seenAt = performance.now();
  tick();
}

/** The id in the address, "" if there is none. */
function linkedDeal() {
  try {
    return decodeURIComponent(location.pathname.split("/")[2] ?? "").slice(0, 40);
  } catch {
    return "?";
  }
}

async function begin() {
  const slow = setTimeout(() => tellBand(() => [words().shuffling]), 300);
  const answer = await sit(linkedDeal()).catch(() => null);
  clearTimeout(slow);
  if (!answer) {
    tellBand(() => [words().noServer, [["retry", begin]], "fault"]);
    return;
  }
  take(answer, true);
  if (answer.refused) tellBand(() => [words().noSuchDeal]);
  else if (answer.moves > 0 && answer.status === "running") tellBand(() => [words().goesOn]);
  if (document.hidden) tellShown();
}

wire();
begin();
