"""Draw docs/figures/overview.svg: the paper's system, and where our preset `default` leaves it.

Run from anywhere: python docs/figures/overview.py
"""

import re
from pathlib import Path

from samehand.report.markup import Markup, tag

PLACE = Path(__file__).with_name("overview.svg")
WIDTH, HEIGHT = 900, 922
STYLE = """
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #22211f }
.title { font-weight: 600; font-size: 13px } .head { font-weight: 600; font-size: 15px }
.low { font-size: 9px } .note { fill: #4a4742 } .loss text { fill: #fff }
.box { fill: #fff; stroke-width: 1.2 } .arrow { fill: none; stroke: #4a4742; stroke-width: 1.4 }
.tip { fill: #4a4742 } .stop { stroke: #c0202c; stroke-width: 2.4 }
.dml .panel { fill: #e6eefa } .dml .box { stroke: #2f66a8 } .dml .loss rect { fill: #2f66a8 }
.bfs .panel { fill: #e2f2e7 } .bfs .box { stroke: #2f7a4c } .bfs .loss rect { fill: #2f7a4c }
.ual .panel { fill: #fbeed6 } .ual .box { stroke: #9a6300 } .ual .loss rect { fill: #9a6300 }
.own .panel { fill: #efe9f8 } .own .box { stroke: #6a4aa5 } .own .loss rect { fill: #6a4aa5 }
.fit .panel { fill: #ecebe8 } .fit .box { stroke: #5c5850 }
"""
ALT = """Two documents become tokens, units, word and character embeddings, units' vectors, document
embeddings and LEVs, by one network. In the paper's system DML, BFS and UAL score the pair of LEVs,
each with a loss of its own. In the preset default distance, evidence by genres, bounds and
abstention do."""


def words(x, y, text, kind=None, anchor="middle"):
    """A line of text at a place; `y_{1}` and `d^{α}` are set low and high."""
    parts, level = [], 0
    for plain, mark, small in re.findall(r"([^_^]+)|([_^])\{([^}]*)\}", text):
        wanted = {"": 0, "_": 4, "^": -5}[mark]
        moved = wanted - level or None
        parts.append(tag("tspan", plain or small, dy=moved, class_="low" if mark else None))
        level = wanted
    return tag("text", *parts, x=x, y=y, class_=kind, text_anchor=anchor)


def box(x, y, width, height, title, *lines):
    """A step: its title, and what it does."""
    top = y + height / 2 - 7.5 * len(lines) + 4
    return [
        tag("rect", x=x, y=y, width=width, height=height, rx=5, class_="box"),
        words(x + width / 2, f"{top:g}", title, "title"),
        *(
            words(x + width / 2, f"{top + 16 * row:g}", line)
            for row, line in enumerate(lines, start=1)
        ),
    ]


def loss(x, y, width, name, *lines):
    """What a part learns from."""
    drawn = [tag("rect", x=x, y=y, width=width, height=20 + 16 * len(lines), rx=18)]
    for row, line in enumerate((name, *lines)):
        drawn.append(words(x + width / 2, y + 16 + 15 * row, line, None if row else "title"))
    return [tag("g", *drawn, class_="loss")]


def arrow(*points, stop=None):
    """A line through places, with a tip at the last; `stop`: where no gradient passes."""
    line = " ".join(f"{x},{y}" for x, y in points)
    (_, before_y), (x, y) = points[-2:]
    across = before_y == y
    corners = (
        [(x, y), (x - 7, y - 4), (x - 7, y + 4)]
        if across
        else [(x, y), (x - 4, y - 7), (x + 4, y - 7)]
    )
    tip = " ".join(f"{a},{b}" for a, b in corners)
    drawn = [
        tag("polyline", points=line, class_="arrow"),
        tag("polygon", points=tip, class_="tip"),
    ]
    if stop:
        for part in (-2.5, 2.5):
            at, to = stop
            ends = (
                {"x1": at + part, "x2": at + part, "y1": to - 7, "y2": to + 7}
                if across
                else {"x1": at - 7, "x2": at + 7, "y1": to + part, "y2": to + part}
            )
            drawn.append(tag("line", **{n: f"{v:g}" for n, v in ends.items()}, class_="stop"))
    return drawn


