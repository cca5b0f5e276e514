// The frame around every page: language; and around every table: menu, rules, full screen, keys.
import { showRules } from "./panels.js";
import { applyWords, otherLanguage, switchLanguage } from "./words.js";

const byId = (id) => document.getElementById(id);

function sayFrame() {
  applyWords(document);
  byId("language").textContent = otherLanguage().name;
  byId("language").lang = otherLanguage().code;
  document.documentElement.dataset.said = ""; // From here on there is something to be seen.
}

/** Say what stands on the page in the language that is spoken, now and when it changes; `redraw` then says the rest. */
export function wireLanguage(redraw) {
  byId("language").addEventListener("click", () => {
    switchLanguage();
    sayFrame();
    redraw();
  });
  sayFrame();
}

/** Wire the frame of a table; `rules` gives the text of the rules. */
export function wireFrame(redraw, rules) {
  wireLanguage(redraw);
  byId("rules").addEventListener("click", () => showRules(rules()));
  byId("menu").addEventListener("click", () => byId("menu-dialog").showModal());
  byId("full").addEventListener("click", toggleFull);
}

function toggleFull() {
  byId("menu-dialog").close();
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

/** Listen to keys: functions by the key's name in small letters. A key that is held down does one thing once. */
export function listenKeys(keys) {
  document.addEventListener("keydown", (event) => {
    const run = keys(event.key.toLowerCase());
    const elsewhere = document.querySelector("dialog[open]") || event.target.closest("input, select");
    if (elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    const held = event.repeat && !event.key.startsWith("Arrow");
    if (run || held) event.preventDefault();
    if (run && !held) run();
  });
}
