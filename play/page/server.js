// Messages to the server, as gipfelsturm.play.messages defines them. What changes the game goes out one at a time.
import { recall, remember } from "./memory.js";

let table = recall("table") ?? "";
let turn = 0;
let queue = Promise.resolve();

async function post(message, keepalive = false) {
  const answer = await fetch("/api/tripeaks", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
    keepalive,
  });
  return answer.json();
}

function noteTurn(view) {
  turn = view.turn;
  return view;
}

async function sitNow(deal) {
  const seated = await post({ kind: "sit", table, deal });
  if (seated.kind !== "seated") throw new Error(seated.fault);
  table = seated.table;
  remember("table", table);
  return noteTurn(seated.view);
}

async function actNow(message) {
  const answer = await post({ table, turn, ...message });
  if (answer.kind === "view") return noteTurn(answer);
  return sitNow(""); // The server no longer has this table: take another one.
}

function inTurn(work) {
  const done = queue.then(work);
  queue = done.catch(() => {});
  return done;
}

/** Sit down, at a deal of a certain id if one is given; the view of the table. */
export function sit(deal = "") {
  return inTurn(() => sitNow(deal));
}

/** Change the game by one message; the view of the table after it. */
export function act(message) {
  return inTurn(() => actNow(message));
}

/** Ask for something that changes nothing. */
export function ask(message) {
  return post({ table, ...message });
}

/** The answer to a hint, null if this page has changed the table meanwhile. */
export async function askHint() {
  const asked = turn;
  const answer = await post({ kind: "hint", table, turn });
  if (asked !== turn) return null;
  return answer.kind === "view" ? noteTurn(answer) : answer;
}

/** Tell whether the page is shown; it may be on its way out. */
export function show(shown) {
  return post({ kind: "show", table, shown }, true);
}
