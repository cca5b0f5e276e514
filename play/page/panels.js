// What lies beside and over the cards: the band, the sheet at the end of a game, the rules.
import { words } from "./words.js";

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
export function fillButtons(paragraph, choices) {
  const held = paragraph.contains(document.activeElement) ? document.activeElement.dataset.choice : "";
  paragraph.replaceChildren(...choices.map(([word, run]) => makeButton(word, run)));
  if (held) paragraph.querySelector(`[data-choice="${held}"]`)?.focus({ preventScroll: true });
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

/** Fill a list with pairs of a name and a value. */
export function fillFacts(list, facts) {
  list.replaceChildren();
  for (const [name, value] of facts) {
    const term = document.createElement("dt");
    const description = document.createElement("dd");
    term.textContent = name;
    description.append(value);
    list.append(term, description);
  }
}

/** A text, such as a deal's id, beside a button that copies it. */
export function copyable(text) {
  const line = document.createElement("span");
  const code = document.createElement("code");
  code.textContent = text;
  const button = makeButton("copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = words().copied;
    } catch {
      getSelection().selectAllChildren(code); // Where copying is not allowed it is at least one key away.
    }
    say(button.textContent);
  });
  line.className = "copyable";
  line.append(code, " ", button);
  return line;
}

/** Show a sheet over the cards: a title, a line, facts as pairs, choices. */
export function showEnd(title, text, facts, choices) {
  end.hidden = false;
  document.getElementById("end-title").textContent = title;
  document.getElementById("end-text").textContent = text;
  fillFacts(document.getElementById("end-facts"), facts);
  fillButtons(document.getElementById("end-buttons"), choices);
}

export function hideEnd() {
  end.hidden = true;
}

export function endShown() {
  return !end.hidden;
}

/** Fill and open the rules: pairs of an element's name and its sentence. */
export function showRules(rules) {
  const text = document.getElementById("rules-text");
  text.replaceChildren();
  for (const [tag, sentence] of rules) appendRule(text, tag, sentence);
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
