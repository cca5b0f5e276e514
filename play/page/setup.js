// Setting up a table of Gipfelsturm: who plays, at what pace, and what.
import { askOffer, openTable } from "./tables.js";
import { clockText, words } from "./words.js";

const byId = (id) => document.getElementById(id);
const FRIEND = "";
let offer = null;
let asking = false;

/** Ask what there is to choose from, unless that is known, and let it be chosen. */
export async function fillSetup() {
  if (offer || asking) return;
  asking = true;
  byId("plan-fault").textContent = "";
  try {
    offer = await askOffer();
  } catch {
    byId("plan-fault").textContent = words().noChoices;
    return;
  } finally {
    asking = false;
  }
  byId("preset").replaceChildren(...offer.presets.map(({ name }) => choice(name)));
  byId("preset").value = "normal";
  byId("games").max = offer.most_games;
  byId("others").replaceChildren(otherSeat(2), otherSeat(3));
  for (const id of ["preset", "seats", "no-clock"]) byId(id).addEventListener("change", id === "preset" ? takePreset : suit);
  byId("plan").addEventListener("submit", open);
  takePreset();
  saySetup();
  byId("choices").disabled = false; // not before: what is there to choose would replace what was chosen
}

function choice(value) {
  const option = document.createElement("option");
  option.value = value;
  return option;
}

function select(id, values, value) {
  const element = document.createElement("select");
  element.id = id;
  element.append(...values.map(choice));
  element.value = value;
  return element;
}

function otherSeat(number) {
  const line = document.createElement("p");
  const label = document.createElement("label");
  const who = select(`who-${number}`, [...offer.partners, FRIEND], offer.partner);
  const pace = select(`pace-${number}`, offer.paces, offer.pace);
  line.id = `seat-${number}`;
  label.htmlFor = who.id;
  who.addEventListener("change", suit);
  line.append(label, " ", who, " ", pace);
  return line;
}

/** Say everything that is to be chosen, in the language that is spoken now. */
export function saySetup() {
  if (!offer) return;
  const say = words();
  for (const option of byId("preset").options) option.textContent = say.presets[option.value] ?? option.value;
  for (const number of [2, 3]) {
    byId(`seat-${number}`).firstChild.textContent = say.seatNumber(number);
    for (const option of byId(`who-${number}`).options) option.textContent = option.value || say.aFriend;
    byId(`pace-${number}`).setAttribute("aria-label", `${say.seatNumber(number)}: ${say.pace}`);
    for (const option of byId(`pace-${number}`).options) option.textContent = `${say.pace}: ${say.paces[option.value] ?? option.value}`;
  }
  suit();
}

function preset() {
  return offer.presets.find(({ name }) => name === byId("preset").value);
}

/** The free settings start as the preset has them. */
function takePreset() {
  const { clock, ring } = preset();
  byId("ring").checked = ring;
  byId("clock").value = clock ?? "";
  byId("no-clock").checked = clock === null;
  byId("stock").value = "";
  suit();
}

/** Let everything suit what has just been chosen. */
function suit() {
  const seats = Number(byId("seats").value);
  const { stocks, clock, ring } = preset();
  const dealt = stocks[seats - 2];
  byId("stock").placeholder = dealt;
  byId("stock").max = Math.floor(24 / seats);
  byId("clock").disabled = byId("no-clock").checked;
  byId("seat-3").hidden = seats < 3;
  const friends = [2, 3].filter((number) => byId(`who-${number}`).value === FRIEND);
  for (const number of [2, 3]) byId(`pace-${number}`).disabled = friends.includes(number);
  byId("friends-note").hidden = offer.address !== "" || !friends.some((number) => number <= seats);
  const time = clock === null ? words().noClock : clockText(1000 * clock);
  byId("preset-facts").textContent = words().facts(dealt, ring, time);
}

/** What was chosen, as a `TablePlan`. */
function planned() {
  const numbers = byId("seats").value === "3" ? [2, 3] : [2];
  const others = numbers.map((number) => {
    const agent = byId(`who-${number}`).value;
    return agent === FRIEND ? { agent } : { agent, pace: byId(`pace-${number}`).value };
  });
  const plan = { preset: byId("preset").value, seats: [{ agent: "" }, ...others], games: Number(byId("games").value) };
  plan.calls = !byId("silent").checked;
  plan.ring = byId("ring").checked;
  if (byId("stock").value) plan.stock = Number(byId("stock").value);
  plan.clock = byId("no-clock").checked ? null : Number(byId("clock").value);
  return plan;
}

async function open(event) {
  event.preventDefault();
  const fault = byId("plan-fault");
  fault.textContent = "";
  const wrong = [...byId("plan").elements].find((element) => !element.checkValidity());
  if (wrong) {
    fault.textContent = `${wrong.labels[0].textContent}: ${wrong.validationMessage}`;
    wrong.focus();
    return;
  }
  try {
    location.assign(await openTable(planned()));
  } catch ({ message }) {
    fault.textContent = `${words().cannotOpen} ${message}`;
  }
}
