"""The page in a real browser, as people use it."""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from shutil import which

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from tests.models import ESSAYS, essay
from tests.reading.files import docx
from tests.server.conftest import Server, serving

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

ANNA, ANNA_2, BRUNO = map(essay, ("anna-1", "anna-2", "bruno-1"))
WIDTHS = (1280, 768, 375)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The empty page; what the browser complains of fails the test."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(15_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if "olicy" in m.text else None)
    page.goto(server.address)
    page.wait_for_selector("#model dl")
    yield page
    context.close()
    assert complaints == []


def fill(page: Page, questioned: str, *known: str) -> None:
    page.fill("#questioned textarea", questioned)
    for number, text in enumerate(known):
        if number:
            page.get_by_role("button", name="Add another known text").click()
        page.locator("#known textarea").nth(number).fill(text)


def compare(page: Page) -> None:
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector("#result:not([hidden]), [role=alert]:not([hidden])")


def drop(page: Page, where: str, *files: tuple[str, bytes]) -> None:
    """Files dropped from the desktop."""
    transfer = page.evaluate_handle(
        """files => {
            const transfer = new DataTransfer();
            for (const [name, bytes] of files)
                transfer.items.add(new File([new Uint8Array(bytes)], name));
            return transfer;
        }""",
        [[name, list(content)] for name, content in files],
    )
    page.dispatch_event(where, "drop", {"dataTransfer": transfer})


def serious_faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {fault['nodes'][0]['html']}"
        for fault in found
        if fault["impact"] in ("serious", "critical", "moderate")
    ]


def as_answered(page: Page, **changes: object) -> None:
    """Change the server's answers on their way: verdicts that no model gives on demand."""

    def change(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json=response.json() | changes)

    page.route("**/api/verify", change)


def test_pasted_texts_are_answered(page: Page) -> None:
    fill(page, ANNA, BRUNO)
    compare(page)
    expect(page.locator("#answer")).to_have_text(re.compile("^These texts are "))
    expect(page.locator("#result .for-wide .value")).to_have_text(re.compile(r"^LR \d"))
    expect(page.locator(".posterior")).to_contain_text("% that one author wrote them")
    expect(page.locator(".reading article")).to_have_count(2)
    shown = page.locator(".reading .text").all_inner_texts()
    assert [text.split() for text in shown] == [ANNA.split(), BRUNO.split()]
    assert page.evaluate("document.activeElement.id") == "result"


def test_several_known_texts_have_their_own_ratios(page: Page) -> None:
    fill(page, ANNA, BRUNO, ANNA_2)
    compare(page)
    expect(page.locator(".alone li")).to_have_count(2)
    page.get_by_role("button", name="Remove known text 1").click()
    expect(page.locator("#known textarea")).to_have_count(1)
    expect(page.locator(".changed")).to_be_visible()


def test_dropped_files_fill_the_boxes(page: Page) -> None:
    drop(page, "#questioned .text-box", ("anna.docx", docx(*ANNA.split("\n"))))
    files = [(f"{name}.txt", essay(name).encode()) for name in ("bruno-1", "bruno-2")]
    drop(page, "#known .text-box", *files)
    expect(page.locator("#known textarea")).to_have_count(2)
    expect(page.locator("#known .source").nth(1)).to_have_text("bruno-2.txt")
    expect(page.locator("#questioned .source")).to_have_text("anna.docx")
    assert page.input_value("#questioned textarea").split() == ANNA.split()
    compare(page)
    expect(page.locator("#answer")).to_be_visible()


def test_a_chosen_file_is_read_and_a_bad_one_named(page: Page, tmp_path: Path) -> None:
    page.set_input_files("#questioned input", ESSAYS / "anna-1.txt")
    expect(page.locator("#questioned .count")).to_have_text("739 words")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\0\0\0")
    page.set_input_files("#known input", tmp_path / "photo.png")
    expect(page.get_by_role("alert")).to_contain_text("photo.png: binary data")


