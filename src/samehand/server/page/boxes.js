// Boxes that hold a text each: pasted, dropped or opened.

import { ask } from "./server.js";

const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{N}\p{M}]+)*/gu;
// A word this long is no text, and browsers take minutes to break one into lines.
const isEndless = (text) => text.split(/\s+/).some((word) => word.length >= 20000);
const ENDLESS = "it holds a word of more than 20,000 letters, so it is not text.";
let numbered = 0;

export class Boxes {
  // `changed` is called whenever a text is another one.
  constructor(questioned, known, changed) {
    [this.questioned, this.known, this.changed] = [questioned, known, changed];
    this.opening = new Set();
    this.add(questioned);
    this.add(known);
  }

  get all() {
    return [...this.questioned.children, ...this.known.children];
  }

  texts() {
    return this.all.map((box) => area(box).value);
  }

  // With the file that each was read from, if it was not edited since.
  given() {
    return this.all.map((box) => ({ text: area(box).value, ...box.read }));
  }

  add(holder) {
    const box = document.getElementById("text").content.firstElementChild.cloneNode(true);
    area(box).id = `text-${++numbered}`;
    box.querySelector("label").htmlFor = area(box).id;
    box.querySelector(".fault").id = `fault-${numbered}`;
    box.querySelector(".remove").addEventListener("click", () => this.remove(box));
    area(box).addEventListener("input", () => this.edited(box));
    area(box).addEventListener("beforeinput", (event) => {
      if (!isEndless(event.data ?? "")) return;
      event.preventDefault();
      fault(box, `This cannot be pasted: ${ENDLESS}`);
    });
    const file = box.querySelector("input");
    file.multiple = holder === this.known;
    file.addEventListener("change", () => {
      this.open(box, [...file.files]);
      file.value = "";
    });
    takeDrops(box, (files) => this.open(box, files));
    holder.append(box);
    this.name();
    this.count(box);
    return box;
  }

  name() {
    this.questioned.querySelector("label").textContent = "Questioned text";
    const known = [...this.known.children];
    known.forEach((box, i) => {
      box.querySelector("label").textContent = known.length > 1 ? `Known text ${i + 1}` : "Known text";
      box.querySelector(".remove").ariaLabel = `Remove known text ${i + 1}`;
    });
    for (const box of this.all) {
      box.querySelector(".remove").hidden = known.length === 1 || box.parentElement === this.questioned;
      const title = box.querySelector("label").textContent.toLowerCase();
      const open = box.parentElement === this.known ? "Open files" : "Open a file";
      box.querySelector(".file span").textContent = open;
      box.querySelector("input").ariaLabel = `${open} as ${title}`;
    }
  }

  remove(box) {
    const next = box.previousElementSibling ?? box.nextElementSibling;
    box.remove();
    this.name();
    this.changed();
    area(next).focus();
  }

  edited(box) {
    box.read = {};
    box.querySelector(".source").textContent = "";
    fault(box, "");
    this.count(box);
  }

  count(box) {
    const found = countWords(box);
    const shown = box.querySelector(".count");
    shown.textContent = found === 1 ? "1 word" : `${found.toLocaleString("en")} words`;
    shown.classList.toggle("none", found === 0);
    this.changed();
  }

  fill(box, text, source) {
    area(box).value = text;
    this.edited(box);
    box.querySelector(".source").textContent = source;
  }

  open(box, files) {
    const work = this.openAll(box, files).finally(() => this.opening.delete(work));
    this.opening.add(work);
  }

  // When all files that were chosen so far are read.
  async opened() {
    while (this.opening.size) await Promise.all(this.opening);
  }

  // Several files on a known text: the first fills it, the others get boxes of their own.
  async openAll(box, files) {
    fault(box, "");
    const several = box.parentElement === this.known;
    for (const [i, file] of files.entries()) {
      if (i && !several) {
        fault(box, `Only one text is in question, so ${file.name} was not opened.`);
        return;
      }
      await this.openFile(i ? this.add(this.known) : box, file);
    }
  }

  async openFile(box, file) {
    const source = box.querySelector(".source");
    source.textContent = `Reading ${file.name}…`;
    try {
      const { text, sha256, caution } = await ask(`api/read?name=${encodeURIComponent(file.name)}`, file);
      if (isEndless(text)) throw new Error(`${file.name}: ${ENDLESS}`);
      this.fill(box, text, caution ?? file.name);
      box.read = { file: file.name, sha256, caution };
    } catch (error) {
      source.textContent = "";
      fault(box, error.message);
    }
  }

  // The first box without a text, if there is one.
  empty() {
    return this.all.find((box) => !area(box).value.trim());
  }

  // Shows a fault at the text that it begins with the name of, and tells whether there is one.
  point(sentence) {
    const called = sentence.match(/^(The questioned text|The known text|Known text (\d+)) /);
    const box = called && (called[1] === "The questioned text" ? this.all[0] : this.all[Number(called[2] ?? 1)]);
    if (box) fault(box, sentence);
    return Boolean(box);
  }

  clear() {
    for (const box of this.all) fault(box, "");
  }

  counts() {
    return { questioned: countWords(this.all[0]), known: this.all.slice(1).map(countWords) };
  }
}

export const area = (box) => box.querySelector("textarea");

export function fault(box, sentence) {
  const shown = box.querySelector(".fault");
  const field = area(box) ?? box.querySelector("input");
  shown.hidden = !sentence;
  shown.textContent = sentence;
  if (sentence) {
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", shown.id);
  } else {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}

export function takeDrops(box, take) {
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
    take([...event.dataTransfer.files]);
  });
}

// A file dropped beside a box would otherwise replace the page.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());

const countWords = (box) => area(box).value.match(words)?.length ?? 0;