def panel(x, y, width, height):
    return tag("rect", x=x, y=y, width=width, height=height, rx=9, class_="panel")


LANES = (190, 426)
"""Where the two documents run through the encoder."""


def encoder():
    yield panel(16, 98, 584, 382)
    for lane, name, role in zip(LANES, ("D_{1}", "D_{2}"), ("questioned", "known"), strict=True):
        x, y = lane - 76, 40
        page = f"M{x},{y} h136 l16,16 v26 h-152 z M{x + 136},{y} v16 h16"
        yield tag("path", d=page, class_="box")
        yield words(lane, y + 19, f"document {name}", "title")
        yield words(lane, y + 35, role)
        for top in (82, 158, 220, 282, 344, 406, 468):
            yield from arrow((lane, top), (lane, top + (26 if top == 82 else 12)))
        yield tag("circle", cx=lane, cy=494, r=14, class_="box")
    yield words(LANES[0], 498, "y_{1}", "title")
    yield words(LANES[1], 498, "y_{2}", "title")
    left, wide = 60, 496
    yield from box(left, 108, wide, 50, "tokens", "words, marks, line ends")
    yield tag("rect", x=left, y=170, width=wide, height=50, rx=5, class_="box")
    yield words(214, 190, "units", "title")
    yield words(214, 206, "30 tokens, one every 26; 210 at most")
    for row, start in enumerate((372, 424, 476)):
        yield tag("rect", x=start, y=178 + 12 * row, width=60, height=9, rx=2, fill="#2f66a8",
                  fill_opacity=".45")  # fmt: skip
    yield from box(left, 232, 242, 50, "word embedding", "300 numbers; 5,000 words")
    yield from box(314, 232, 242, 50, "characters, convolved", "30 numbers, of 15 characters")
    yield words(308, 262, "+", "title")
    unit, document = (f"BiLSTM and attention: {of}" for of in ("tokens → unit", "units → document"))
    yield from box(left, 294, wide, 50, unit, "50 in each direction")
    yield from box(left, 356, wide, 50, document, "50 in each direction: document embedding x_{i}")
    lev = "linguistic embedding vector (LEV)"
    yield from box(left, 418, wide, 50, lev, "y_{i} = tanh(W x_{i} + b), 60 numbers")
    beside = words(0, 0, "the same weights for both documents", "note")
    yield tag("g", beside, transform="translate(42 283) rotate(-90)")


def metric():
    yield panel(16, 560, 188, 296)
    yield words(110, 580, "DML: metric learning", "title")
    yield from box(24, 590, 172, 48, "distance", "d = |y_{1} − y_{2}|^{2}")
    yield from arrow((110, 638), (110, 652))
    yield from box(24, 652, 172, 66, "kernel", "exp(−γ d^{α})")
    yield from arrow((110, 718), (110, 732))
    yield from box(24, 732, 172, 48, "p_{DML}(H_{1})")
    yield from arrow((110, 780), (110, 796))
    yield from loss(24, 796, 172, "loss of the DML", "probabilistic contrastive")


def bayes_factor():
    yield panel(214, 560, 188, 296)
    yield words(308, 580, "BFS: Bayes factor", "title")
    yield from box(222, 590, 172, 48, "reduction", "Swish(W y_{i} + b), 40")
    yield from arrow((308, 638), (308, 652))
    model = "two-covariance model"
    yield from box(222, 652, 172, 66, model, "authors: N(μ, B^{−1})",
                   "their texts: N(0, W^{−1})")  # fmt: skip
    yield from arrow((308, 718), (308, 732))
    yield from box(222, 732, 172, 48, "p_{BFS}(H_{1})", "sigmoid(log LR)")
    yield from arrow((308, 780), (308, 796))
    yield from loss(222, 796, 172, "loss of the BFS", "binary cross entropy")


