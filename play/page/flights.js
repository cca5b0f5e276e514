// Cards in the air: clones that move by transform alone, so that nothing else on the page has to be laid out again.
import { showFace } from "./cards.js";

const layer = document.getElementById("flights");
export const still = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT_MS = 190;

/** Where an element lies at rest, in pixels from the table's corner, whatever it is just doing. */
export function boxOf(element) {
  const box = { x: 0, y: 0, width: element.offsetWidth, height: element.offsetHeight };
  for (let at = element; at && at !== layer.offsetParent; at = at.offsetParent) {
    box.x += at.offsetLeft;
    box.y += at.offsetTop;
  }
  return box;
}

/** Let a card fly from one element to another; calls `landed` when it is there, at once where motion is unwanted. */
export function fly(card, from, to, landed) {
  if (still.matches || document.hidden) {
    landed();
    return;
  }
  const start = boxOf(from);
  const end = boxOf(to);
  const clone = document.createElement("div");
  clone.className = "card flying";
  showFace(clone, card);
  clone.style.width = `${end.width}px`;
  clone.style.height = `${end.height}px`;
  layer.append(clone);
  const shift = `translate(${start.x}px, ${start.y}px) scale(${start.width / end.width}, ${start.height / end.height})`;
  const frames = [{ transform: shift }, { transform: `translate(${end.x}px, ${end.y}px)` }];
  const flight = clone.animate(frames, { duration: FLIGHT_MS, easing: "cubic-bezier(.3,.7,.3,1)", fill: "forwards" });
  flight.finished.finally(() => {
    landed();
    clone.remove();
  });
}

/** Play a short animation of the style sheet on an element, from its start. */
export function gesture(element, name) {
  element.classList.remove(name);
  void element.offsetWidth; // Without a look at the layout the browser would see no change.
  element.classList.add(name);
  element.addEventListener("animationend", () => element.classList.remove(name), { once: true });
}

/** Call back the moment that something is touched; keys and helpers that only click are heard as well. */
export function onTouch(element, run) {
  let touched = false;
  element.addEventListener("pointerdown", (event) => {
    touched = event.isPrimary && event.button === 0;
    if (touched) run(event);
  });
  element.addEventListener("click", (event) => {
    if (!touched || event.detail === 0) run(event);
    touched = false;
  });
}
