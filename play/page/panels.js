// What lies beside and over the cards: the band, the end of a game, the dialogs.
import { clockText, words } from "./words.js";

const band = document.getElementById("band");
const bandText = document.getElementById("band-text");
const bandButtons = document.getElementById("band-buttons");
const end = document.getElementById("end");
const speech = document.getElementById("speech");

/** Read a sentence out, for those who listen. */
export function say(sentence) {
  speech.textContent = sentence;
}

/** A choice is a pair of the word on a button and what it does. */
function fillButtons(paragraph, choices) {
  paragraph.replaceChildren(...choices.map(([word, run]) => makeButton(word, run)));
}

function makeButton(word, run) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.choice = word;
  button.textContent = words()[word];
  button.addEventListener("click", run);
  return button;
}

/** Show a line under the table, with choices; "" shows none. */
export function showBand(text, choices = [], kind = "") {
  band.hidden = text === "";
  band.dataset.kind = kind;
  bandText.textContent = text;
  fillButtons(bandButtons, choices);
  for (const button of bandButtons.children) shorten(button);
}

/** In the band there is room for a sign alone where one is known to all. */
function shorten(button) {
  const sign = { close: "✕", first: "«", back: "‹", next: "›", last: "»" }[button.dataset.choice];
  if (!sign) return;
  button.setAttribute("aria-label", button.textContent);
  button.textContent = sign;
  button.classList.toggle("quiet", sign === "✕");
}

function fillFacts(list, facts) {
  list.replaceChildren();
  for (const [name, value] of facts) {
    const term = document.createElement("dt");
    const description = document.createElement("dd");
    term.textContent = name;
    description.append(value);
    list.append(term, description);
  }
}

/** The deal's id beside a button that copies it. */
function copyable(id) {
  const line = document.createElement("span");
  const code = document.createElement("code");
  code.textContent = id;
  const button = makeButton("copy", async () => {
    try {
      await navigator.clipboard.writeText(id);
      button.textContent = words().copied;
    } catch {
      getSelection().selectAllChildren(code); // Where copying is not allowed it is at least one key away.
    }
    say(button.textContent);
  });
  button.id = "copy";
  line.append(code, " ", button);
  return line;
}

/** Show how a game ended. */
export function showEnd(view, choices) {
  const won = view.status === "won";
  const say = words();
  end.hidden = false;
  document.getElementById("end-title").textContent = won ? say.wonTitle : say.lostTitle;
  document.getElementById("end-text").textContent = won ? "" : say.lostText(28 - view.cleared);
  fillFacts(document.getElementById("end-facts"), [
    [say.time, clockText(view.elapsed)],
    [say.moves, view.moves],
    [say.cards, `${view.cleared}/28`],
    [say.longest, view.longest],
    [say.hintsTaken, view.hints],
    [say.undosTaken, view.undos],
    [say.dealId, copyable(view.deal)],
  ]);
  fillButtons(document.getElementById("end-buttons"), choices);
}

export function hideEnd() {
  end.hidden = true;
}

export function endShown() {
  return !end.hidden;
}

/** Fill and open the rules. */
export function showRules() {
  const text = document.getElementById("rules-text");
  text.replaceChildren();
  for (const [tag, sentence] of words().rulesText) appendRule(text, tag, sentence);
  document.getElementById("rules-dialog").showModal();
}

function appendRule(text, tag, sentence) {
  const element = document.createElement(tag);
  element.textContent = sentence;
  if (tag !== "li") {
    text.append(element);
    return;
  }
  if (text.lastElementChild?.tagName !== "UL") text.append(document.createElement("ul"));
  text.lastElementChild.append(element);
}

/** Fill and open the statistics. */
export function showStatistics(tally) {
  const say = words();
  const share = tally.deals ? ` (${Math.round((100 * tally.won) / tally.deals)} %)` : "";
  fillFacts(document.getElementById("statistics-facts"), [
    [say.deals, tally.deals],
    [say.dealsWon, `${tally.won}${share}`],
    [say.pure, tally.pure],
    [say.fastest, tally.fastest === null ? "–" : clockText(tally.fastest)],
    [say.longest, tally.longest],
    [say.hintsTaken, tally.hints],
    [say.undosTaken, tally.undos],
  ]);
  document.getElementById("statistics-dialog").showModal();
}
