"""What the pages say of files, links and commands; their Python examples run as doctests."""

import re
import runpy
import shlex
import unicodedata
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))

every_page = pytest.mark.parametrize("page", PAGES, ids=NAMES)


def without_code(text):
    """Return a page without its fenced blocks."""
    return re.sub(r"^( *)```.*?^\1```", "", text, flags=re.MULTILINE | re.DOTALL)


def slug(heading):
    """Return the anchor of a heading, as MkDocs makes it."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", heading)
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


@cache
def anchors(page):
    headings = re.findall(r"^#+ +(.+?) *$", without_code(page.read_text()), re.MULTILINE)
    return {slug(heading) for heading in headings}


def links(page):
    return re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text()))


def commands(page):
    """Return the commands of a page: lines after a prompt, and what starts with python in code."""
    text = page.read_text().replace("\\\n", " ")
    prompted = re.findall(r"^ *\$ (python .*)$", text, re.MULTILINE)
    indented = re.findall(r"^    (python (?:examples|benchmarks|-m) .*)$", text, re.MULTILINE)
    quoted = re.findall(r"`(python (?:examples|benchmarks|-m)[^`]*)`", without_code(text))
    found = [*prompted, *indented, *quoted]
    return [shlex.split(command, comments=True)[1:] for command in found]


def commands_of(kind):
    """Return all commands of one kind, with the page on which each stands."""
    return [
        pytest.param(words, id=f"{name}: {' '.join(words)}")
        for page, name in zip(PAGES, NAMES, strict=True)
        for words in commands(page)
        if kind(words)
    ]


@cache
def parser(script):
    return runpy.run_path(str(ROOT / "examples" / script))["parser"]


@every_page
def test_links_lead_somewhere(page):
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES[1:], ids=NAMES[1:])
def test_pages_link_to_pages_only(page):
    # A site has nothing else to lead to.
    for link in links(page):
        if not re.match(r"[a-z]+:|#", link):
            target = (page.parent / link.partition("#")[0]).resolve()
            assert target.is_relative_to(DOCS), link


def test_every_page_is_in_the_navigation():
    configuration = (ROOT / "mkdocs.yml").read_text()
    named = re.findall(r"^ +- .*?([\w/-]+\.md)$", configuration, re.MULTILINE)
    assert sorted(named) == sorted(str(page.relative_to(DOCS)) for page in PAGES[1:])


def is_example(words):
    return words[0].startswith("examples/") and words[0] != "examples/NAME.py"


@pytest.mark.parametrize("words", commands_of(is_example))
def test_commands_with_examples_are_understood(words):
    script = words[0].removeprefix("examples/")
    assert script in EXAMPLES
    arguments = [f" {word}" if word.startswith("-/") else word for word in words[1:]]
    if "--help" not in arguments:
        parser(script)().parse_args(arguments)


def is_benchmark(words):
    return words[0].startswith("benchmarks/") or " ".join(words).startswith("-m benchmarks.")


@pytest.mark.parametrize("words", commands_of(is_benchmark))
def test_commands_with_benchmarks_exist(words):
    name = words[1].replace(".", "/") + ".py" if words[0] == "-m" else words[0]
    text = (ROOT / name).read_text()
    for option in words:
        if option.startswith("--"):
            assert f'"{option.partition("=")[0]}"' in text, option


def is_test(words):
    return words[:2] == ["-m", "pytest"]


@pytest.mark.parametrize("words", commands_of(is_test))
def test_commands_with_tests_find_tests(words):
    files, expression, marked = [], "", False
    rest = iter(words[2:])
    for word in rest:
        if word == "-k":
            expression = next(rest)
        elif word == "-m":
            marked = next(rest) == "slow"
        else:
            files.append(ROOT / word)
    assert all(path.exists() for path in files)
    text = "\n".join(path.read_text() for path in files if path.is_file())
    names = re.findall(r"^def (test_\w+)", text, re.MULTILINE)
    for keyword in expression.split(" or ") if expression else []:
        assert any(keyword in name for name in names), keyword
    assert not marked or not files or "pytest.mark.slow" in text


def test_every_script_is_on_the_page_of_scripts():
    assert set(EXAMPLES) <= set(
        re.findall(r"^## (\w+\.py)$", (DOCS / "reference/scripts.md").read_text(), re.MULTILINE)
    )
