// The probability, for a prior that the reader sets.

import { element } from "./element.js";

const REACH = 4; // log10 odds

export function percent(probability) {
  const odds = probability / (1 - probability);
  if (odds < 1 / 9999) return "less than 0.01 %";
  if (odds > 9999) return "more than 99.99 %";
  const from50 = Math.min(probability, 1 - probability);
  return `${(100 * probability).toFixed(from50 < 0.001 ? 2 : from50 < 0.1 ? 1 : 0)} %`;
}

export function plainOdds(log10) {
  const times = 10 ** Math.abs(log10);
  const shown = times < 9.95 ? times.toFixed(1).replace(/\.0$/, "") : Math.round(times).toLocaleString("en");
  return log10 >= 0 ? `${shown} : 1` : `1 : ${shown}`;
}

export const probabilityOf = (log10) => 1 / (1 + 10 ** -log10);

export function priorControl(log10Lr) {
  const slider = element("input", {
    type: "range", id: "prior", min: -REACH, max: REACH, step: 0.05, value: 0,
  });
  const [before, after] = [element("output", { for: "prior" }), element("strong", {})];
  const show = () => {
    const prior = Number(slider.value);
    const stated = `${plainOdds(prior)}, ${percent(probabilityOf(prior))}`;
    before.textContent = stated;
    slider.setAttribute("aria-valuetext", `odds of ${plainOdds(prior).replace(":", "to")}`);
    after.textContent = percent(probabilityOf(prior + log10Lr));
  };
  slider.addEventListener("input", show);
  const reset = element("button", { type: "button", class: "plain" }, "Back to 1 : 1");
  reset.addEventListener("click", () => {
    slider.value = 0;
    show();
  });
  show();
  return element(
    "div",
    { class: "prior" },
    element("p", { class: "posterior", "aria-live": "polite" }, after, " that one author wrote them"),
    element(
      "div",
      { class: "row" },
      element("label", { for: "prior" }, "if the odds before the texts were "),
      before,
    ),
    slider,
    element(
      "p",
      { class: "note" },
      "The prior is yours, from the rest of the case. If a hundred people could have written the " +
        "text, the odds for one of them are 1 : 99. ",
      reset,
    ),
  );
}
