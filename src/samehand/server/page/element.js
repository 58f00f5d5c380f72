// Elements by construction: what is text stays text, whoever wrote it.

const SVG = "http://www.w3.org/2000/svg";

function made(node, attributes, contents) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...contents.filter((item) => item !== null && item !== undefined));
  return node;
}

export const element = (name, attributes = {}, ...contents) =>
  made(document.createElement(name), attributes, contents);

export const drawing = (name, attributes = {}, ...contents) =>
  made(document.createElementNS(SVG, name), attributes, contents);
