// Everything that is said on the page, in the language that was chosen or that the browser prefers.
import { recall, remember } from "./memory.js";
import { de } from "./words_de.js";
import { en } from "./words_en.js";

const LANGUAGES = { de, en };

let code = recall("language") ?? (navigator.language.toLowerCase().startsWith("de") ? "de" : "en");
if (!(code in LANGUAGES)) code = "en";

/** Words that only some pages need. */
export function addWords(more) {
  for (const [language, added] of Object.entries(more)) Object.assign(LANGUAGES[language], added);
}

/** The words of the language that is spoken now. */
export function words() {
  return LANGUAGES[code];
}

/** The language that one could switch to. */
export function otherLanguage() {
  return code === "de" ? { code: "en", name: "English" } : { code: "de", name: "Deutsch" };
}

export function switchLanguage() {
  code = otherLanguage().code;
  remember("language", code);
}

/** Fill in all elements that only ever say one thing. */
export function applyWords(root) {
  document.documentElement.lang = code;
  for (const element of root.querySelectorAll("[data-word]")) element.textContent = words()[element.dataset.word];
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words()[element.dataset.label]);
  }
}

/** The rank that is printed on a card such as "TH". */
export function printedRank(card) {
  return words().ranks[card[0]] ?? card[0];
}

/** A card in little room. */
export function shortCard(card) {
  return printedRank(card) + { C: "♣", D: "♦", H: "♥", S: "♠" }[card[1]];
}

const MOST_NAMED = 3;

/** What speaks for a hint, with its cards named by a function; "" if there is nothing to be said. */
export function reasonText({ reason, cards }, name) {
  const named = cards.slice(0, MOST_NAMED).map(name).join(", ") + (cards.length > MOST_NAMED ? " …" : "");
  return words().reasons[reason]?.(named) ?? "";
}

/** A card as it is read out. */
export function spokenCard(card) {
  return words().spoken(words().spokenRanks[card[0]] ?? card[0], words().suits[card[1]]);
}

/** Milliseconds as minutes and seconds. */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
