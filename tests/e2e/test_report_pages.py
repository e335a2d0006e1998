"""The page in a browser: nothing overflows, nothing fails, nothing is loaded, and it prints."""

from __future__ import annotations

import html as markup
import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from factories import make_stored_run
from iodyno.report import html, paper
from sample_document import sample_document

FULL_STOP = "\u3002"
"""Only a Japanese page has it, and needs the fonts for it."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-file-access-from-files",
)

# Put into the page: it reports what happened to the page around it.
PROBE = """<script>
const errors = [];
addEventListener("error", (event) => errors.push(String(event.message)));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
document.addEventListener("securitypolicyviolation", (event) => errors.push("refused: " + event.blockedURI));
addEventListener("load", () => setTimeout(() => {
  const root = document.documentElement, seen = (element) => element.getClientRects().length > 0;
  const boxes = [...document.querySelectorAll("main *, header *, nav *, footer *")].filter(seen);
  const inScroll = (element) => element.closest(".scroll, pre, svg");
  document.querySelector(".theme").click();
  parent.postMessage(JSON.stringify({
    errors,
    width: root.clientWidth,
    overflow: root.scrollWidth - root.clientWidth,
    outside: boxes.filter((e) => !inScroll(e) && e.getBoundingClientRect().right > root.clientWidth + 1)
      .map((e) => e.tagName + "." + e.className),
    loaded: performance.getEntriesByType("resource").map((entry) => entry.name)
      .filter((name) => !name.startsWith("data:")),
    fonts: [...document.fonts].filter((font) => font.status === "loaded").length,
    charts: document.querySelectorAll(".charts > div").length,
    hidden: [...document.querySelectorAll(".figure")].filter((figure) =>
      ![...figure.querySelectorAll("svg")].some(seen)).length,
    scrolling: [...document.querySelectorAll(".scroll")]
      .filter((box) => box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.textContent.slice(0, 40)),
    copy: document.querySelectorAll(".code button").length,
    commands: document.querySelectorAll(".code").length,
    theme: root.dataset.theme,
    paper: getComputedStyle(document.body).backgroundColor,
  }), "*");
}, 100));
</script></head>"""

HOST = """<!doctype html><body style="margin:0">
<iframe src="page.html" style="border:0;width:{width}px;height:900px">
</iframe><script>addEventListener("message", (event) => {{ document.body.dataset.found = event.data; }});
</script>"""


@pytest.fixture(scope="module")
def browser() -> str:
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if not found:
        pytest.skip("no Chromium is installed")
    return found


@pytest.fixture(scope="module", params=["sample", "en", "de", "ja"])
def page(request: pytest.FixtureRequest) -> str:
    if request.param == "sample":
        return html.render(sample_document())
    return html.render(paper.build(make_stored_run(), request.param))


def run(browser: str, directory: Path, *arguments: str) -> str:
    command = [browser, *FLAGS, f"--user-data-dir={directory / 'browser'}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def probe(browser: str, directory: Path, page: str, width: int) -> dict[str, Any]:
    """Open the page at a width and let it report."""
    (directory / "page.html").write_text(page.replace("</head>", PROBE, 1), encoding="utf-8")
    host = directory / "host.html"
    host.write_text(HOST.format(width=width), encoding="utf-8")
    dom = run(browser, directory, "--virtual-time-budget=8000", "--dump-dom", host.as_uri())
    found = re.search(r'data-found="(.*?)"', dom, re.DOTALL)
    assert found, "the page did not report"
    report: dict[str, Any] = json.loads(markup.unescape(found[1]))
    return report


@pytest.mark.parametrize("width", [375, 800, 1280])
def test_the_page_fits_and_nothing_fails(browser: str, page: str, width: int, tmp_path: Path) -> None:
    found = probe(browser, tmp_path, page, width)
    assert found["width"] in range(width - 20, width + 1)
    assert found["overflow"] <= 0
    assert found["outside"] == []
    assert found["errors"] == []
    assert found["loaded"] == []
    assert found["fonts"] == 3 if FULL_STOP not in page else found["fonts"] > 3
    if width == 1280:
        assert [start for start in found["scrolling"] if "A wide table" not in start] == []
    assert found["hidden"] == 0
    assert found["copy"] == found["commands"] > 0
    assert (found["theme"], found["paper"]) == ("dark", "rgb(18, 23, 29)")


def test_the_page_prints(browser: str, page: str, tmp_path: Path) -> None:
    reader = shutil.which("pdftotext")
    if not reader:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    path, printed = tmp_path / "page.html", tmp_path / "page.pdf"
    path.write_text(page, encoding="utf-8")
    run(browser, tmp_path, "--no-pdf-header-footer", f"--print-to-pdf={printed}", path.as_uri())
    text = subprocess.run([reader, printed, "-"], capture_output=True, text=True, check=True).stdout
    pages = text.split("\f")[:-1]
    assert len(pages) > 5
    assert all(len(content.split()) > 10 for content in pages)
    assert not re.search("Light or dark|Hell oder dunkel|ライト/ダーク", text)


CHARTS_PROBE = """<script>
addEventListener("load", () => setTimeout(() => {
  const several = (one) => one.querySelectorAll(".series-toggle").length > 1;
  const figure = [...document.querySelectorAll(".figure")].find(several);
  const seen = (element) => element.getClientRects().length > 0;
  const points = () => [...figure.querySelectorAll(".wide .point")].filter(seen);
  const found = { before: points().length, rows: figure.iodynoRows().split("\\n").length };
  const all = [...figure.querySelectorAll(".wide .point")];
  const toggle = figure.querySelector(".series-toggle"), name = toggle.textContent;
  found.of_series = all.filter((point) => point.closest("[data-series]").dataset.series === name).length;
  toggle.click(); found.after = points().length; found.pressed = toggle.getAttribute("aria-pressed");
  toggle.click(); found.again = points().length;
  const svg = figure.querySelector(".wide svg"), tip = document.querySelector(".tip");
  svg.focus();
  const press = (key) => new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  svg.dispatchEvent(press("ArrowRight"));
  found.tip = tip.hidden ? "" : tip.textContent;
  found.title = svg.querySelector(".point title").textContent;
  dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })); found.gone = tip.hidden;
  const known = all.find((point) => point.dataset.low && point.closest("svg") === svg);
  known.lastElementChild.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  found.hover = tip.hidden ? "" : tip.textContent; found.of_point = known.querySelector("title").textContent;
  known.dispatchEvent(new PointerEvent("pointerout", { bubbles: true })); found.left = tip.hidden;
  const copied = [];
  const writeText = async (text) => { copied.push(text); };
  Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  figure.querySelector(".copy-data").click();
  found.copied = copied.join("");
  const kept = ["x", "y", "low", "high"];
  found.values = all.map((point) => kept.map((name) => point.dataset[name] ?? ""));
  figure.querySelector(".enlarge").click();
  const dialog = document.querySelector("dialog[open]"), large = dialog.querySelector("svg");
  found.wider = large.getBoundingClientRect().width > svg.getBoundingClientRect().width;
  const home = large.getAttribute("viewBox"), box = large.getBoundingClientRect();
  const place = { clientX: box.left + 10, clientY: box.top + 10 };
  large.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, cancelable: true, ...place }));
  found.zoomed = large.getAttribute("viewBox") !== home;
  large.dispatchEvent(new MouseEvent("dblclick"));
  const plain = (text) => text.split(" ").map(Number).join(" ");
  found.back = plain(large.getAttribute("viewBox")) === plain(home);
  dialog.querySelector(".close").click();
  parent.postMessage(JSON.stringify(found), "*");
}, 100));
</script></head>"""


def test_charts_answer(browser: str, tmp_path: Path) -> None:
    page = html.render(paper.build(make_stored_run()))
    (tmp_path / "page.html").write_text(page.replace("</head>", CHARTS_PROBE, 1), encoding="utf-8")
    host = tmp_path / "host.html"
    host.write_text(HOST.format(width=1280), encoding="utf-8")
    dom = run(browser, tmp_path, "--virtual-time-budget=8000", "--dump-dom", host.as_uri())
    told = re.search(r'data-found="(.*?)"', dom, re.DOTALL)
    assert told, "the page did not report"
    found: dict[str, Any] = json.loads(markup.unescape(told[1]))
    assert found["before"] == found["rows"] - 1 > 0
    assert found["after"] == found["before"] - found["of_series"] < found["before"]
    assert (found["pressed"], found["again"]) == ("false", found["before"])
    assert found["tip"] == found["title"] != ""
    assert found["hover"] == found["of_point"]
    assert "±" in found["hover"]
    head, *rows = [row.split("\t") for row in found["copied"].split("\n")]
    assert head[2:6] == ["x", "y", "low", "high"]
    assert [row[2:6] for row in rows] == found["values"]
    assert all(found[answer] for answer in ("left", "gone", "wider", "zoomed", "back"))


def test_without_a_script_every_chart_shows(tmp_path: Path, browser: str) -> None:
    page = html.render(paper.build(make_stored_run()))
    bare = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    (tmp_path / "page.html").write_text(
        bare.replace("</head>", PROBE.replace('document.querySelector(".theme").click();', ""), 1),
        encoding="utf-8",
    )
    host = tmp_path / "host.html"
    host.write_text(HOST.format(width=1280), encoding="utf-8")
    dom = run(browser, tmp_path, "--virtual-time-budget=8000", "--dump-dom", host.as_uri())
    told = re.search(r'data-found="(.*?)"', dom, re.DOTALL)
    assert told, "the page did not report"
    found: dict[str, Any] = json.loads(markup.unescape(told[1]))
    assert found["charts"] > 0
    assert (found["hidden"], found["errors"]) == (0, [])


AXE_PROBE = """<script>
addEventListener("load", () => setTimeout(async () => {
  const found = await axe.run(document, { resultTypes: ["violations"], rules: LEFT_OUT });
  parent.postMessage(JSON.stringify({
    rules: found.passes.length,
    violations: found.violations.map((one) => one.id + ": " + one.nodes[0].html.slice(0, 160)),
  }), "*");
}, 200));
</script></head>"""


def violations(browser: str, page: str, directory: Path, *left_out: str) -> list[str]:
    """Name what axe finds on the page, by all of its rules but those left out."""
    rules = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
    asking = AXE_PROBE.replace("LEFT_OUT", json.dumps({rule: {"enabled": False} for rule in left_out}))
    probing = page.replace("</head>", f"<script>{rules}</script>{asking}", 1)
    (directory / "page.html").write_text(probing, encoding="utf-8")
    host = directory / "host.html"
    host.write_text(HOST.format(width=1280), encoding="utf-8")
    dom = run(browser, directory, "--virtual-time-budget=60000", "--dump-dom", host.as_uri())
    told = re.search(r'data-found="(.*?)"', dom, re.DOTALL)
    assert told, "axe did not report"
    found: dict[str, Any] = json.loads(markup.unescape(told[1]))
    assert found["rules"] > 20
    return list(found["violations"])


def in_theme(page: str, theme: str) -> str:
    return page.replace("<html ", f'<html data-theme="{theme}" ', 1)


@pytest.mark.parametrize("page", ["sample", "en"], indirect=True)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_is_accessible_by_the_rules_of_axe(
    browser: str, page: str, theme: str, tmp_path: Path
) -> None:
    assert violations(browser, in_theme(page, theme), tmp_path) == []


@pytest.mark.parametrize("page", ["de", "ja"], indirect=True)
def test_it_is_in_each_language(browser: str, page: str, tmp_path: Path) -> None:
    """Its colours are those of the English one; to look at them takes axe most of its time."""
    assert violations(browser, in_theme(page, "light"), tmp_path, "color-contrast") == []
