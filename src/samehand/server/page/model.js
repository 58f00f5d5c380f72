// What the model is, and where it was validated.

import { element } from "./element.js";

export function showModel(holder, about) {
  const { model, validation, learnt_from: sources, genres } = about;
  const facts = [
    ["Model", `${model.name}, made by ${model.made_by}`],
    ["Model, SHA-256", element("code", {}, model.sha256)],
    ["Reads", `the first ${model.most_tokens.toLocaleString("en")} words and marks of a text, in English`],
    ["Likelihood ratios", `held between ${about.lr_bounds.join(" and ")}`],
    ["Evidence", about.evidence],
    genres.length ? ["Genres it knows", genres.join(", ")] : null,
    about.case ? ["Case data", about.case] : null,
    sources.length ? ["Learnt from", sources.join(", ")] : null,
    ["Software", `samehand ${about.version}`],
  ].filter(Boolean);
  holder.replaceChildren(
    validation ? figures(validation, about.figure_names) : element(
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

function figures(validation, names) {
  const rows = Object.entries(validation.sets);
  if (Object.keys(validation.figures).length) rows.unshift(["All trials", validation.figures]);
  const shown = Object.entries(names).filter(([key]) => rows.some(([, row]) => key in row));
  const cell = (row, key) =>
    !(key in row) ? "–" : key === "n" ? row[key].toLocaleString("en") : row[key].toFixed(3);
  return element(
    "div",
    {},
    validation.on ? element("p", {}, validation.on) : null,
    "auc" in validation.figures ? element("p", {}, `On all of them: AUC ${cell(validation.figures, "auc")}, ` +
      `Cllr ${cell(validation.figures, "cllr")}.`) : null,
    element("details", {}, element("summary", {}, "All figures, by genre"), element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Validation figures" },
      element("table", {},
        element("thead", {}, element("tr", {}, element("td", {}),
          ...shown.map(([, name]) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...rows.map(([name, row]) =>
          element("tr", {}, element("th", { scope: "row" }, name),
            ...shown.map(([key]) => element("td", {}, cell(row, key))))))))),
    element("p", { class: "note" },
      "AUC: 1 is best, 0.5 is chance. Cllr: cost of the likelihood ratios, 0 is best, 1 is that of " +
        "saying nothing. ECE: gap between probabilities and frequencies, 0 is best."),
  );
}
