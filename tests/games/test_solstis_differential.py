"""The library against a plain second reading of the rules, under every combination of them."""

import random

import pytest

from games.solstis import Rules, State
from tests.solstis_reference import Reference, random_setup
from tests.solstis_strategies import ALL_RULES, by_sets, studied

FEW = [rules for number, rules in enumerate(ALL_RULES) if number % 5 == 0]
"""A fifth of them, in which all words of any two fields meet."""


def plain(record, kind=None):
    """Return a table as both write it, at a question of some kind.

    What is not told is how a table looks in the middle of a step: the Evil Spirit, once drawn, lies
    before the player before or after the other spirit is placed, and rainbows that were held are
    all taken at once or one by one.
    """
    record = dict(by_sets(record))
    for entry in record["display"]:
        if entry.get("down", "") is None:
            entry["down"] = "?"
        if entry.get("up", "") is None:
            del entry["up"]
    record["display"].sort(key=lambda entry: entry["slot"])
    left_out = {"spirit_keep": ("evil", "spirit_hand"), "place_rainbow": ("held",)}
    return {name: value for name, value in record.items() if name not in left_out.get(kind, ())}


def compare_games(reference, state, rng):
    """Play a random game with both, compare them at every node, and return their number."""
    played = []
    while True:
        kind = reference.options()[0].split()[0] if reference.options() else None
        where = f"after {' | '.join(played)}"
        assert state.kind == reference.kind, where
        assert state.decider == reference.decider, where
        assert state.to_move == reference.to_move, where
        assert plain(state.to_dict()["state"], kind) == plain(reference.dictionary(), kind), where
        for player in (0, 1):
            assert state.score(player).to_dict() == reference.score(player), where
        assert sorted(map(str, state.legal() or dict(state.outcomes()))) == reference.options(), (
            where
        )
        if state.kind == "end":
            return len(played)
        if state.kind == "chance":
            assert {str(o): p for o, p in state.outcomes()} == dict(reference.outcomes()), where
        elif kind == "place_rainbow":
            assert state.to_dict()["turn"]["source"] == reference.source, where
        played.append(rng.choice(reference.options()))
        end = state.end_of_turn(played[-1])
        state, reference = state.play(played[-1]), reference.play(played[-1])
        ends = reference.passed_through
        assert len(ends) == (end is not None), f"{where} {played[-1]}"
        if end is not None:
            assert plain(end) == plain(ends[0]), where


def compare_deals(seed, rules, ordered):
    rng = random.Random(seed)
    setup = random_setup(rng, rules.variant)
    state = State.from_dict({"variant": rules.variant, "setup": setup}, rules)
    reference = Reference(rules.to_dict(), setup, ordered=ordered)
    return compare_games(reference, state if ordered else state.unordered(), rng)


def compare_studied(seed, rules):
    rng = random.Random(seed)
    data = studied(rng, rules)
    reference = Reference.from_position(rules.to_dict(), data)
    return compare_games(reference, State.from_dict(data), rng)


def words(rules):
    return "-".join(map(str, rules.to_dict().values()))


def test_few_combinations_of_rules_hold_every_pair_of_words():
    def pairs(some):
        return {
            (one, two)
            for rules in some
            for one in rules.to_dict().items()
            for two in rules.to_dict().items()
        }

    assert pairs(FEW) == pairs(ALL_RULES)
    assert len(set(ALL_RULES)) == 96
    assert {Rules(), *(Rules.published(variant) for variant in ("base", "firefly"))} <= {*ALL_RULES}


@pytest.mark.parametrize("rules", FEW, ids=words)
def test_games_of_both_agree(rules):
    seed = ALL_RULES.index(rules)
    assert compare_deals(seed, rules, ordered=bool(seed % 2)) > 30


@pytest.mark.parametrize("rules", ALL_RULES, ids=words)
def test_games_from_studied_positions_of_both_agree(rules):
    compare_studied(ALL_RULES.index(rules), rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ALL_RULES, ids=words)
def test_many_games_of_both_agree(rules):
    for seed in range(1000, 1006):
        compare_deals(seed, rules, ordered=True)
        compare_deals(seed, rules, ordered=False)
    for seed in range(1000, 1012):
        compare_studied(seed, rules)
