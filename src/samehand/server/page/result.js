// The answer: a sentence, the likelihood ratio, the probability, reasons for care, what weighed in.

import { element } from "./element.js";
import {
  markedByAttention, markedByEffect, passages, slicer,
} from "./highlights.js";
import { priorControl } from "./prior.js";
import { lrScale } from "./scale.js";

const SHOWN = 3;

export function showResult(holder, answer, texts) {
  const scale = element("div", { class: "scale-box" });
  holder.replaceChildren(
    element("p", { class: "changed" }, "The texts have changed since; compare again."),
    element("h2", { id: "answer", class: answer.supports_neither ? "undecided" : answer.decision }, ...sentence(answer.sentence)),
    ...(answer.no_evidence ? [care(answer)] : []),
    element("h3", {}, "Weight of the evidence"),
    scale,
    inWords(answer),
    ...(answer.supports_neither ? [] : [element("h3", {}, "Probability"), priorControl(answer.log10_lr)]),
    ...(answer.no_evidence || !answer.reasons.length ? [] : [care(answer)]),
    ...(answer.known.length > 1 ? [alone(answer)] : []),
    ...(answer.no_evidence ? [] : [weighedIn(answer, texts)]),
  );
  holder.classList.remove("stale");
  holder.hidden = false;
  lrScale(scale, answer);
}

// "These texts are 6.9 times …: weak support for one author.": the finding, and under it its strength.
function sentence(text) {
  const [finding, strength] = text.split(/(?<=[:;]) /);
  return [element("span", { class: "verdict" }, finding), " ", element("span", {}, strength ?? "")];
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

function weighedIn(answer, texts) {
  const explained = [answer.explanation.questioned, ...answer.explanation.known];
  const names = answer.shown.names;
  const holder = element("div", { class: "columns reading" });
  const legend = element("p", { class: "legend" });
  const show = (what) => {
    const byEffect = what === "effect";
    legend.replaceChildren(...(byEffect ? effectLegend(answer.explanation) : attentionLegend()));
    const shown = texts.map((text, i) => element("article", {},
      element("h4", {}, names[i]),
      byEffect ? markedByEffect(text, explained[i]) : markedByAttention(text, explained[i])));
    holder.replaceChildren(shown[0], element("div", { class: "stack" }, ...shown.slice(1)));
  };
  show("effect");
  return element(
    "div",
    {},
    element("h3", {}, "What weighed in"),
    choice(show),
    legend,
    weightiest(texts, explained, names),
    holder,
  );
}

function choice(show) {
  const option = (value, text, checked) => {
    const radio = element("input", { type: "radio", name: "marks", value });
    radio.checked = checked;
    radio.addEventListener("change", () => show(value));
    return element("label", {}, radio, element("span", {}, text));
  };
  return element("fieldset", { class: "choice" },
    element("legend", { class: "visually-hidden" }, "What is marked"),
    option("effect", "What moved it", true),
    option("attention", "Where it looked", false));
}

function effectLegend({ largest, strengths: [faintest, strongest] }) {
  return [
    "Each passage of about 26 words was left out in turn. ",
    element("mark", { class: "same m3" }, "Solid, blue"), " ones raise the LR, for one author; ",
    element("mark", { class: "different m3" }, "dashed, orange"), " ones lower it. The faintest mark " +
      `stands for ${faintest}, the strongest for ${strongest} and more; here the largest change is ${largest}. ` +
      "This is what moved the model, and no single passage is evidence.",
  ];
}

function attentionLegend() {
  return ["The words that the network gave the most ", element("mark", { class: "looked m3" }, "attention"),
    " in each text. Where it looks is not what decides."];
}

function weightiest(texts, explained, names) {
  const found = explained.flatMap((text, i) => {
    const slice = slicer(texts[i]);
    return passages(text).map(({ start, end, effect, factor }) => ({
      effect, factor, name: names[i], quoted: () => slice(start, end).replace(/^[\s.,;:!?)\]”’]+/u, "").trim().slice(0, 260),
    }));
  }).sort((a, b) => b.effect - a.effect);
  const raising = found.slice(0, SHOWN).filter(({ effect }) => effect > 0);
  const lowering = found.slice(-SHOWN).reverse().filter(({ effect }) => effect < 0);
  const list = (title, items) => items.length ? element("div", {}, element("h4", {}, title),
    element("ul", { class: "quotes" }, ...items.map(({ factor, name, quoted }) => element("li", {},
      element("q", { dir: "auto" }, quoted()),
      element("span", { class: "note" }, ` ${name}, LR ${factor}`))))) : null;
  return element("details", {}, element("summary", {}, "The passages that moved it most, as a list"),
    element("div", { class: "columns" },
      list("For one author", raising), list("For two authors", lowering)));
}
