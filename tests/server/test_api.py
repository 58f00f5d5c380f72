"""The JSON API, over the wire."""

import base64
import hashlib
import math
import re
import socket
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from samehand.cautions.caution import plain_lr
from samehand.server.explained import MOST_LINES
from samehand.server.guard import MOST_BYTES
from tests.cli.console import SCRIPT
from tests.models import ESSAYS, essay
from tests.reading.files import docx, pdf
from tests.server.conftest import Server

ANNA, ANNA_2, BRUNO = map(essay, ("anna-1", "anna-2", "bruno-1"))


def refused(response: httpx.Response, status: int) -> str:
    """The one sentence of an error."""
    assert response.status_code == status, response.text
    found: dict[str, Any] = response.json()
    assert set(found) == {"detail"}
    assert found["detail"].endswith(".")
    assert "\n" not in found["detail"]
    return str(found["detail"])


def verify(client: httpx.Client, questioned: str, *known: str, **more: object) -> Any:
    body = {"questioned": questioned, "known": known, **more}
    response = client.post("/api/verify", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_a_verdict_has_all_that_the_command_prints(client: httpx.Client) -> None:
    found = verify(client, ANNA, BRUNO, ANNA_2)
    p = found["probability"]
    assert found["log10_lr"] == pytest.approx(math.log10(p / (1 - p)))
    assert found["log10_lr"] == round(found["log10_lr"], 6)
    assert found["decision"] in ("same", "different", "undecided")
    assert found["sentence"].startswith("These texts are ")
    assert found["log10_lr_bounds"] == [-3, 3]
    assert found["no_evidence"] is False
    assert len(found["known"]) == 2
    assert found["questioned"]["sha256"] == hashlib.sha256(ANNA.encode()).hexdigest()
    assert "explanation" not in found


def test_a_verdict_comes_with_what_the_page_shows_of_it(client: httpx.Client) -> None:
    found = verify(client, ANNA, BRUNO, ANNA_2)
    shown = found["shown"]
    assert shown["names"] == ["Questioned text", "Known text 1", "Known text 2"]
    assert shown["lr"] == plain_lr(found["log10_lr"])
    assert shown["lr_bounds"] == ["1/1,000", "1,000"]
    assert shown["lr_alone"] == [plain_lr(text["log10_lr"]) for text in found["known"]]
    for scale in shown["scale"]:
        assert scale.startswith("<svg")
        for text in (f"LR {shown['lr']}", "moderately", "1/10,000"):
            assert f">{text}</text>" in scale
    assert verify(client, ANNA, BRUNO)["shown"]["names"] == ["Questioned text", "Known text"]


def test_prior_odds_move_the_probability_alone(client: httpx.Client) -> None:
    even, odd = verify(client, ANNA, BRUNO), verify(client, ANNA, BRUNO, prior=0.01)
    assert odd["log10_lr"] == even["log10_lr"]
    assert odd["prior"] == 0.01
    odds = [p / (1 - p) for p in (odd["probability"], even["probability"])]
    assert odds[0] == pytest.approx(0.01 * odds[1])


def test_the_one_known_text_is_called_as_the_command_calls_it(client: httpx.Client) -> None:
    for known, name in (([" \0\0"], "The known text"), ([ANNA, " \0\0"], "Known text 2")):
        response = client.post("/api/verify", json={"questioned": BRUNO, "known": known})
        assert refused(response, 415) == f"{name} is binary data, not text."


@pytest.mark.parametrize(
    "host", ["rebind.example", "169.254.169.254", "", "[::1", "localhost.evil"]
)
def test_a_request_that_is_addressed_to_another_host_is_refused(
    client: httpx.Client, host: str
) -> None:
    for path in ("/", "/api/model"):
        assert "another name" in refused(client.get(path, headers={"host": host}), 421)


def test_it_answers_to_its_own_names(client: httpx.Client, server: Server) -> None:
    port = server.address.rpartition(":")[2]
    for host in (f"localhost:{port}", "LOCALHOST", "127.0.0.1", "[::1]:80"):
        assert client.get("/api/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "odd"])
def test_pages_of_other_sites_are_refused(client: httpx.Client, site: str) -> None:
    headers = {"sec-fetch-site": site}
    said = refused(client.post("/api/read", content=b"hello", headers=headers), 403)
    assert "Another web page" in said
    assert client.get("/", headers=headers).status_code == 200  # a link may lead here


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "", "x:"])
def test_pages_of_other_sites_are_refused_by_their_origin(
    client: httpx.Client, origin: str
) -> None:
    """Browsers that do not tell how a page and a server are related still send this."""
    said = refused(client.post("/api/read", content=b"hello", headers={"origin": origin}), 403)
    assert "Another web page" in said
    own = {"origin": str(client.base_url).rstrip("/")}
    assert client.post("/api/read", content=b"hello", headers=own).status_code == 200


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_its_own_page_and_people_are_answered(client: httpx.Client, site: str) -> None:
    assert client.get("/api/model", headers={"sec-fetch-site": site}).status_code == 200


