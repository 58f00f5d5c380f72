// Texts with what weighed in marked. Offsets count characters, JavaScript counts halves of some.

import { element } from "./element.js";

const LEVELS = 4;
const FAINTEST = 0.3;
const UNREAD_SHOWN = 2000;

// A unit without what the next one begins with: passages do not overlap, as units do.
export function passages({ units, factors, kinds }) {
  return units.map(([start, end, attention, effect], i) => ({
    start,
    end: i + 1 < units.length ? units[i + 1][0] : end,
    attention,
    effect,
    factor: factors[i],
    kind: kinds[i],
  }));
}

export function slicer(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (start, end) => text.slice(start, end);
  const characters = Array.from(text);
  return (start, end) => characters.slice(start, end).join("");
}

export function markedByEffect(text, explained) {
  const spans = passages(explained).map(({ start, end, factor, kind }) => ({
    start, end, kind, title: `LR ${factor}`,
  }));
  return marked(text, spans);
}

// By token, against the tokens of the same text: attention is a share of its own text.
export function markedByAttention(text, explained) {
  const largest = Math.max(...explained.tokens.map((token) => token[2]));
  const spans = explained.tokens.map(([start, end, attention]) => ({
    start,
    end,
    kind: lookedAt(attention / (largest || 1)),
    title: `${(100 * attention).toFixed(2)} % of the attention`,
  }));
  return marked(text, spans);
}

function lookedAt(share) {
  if (share < FAINTEST) return null;
  return `looked m${1 + Math.min(LEVELS - 1, Math.floor((LEVELS * (share - FAINTEST)) / (1 - FAINTEST)))}`;
}

function marked(text, spans) {
  const slice = slicer(text);
  const shown = element("div", { class: "shown", dir: "auto" });
  let done = 0;
  for (const { start, end, kind, title } of spans) {
    if (start > done) shown.append(slice(done, start));
    shown.append(kind ? element("mark", { class: kind, title }, slice(start, end)) : slice(start, end));
    done = end;
  }
  const rest = slice(done, undefined);
  if (!rest.trim()) return shown;
  const left = rest.length - UNREAD_SHOWN;
  shown.append(element("span", { class: "unread", title: "Not read" }, rest.slice(0, UNREAD_SHOWN)));
  if (left > 0) {
    const counted = left.toLocaleString("en");
    shown.append(element("em", { class: "unread" }, `… and ${counted} characters more, none of them read.`));
  }
  return shown;
}
