// A small plot: a share with its interval, over the number of games.
const SPACE = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [480, 180, 48, 22];

function drawn(tag, attributes, text = "") {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

/** Draw points `{games, rate: {value, low, high}}`; `label` says what is seen. */
export function plot(points, label) {
  const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": label });
  const most = points.at(-1).games;
  const x = (games) => (LEFT + ((WIDTH - LEFT - 12) * games) / most).toFixed(1);
  const y = (share) => (10 + (HEIGHT - 10 - BOTTOM) * (1 - share)).toFixed(1);
  const along = (list, name) => list.map(({ games, rate }) => `${x(games)},${y(rate[name])}`);
  for (const share of [0, 0.5, 1]) {
    picture.append(drawn("line", { class: "grid", x1: LEFT, x2: WIDTH - 12, y1: y(share), y2: y(share) }));
    picture.append(drawn("text", { x: LEFT - 6, y: Number(y(share)) + 4, "text-anchor": "end" }, `${100 * share} %`));
  }
  const edge = [...along(points, "high"), ...along(points, "low").reverse()].join(" ");
  picture.append(drawn("polygon", { class: "interval", points: edge }));
  picture.append(drawn("polyline", { class: "line", points: along(points, "value").join(" ") }));
  picture.append(drawn("text", { x: WIDTH - 12, y: HEIGHT - 6, "text-anchor": "end" }, String(most)));
  return picture;
}