def test_explanations_point_into_the_text_that_was_sent(client: httpx.Client) -> None:
    text = "👩‍🚀 “Well”, she said… " + ANNA
    found = verify(client, text, BRUNO, explain=True)["explanation"]
    units, tokens = found["questioned"]["units"], found["questioned"]["tokens"]
    assert text[slice(*tokens[-1][:2])] in ANNA
    assert sum(attention for _, _, attention, _ in units) == pytest.approx(1, abs=1e-4)
    assert any(effect for _, _, _, effect in units)
    assert len(found["known"]) == 1


def test_habits_are_told_with_their_places(packaged: Server) -> None:
    texts = ("👩‍🚀 “Well”, she said… " + ANNA, BRUNO, ANNA_2)
    with httpx.Client(base_url=packaged.address, timeout=60) as client:
        found = verify(client, *texts, explain=True)["explanation"]["habits"]
    assert found
    effects = [abs(habit["effect"]) for habit in found]
    assert effects == sorted(effects, reverse=True)
    for habit in found:
        sign = "×" if habit["effect"] >= 0 else "÷"
        assert habit["factor"] == f"{sign} {10 ** abs(habit['effect']):.3g}"
        assert len(habit["shown"]) == len(habit["rates"]) + 1 == 4
        for own, places, lines in zip(texts, habit["places"], habit["lines"], strict=True):
            assert len(lines) == min(len(places), MOST_LINES)
            for (start, end), (_, key, _) in zip(places, lines, strict=False):
                assert key == (own[start:end].strip() or "↵")


def test_what_the_page_shows_is_what_a_report_shows(client: httpx.Client) -> None:
    odd = "<script>1</script> & " + ANNA
    found = verify(client, odd, BRUNO, explain=True)["explanation"]
    asked = {"questioned": {"text": odd}, "known": [{"text": BRUNO}]}
    report = client.post("/api/report", json=asked).text
    assert "<script>" not in found["marked"][0] + report
    assert found["legend"] in report
    assert found["passages"] in report
    assert found["marked"][1].removeprefix("<div>").removesuffix("</div>") in report


def test_a_report_is_that_of_the_command(
    client: httpx.Client, server: Server, tmp_path: Path
) -> None:
    files = []
    for name in ("anna-1", "bruno-1"):
        content = (ESSAYS / f"{name}.txt").read_bytes()
        read = client.post(f"/api/read?name={name}.txt", content=content).json()
        files.append({"text": read["text"], "file": f"{name}.txt", "sha256": read["sha256"]})
        (tmp_path / f"{name}.txt").write_bytes(content)
    asked = {"questioned": files[0], "known": files[1:], "prior": 0.01}
    response = client.post("/api/report", json=asked)
    assert response.headers["content-disposition"] == 'attachment; filename="report.html"'
    names = [file["file"] for file in files]
    command = [
        SCRIPT,
        "verify",
        *names,
        "--report",
        "r.html",
        "--prior",
        "1:100",
        "--model",
        server.model,
    ]
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    written = (tmp_path / "r.html").read_text("utf-8")
    assert without_command(response.text) == without_command(written)
    assert (
        "samehand verify --report report.html --prior 1:100 anna-1.txt bruno-1.txt" in response.text
    )


def without_command(report: str) -> str:
    return re.sub("<pre>.*?</pre>", "", report)


def test_pasted_texts_have_names_to_save_them_by(client: httpx.Client) -> None:
    known = [{"text": BRUNO}, {"text": ANNA_2, "caution": "It was doubtful."}]
    report = client.post("/api/report", json={"questioned": {"text": ANNA}, "known": known}).text
    assert "questioned.txt known-1.txt known-2.txt" in report
    assert "It was doubtful." in report
    bad = {"text": ANNA, "sha256": "0"}
    said = refused(client.post("/api/report", json={"questioned": bad, "known": known}), 422)
    assert said.startswith("questioned sha256")


def file_of(path: str, content: bytes) -> dict[str, str]:
    return {"path": path, "content": base64.b64encode(content).decode()}


