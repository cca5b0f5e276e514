// TriPeaks: how a game ended, and how many were won.
import { copyable, fillFacts, showEnd } from "./panels.js";
import { clockText, words } from "./words.js";

/** Show how a game ended. */
export function showResult(view, choices) {
  const won = view.status === "won";
  const say = words();
  const facts = [
    [say.time, clockText(view.elapsed)],
    [say.moves, view.moves],
    [say.cards, `${view.cleared}/28`],
    [say.longest, view.longest],
    [say.hintsTaken, view.hints],
    [say.undosTaken, view.undos],
    [say.dealId, copyable(view.deal)],
  ];
  showEnd(won ? say.wonTitle : say.lostTitle, won ? "" : say.lostText(28 - view.cleared), facts, choices);
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
