// Opening tables of Gipfelsturm, and the links for friends, who are to be found again wherever nothing can be stored.
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

/** Open a table, as a `TablePlan` tells; the address of the own seat, which keeps the friends' tokens behind its `#`. */
export async function openTable(plan) {
  const body = JSON.stringify(plan);
  const opened = await answerOf(fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body }));
  const [own, ...friends] = opened.seats;
  const kept = new URLSearchParams(friends.map(({ seat, token }) => [seat, token])).toString();
  return `/gipfelsturm/${own.token}${kept && "#"}${kept}`;
}

/** The friends of whom this page's address knows: `{seat, token, link}` each; the link leads to the server's address. */
export function friendsHere(address) {
  const kept = [...new URLSearchParams(location.hash.slice(1))];
  return kept.map(([seat, token]) => ({ seat: Number(seat), token, link: `${address || location.origin}/gipfelsturm/${token}` }));
}
