// The first page: which game?
import { applyWords, otherLanguage, switchLanguage } from "./words.js";

const language = document.getElementById("language");

function show() {
  applyWords(document);
  language.textContent = otherLanguage().name;
  language.lang = otherLanguage().code;
}

language.addEventListener("click", () => {
  switchLanguage();
  show();
});
show();