def of_class(client: httpx.Client, new: list[Any], earlier: list[Any]) -> httpx.Response:
    return client.post("/api/class", json={"new": new, "earlier": earlier})


def test_a_class_is_compared_by_names(client: httpx.Client) -> None:
    new = [
        file_of("Anna.txt", ANNA.encode()),
        file_of("bruno.docx", docx(*BRUNO.split("\n"))),
        file_of("carla.txt", b"too short"),
        file_of("dora.png", b"\x89PNG\0\0"),
    ]
    earlier = [
        file_of("anna/1.txt", ANNA_2.encode()),
        file_of("anna/2.txt", b"Short."),
        file_of("bruno.txt", essay("bruno-2").encode()),
        file_of("emil.txt", ANNA.encode()),
    ]
    found = of_class(client, new, earlier).json()
    assert [row[0] for row in found["rows"]] == ["Anna", "bruno"]
    assert len(found["head"]) == len(found["rows"][0])
    assert found["opening"].startswith("2 new texts were compared")
    assert "anna/2.txt has fewer than 20 words" in found["reasons"]["Anna"][-1]
    assert set(found["not_compared"]) == {"carla", "dora", "emil"}
    assert "dora.png: binary data" in found["not_compared"]["dora"][0]
    assert [len(each) > 0 for _, each in found["by_chance"]] == [True, True]
    assert found["csv"].count("\n") == 5
    assert found["html"].startswith("<!doctype html>")
    one = verify(client, ANNA, ANNA_2)
    assert found["rows"][0][1:3] == [one["shown"]["lr"], one["verbal_scale"]]


@pytest.mark.parametrize(
    ("new", "earlier", "said"),
    [
        ([file_of("anna.txt", b"x")], [file_of("bruno.txt", b"x")], "no name in common"),
        ([], [file_of("bruno.txt", b"x")], "new: List should have at least 1 item"),
        ([{"path": "a", "content": "no base64!"}], [file_of("a", b"x")], "content: Not base64."),
        ([{"path": "", "content": ""}], [file_of("a", b"x")], "path"),
        ([{"path": "a"}], [file_of("a", b"x")], "content: Field required"),
    ],
)
def test_classes_that_cannot_be_compared(
    client: httpx.Client, new: list[Any], earlier: list[Any], said: str
) -> None:
    assert said in refused(of_class(client, new, earlier), 422)


def test_a_copy_is_no_evidence(client: httpx.Client) -> None:
    found = verify(client, ANNA, ANNA, explain=True)
    assert (found["decision"], found["no_evidence"]) == ("undecided", True)
    assert not any(found["explanation"][name] for name in ("habits", "marked", "passages"))


def test_embed(client: httpx.Client) -> None:
    found = client.post("/api/embed", json={"texts": [ANNA, BRUNO, ANNA]}).json()
    levs = found["levs"]
    assert [len(lev) for lev in levs] == [5, 5, 5]
    assert levs[0] == pytest.approx(levs[2], abs=1e-5)
    assert "Text 2 holds no word" in refused(
        client.post("/api/embed", json={"texts": ["One.", " "]}), 422
    )


