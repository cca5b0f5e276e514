// A card's two faces.
import { printedRank } from "./words.js";

const SUITS = {
  C: "M50 6a21 21 0 0 0-17 33 21 21 0 1 0 11 34c0 9-4 15-11 20v3h34v-3c-7-5-11-11-11-20a21 21 0 1 0 11-34A21 21 0 0 0 50 6z",
  D: "M50 3 86 50 50 97 14 50z",
  H: "M50 95C26 72 6 55 6 33A23 23 0 0 1 50 24 23 23 0 0 1 94 33C94 55 74 72 50 95z",
  S: "M50 5C30 27 8 40 8 60a20 20 0 0 0 36 12c0 10-4 16-11 21v3h34v-3c-7-5-11-11-11-21a20 20 0 0 0 36-12C92 40 70 27 50 5z",
};

function suitShape(suit) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 100 100");
  picture.setAttribute("class", "suit");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SUITS[suit]);
  picture.append(path);
  return picture;
}

/** Show a card such as "TH" on an element, or its back for "". */
export function showFace(element, card) {
  element.classList.toggle("face", card !== "");
  element.classList.toggle("down", card === "");
  element.classList.toggle("red", card[1] === "D" || card[1] === "H");
  for (const old of element.querySelectorAll(".rank, .suit")) old.remove();
  if (!card) return;
  const rank = document.createElement("span");
  rank.className = "rank";
  rank.textContent = printedRank(card);
  element.append(rank, suitShape(card[1]));
}
