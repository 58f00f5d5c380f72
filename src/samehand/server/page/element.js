// Elements by construction: what is text stays text, whoever wrote it.

export function element(name, attributes = {}, ...contents) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...contents.filter((item) => item !== null && item !== undefined));
  return node;
}
