// What the model is, and where it was validated.

import { element } from "./element.js";
import { plainLr } from "./scale.js";

const FIGURES = [
  ["n", "trials"], ["auc", "AUC"], ["c@1", "c@1"], ["f1", "F1"], ["brier", "Brier"],
  ["ece", "ECE"], ["cllr", "Cllr"], ["cllr_min", "Cllr min"], ["eer", "EER"],
];

export function showModel(holder, about) {
  const { model, validation, learnt_from: sources, log10_lr_bounds: bounds } = about;
  const facts = [
    ["Model", `${model.name}, made by ${model.made_by}`],
    ["Weights, SHA-256", element("code", {}, model.sha256)],
    ["Reads", `the first ${model.most_tokens.toLocaleString("en")} words and marks of a text, in English`],
    ["Likelihood ratios", `held between ${plainLr(bounds[0])} and ${plainLr(bounds[1])}`],
    sources.length ? ["Learnt from", sources.join(", ")] : null,
    ["Software", `samehand ${about.version}`],
  ].filter(Boolean);
  holder.replaceChildren(
    validation ? figures(validation) : element(
      "p",
      { class: "warning" },
      "This model states no validation: its likelihood ratios have not been shown to hold for any " +
        "kind of text.",
    ),
    element("dl", {}, ...facts.flatMap(([name, value]) => [
      element("dt", {}, name),
      element("dd", {}, value),
    ])),
  );
}

function figures(validation) {
  const rows = Object.entries(validation.sets);
  if (Object.keys(validation.figures).length) rows.unshift(["All trials", validation.figures]);
  const shown = FIGURES.filter(([key]) => rows.some(([, row]) => key in row));
  const cell = (row, key) =>
    !(key in row) ? "–" : key === "n" ? row[key].toLocaleString("en") : row[key].toFixed(3);
  return element(
    "div",
    {},
    validation.on ? element("p", {}, validation.on) : null,
    element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Validation figures" },
      element("table", {},
        element("thead", {}, element("tr", {}, element("td", {}),
          ...shown.map(([, name]) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...rows.map(([name, row]) =>
          element("tr", {}, element("th", { scope: "row" }, name),
            ...shown.map(([key]) => element("td", {}, cell(row, key)))))))),
    element("p", { class: "note" },
      "AUC: 1 is best, 0.5 is chance. Cllr: cost of the likelihood ratios, 0 is best, 1 is that of " +
        "saying nothing. ECE: gap between probabilities and frequencies, 0 is best."),
  );
}
