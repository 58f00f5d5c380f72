"""Writing a report: as HTML, or as PDF by a browser that is on this machine.

The browser prints a page that needs no other file, so nothing is fetched. The same page gives the
same PDF with the same browser and fonts.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from samehand.errors import InputError
from samehand.io.atomic import check_file, whole_file

_NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "microsoft-edge", "microsoft-edge-stable", "msedge", "brave-browser",
)  # fmt: skip
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
"""Where browsers are that are not on the path."""
_OPTIONS = (
    "--headless", "--disable-gpu", "--disable-extensions", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--no-pdf-header-footer",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
_SECONDS = 120
_PRINTED = re.compile(rb"(/(?:CreationDate|ModDate) \(D:)\d{14}")
_ELEMENT = re.compile(rb"\(node(\d{8})\)")


def check_document(output: Path, inputs: Iterable[Path] = ()) -> None:
    """Raise unless a report can be written there: before any long work."""
    check_file(output, inputs)
    if _is_pdf(output):
        _browser(output)


def write_document(output: Path, html: str) -> str:
    """Write a report, as PDF where the name ends so; its SHA-256. It appears when it is whole."""
    content = html.encode("utf-8", "surrogateescape")
    if _is_pdf(output):
        content = _printed(output, content)
    with whole_file(output) as file:
        file.write(content)
    return sha256(content).hexdigest()


def _is_pdf(output: Path) -> bool:
    return output.suffix.lower() == ".pdf"


def _browser(output: Path) -> str:
    """The first browser found that can print."""
    for name in (*_NAMES, *_PLACES):
        if found := shutil.which(name):
            return found
    raise InputError(
        f"{output}: a PDF is printed by Chromium, Chrome or Edge, and none is here; write "
        f"{output.with_suffix('.html').name} instead, and print it from any browser."
    )


def _printed(output: Path, html: bytes) -> bytes:
    """A page printed to PDF."""
    browser = _browser(output)
    with TemporaryDirectory(prefix="samehand-", ignore_cleanup_errors=True) as folder:
        page, made = Path(folder, "report.html"), Path(folder, "report.pdf")
        page.write_bytes(html)
        options = [*_OPTIONS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={made}"]
        if getattr(os, "geteuid", lambda: 1)() == 0:
            options.append("--no-sandbox")  # without which root cannot start it
        try:
            subprocess.run(
                [browser, *options, page.as_uri()], stdin=subprocess.DEVNULL,
                capture_output=True, timeout=_SECONDS, check=False,
            )  # fmt: skip
            content = made.read_bytes()
        except (OSError, subprocess.TimeoutExpired):
            raise InputError(
                f"{output}: {browser} made no PDF; write {output.with_suffix('.html').name} "
                "instead, and print it from any browser."
            ) from None
    return _settled(content)


def _settled(content: bytes) -> bytes:
    """A PDF without the time of printing, its elements counted from 0: they begin anywhere."""
    content = _PRINTED.sub(rb"\g<1>19700101000000", content)
    first = min(map(int, _ELEMENT.findall(content)), default=0)
    return _ELEMENT.sub(lambda found: b"(node%08d)" % (int(found[1]) - first), content)
