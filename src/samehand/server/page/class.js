// A class: each student's new text against that student's earlier texts.

import { fault as faultAt, takeDrops } from "./boxes.js";
import { element } from "./element.js";
import { post, save } from "./server.js";

const MOST_BYTES = 6_000_000; // which base64 makes 8 million of
const find = (id) => document.getElementById(id);
const form = find("files");
const piles = { new: [], earlier: [] };

for (const kind of Object.keys(piles)) {
  const pile = find(kind);
  for (const input of pile.querySelectorAll("input")) {
    input.addEventListener("change", () => {
      take(kind, [...input.files]);
      input.value = "";
    });
  }
  takeDrops(pile, (files) => take(kind, files));
}

// What is chosen takes the place of what was chosen before.
function take(kind, files) {
  const pile = find(kind);
  piles[kind] = files.map((file) => ({ path: pathOf(file), file }))
    .filter(({ path }) => !path.split("/").some((part) => part.startsWith(".")));
  const [n, writers] = [piles[kind].length, new Set(piles[kind].map(({ path }) => writerOf(path))).size];
  const [texts, people] = [n === 1 ? "file" : "files", writers === 1 ? "name" : "names"];
  pile.querySelector(".source").textContent = n ? `${n} ${texts}, ${writers} ${people}` : "No files yet";
  faultAt(pile, "");
  find("result").classList.add("stale");
}

// Without the folder that was chosen, which is nobody's name.
const pathOf = (file) => file.webkitRelativePath.split("/").slice(1).join("/") || file.name;

const writerOf = (path) => path.includes("/") ? path.split("/")[0] : path.replace(/\.[^.]*$/, "");

const read = ({ path, file }) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve({ path, content: reader.result.replace(/^[^,]*,?/, "") });
  reader.onerror = () => reject(new Error(`${path}: cannot be read; choose it again.`));
  reader.readAsDataURL(file);
});

async function compare(event) {
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  fault("");
  const missing = Object.keys(piles).find((kind) => !piles[kind].length);
  if (missing) {
    faultAt(find(missing), `There are no ${missing} texts; choose files or a folder.`);
    find(missing).querySelector("input").focus();
    return;
  }
  if ([...piles.new, ...piles.earlier].reduce((sum, { file }) => sum + file.size, 0) > MOST_BYTES) {
    fault("The files are larger than 6 MB together; compare a part of the class, or use samehand verify --each.");
    return;
  }
  busy(true);
  try {
    const [newer, earlier] = await Promise.all([piles.new, piles.earlier].map((pile) => Promise.all(pile.map(read))));
    show(await post("api/class", { new: newer, earlier }));
  } catch (error) {
    find("result").hidden = true;
    fault(error.message);
  } finally {
    busy(false);
  }
}

function show(answer) {
  const save_as = (name, content, type, said) => {
    const button = element("button", { type: "button", class: "second" }, said);
    button.addEventListener("click", () => save(name, content, type));
    return button;
  };
  const holder = find("result");
  holder.replaceChildren(
    element("p", { class: "changed" }, "The files have changed since; compare again."),
    element("h2", { id: "answer" }, answer.opening),
    table(answer),
    element("p", { class: "note" }, answer.meaning),
    element("h3", {}, "By chance alone"),
    ...answer.by_chance.flatMap(([supposed, each]) => [
      element("p", {}, supposed), element("ul", {}, ...each.map((said) => element("li", {}, said)))]),
    element("p", {}, element("strong", {}, answer.many)),
    ...byName("To be read with care", answer.reasons),
    ...byName("Not compared", answer.not_compared),
    element("div", { class: "downloads" },
      save_as("class.html", answer.html, "text/html", "Download as a page"),
      save_as("class.csv", `\ufeff${answer.csv}`, "text/csv", "Download for spreadsheets")),
  );
  holder.classList.remove("stale");
  holder.hidden = false;
  holder.focus({ preventScroll: true });
  holder.scrollIntoView({ block: "start" });
}

function table({ head, rows }) {
  return element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Findings by writer" },
    element("table", { class: "findings" },
      element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows.map(([writer, ...cells]) => element("tr", {},
        element("th", { scope: "row" }, writer), ...cells.map((cell) => element("td", {}, cell)))))));
}

function byName(title, said) {
  const each = Object.entries(said);
  if (!each.length) return [];
  return [element("h3", {}, title), element("ul", {}, ...each.map(([name, sentences]) =>
    element("li", {}, element("strong", {}, name), `: ${sentences.join(" ")}`)))];
}

function fault(sentence) {
  find("fault").textContent = sentence;
  find("fault").hidden = !sentence;
}

function busy(on) {
  form.ariaBusy = String(on);
  find("compare").ariaDisabled = String(on);
  find("compare").textContent = on ? "Comparing…" : "Compare";
  find("working").textContent = on ? "Comparing the texts." : "";
}

form.addEventListener("submit", compare);
