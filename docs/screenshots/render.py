"""Take the pictures of this folder anew: the page with the packaged model, and the report.

    python docs/screenshots/render.py [--model DIR]

Needs Chromium, and `pip install -e '.[dev]'`.
"""

import argparse
import io
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from shutil import which

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
ESSAYS = HERE.parents[1] / "examples" / "essays"
SAMEHAND = Path(sys.executable).with_name("samehand")
CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")


def essay(name: str) -> str:
    return (ESSAYS / f"{name}.txt").read_text("utf-8")


def nothing(page: Page) -> None:
    page.wait_for_selector("#model dl")


def compared(*names: str) -> Callable[[Page], None]:
    """The first essay against the others."""

    def compare(page: Page) -> None:
        page.fill("#questioned textarea", essay(names[0]))
        for number, name in enumerate(names[1:]):
            if number:
                page.click("#add")
            page.locator("#known textarea").nth(number).fill(essay(name))
        page.click("#compare")
        page.wait_for_selector("#result:not([hidden])")

    return compare


def with_places(page: Page) -> None:
    """The places of the first habit."""
    compared("anna-1", "bruno-1", "bruno-2")(page)
    page.locator(".habits summary").first.click()


def too_short(page: Page) -> None:
    page.fill("#questioned textarea", "See you at nine.")
    page.fill("#known textarea", essay("bruno-1"))
    page.click("#compare")
    page.wait_for_selector("#questioned .fault:not([hidden])")


def of_class(page: Page) -> None:
    """Three writers, of whom one handed in what another wrote."""
    page.goto(page.url + "class.html")
    writers = {"anna": "anna-1", "bruno": "bruno-1", "carla": "anna-2"}
    new = {name: essay(text) for name, text in writers.items()}
    earlier = {"anna": essay("anna-2"), "bruno": essay("bruno-2"), "carla": essay("bruno-2")}
    for pile, texts in (("new", new), ("earlier", earlier)):
        files = [
            {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": text.encode()}
            for name, text in texts.items()
        ]
        page.locator(f"#{pile} input").first.set_input_files(files)  # type: ignore[arg-type]
    page.click("#compare")
    page.wait_for_selector("#result:not([hidden])")


PICTURES: dict[str, tuple[int, int, str, Callable[[Page], None], str]] = {
    "empty": (1100, 900, "light", nothing, "body"),
    "different": (1100, 1240, "light", compared("anna-1", "bruno-1", "bruno-2"), "#result"),
    "habits": (1100, 1000, "light", with_places, ".habits"),
    "same-dark": (768, 1240, "dark", compared("anna-1", "anna-2"), "#result"),
    "phone": (375, 812, "light", compared("anna-1", "anna-2"), "#result"),
    "undecided": (768, 760, "light", compared("anna-1", "anna-1"), "#result"),
    "too-short": (375, 812, "dark", too_short, "#questioned"),
    "class": (1100, 1060, "light", of_class, "#files"),
}
"""Width, height, colours, what to do first, and what to show then."""


def take(browser: Browser, address: str, name: str) -> None:
    width, height, scheme, act, shown = PICTURES[name]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address)
    act(page)
    page.evaluate("document.activeElement.blur()")
    page.evaluate("shown => document.querySelector(shown).scrollIntoView()", shown)
    page.wait_for_timeout(200)
    save(name, page.screenshot())
    context.close()


def take_report(browser: Browser, model: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        texts = [f"examples/essays/{name}.txt" for name in ("anna-1", "bruno-1", "bruno-2")]
        command = [SAMEHAND, "verify", *texts, "--report", report, *model]
        subprocess.run(command, check=True, capture_output=True, cwd=HERE.parents[1])
        page = browser.new_page(viewport={"width": 820, "height": 1160})
        page.goto(report.as_uri())
        page.evaluate("document.querySelector('section').scrollIntoView()")
        save("report", page.screenshot())


def save(name: str, png: bytes) -> None:
    """Few colours are enough, and keep it small."""
    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(96, dither=Image.Dither.NONE)
    picture.save(HERE / f"{name}.png", optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", help="a trained model instead of the packaged one")
    named = parser.parse_args().model
    model = ["--model", named] if named else []
    command = [SAMEHAND, "serve", "--port", "0", *model]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        assert server.stdout is not None
        address = server.stdout.readline().split()[0]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name in PICTURES:
            take(browser, address, name)
        take_report(browser, model)
        browser.close()
        server.terminate()


if __name__ == "__main__":
    main()
