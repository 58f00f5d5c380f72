// Habits that moved the ratio, each with its places in the texts.

import { element } from "./element.js";

const SHOWN = 12;
const FEW = 4;
const AROUND = 40; // characters
const MOST_LINES = 100;
const mean = (rates) => (rates.reduce((sum, rate) => sum + rate, 0) / rates.length).toFixed(1);

export function habitsList(habits, about, names) {
  if (!habits.length) {
    return element("p", {}, "No single habit moved it by more than as many other words or marks would.");
  }
  const items = habits.map((habit) => element("li", {}, element("details", {},
    summary(habit), ...concordance(habit, names))));
  items.slice(SHOWN).forEach((item) => { item.hidden = true; });
  return element("div", { class: "habits" },
    element("p", {}, about),
    element("ul", {}, ...items),
    items.length > SHOWN ? more(items) : null);
}

function summary({ name, factor, kind, rates, shown }) {
  const [questioned, known, usual] = [shown[0], shown.slice(1, -1), shown.at(-1)];
  const ofKnown = known.length > FEW ? `mean ${mean(rates.slice(1))}` : known.join(", ");
  return element("summary", {},
    element("span", { class: "factor" }, kind ? element("mark", { class: kind }, factor) : factor), " ",
    element("strong", {}, name), " ",
    element("span", { class: "rates" }, `questioned ${questioned}; known ${ofKnown}; usual ${usual}`));
}

function more(items) {
  const button = element("button", { type: "button", class: "plain" }, `Show ${items.length - SHOWN} more`);
  button.addEventListener("click", () => {
    items.forEach((item) => { item.hidden = false; });
    items[SHOWN].querySelector("summary").focus();
    button.remove();
  });
  return button;
}

// Every place of a word or mark that the reader types.
export function finder(texts, names) {
  const input = element("input", { type: "search", id: "find", maxlength: 60, autocomplete: "off", spellcheck: "false" });
  const found = element("div", { "aria-live": "polite" });
  input.addEventListener("input", () => {
    const wanted = input.value.trim();
    const own = texts.map((text) => wanted ? linesOf(text, wanted) : []);
    const lines = own.map((each) => each.slice(0, MOST_LINES));
    found.replaceChildren(...(wanted ? concordance({ places: own, lines }, names) : []));
  });
  return element("div", { class: "finder" },
    element("label", { for: "find" }, "Every place of a word or mark: "), input, found);
}

// Whole words only, in capitals or not.
function linesOf(text, wanted) {
  const isLetter = /[\p{L}\p{N}]/u;
  const begins = isLetter.test(wanted[0]) ? "(?<![\\p{L}\\p{N}])" : "";
  const ends = isLetter.test(wanted.at(-1)) ? "(?![\\p{L}\\p{N}])" : "";
  const pattern = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/['’]/g, "['’]").replace(/\s+/g, "\\s+");
  const plain = (part) => part.replace(/\s+/g, " ");
  return [...text.matchAll(new RegExp(begins + pattern + ends, "giu"))].map(({ 0: key, index }) => [
    plain(text.slice(Math.max(0, index - 2 * AROUND), index)).slice(-AROUND),
    plain(key),
    plain(text.slice(index + key.length, index + key.length + 2 * AROUND)).slice(0, AROUND),
  ]);
}

function concordance({ places, lines }, names) {
  return lines.map((own, i) => {
    const n = places[i].length;
    const counted = n === 0 ? "nowhere" : n === 1 ? "1 place" : `${n.toLocaleString("en")} places`;
    const left = n > own.length ? `, the first ${own.length} of them` : "";
    return element("div", { class: "places" }, element("p", { class: "note" }, `${names[i]}: ${counted}${left}`),
      own.length ? element("ol", { class: "lines" }, ...own.map(([before, key, after]) => element("li", {},
        element("span", { class: "before" }, element("bdi", {}, before)), element("b", {}, key), element("span", { class: "after" }, element("bdi", {}, after))))) : null);
  });
}
