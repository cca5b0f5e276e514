// How often games were won: tables with intervals, and the course over time.
import { wireLanguage } from "./frame.js";
import { plot } from "./plot.js";
import { clockText, words } from "./words.js";
import "./words_gipfelsturm.js";

const figures = document.getElementById("figures");
let known = null;

function percent(share) {
  return `${Math.round(100 * share)} %`;
}

function mean(number) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return number === null ? "–" : number.toLocaleString(document.documentElement.lang, digits);
}

function made(tag, text = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function row(cells, tag = "td") {
  const line = document.createElement("tr");
  line.append(...cells.map((cell) => made(tag, cell)));
  return line;
}

/** A table in a frame that scrolls by itself where the window is narrow. */
function tableOf(title, names, rows) {
  const frame = document.createElement("div");
  const table = document.createElement("table");
  const [head, body] = [document.createElement("thead"), document.createElement("tbody")];
  frame.className = "scroll";
  head.append(row(names, "th"));
  body.append(...rows.map((cells) => row(cells)));
  if (title) table.append(made("caption", title));
  table.append(head, body);
  frame.append(table);
  return frame;
}

function game({ preset, custom, partners }) {
  const say = words();
  const level = `${say.presets[preset] ?? preset}${custom ? ` (${say.custom})` : ""}`;
  return `${level} ${say.partners} ${partners.map((name) => name.replace("person", say.person)).join(", ")}`;
}

function interval({ low, high }) {
  return `${Math.round(100 * low)}–${percent(high)}`;
}

function course(points) {
  const figure = document.createElement("figure");
  const last = points.at(-1);
  const text = words().courseText(last.games, `${percent(last.rate.value)} (${interval(last.rate)})`);
  figure.append(plot(points, `${words().courseTitle}. ${text}`), made("figcaption", `${words().courseTitle}. ${text}.`));
  return figure;
}

function gipfelsturm({ rows, hunts, course: points }) {
  const say = words();
  if (!rows.length) return [made("h2", say.statisticsStorm), made("p", say.noGames)];
  const lines = rows.map((each) => [
    game(each), each.games, percent(each.rate.value), interval(each.rate), mean(each.score), each.best, each.longest,
  ]);
  const names = [say.kind, say.games, say.rate, say.interval, say.meanScore, say.best, say.longest];
  const parts = [made("h2", say.statisticsStorm), tableOf("", names, lines)];
  if (points.length > 1) parts.push(course(points));
  if (hunts.length) {
    const found = hunts.map((each) => [game(each), each.games, each.hunts, each.best, mean(each.mean)]);
    parts.push(tableOf(say.hunts, [say.kind, say.games, say.huntsPlayed, say.best, say.meanScore], found));
  }
  return parts;
}

function tripeaks({ tripeaks: tally, tripeaks_course: points }) {
  const say = words();
  const share = tally.deals ? percent(tally.won / tally.deals) : "–";
  const facts = [tally.deals, tally.won, share, tally.fastest === null ? "–" : clockText(tally.fastest), tally.longest];
  const parts = [made("h2", "TriPeaks"), tableOf("", [say.deals, say.dealsWon, "%", say.fastest, say.longest], [facts])];
  if (points.length > 1) parts.push(course(points));
  return parts;
}

function show() {
  if (known) figures.replaceChildren(...gipfelsturm(known), ...tripeaks(known));
}

async function begin() {
  try {
    const answer = await (await fetch("/api/statistics")).json();
    if (answer.fault) throw new Error(answer.fault);
    known = answer;
  } catch {
    figures.textContent = words().noFigures;
  }
  show();
}

wireLanguage(show);
begin();
