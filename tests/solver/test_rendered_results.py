"""Results of both games in every format: nothing is lost, added or changed on the way."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import games.clash
import games.solstis
from games.clash import Element, Hand, Rules, Time
from games.solstis import Action, Observation
from games.solstis.replay import read_records
from solver.clash import StrategyBook, explain, solve_hidden, solve_open
from solver.clash.explanations import explanation_document
from solver.clash.explanations.claims import Explanation
from solver.clash.explanations.hidden_claims import advise, follow
from solver.clash.explanations.hidden_text import (
    deal_document,
    deal_text,
    extras_document,
    extras_text,
    followed_document,
    followed_text,
)
from solver.clash.explanations.play_table import table_document, table_text
from solver.clash.explanations.words import Amounts
from solver.clash.hidden.solution import HiddenSolution
from solver.clash.open_hands import OpenEntry
from solver.errors import SolverError
from solver.rendering import render, to_data, to_html, to_json, to_markdown, to_text
from solver.solstis import explanations as solstis
from solver.solstis.explanations.review_text import render_review, review_document
from solver.solstis.review import review
from tests.document_readers import Page, markdown_tables, markdown_words, tables_of, words_of
from tests.strategies import RepeatBonus

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "solstis"
BOOK = ROOT / "examples" / "books" / "clash-win-rounds-1-3.book"
HOSTILE = "<img src=x onerror=alert(1)> | `a` [b](c) &amp;"


def open_clash():
    """Yield explanations with open hands: choices, none, a due time, an end, other rules."""
    for position, objective in (
        ("WFA/FEE DaNoDuMi---- 3-3", "win"),
        ("WFAAE/FFAEE DaNoDuMi---- 0-2", "margin"),
        ("WF/EE DaNoDuMi---- 3-2", "win"),
        ("F/A DaNoDuMiDaNo 3-4", "win"),
        ("-/- DaNoDuMiDaNo 7-5", "margin"),
    ):
        yield explain(position, objective)
    sunburst = Rules(sunburst="once", time_deck="distinct")
    yield explain(games.clash.State.parse("WF/FE DaNoDuMiDa-- 4-3 *-2", sunburst))


def clash_documents():
    for why in open_clash():
        for player in (0, 1):
            ante = 5.0 if why.objective == "win" else 1.0
            yield explanation_document(why, player, ante)
    deal = solve_hidden(
        "DaNoMiDuDa", hands=[["WF", "WE"], ["WA", "FE"]], priors=[[1, 0], [0.5, 0.5]]
    )
    amounts = Amounts("win")
    yield deal_document(advise(deal), amounts)
    yield deal_document(advise(deal, 1), amounts)
    water = (Element.WATER, Element.WATER)
    for cards in ([], [water]):
        yield followed_document(follow(deal, 0, Hand.parse("WF"), cards), amounts)
    whole = [water, (Element.FIRE, Element.AIR)]
    yield followed_document(follow(deal, 0, Hand.parse("WF"), whole, [Time.DUSK]), amounts)
    yield extras_document(StrategyBook(BOOK), amounts)
    start = [games.clash.State.start(["WFAE+WF", other], "DaNoDuMi") for other in ("WFAE+FE",)]
    start.append(games.clash.State.start(["WFAE+WF", "WFAE+AA"], "DaNoDuMi"))
    entries = [solve_open(state).entry(state) for state in start]
    yield table_document(entries, 0, amounts)
    yield table_document(entries[:1], 1, amounts)


def read_state(name):
    text = (ROOT / "examples" / "positions" / f"solstis-{name}.txt").read_text().strip()
    return games.solstis.State.parse(text)


def solstis_documents():
    yield solstis.explanation_document(solstis.explain(read_state("ending")), drawing=True)
    for objective in ("margin", "win"):
        why = solstis.explain(read_state("middle"), objective, depth=0, samples=4)
        yield solstis.explanation_document(why)
    records = [record for _, record in read_records(DATA / "games-base.jsonl.gz")]
    for objective in ("margin", "win"):
        found = review(records[1], objective, samples=2, depth=0, max_nodes=2000)
        yield review_document(found)
        yield review_document(found, worst=0, moves=False)


@pytest.fixture(scope="module")
def documents():
    return [*clash_documents(), *solstis_documents()]


@pytest.fixture(scope="module")
def reviewed(documents):
    return documents[-2].source


def test_text_says_what_the_document_holds(documents):
    for page in documents:
        assert Counter(to_text(page, None).split()) == Counter(words_of(page, on_terminal=True))
        assert Counter(to_text(page, 60).split()) == Counter(words_of(page, on_terminal=True))


def test_html_says_what_the_document_holds(documents):
    for page in documents:
        read = Page(to_html(page))
        assert Counter(read.words()) == Counter(words_of(page, on_terminal=False))
        for table, expected in zip(read.tables, tables_of(page), strict=True):
            shown = [[" ".join(cell.split()) for cell in row] for row in table]
            assert shown[-len(expected) :] == expected
            assert len({len(row) for row in table}) == 1
            # A column whose cells say something has a head that says what.
            heads, cells = shown[0], list(zip(*expected, strict=True))
            assert len(shown) == len(expected) + 1
            said = [head for head, column in zip(heads, cells, strict=True) if any(column)]
            assert sum(not head for head in said) <= 2
        assert all(("scope" in attributes) == (tag == "th") for tag, attributes in read.elements)
        assert read.texts["title"] == read.texts["h1"] != [""]


def test_markdown_says_what_the_document_holds(documents):
    for page in documents:
        text = to_markdown(page)
        assert Counter(markdown_words(text)) == Counter(words_of(page, on_terminal=False))
        tables = markdown_tables(text)
        assert [len(table) - 2 for table in tables] == [len(rows) for rows in tables_of(page)]
        for table in tables:
            assert len({len(row) for row in table}) == 1
            assert set(table[1]) <= {":---", "---:"}


def test_markdown_is_read_by_a_reader(documents):
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    for page in documents:
        read = Page(f"<div>{reader.render(to_markdown(page))}</div>")
        assert Counter(read.words()) == Counter(words_of(page, on_terminal=False))
        expected = tables_of(page)
        for table, rows in zip(read.tables, expected, strict=True):
            assert [[" ".join(c.split()) for c in row] for row in table][1:] == rows


def test_percentages_of_a_mix_sum_to_a_hundred_in_every_format():
    page = explanation_document(explain("WFAE/WFAE DaNoDuMi---- 0-1"))
    for form in ("text", "markdown", "html"):
        shown = render(page, form).replace("<", " ").replace(">", " ").split("Worth")[0]
        shares = [word.rstrip(",;.") for word in shown.replace(";", " ").split() if "%" in word]
        assert sum(Fraction(share.rstrip("%")) for share in shares) == 100


# ---- JSON


def test_json_holds_the_result_itself(documents):
    kinds = Counter()
    for page in documents:
        text = to_json(page)
        assert text.isascii()
        data = json.loads(text, parse_constant=pytest.fail)
        kinds[data.pop("format")] += 1
        assert data.pop("version") == 1
        check(page.source, data.get("result", data))
        assert numbers_in(data) >= numbers_of(page.source)
    assert set(kinds) == {
        *("clash-explanation", "clash-deal", "clash-followed-game", "clash-extras"),
        *("clash-play-table", "solstis-explanation", "solstis-review"),
    }


READ_BACK = (Element, Time, Hand, Action)


def check(value, data, rules=None):
    """Compare a result with its data, by other means than it was written with."""
    if isinstance(value, READ_BACK):
        assert type(value).parse(data) == value
    elif isinstance(value, games.clash.State):
        assert games.clash.State.parse(data, rules or Rules()) == value
    elif isinstance(value, Rules):
        assert Rules(**data) == value
    elif isinstance(value, StrategyBook):
        check_book(value, data)
    elif isinstance(value, HiddenSolution):
        check_deal(value, data)
    elif is_dataclass(value):
        check_fields(value, dict(data), rules)
    elif isinstance(value, Mapping):
        for (key, item), (name, told) in zip(value.items(), data.items(), strict=True):
            check(key, name)
            check(item, told, rules)
    elif isinstance(value, tuple | np.ndarray):
        assert isinstance(data, list)
        for item, told in zip(value, data, strict=True):
            check(item, told, rules)
    elif isinstance(value, Fraction) or value in (float("inf"), -float("inf")):
        assert (type(data), type(value)(data)) == (str, value)
    else:
        assert data == value
        assert isinstance(value, bool) == isinstance(data, bool)


def check_book(value, data):
    check(value.rules, data["rules"])
    assert (data["selection"], data["unit"]) == (value.selection, "antes")
    assert (data["exploitability"], data["value"]) == (value.exploitability, 0)


def check_fields(value, data, rules):
    if isinstance(value, Explanation | OpenEntry):
        rules = value.state.rules
        check(rules, data.pop("rules"))
    if isinstance(value, Explanation):
        assert data.pop("unit") == value.unit
    names = [field.name for field in fields(value)]
    if isinstance(value, solstis.Explanation):
        assert data.pop("position") == json.loads(json.dumps(value.seen.to_dict()))
        names.remove("seen")
    assert list(data) == names
    for name in names:
        check(getattr(value, name), data[name], rules)


def check_deal(value, data):
    check(value.rules, data["rules"])
    check(tuple(value.hands(player) for player in (0, 1)), data["hands"])
    same = ("objective", "unit", "value", "exploitability", "iterations", "stopped", "method")
    for name in (*same, "seconds", "seed"):
        assert data[name] == getattr(value, name)
    for name in ("bounds", "points", "streaks"):
        assert tuple(data[name]) == getattr(value, name)
    assert games.clash.parse_times(data["times"]) == value.times


def numbers_in(data):
    """Return all numbers of JSON data that are no whole ones."""
    if isinstance(data, dict):
        return numbers_in(list(data.values()))
    if isinstance(data, list):
        return sum(map(numbers_in, data), Counter())
    return Counter([data] if isinstance(data, float) else [])


def numbers_of(value):
    """Return all finite floats of a result, those of solutions and positions left out."""
    if isinstance(value, float):
        return Counter([float(value)] if np.isfinite(value) else [])
    if isinstance(value, Mapping):
        return numbers_of(tuple(value.values()))
    if isinstance(value, np.ndarray):
        return numbers_of(tuple(value.ravel().tolist()))
    if isinstance(value, tuple):
        return sum(map(numbers_of, value), Counter())
    kept = (HiddenSolution, StrategyBook, games.clash.State, games.solstis.State, Observation)
    if is_dataclass(value) and not isinstance(value, kept):
        return numbers_of(tuple(getattr(value, field.name) for field in fields(value)))
    return Counter()


def test_data_of_solstis_is_what_to_dict_gives(reviewed):
    assert reviewed.to_dict() == to_data(reviewed)
    why = solstis.explain(read_state("ending"))
    assert why.to_dict() == to_data(why)
    assert why.to_dict()["value"] == "27/5"
    assert games.solstis.State.from_dict(why.to_dict()["position"]) == why.seen


def test_an_error_without_bound_is_no_proof(reviewed):
    moment = replace(reviewed.moments[0], error=float("inf"))
    assert to_data(moment)["error"] == "Infinity"
    assert to_data(replace(moment, error=None))["error"] is None


# ---- one way for both


def test_short_ways_to_text_are_the_same(documents, reviewed):
    assert render_review(reviewed) == to_text(documents[-2], None)
    for page in documents:
        short = {
            "clash-deal": deal_text,
            "clash-followed-game": followed_text,
            "clash-extras": extras_text,
        }.get(page.kind)
        if short is not None:
            assert short(page.source, Amounts("win")) == render(page)
        if page.kind == "clash-play-table" and len(page.source) > 1:
            assert table_text(page.source, 0, Amounts("win")) == render(page)


def test_a_hostile_name_stays_a_name(reviewed):
    # The rules accept a name that can be printed; a recorded game may be called anything.
    bonus = Rules(bonus=RepeatBonus(name=HOSTILE))
    why = explain(games.clash.State.parse("WF/FA DaNoDuMiNo-- 3-2 memory=(4, (0,1))", bonus))
    unprintable = HOSTILE + "\n# head \x1b[2J"
    for page, name in (
        (explanation_document(why), HOSTILE),
        (review_document(replace(reviewed, name=unprintable)), unprintable),
    ):
        read = Page(to_html(page))
        assert not any(tag == "img" for tag, _ in read.elements)
        assert "<img src=x" in " ".join(read.words())
        text = to_markdown(page)
        assert "\\<img src=x" in text
        assert "\n# head" not in text
        assert all(line.isprintable() for line in to_text(page).split("\n"))
        data = json.loads(to_json(page))
        assert name in (data.get("name"), data.get("rules", {}).get("bonus"))


def test_what_is_no_result_is_refused(reviewed):
    for thing in (None, "text", reviewed):
        for make in (explanation_document, solstis.explanation_document):
            with pytest.raises(SolverError, match="is no Explanation"):
                make(thing)
    with pytest.raises(SolverError, match="is no Review"):
        review_document(3)
    why = explain("F/A DaNoDuMiDaNo 3-4")
    with pytest.raises(SolverError, match="there is no player"):
        explanation_document(why, 2)
    with pytest.raises(SolverError, match="ante"):
        explanation_document(why, ante=-1)
