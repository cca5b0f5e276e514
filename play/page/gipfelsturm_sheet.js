// The sheet over the table while nobody plays: before a game, in a pause, and after the end.
import { badge, chairOf, nameOf } from "./chairs.js";
import { copyable, endShown, showEnd } from "./panels.js";
import { clockText, words } from "./words.js";

const roster = document.getElementById("end-roster");
const buttons = document.getElementById("end-buttons");
const unfolded = new Set(); // Tokens whose QR codes are looked at.

/** Show what the table waits for; `here` is `{seat, roster, welcome, friends, recording}`. */
export function showReady(here, doing) {
  const paused = here.roster.stage === "paused";
  const text = paused ? words().pausedText : factsOf(here.welcome, here.recording);
  const ready = here.roster.players[here.seat].ready;
  const isNew = !endShown();
  showEnd(paused ? words().pausedTitle : words().waitingTitle, text, [], [[paused ? "goOn" : "go", doing.go], ["rules", doing.rules]]);
  const held = [...roster.querySelectorAll("button, summary")].indexOf(document.activeElement);
  roster.replaceChildren(...here.roster.players.map((player, seat) => row(player, seat, here, doing)));
  if (held >= 0) roster.querySelectorAll("button, summary")[held]?.focus({ preventScroll: true });
  const button = buttons.firstElementChild;
  button.setAttribute("aria-keyshortcuts", "G");
  if (ready) {
    button.setAttribute("aria-disabled", "true");
    button.textContent = words().readyWait;
  }
  if (isNew) button.focus({ preventScroll: true });
}

function factsOf({ preset, settings }, recording) {
  const clock = settings.clock_ms === null ? words().noClock : clockText(settings.clock_ms);
  const facts = words().facts(settings.stock, settings.ring, clock);
  const more = [settings.calls ? "" : words().silentTable, recording ? words().recording : ""].filter(Boolean);
  return [`${words().presets[preset] ?? preset}\u00a0· ${facts}`, ...more].join("\u00a0· ");
}

function row(player, seat, { seat: own, roster: { players, stage }, friends }, doing) {
  const line = document.createElement("li");
  const name = document.createElement("strong");
  name.textContent = nameOf(seat, players);
  const how = document.createElement("span");
  how.textContent = stateOf(player, stage);
  line.append(badge(chairOf(seat).number), name, how);
  if (player.replaceable && seat !== own) line.append(replaceButton(player.wishes.includes(own), () => doing.replace(seat)));
  const friend = friends.find((other) => other.seat === seat);
  if (friend && !player.present) line.append(invitation(friend, chairOf(seat).number));
  return line;
}

function stateOf({ agent, pace, present, ready }, stage) {
  if (agent) return ready ? `${words().pace}: ${words().paces[pace] ?? pace}` : words().preparing;
  if (!present) return stage === "waiting" ? words().awaited : words().gone;
  return ready ? words().ready : words().notReady;
}

function replaceButton(wished, run) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = wished ? words().wished : words().replace;
  button.disabled = wished;
  button.addEventListener("click", run);
  return button;
}

/** A friend's link to copy, and as a picture for their camera. */
function invitation({ link, token }, number) {
  const more = document.createElement("details");
  const summary = document.createElement("summary");
  const picture = document.createElement("img");
  summary.textContent = words().qr;
  picture.alt = words().invite(number);
  picture.width = picture.height = 160;
  more.append(summary, picture);
  more.open = unfolded.has(token);
  if (more.open) picture.src = `/api/qr/${token}`;
  more.addEventListener("toggle", () => {
    picture.src = `/api/qr/${token}`;
    if (more.open) unfolded.add(token);
    else unfolded.delete(token);
  });
  const whole = document.createElement("div");
  whole.className = "invitation";
  whole.append(copyable(link), more);
  return whole;
}

const TITLES = { won: "won", "lost by the clock": "timeOut", "lost: nothing fits": "stuck", running: "cutOff" };

/** How a game ended, in a few words. */
function endTitle(ending) {
  return words()[TITLES[ending.status]];
}

/** The same as a sentence, beside the table or read out. */
export function endSentence(ending) {
  const title = endTitle(ending);
  return title.endsWith("!") ? title : `${title}.`;
}

/** Show how a game ended. */
export function showOver(here, ending, left, choices) {
  const say = words();
  const { game, games, total } = here.roster;
  const won = ending.status === "won";
  const facts = [
    [say.time, clockText(ending.ticks * here.welcome.settings.tick_ms)],
    [say.score, ending.score],
    [say.longest, ending.longest],
    [say.cards, `${28 - left}/28`],
  ];
  const hunt = games > 1 ? ` ${say.huntTotal}: ${say.hunt(game, games, total)}.` : "";
  if (ending.deal) facts.push([say.dealId, copyable(ending.deal)]);
  roster.replaceChildren();
  showEnd(endTitle(ending), (won ? say.scoreText(ending.score) : say.leftText(left)) + hunt, facts, choices);
}