def test_of_several_files_the_bad_ones_stay_named(page: Page) -> None:
    good = ("anna.txt", ANNA.encode())
    drop(page, "#known .text-box", ("photo.png", b"\x89PNG\0\0\0"), good, ("b.txt", b""), good)
    expect(page.locator("#known .source").nth(3)).to_have_text("anna.txt")
    for place, fault in ((0, "photo.png: binary data"), (2, "b.txt: the file is empty")):
        expect(page.locator("#known .fault").nth(place)).to_contain_text(fault)
    expect(page.get_by_role("alert")).to_have_count(2)


def test_a_text_that_changes_while_it_is_compared_is_said_to_have_changed(page: Page) -> None:
    def change(route: Route) -> None:
        response = route.fetch()
        page.locator("#known textarea").fill(ANNA_2)
        route.fulfill(response=response)

    page.route("**/api/verify", change)
    fill(page, ANNA, BRUNO)
    compare(page)
    expect(page.locator(".changed")).to_be_visible()


def test_many_long_words_do_not_freeze_the_page(page: Page) -> None:
    drop(page, "#known .text-box", ("long.txt", b"%s " % (b"a" * 19_999) * 12))
    expect(page.locator("#known .source")).to_have_text("long.txt")


def test_a_prior_moves_the_probability(page: Page) -> None:
    as_answered(page, log10_lr=1.0, no_evidence=False, supports_neither=False)
    fill(page, ANNA, BRUNO)
    compare(page)
    expect(page.locator(".posterior strong")).to_have_text("90.9 %")
    page.locator("#prior").fill("-2")
    expect(page.locator(".prior output")).to_have_text("1 : 100, 1.0 %")
    expect(page.locator(".posterior strong")).to_have_text("9.1 %")
    page.get_by_role("button", name="Back to 1 : 1").click()
    expect(page.locator(".posterior strong")).to_have_text("90.9 %")


def test_a_copy_is_undecided_and_gives_no_probability(page: Page) -> None:
    fill(page, ANNA, ANNA)
    compare(page)
    expect(page.locator("#answer")).to_contain_text("These texts are no evidence")
    expect(page.locator(".care")).to_contain_text("are the same text")
    expect(page.locator("#prior")).to_have_count(0)


def test_too_short_a_text_is_named(page: Page) -> None:
    fill(page, "Far too short.", BRUNO)
    compare(page)
    expect(page.get_by_role("alert")).to_have_text(
        "The questioned text has 3 words; give at least 20, better some hundreds."
    )
    expect(page.locator("#questioned .fault")).to_be_visible()
    box = page.locator("#questioned textarea")
    expect(box).to_be_focused()
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(box).to_have_accessible_description(re.compile("has 3 words"))
    expect(page.locator("#result")).to_be_hidden()
    box.fill(ANNA)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(box).not_to_have_attribute("aria-invalid", "true")


def test_a_fault_of_one_of_several_texts_is_shown_at_it(page: Page) -> None:
    fill(page, ANNA, BRUNO, "Far too short.", ANNA_2)
    compare(page)
    expect(page.locator("#known .fault").nth(1)).to_contain_text("Known text 2 has 3 words")
    expect(page.locator("#known textarea").nth(1)).to_be_focused()


def test_several_files_are_chosen_at_once(page: Page, tmp_path: Path) -> None:
    names = ("anna-2", "bruno-1", "bruno-2")
    page.set_input_files("#known input", [ESSAYS / f"{name}.txt" for name in names])
    for place, name in enumerate(names):
        expect(page.locator("#known .source").nth(place)).to_have_text(f"{name}.txt")
    assert page.get_attribute("#questioned input", "multiple") is None


def test_files_that_are_still_being_read_are_waited_for(page: Page, tmp_path: Path) -> None:
    def later(route: Route) -> None:
        page.wait_for_timeout(500)
        route.continue_()

    page.route("**/api/read?*", later)
    page.fill("#known textarea", BRUNO)
    page.set_input_files("#questioned input", ESSAYS / "anna-1.txt")
    compare(page)
    expect(page.locator("#answer")).to_contain_text("These texts are")
    (tmp_path / "bad.docx").write_bytes(b"PK\x03\x04 torn")
    page.set_input_files("#questioned input", tmp_path / "bad.docx")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#questioned .fault")).to_contain_text("bad.docx")
    expect(page.get_by_role("button", name="Compare")).to_be_visible()


