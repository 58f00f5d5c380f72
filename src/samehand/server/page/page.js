// The form: texts in, a request to the server, its answer shown.

import { Boxes, area, fault as faultAt } from "./boxes.js";
import { element } from "./element.js";
import { showModel } from "./model.js";
import { showResult } from "./result.js";
import { ask, post, save } from "./server.js";

const find = (id) => document.getElementById(id);
const form = find("texts");
let expected = [];
let asked = 0;

const boxes = new Boxes(find("questioned"), find("known"), () => {
  find("result").classList.add("stale");
  queueMicrotask(expect);
});

// What likelihood ratios texts of this length can be expected to give, before they are compared.
function expect() {
  const { questioned, known } = boxes.counts();
  const shorter = Math.min(questioned, known.reduce((sum, n) => sum + n, 0));
  const found = shorter > 0 && expected.find(({ words: [low, high], known: n }) =>
    low <= shorter && shorter < high && n <= known.length && known.length < 2 * n);
  find("expected").hidden = !found;
  if (!found) return;
  const [low, high] = found.lrs;
  find("expected").textContent = `With so much text (${shorter.toLocaleString("en")} words on the ` +
    `shorter side), nine in ten likelihood ratios lay between ${low} and ${high} where the model was validated.`;
}

async function loadExample() {
  const { questioned, known } = await (await fetch("example.json")).json();
  while (boxes.known.children.length > known.length) boxes.known.lastElementChild.remove();
  while (boxes.known.children.length < known.length) boxes.add(boxes.known);
  [questioned, ...known].forEach((text, i) => boxes.fill(boxes.all[i], text, "An example"));
  boxes.name();
  find("compare").focus();
}

function fault(sentence) {
  find("fault").textContent = sentence;
  find("fault").hidden = !sentence;
  if (sentence) find("fault").scrollIntoView({ block: "nearest" });
}

function busy(on) {
  form.ariaBusy = String(on);
  find("compare").ariaDisabled = String(on);
  find("compare").textContent = on ? "Comparing…" : "Compare";
  find("working").textContent = on ? "Comparing the texts." : "";
}

async function compare(event) {
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  fault("");
  boxes.clear();
  busy(true);
  await boxes.opened();
  const refused = form.querySelector(".fault:not([hidden])");
  const empty = boxes.empty();
  if (refused || empty) busy(false);
  if (refused) return;
  if (empty) {
    faultAt(empty, `${empty.querySelector("label").textContent} is empty.`);
    area(empty).focus();
    return;
  }
  const turn = ++asked;
  const given = boxes.given();
  const [questioned, ...known] = given.map(({ text }) => text);
  try {
    const answer = await post("api/verify", { questioned, known, explain: true });
    if (turn !== asked) return;
    showResult(find("result"), answer, [questioned, ...known], () => report(given));
    if (JSON.stringify(boxes.texts()) !== JSON.stringify([questioned, ...known])) find("result").classList.add("stale");
    find("result").focus({ preventScroll: true });
    find("result").scrollIntoView({ block: "start", behavior: motion() });
  } catch (error) {
    find("result").hidden = true;
    if (!boxes.point(error.message)) fault(error.message);
    else document.querySelector("textarea[aria-invalid]").focus();
  } finally {
    busy(false);
  }
}

async function report([questioned, ...known]) {
  save("report.html", await post("api/report", { questioned, known }), "text/html");
}

const motion = () =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";

find("add").addEventListener("click", () => area(boxes.add(boxes.known)).focus());
find("example").addEventListener("click", loadExample);
form.addEventListener("submit", compare);
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

ask("api/model")
  .then((about) => {
    showModel(find("model"), about);
    expected = about.expected;
    expect();
  })
  .catch((error) =>
    find("model").replaceChildren(element("p", { class: "note" }, error.message)),
  );
