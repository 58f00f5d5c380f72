// The answer: a sentence, the likelihood ratio, the probability, reasons for care, what weighed in.

import { element } from "./element.js";
import { finder, habitsList } from "./habits.js";
import { priorControl } from "./prior.js";

// `report` fetches the report on this answer.
export function showResult(holder, answer, texts, report) {
  holder.replaceChildren(
    element("p", { class: "changed" }, "The texts have changed since; compare again."),
    element("h2", { id: "answer", class: answer.supports_neither ? "undecided" : answer.decision }, ...sentence(answer.sentence)),
    ...(answer.no_evidence ? [care(answer)] : []),
    element("h3", {}, "Weight of the evidence"),
    scale(answer),
    inWords(answer),
    ...(answer.supports_neither ? [] : [element("h3", {}, "Probability"), priorControl(answer.log10_lr)]),
    ...(answer.no_evidence || !answer.reasons.length ? [] : [care(answer)]),
    ...(answer.known.length > 1 ? [alone(answer)] : []),
    ...(answer.no_evidence ? [] : [weighedIn(answer, texts)]),
    reportButton(report),
  );
  holder.classList.remove("stale");
  holder.hidden = false;
}

// "These texts are 6.9 times …: weak support for one author.": the finding, and under it its strength.
function sentence(text) {
  const [finding, strength] = text.split(/(?<=[:;]) /);
  return [element("span", { class: "verdict" }, finding), " ", element("span", {}, strength ?? "")];
}

// Drawn by the server, as in reports: for wide screens, and for phones.
function scale({ no_evidence: none, shown }) {
  const [wide, narrow] = shown.scale;
  return element("div", { class: none ? "scale-box muted" : "scale-box" },
    element("div", { class: "for-wide" }, markup(wide)),
    element("div", { class: "for-narrow" }, markup(narrow)));
}

// What the server's renderer made; texts in it were escaped there, and scripts would not run.
function markup(html) {
  return document.importNode(new DOMParser().parseFromString(html, "text/html").body.firstElementChild, true);
}

function inWords(answer) {
  const [low, high] = answer.shown.lr_bounds;
  const held = answer.model.validated
    ? `The ratio is held between ${low} and ${high}, as far as the model’s validation can support it.`
    : `The ratio is held between ${low} and ${high}, as this model was not validated.`;
  if (answer.no_evidence) {
    return element("p", {}, "What the model made of them is shown, but is not to be quoted. ", held);
  }
  const scale = answer.verbal_scale;
  return element(
    "p",
    {},
    element("strong", {}, scale[0].toUpperCase() + scale.slice(1)),
    ` (ENFSI 2015). ${held}`,
    answer.shown.interval ? ` The range drawn across the scale: ${answer.shown.interval}.` : null,
  );
}

function care(answer) {
  return element(
    "div",
    { class: "care" },
    element("h3", {}, answer.no_evidence ? "The reasons" : "To be read with care"),
    element("ul", {}, ...answer.reasons.map((reason) => element("li", {}, reason))),
  );
}

function alone(answer) {
  return element(
    "div",
    {},
    element("h3", {}, "Each known text alone"),
    element("ul", { class: "alone" }, ...answer.shown.lr_alone.map((lr, i) =>
      element("li", {}, `${answer.shown.names[i + 1]}: LR `, element("strong", {}, lr)))),
    element("p", { class: "note" }, "Together they are weighed at once: the LR above is neither the " +
      "product nor the mean of these."),
  );
}

function weighedIn({ shown: { names }, explanation }, texts) {
  const articles = explanation.marked.map((marked, i) =>
    element("article", {}, element("h4", {}, names[i]), markup(marked)));
  return element(
    "div",
    {},
    element("h3", {}, "Habits that moved it"),
    habitsList(explanation.habits, explanation.about_habits, names),
    finder(texts, names),
    element("h3", {}, "Passages that moved it"),
    markup(explanation.legend),
    element("details", {}, element("summary", {}, "Those that moved it most, as a list"), markup(explanation.passages)),
    element("div", { class: "columns reading" }, articles[0], element("div", { class: "stack" }, ...articles.slice(1))),
  );
}

function reportButton(report) {
  const fault = element("p", { class: "fault", role: "alert", hidden: "" });
  const button = element("button", { type: "button", class: "second" }, "Download the report");
  button.addEventListener("click", async () => {
    fault.hidden = true;
    button.ariaBusy = "true";
    try {
      await report();
    } catch (error) {
      fault.textContent = error.message;
      fault.hidden = false;
    } finally {
      button.ariaBusy = "false";
    }
  });
  return element("div", { class: "downloads" }, button, element("p", { class: "note" },
    "One HTML file for the records, with the texts in it; a browser prints it. For what an examiner states, see samehand verify --report."), fault);
}
