// A card's two faces, drawn without a font.
import { GAP, GLYPHS, HEIGHT, SUITS } from "./glyphs.js";
import { printedRank } from "./words.js";

const PEN = 9; // Half of it stands out on every side.

function shape(className, box, paths) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", box);
  picture.setAttribute("class", className);
  picture.setAttribute("aria-hidden", "true");
  for (const [d, x] of paths) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    if (x) path.setAttribute("transform", `translate(${x} 0)`);
    picture.append(path);
  }
  return picture;
}

function suitShape(suit) {
  return shape("suit", "0 0 100 100", [[SUITS[suit], 0]]);
}

/** A rank, as wide as its glyphs are. */
export function rankShape(text) {
  const paths = [];
  let x = 0;
  for (const letter of text) {
    const [width, path] = GLYPHS[letter];
    paths.push([path, x]);
    x += width + GAP;
  }
  const picture = shape("rank", `0 ${-PEN / 2} ${x - GAP} ${HEIGHT + PEN}`, paths);
  picture.dataset.rank = text;
  return picture;
}

/** Show a card such as "TH" on an element, or its back for "". */
export function showFace(element, card) {
  element.classList.toggle("face", card !== "");
  element.classList.toggle("down", card === "");
  element.classList.toggle("red", card[1] === "D" || card[1] === "H");
  for (const old of element.querySelectorAll(".rank, .suit")) old.remove();
  if (card) element.append(rankShape(printedRank(card)), suitShape(card[1]));
}