def adaptation():
    yield panel(412, 560, 188, 296)
    yield words(506, 580, "UAL: adaptation", "title")
    yield from box(420, 590, 172, 48, "difference", "tanh(W (y_{1} − y_{2})^{2} + b)")
    yield from arrow((506, 638), (506, 652))
    yield from box(420, 652, 172, 66, "confusion matrix", "p(H_{j} | Ĥ_{i}),  2 × 2")
    yield from arrow((506, 718), (506, 732))
    yield from box(420, 732, 172, 48, "p_{UAL}(H_{j})", "Σ_{i} p(H_{j} | Ĥ_{i}) p_{BFS}(Ĥ_{i})")
    yield from arrow((506, 780), (506, 796))
    yield from loss(420, 796, 172, "loss of the UAL", "log loss, less β × entropy")


def own():
    """The encoder of our preset, row by row beside that of the paper."""
    yield panel(620, 98, 264, 446)
    left, wide = 630, 244
    yield words(752, 168, "tokens and units: no change", "note")
    yield from box(left, 232, wide, 50, "1,000 words", "of others shape and ending: xxxxing")
    yield from box(left, 294, wide, 50, "128 in each direction")
    yield from box(
        left, 356, wide, 50, "128 in each direction", "+ mean and spread of 512 features"
    )
    yield from box(left, 418, wide, 50, "128 numbers", "of each network")
    yield from arrow((730, 468), (730, 482))
    yield from loss(left, 482, 200, "loss: in-batch contrast", "which other text of a batch",
                    "is by the same author?")  # fmt: skip


def evidence():
    """What `samehand fit` adds to the encoders of our preset."""
    yield panel(620, 560, 264, 296)
    left, wide = 630, 244
    yield from arrow((854, 468), (854, 590), stop=(854, 552))
    yield words(left, 580, "fitted afterwards", "title", "start")
    yield from box(left, 590, wide, 48, "distance", "similarity s = −log d, d of atanh y")
    yield from arrow((752, 638), (752, 652))
    yield from box(left, 652, wide, 66, "evidence by genres", "LR = p(s | H_{1}) / p(s | H_{0}),",
                   "mixed over genres, known and new")  # fmt: skip
    yield from arrow((752, 718), (752, 732))
    yield from box(left, 732, wide, 48, "bounds", "LRs that validation supports")
    yield from arrow((752, 780), (752, 796))
    yield from box(left, 796, wide, 48, "abstention", "undecided from 1/1.5 to 1.5")


def drawing():
    """The whole picture."""
    wires = [
        *(tag("path", d=f"M{lane},508 V526", class_="arrow") for lane in LANES),
        *arrow((110, 526), (110, 560)),
        *arrow((308, 526), (308, 560), stop=(308, 543)),
        *arrow((506, 526), (506, 560), stop=(506, 543)),
        *arrow((394, 756), (420, 756), stop=(405, 756)),
        tag("path", d="M110,526 H506", class_="arrow"),
        *arrow((592, 756), (609, 756), (609, 878)),
        *arrow((752, 844), (752, 878)),
    ]
    rule = "Each loss trains the parts of its own colour;"
    notes = [
        words(16, 24, "The paper's system (preset paper)", "head", "start"),
        words(620, 24, "Our preset default", "head", "start"),
        words(620, 44, "where it leaves the paper's path", "note", "start"),
        words(614, 893, "answer: posterior", "title", "end"),
        words(752, 893, "answer: likelihood ratio", "title"),
        tag("line", x1=16, x2=30, y1=883, y2=883, class_="stop"),
        tag("line", x1=16, x2=30, y1=888, y2=888, class_="stop"),
        words(38, 890, f"no gradient passes. {rule}", "note", "start"),
        words(38, 907, "the sum of the three is minimised.", "note", "start"),
    ]  # fmt: skip
    groups = {"dml": (*encoder(), *metric()), "bfs": bayes_factor(), "ual": adaptation(),
              "own": own(), "fit": evidence()}  # fmt: skip
    return tag(
        "svg",
        tag("title", " ".join(ALT.split())),
        tag("style", Markup(STYLE)),
        tag("rect", width=WIDTH, height=HEIGHT, fill="#fff"),
        *(tag("g", *parts, class_=kind) for kind, parts in groups.items()),
        *wires,
        *notes,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
    )


if __name__ == "__main__":
    PLACE.write_text(drawing() + "\n", "utf-8")
