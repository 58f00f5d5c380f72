// The likelihood ratio on a logarithmic scale, among ENFSI's bands.

import { drawing } from "./element.js";

const EDGE = 14;

export function lrScale(holder, answer) {
  const draw = () => holder.replaceChildren(drawn(holder.clientWidth, answer));
  new ResizeObserver(draw).observe(holder);
  draw();
}

function drawn(width, { log10_lr: lr, log10_lr_bounds: [low, high], no_evidence: none, shown }) {
  const { reach, bands, ticks } = shown;
  const x = (log10) => {
    const share = (Math.min(Math.max(log10, -reach), reach) + reach) / (2 * reach);
    return EDGE + share * (width - 2 * EDGE);
  };
  const roomy = width / reach > 130;
  const height = roomy ? 132 : 102;
  const svg = drawing("svg", {
    class: none ? "scale muted" : "scale",
    viewBox: `0 0 ${width} ${height}`,
    height,
    width,
    role: "img",
    "aria-label":
      `Likelihood ratio ${shown.lr} on a logarithmic scale; left is for different ` +
      `authors, right for the same. It is held between ${shown.lr_bounds.join(" and ")}.`,
  });
  bands.forEach(([start, end, name], number) => {
    for (const [sign, side] of [[1, "same"], [-1, "different"]]) {
      const [left, right] = [x(sign * start), x(sign * end)].sort((a, b) => a - b);
      svg.append(
        drawing("rect", {
          x: left, y: 40, width: right - left, height: 16, class: `band ${side} b${number}`,
        }),
      );
      const hit = start <= sign * lr && sign * lr < end && !none;
      if (roomy) {
        name.split(" ").forEach((word, row) =>
          svg.append(label((left + right) / 2, 92 + 13 * row, word, hit ? "name hit" : "name")),
        );
      }
    }
  });
  for (const [from, to] of [[-reach, low], [high, reach]]) {
    if (x(to) - x(from) > 0.5) {
      svg.append(
        drawing("rect", { x: x(from), y: 40, width: x(to) - x(from), height: 16, class: "beyond" }),
      );
    }
  }
  const step = width / reach < 120 ? 2 : 1;
  for (let tick = -reach; tick <= reach; tick += step) {
    const anchor = tick === -reach ? "start" : tick === reach ? "end" : "middle";
    const at = tick === -reach ? 2 : tick === reach ? width - 2 : x(tick);
    svg.append(label(at, 73, ticks[tick + reach], "tick", anchor));
  }
  svg.append(label(2, height - 6, "← different authors", "side", "start"));
  svg.append(label(width - 2, height - 6, "same author →", "side", "end"));
  const here = x(lr);
  svg.append(drawing("path", { d: `M${here},38 l-6,-10 h12 z`, class: "pointer" }));
  svg.append(drawing("path", { d: `M${here},36 V60`, class: "needle" }));
  const inside = Math.min(Math.max(here, 48), width - 48);
  svg.append(label(inside, 20, `LR ${shown.lr}`, "value"));
  return svg;
}

function label(x, y, text, kind, anchor = "middle") {
  return drawing("text", { x, y, class: kind, "text-anchor": anchor }, text);
}