def test_model_health_and_openapi(client: httpx.Client) -> None:
    assert client.get("/api/health").json() == {"status": "ok"}
    about = client.get("/api/model").json()
    assert about["model"]["name"] == "small"
    assert about["lr_bounds"] == ["1/1,000", "1,000"]
    assert about["figure_names"]["auc"] == "AUC"
    assert about["evidence"].startswith("The likelihood ratio is the Bayes factor")
    assert about["case"] is None
    assert about["validation"]["sets"]["mails"]["auc"] == 0.8
    assert about["expected"][0] == {"words": [1, 100], "known": 1, "lrs": ["1/2", "3"]}
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {"/api/verify", "/api/report", "/api/class", "/api/embed", "/api/read"} < set(paths)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (ANNA.encode(), "a.txt"),
        (docx(*ANNA.split("\n")), "a.docx"),
        (f"<html><p>{ANNA}<script>1</script>".encode(), "page"),
        (pdf(*(part.replace(". ", ".\n") for part in ANNA.split("\n\n"))), "a.pdf"),
    ],
)
def test_files_are_read(client: httpx.Client, content: bytes, name: str) -> None:
    found = client.post("/api/read", params={"name": name}, content=content).json()
    assert found["text"].split()[:50] == ANNA.split()[:50]
    assert found["sha256"] == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (b"", 422, "the file is empty"),
        (b" \n ", 422, "no text in it"),
        (bytes(100), 415, "binary data"),
        (b"{\\rtf1 x}", 415, "rich text"),
        (b"\x89PNG\r\n\x1a\n\0\0", 415, "binary data"),
        (b"PK\x03\x04 cut", 422, "damaged"),
        (b"%PDF-1.4 cut", 422, "damaged"),
        (b"x" * (MOST_BYTES + 1), 413, "larger than 8 MiB"),
    ],
)
def test_files_that_cannot_be_read(
    client: httpx.Client, content: bytes, status: int, said: str
) -> None:
    assert said in refused(client.post("/api/read?name=it", content=content), status)


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 422, "empty"),
        (b"{}", 422, "questioned: Field required"),
        (b"{", 422, "not valid JSON"),
        (b"[" * 100_000, 422, "not valid JSON"),
        (b"null", 422, "not a JSON object"),
        (b"[]", 422, "not a JSON object"),
        (b'"x"', 422, "not a JSON object"),
        (b'{"questioned": "a", "known": []}', 422, "known"),
        (b'{"questioned": "a", "known": ["b"], "priors": 0.1}', 422, "priors: there is no such"),
        (b'{"questioned": "", "known": [""]}', 422, "The questioned text has 0 words"),
        (b'{"questioned": 7, "known": ["x"]}', 422, "questioned"),
        (b'{"questioned": "\\u0000\\u0001", "known": ["x"]}', 415, "binary data"),
        (b'{"questioned": "\\ud800", "known": ["x"]}', 422, "questioned"),
        (b'{"questioned": "a \\ud801", "known": ["x"]}', 422, "questioned"),
        (b'{"questioned": "\xff", "known": ["x"]}', 422, "not valid JSON"),
        (b'{"questioned": "%s", "known": []}' % (b"x" * MOST_BYTES), 413, "larger than"),
    ],
)
def test_questions_that_cannot_be_answered(
    client: httpx.Client, body: bytes, status: int, said: str
) -> None:
    headers = {"content-type": "application/json"}
    assert said in refused(client.post("/api/verify", content=body, headers=headers), status)


def test_a_body_of_no_stated_kind_is_refused_as_such(client: httpx.Client) -> None:
    assert "send it with Content-Type" in refused(client.post("/api/verify", content=b"{}"), 415)


def test_a_body_of_unknown_length_is_limited_too(client: httpx.Client) -> None:
    def parts() -> Any:
        for _ in range(MOST_BYTES // 65_536 + 2):
            yield b" " * 65_536

    headers = {"content-type": "application/json"}
    said = refused(client.post("/api/verify", content=parts(), headers=headers), 413)
    assert "larger than" in said


def test_what_is_not_json_is_refused(client: httpx.Client) -> None:
    assert "not JSON" in refused(client.post("/api/verify", data={"questioned": "x"}), 415)
    assert "not JSON" in refused(
        client.post("/api/embed", content=b"\0", headers={"content-type": "image/png"}), 415
    )


@pytest.mark.parametrize(
    "odd",
    [
        "<script>alert(1)</script><img src=x onerror=alert(1)> ",
        "\u202eright to left\u202c \u2067marks\u2069 ",
        "a" * 2_000_000 + " ",
        "a<" * 200_000,
        "\u0301" * 50_000,
        "!?" * 300_000,
    ],
)
def test_odd_texts_are_answered_and_never_sent_back(client: httpx.Client, odd: str) -> None:
    response = client.post("/api/verify", json={"questioned": odd + ANNA, "known": [BRUNO]})
    assert response.status_code == 200
    assert odd[:20] not in response.text


def test_every_answer_carries_a_strict_policy(client: httpx.Client) -> None:
    for response in (
        client.get("/"), client.get("/page.js"), client.get("/nowhere"), client.get("/api/model"),
        client.post("/api/verify", content=b"{}"), client.post("/api/read", content=b""),
    ):  # fmt: skip
        policy = response.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"


def test_the_page_asks_nobody_else(client: httpx.Client) -> None:
    for name in ("", "class.html", "page.js", "boxes.js", "habits.js", "result.js", "page.css"):
        text = client.get(f"/{name}").text
        assert "://" not in text


def test_it_listens_on_this_machine_only(server: Server) -> None:
    port = int(server.address.rsplit(":", 1)[1])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; tells which address we have outside
        outside = probe.getsockname()[0]
    with socket.socket() as caller:
        caller.settimeout(3)
        if outside.startswith("127."):
            pytest.skip("this machine has no address besides localhost")
        with pytest.raises(OSError, match=r"refused|timed out"):
            caller.connect((outside, port))
