// Opening tables of Gipfelsturm, and what is known of the one that was opened last: its friends' links.
import { recall, remember } from "./memory.js";

async function answerOf(request) {
  const answer = await (await request).json();
  if (answer.fault) throw new Error(answer.fault);
  return answer;
}

/** What can be asked for: partners, paces, presets. */
export function askOffer() {
  return answerOf(fetch("/api/partners"));
}

/** One person and the partner whom the server suggests. */
export function usualPlan(offer) {
  return { seats: [{ agent: "" }, { agent: offer.partner, pace: offer.pace }] };
}

/** Open a table, as a `TablePlan` tells; the token of the own seat. */
export async function openTable(plan) {
  const body = JSON.stringify(plan);
  const opened = await answerOf(fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body }));
  const [own, ...friends] = opened.seats;
  remember("friends", JSON.stringify({ token: own.token, friends }));
  return own.token;
}

/** The links for friends of the table where this token has a seat: `{seat, token, link}` each. */
export function friendsOf(token) {
  const opened = JSON.parse(recall("friends") ?? "null");
  return opened?.token === token ? opened.friends : [];
}