def test_only_one_text_is_in_question(page: Page) -> None:
    files = [(f"{name}.txt", essay(name).encode()) for name in ("anna-1", "anna-2")]
    drop(page, "#questioned .text-box", *files)
    expect(page.locator("#questioned .source")).to_have_text("anna-1.txt")
    expect(page.get_by_role("alert")).to_have_text(
        "Only one text is in question, so anna-2.txt was not opened."
    )


def test_a_report_is_downloaded(page: Page, tmp_path: Path) -> None:
    page.set_input_files("#questioned input", ESSAYS / "anna-1.txt")
    page.fill("#known textarea", BRUNO)
    compare(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the report").click()
    assert download.value.suggested_filename == "report.html"
    download.value.save_as(tmp_path / "report.html")
    page.goto((tmp_path / "report.html").as_uri())
    answer = page.locator(".answer").inner_text()
    assert answer.startswith("These texts are ")
    expect(page.locator(".materials")).to_contain_text("anna-1.txt")
    expect(page.locator("pre")).to_contain_text("report.html anna-1.txt known.txt")


def test_a_report_that_cannot_be_made_says_so(page: Page) -> None:
    fill(page, ANNA, BRUNO)
    compare(page)
    page.route("**/api/report", lambda route: route.abort())
    page.get_by_role("button", name="Download the report").click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")


def test_the_scale_can_be_read_on_a_phone(page: Page) -> None:
    fill(page, ANNA, BRUNO)
    compare(page)
    page.set_viewport_size({"width": 375, "height": 812})
    expect(page.locator(".for-wide")).to_be_hidden()
    names = page.locator(".for-narrow text").all()
    assert {"weak", "moderate", "moderately", "strong"} <= {name.text_content() for name in names}
    boxes = [box for name in names if (box := name.bounding_box())]
    assert min(box["height"] for box in boxes) >= 11
    for one, other in combinations(boxes, 2):
        across = one["x"] + one["width"] > other["x"] and other["x"] + other["width"] > one["x"]
        down = (
            one["y"] + one["height"] * 0.8 > other["y"]
            and other["y"] + other["height"] * 0.8 > one["y"]
        )
        assert not (across and down)


@pytest.fixture
def with_habits(browser: Browser, packaged: Server) -> Iterator[Page]:
    """The page of the packaged model after a comparison."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(packaged.address)
    page.wait_for_selector("#model dl")
    fill(page, ANNA, BRUNO)
    compare(page)
    yield page
    context.close()


def test_habits_are_listed_with_their_places(with_habits: Page) -> None:
    page = with_habits
    semicolon = page.locator(".habits li").filter(has_text="semicolon (;)").first
    expect(semicolon).to_contain_text("questioned 8.1; known 0; usual 2.0 (0 to 11)")
    expect(semicolon.locator(".lines")).to_be_hidden()
    semicolon.locator("summary").focus()
    page.keyboard.press("Enter")
    assert semicolon.locator(".lines b").all_inner_texts() == [";"] * ANNA.count(";")
    expect(semicolon).to_contain_text("Known text: nowhere")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown = page.locator(".habits > ul > li:visible").count()
    if (more := page.get_by_role("button", name=re.compile("Show .* more"))).count():
        more.click()
        assert page.locator(".habits > ul > li:visible").count() > shown
        expect(page.locator(".habits summary").nth(shown)).to_be_focused()
    assert serious_faults(page) == []


def test_every_place_of_a_word_is_found(page: Page) -> None:
    fill(page, "It isn’t so. (So?) :-) " + ANNA, BRUNO)
    compare(page)
    find = page.get_by_label("Every place of a word or mark")
    for wanted, first in (
        ("so", ["so", "So"]),
        ("isn't", ["isn’t"]),
        ("(so?)", ["(So?)"]),
        ("[", []),
    ):
        find.fill(wanted)
        keys = page.locator(".finder .places").first.locator("b").all_inner_texts()
        assert keys[: len(first)] == first
        assert {key.lower().replace("’", "'") for key in keys} <= {wanted}
    expect(page.locator(".finder")).to_contain_text("Known text: nowhere")
    find.fill(" ")
    expect(page.locator(".finder .places")).to_have_count(0)


def to_class(page: Page) -> None:
    page.get_by_role("link", name="A class at once").click()
    page.wait_for_url(re.compile("/class.html"))


def choose(page: Page, pile: str, *names: str) -> None:
    files = [
        {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": text.encode()}
        for name, text in zip(("Anna", "bruno"), map(essay, names), strict=False)
    ]
    page.locator(f"#{pile} input").first.set_input_files(files)  # type: ignore[arg-type]


def test_a_class_is_compared_at_once(page: Page) -> None:
    to_class(page)
    choose(page, "new", "anna-1", "bruno-1")
    expect(page.locator("#new .source")).to_have_text("2 files, 2 names")
    compare(page)
    expect(page.get_by_role("alert")).to_have_text(
        "There are no earlier texts; choose files or a folder."
    )
    choose(page, "earlier", "anna-2", "bruno-2")
    expect(page.get_by_role("alert")).to_have_count(0)
    compare(page)
    expect(page.locator("#answer")).to_contain_text("2 new texts were compared")
    expect(page.locator(".findings tbody tr")).to_have_count(2)
    expect(page.locator("#result")).to_contain_text("by chance alone")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious_faults(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Download for spreadsheets").click()
    assert download.value.path().read_text("utf-8-sig").startswith("writer,")
    choose(page, "new", "anna-1")
    expect(page.locator(".changed")).to_be_visible()


def test_a_folder_says_whose_its_files_are(page: Page, tmp_path: Path) -> None:
    for path, name in (
        ("new/Anna.txt", "anna-1"),
        ("old/anna/1.txt", "anna-2"),
        ("old/anna/2.txt", "bruno-1"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(essay(name), "utf-8")
    to_class(page)
    for pile, folder in (("new", "new"), ("earlier", "old")):
        page.locator(f"#{pile} input").nth(1).set_input_files(tmp_path / folder)
    expect(page.locator("#earlier .source")).to_have_text("2 files, 1 name")
    compare(page)
    expect(page.locator(".findings tbody tr")).to_contain_text("2 (1,448 words)")


def test_a_class_without_a_common_name_is_told_so(page: Page) -> None:
    to_class(page)
    choose(page, "new", "anna-1")
    file = {"name": "carla.txt", "mimeType": "text/plain", "buffer": BRUNO.encode()}
    page.locator("#earlier input").first.set_input_files([file])  # type: ignore[list-item]
    compare(page)
    expect(page.get_by_role("alert")).to_contain_text("have no name in common")


def test_an_empty_box_is_pointed_at(page: Page) -> None:
    fill(page, ANNA, " ")
    compare(page)
    expect(page.get_by_role("alert")).to_have_text("Known text is empty.")
    expect(page.locator("#known textarea")).to_be_focused()


@pytest.mark.parametrize("how", ["failed", "gone", "garbled"])
def test_an_error_of_the_server_is_told(page: Page, how: str) -> None:
    answers = {
        "failed": lambda route: route.fulfill(
            status=500, body=json.dumps({"detail": "The server failed; its log says why."})
        ),
        "gone": lambda route: route.abort(),
        "garbled": lambda route: route.fulfill(status=502, body="<html>"),
    }
    page.route("**/api/verify", answers[how])
    fill(page, ANNA, BRUNO)
    compare(page)
    expect(page.get_by_role("alert")).to_contain_text(
        {"failed": "The server failed", "gone": "does not answer", "garbled": "answered 502"}[how]
    )
    expect(page.get_by_role("button", name="Compare")).to_be_enabled()


def test_the_keyboard_is_enough(page: Page) -> None:
    for _ in range(4):  # past the link that skips to the texts, and the pages
        page.keyboard.press("Tab")
    expect(page.get_by_label("Questioned text", exact=True)).to_be_focused()
    page.keyboard.insert_text(ANNA)
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_label("Known text", exact=True)).to_be_focused()
    page.keyboard.insert_text(BRUNO)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#result:not([hidden])")
    page.keyboard.press("Tab")
    expect(page.locator("#prior")).to_be_focused()
    before = page.locator(".posterior").inner_text()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    assert page.locator(".posterior").inner_text() != before
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("stuff")
    expect(page.locator(".finder")).to_contain_text("Questioned text: nowhere")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".weightiest")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Download the report")).to_be_focused()


def test_what_to_expect_is_told_before_texts_are_compared(page: Page) -> None:
    told = page.locator("#expected")
    expect(told).to_be_hidden()
    fill(page, ANNA, "Some few words of another text that is short.")
    expect(told).to_contain_text("(9 words on the shorter side)")
    expect(told).to_contain_text("between 1/2 and 3")
    fill(page, ANNA, BRUNO)
    expect(told).to_contain_text("between 1/10 and 20")
    fill(page, ANNA, BRUNO, ANNA_2)
    expect(told).to_contain_text("between 1/20 and 100")
    page.get_by_role("button", name="Remove known text 1").click()
    expect(told).to_contain_text("between 1/10 and 20")


def test_an_example_may_be_loaded_and_compared(page: Page) -> None:
    fill(page, "mine", "and theirs", "and more")
    page.get_by_role("button", name="Load an example").click()
    expect(page.locator("#known textarea")).to_have_count(1)
    expect(page.locator("#questioned .count")).to_contain_text(re.compile(r"^[23]\d\d words"))
    compare(page)
    expect(page.locator("#answer")).to_have_text(re.compile("^These texts are "))


def test_figures_of_each_genre_are_folded(page: Page) -> None:
    expect(page.locator("#model")).to_contain_text("On all of them: AUC 0.912, Cllr 0.500.")
    expect(page.locator("#model table")).to_be_hidden()
    page.get_by_text("All figures, by genre").click()
    expect(page.locator("#model table")).to_contain_text("mails")


def test_text_is_shown_and_never_run(page: Page) -> None:
    odd = "<script>window.run = 1</script><img src=x onerror='window.run = 1'> \u202eback 👩‍🚀 "
    fill(page, odd + ANNA, BRUNO)
    compare(page)
    shown = page.locator(".reading .text").first.text_content()
    assert shown == odd + ANNA
    assert page.evaluate("window.run") is None
    assert page.locator(".reading img, .reading script").count() == 0


def test_a_word_of_two_million_letters_does_not_freeze_the_page(page: Page) -> None:
    page.focus("#questioned textarea")
    page.keyboard.insert_text("a" * 2_000_000)
    expect(page.locator("#questioned .fault")).to_contain_text("cannot be pasted")
    drop(page, "#known .text-box", ("word.txt", b"a" * 200_000))
    expect(page.locator("#known .fault")).to_contain_text("word.txt: it holds a word of more than")
    assert page.input_value("#questioned textarea") == ""


def test_of_a_long_text_the_rest_is_counted(page: Page) -> None:
    fill(page, ANNA * 20, BRUNO)
    compare(page)
    expect(page.locator(".reading")).to_contain_text("characters more, none of them read")


def test_the_token_is_taken_from_the_address(browser: Browser, model: Path) -> None:
    with serving(model, "--token", "a+token/of=16%&#") as asking:
        page = browser.new_page()
        page.goto(asking.address)
        expect(page.locator("#model")).to_contain_text("asks for its token; open it by the address")
        page.goto("about:blank")
        page.goto(asking.address + "/" + asking.secret)
        page.wait_for_selector("#model dl")
        fill(page, ANNA, BRUNO)
        compare(page)
        expect(page.locator("#result")).to_be_visible()
        to_class(page)
        assert page.url.endswith(asking.secret)
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_and_nothing_spills_over(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    assert serious_faults(page) == []
    as_answered(page, decision="same", reasons=["A reason."], no_evidence=False)
    fill(page, ANNA, BRUNO, ANNA_2)
    compare(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for summary in page.locator("summary").all():
        summary.click()
    assert serious_faults(page) == []
    page.unroute_all()
    fill(page, "short")
    compare(page)
    page.wait_for_selector("#questioned .fault:not([hidden])")
    assert serious_faults(page) == []
