// The form: texts in, a request to the server, its answer shown.

import { element } from "./element.js";
import { showModel } from "./model.js";
import { showResult } from "./result.js";

const find = (id) => document.getElementById(id);
const form = find("texts");
const boxes = { questioned: find("questioned"), known: find("known") };
const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{N}\p{M}]+)*/gu;
// A word this long is no text, and browsers take minutes to break one into lines.
const isEndless = (text) => text.split(/\s+/).some((word) => word.length >= 20000);
const ENDLESS = "it holds a word of more than 20,000 letters, so it is not text.";
// What the server may ask for; an address keeps what is behind its # to the browser.
const token = new URLSearchParams(location.hash.slice(1)).get("token");
let expected = [];
let numbered = 0;
let asked = 0;

function addText(holder, first = false) {
  const box = find("text").content.firstElementChild.cloneNode(true);
  const [area, file] = [box.querySelector("textarea"), box.querySelector("input")];
  area.id = `text-${++numbered}`;
  box.querySelector("label").htmlFor = area.id;
  box.querySelector(".remove").addEventListener("click", () => remove(box));
  box.querySelector(".remove").hidden = first;
  area.addEventListener("input", () => changed(box));
  area.addEventListener("beforeinput", (event) => {
    if (!isEndless(event.data ?? "")) return;
    event.preventDefault();
    fault(`This cannot be pasted: ${ENDLESS}`);
  });
  file.addEventListener("change", () => {
    openFiles(box, file.files);
    file.value = "";
  });
  for (const kind of ["dragenter", "dragover"]) {
    box.addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      box.classList.add("over");
    });
  }
  box.addEventListener("dragleave", (event) => {
    if (!box.contains(event.relatedTarget)) box.classList.remove("over");
  });
  box.addEventListener("drop", (event) => {
    box.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    openFiles(box, event.dataTransfer.files);
  });
  holder.append(box);
  name();
  count(box);
  return box;
}

function name() {
  const known = [...boxes.known.children];
  boxes.questioned.querySelector("label").textContent = "Questioned text";
  known.forEach((box, i) => {
    const title = known.length > 1 ? `Known text ${i + 1}` : "Known text";
    box.querySelector("label").textContent = title;
    box.querySelector(".remove").hidden = known.length === 1;
    box.querySelector(".remove").ariaLabel = `Remove known text ${i + 1}`;
  });
  for (const box of document.querySelectorAll(".text-box")) {
    const title = box.querySelector("label").textContent;
    box.querySelector("input").ariaLabel = `Open a file as ${title.toLowerCase()}`;
  }
}

function remove(box) {
  const next = box.previousElementSibling ?? box.nextElementSibling;
  box.remove();
  name();
  expect();
  stale();
  next.querySelector("textarea").focus();
}

function changed(box) {
  box.querySelector(".source").textContent = "";
  count(box);
  stale();
}

const countWords = (box) => box.querySelector("textarea").value.match(words)?.length ?? 0;

function count(box) {
  const found = countWords(box);
  const shown = box.querySelector(".count");
  shown.textContent = found === 1 ? "1 word" : `${found.toLocaleString("en")} words`;
  shown.classList.toggle("none", found === 0);
  expect();
}

// What likelihood ratios texts of this length can be expected to give, before they are compared.
function expect() {
  const known = [...boxes.known.children];
  const total = known.reduce((sum, box) => sum + countWords(box), 0);
  const shorter = Math.min(total, ...[...boxes.questioned.children].map(countWords));
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
  while (boxes.known.children.length < known.length) addText(boxes.known);
  const all = [...boxes.questioned.children, ...boxes.known.children];
  [questioned, ...known].forEach((text, i) => {
    all[i].querySelector("textarea").value = text;
    changed(all[i]);
    all[i].querySelector(".source").textContent = "An example";
  });
  name();
  find("compare").focus();
}

function stale() {
  find("result").classList.add("stale");
}

// Several files on a known text: the first fills it, the others get places of their own.
async function openFiles(box, files) {
  const holder = box.parentElement;
  const faults = [];
  fault("");
  for (const [i, file] of [...files].entries()) {
    if (i && holder === boxes.questioned) break;
    faults.push(await openFile(i ? addText(holder) : box, file));
    fault(faults.join(" ").trim());
  }
}

// What is wrong with the file, if anything.
async function openFile(box, file) {
  const source = box.querySelector(".source");
  source.textContent = `Reading ${file.name}…`;
  try {
    const read = await ask(`api/read?name=${encodeURIComponent(file.name)}`, file);
    if (isEndless(read.text)) throw new Error(`${file.name}: ${ENDLESS}`);
    box.querySelector("textarea").value = read.text;
    changed(box);
    source.textContent = read.caution ?? file.name;
    return "";
  } catch (error) {
    source.textContent = "";
    return error.message;
  }
}

async function ask(address, body) {
  let response;
  try {
    response = await fetch(address, {
      method: body === undefined ? "GET" : "POST",
      body,
      headers: {
        ...(typeof body === "string" && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
    });
  } catch {
    throw new Error("The server does not answer; is samehand serve still running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.detail ?? `The server answered ${response.status}.`);
  return answer;
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

// The texts in the boxes, the questioned one first.
function written() {
  return [...document.querySelectorAll("textarea")].map((area) => area.value);
}

async function compare(event) {
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  const [questioned, ...known] = written();
  const empty = [...document.querySelectorAll("textarea")].find((area) => !area.value.trim());
  if (empty) {
    fault(`${document.querySelector(`label[for=${empty.id}]`).textContent} is empty.`);
    empty.focus();
    return;
  }
  fault("");
  busy(true);
  const turn = ++asked;
  try {
    const answer = await ask("api/verify", JSON.stringify({ questioned, known, explain: true }));
    if (turn !== asked) return;
    showResult(find("result"), answer, [questioned, ...known]);
    if (JSON.stringify(written()) !== JSON.stringify([questioned, ...known])) stale();
    find("result").focus({ preventScroll: true });
    find("result").scrollIntoView({ block: "start", behavior: motion() });
  } catch (error) {
    find("result").hidden = true;
    fault(error.message);
  } finally {
    busy(false);
  }
}

const motion = () =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";

addText(boxes.questioned, true);
addText(boxes.known, true);
find("add").addEventListener("click", () => {
  addText(boxes.known).querySelector("textarea").focus();
  stale();
});
find("example").addEventListener("click", loadExample);
form.addEventListener("submit", compare);
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
// A file dropped beside a box would otherwise replace the page.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());

ask("api/model")
  .then((about) => {
    showModel(find("model"), about);
    expected = about.expected;
    expect();
  })
  .catch((error) =>
    find("model").replaceChildren(element("p", { class: "note" }, error.message)),
  );
