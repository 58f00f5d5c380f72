"""Make the files of the first case, what its page quotes of the commands, and its pictures.

    python docs/first_case/render.py --files DIR    the files alone, to follow the page
    python docs/first_case/render.py --check        compare what the pages quote with what is said
    python docs/first_case/render.py                write quotations and pictures anew

Pictures need Chromium, and `pip install -e '.[dev]'`. Quotations are the blocks of a page that
begin with ```console; a last line of … leaves out the rest of an output.
"""

import argparse
import difflib
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CORPUS = ROOT / "examples" / "corpus"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
DIGEST = re.compile(r"[0-9a-f]{64}")
WRITER, SUBJECT = "ada", "garden"
"""Who wrote the known texts, and on what the questioned text is."""
BORROWER, BORROWED = "gwen", "hal"
"""Whose new text in the class is not her own, and who wrote it."""


def make_files(folder: Path) -> None:
    """The texts of the case, what the examiner states, and trials over texts by other people."""
    (folder / "trials").mkdir(parents=True)
    (folder / "case.yaml").write_text((HERE / "case.yaml").read_text("utf-8"), "utf-8")
    known = 0
    for path in texts(WRITER):
        if path.parent.name == SUBJECT:
            name = "questioned.txt"
        else:
            known += 1
            name = f"known-{known}.txt"
        (folder / name).write_text(path.read_text("utf-8"), "utf-8")
    write_trials(folder / "trials")
    write_class(folder / "new", folder / "earlier")


def write_class(new: Path, earlier: Path) -> None:
    """A text of each writer and the earlier ones; that of one writer is by somebody else."""
    new.mkdir()
    for writer in sorted(path.name for path in CORPUS.iterdir()):
        *rest, last = texts(BORROWED if writer == BORROWER else writer)
        (new / f"{writer}.txt").write_text(last.read_text("utf-8"), "utf-8")
        (earlier / writer).mkdir(parents=True)
        for path in texts(writer)[: len(rest)]:
            name = f"{path.parent.name}-{path.name}"
            (earlier / writer / name).write_text(path.read_text("utf-8"), "utf-8")


def write_trials(folder: Path) -> None:
    """Each text against three by the same writer, and against three by the next one."""
    writers = sorted(path.name for path in CORPUS.iterdir() if path.name != WRITER)
    truth = []
    for number, name in enumerate(writers):
        for place, questioned in enumerate(texts(name)):
            others = [path for path in texts(name) if path != questioned]
            next_one = texts(writers[(number + 1) % len(writers)])
            rest = [path for at, path in enumerate(next_one) if at != place]
            for answer, known in (("Y", others), ("N", rest)):
                trial = folder / f"T{len(truth) + 1:03}"
                write_trial(trial, questioned, known)
                truth.append(f"{trial.name} {answer}")
    (folder / "truth.txt").write_text("\n".join(truth) + "\n", "utf-8")


def write_trial(folder: Path, questioned: Path, known: list[Path]) -> None:
    folder.mkdir()
    (folder / "unknown.txt").write_text(questioned.read_text("utf-8"), "utf-8")
    for number, path in enumerate(known, start=1):
        (folder / f"known{number:02}.txt").write_text(path.read_text("utf-8"), "utf-8")


def texts(writer: str) -> list[Path]:
    return sorted((CORPUS / writer).rglob("*.txt"))


def quoted_anew(page: Path, folder: Path) -> str:
    """The page, with what its commands print in this folder."""
    return BLOCK.sub(lambda block: "".join(ran(block[0], folder)), page.read_text("utf-8"))


def ran(block: str, folder: Path) -> Iterator[str]:
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]:
        command = part.splitlines()[0]
        quoted = part.splitlines()[1:]
        while command.endswith("\\"):
            command += "\n" + quoted.pop(0)
        printed = output(command.removeprefix("$ "), folder)
        cut = bool(quoted) and quoted[-1] == "…"
        if cut:
            printed = [*printed[: len(quoted) - 1], "…"]
        yield "\n".join([command, *printed]) + "\n"


def output(command: str, folder: Path) -> list[str]:
    """Lines that a command prints; it may not fail."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True,
        env=os.environ | {"PATH": path, "COLUMNS": "80"},
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{command}\nended with {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


def check(page: Path, folder: Path) -> bool:
    """Whether the page quotes what is printed; a log has other digests each time."""
    said, found = page.read_text("utf-8"), quoted_anew(page, folder)
    differences = difflib.unified_diff(
        DIGEST.sub("(digest)", said).splitlines(), DIGEST.sub("(digest)", found).splitlines(),
        str(page), "as it is printed", lineterm="", n=1,
    )  # fmt: skip
    lines = list(differences)
    print("\n".join(lines) or f"{page.relative_to(ROOT)}: as it is printed")
    return not lines


def take_pictures(folder: Path) -> None:
    """The page before comparing, and the three reports that the commands have written."""
    from PIL import Image
    from playwright.sync_api import Page, sync_playwright

    sys.path.insert(0, str(ROOT / "docs" / "screenshots"))
    from render import CHROMIUM, SAMEHAND

    def save(name: str, page: Page) -> None:
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        few = picture.quantize(96, dither=Image.Dither.NONE)
        few.save(HERE / f"{name}.png", optimize=True)

    serve = [SAMEHAND, "serve", "--port", "0"]
    server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            assert server.stdout is not None
            page = browser.new_page(viewport={"width": 1100, "height": 1350})
            page.goto(server.stdout.readline().split()[0])
            fill(page, folder)
            save("expected", page)
            for name, height in (("report", 1160), ("validation", 850), ("class", 700)):
                page = browser.new_page(viewport={"width": 820, "height": height})
                page.goto((folder / f"{name}.html").as_uri())
                save(name, page)
    finally:
        server.terminate()


def fill(page: Any, folder: Path) -> None:
    """The texts of the case in the page, before they are compared."""
    page.wait_for_selector("#model dl", state="attached")
    page.fill("#questioned textarea", (folder / "questioned.txt").read_text("utf-8"))
    for number in range(3):
        if number:
            page.click("#add")
        text = (folder / f"known-{number + 1}.txt").read_text("utf-8")
        page.locator("#known textarea").nth(number).fill(text)
    page.wait_for_selector("#expected:not([hidden])")
    page.evaluate("for (const box of document.querySelectorAll('textarea')) box.scrollTop = 0")
    page.evaluate("document.activeElement.blur()")
    page.evaluate("document.querySelector('#questioned').scrollIntoView()")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--files", type=Path, metavar="DIR", help="make the files in a new folder")
    parser.add_argument("--check", action="store_true", help="compare the quotations, no more")
    asked = parser.parse_args()
    if asked.files is not None:
        make_files(asked.files)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "case"
        make_files(folder)
        places = {"README.md": ROOT, "docs/first-case.md": folder, "docs/verifying.md": folder}
        pages = [(ROOT / name, where) for name, where in places.items()]
        if asked.check:
            agree = [check(page, where) for page, where in pages]
            sys.exit(not all(agree))
        for page, where in pages:
            page.write_text(quoted_anew(page, where), "utf-8")
        take_pictures(folder)


if __name__ == "__main__":
    main()
