"""Homework on other data: the same questions, as hard as ever, and old values answer none."""

import importlib

import nbformat
import pytest

from grading import release
from grading.checks import hidden_checks, hw1, hw2, hw3
from grading.course import assignments
from grading.handout.asked import points as examples
from perceptron_lib import bounds, margin_perceptron, perceptron, separate
from tests.handed_out import load, points, run, signatures

NAMES = sorted(assignments())
SEEDS = (1, 2, 3, 7, 2026)


@pytest.fixture(scope="module")
def usual():
    """The answers of the solved notebooks, which are public."""
    return {
        name: run(path, importlib.import_module(f"grading.handout.{name[:3]}"))[0]
        for name, path in assignments().items()
    }


# A value that answers the usual question answers no other one (the flowers may be the same).
OF_THE_DATA = {
    "hw1": ["question_3"],
    "hw2": ["question_2", "question_6", "question_8"],
    "hw3": ["question_3", "question_5", "question_6", "question_7"],
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_on_other_data_the_solved_notebook_is_right_and_the_old_values_are_not(
    name, seed, usual, tmp_path
):
    release.write_source(tmp_path / name, name, seed)
    homework = load(tmp_path / name / "checks", f"seed_{seed}_{name[:3]}")
    path = tmp_path / name / f"{name}.ipynb"
    _, said = run(path, homework)
    full = {q: most for q, _, most, by_hand in homework.OUT["questions"] if not by_hand}
    assert {q: got for q, (got, _) in said.items()} == full
    assert (
        nbformat.read(path, as_version=4).metadata.homework["seed"] == homework.OUT["seed"] == seed
    )
    for question in OF_THE_DATA[name[:3]]:
        old = [usual[name][answer] for answer in signatures(assignments()[name])[question]]
        assert points(homework, question, *old) < full[question.replace("question_", "q")]


def shares(eight):
    """The parts of the largest margin that the Perceptron and the margin Perceptron end with."""
    X, y = examples(eight)
    best = separate(X, y)
    ends = perceptron(X, y).w, margin_perceptron(X, y, best.margin).w
    return [bounds.margin2(X, y, w) * best.bound() / bounds.radius2(X) for w in ends]


@pytest.mark.parametrize("seed", range(10))
def test_questions_on_other_data_are_as_hard_as_the_usual_ones(seed):
    one, two, three = (release.handed_out(name, seed) for name in NAMES)
    most, slowest = hw1.orders(hw1.json.dumps(one["six_points"]))
    assert (most, len(slowest)) == (16, 5) and tuple(range(6)) not in slowest
    assert shares(two["eight_points"]) == shares(hw2.USUAL["eight_points"])
    assert shares(two["eight_points"])[1] < 0.7**2, "nine tenths of the margin must be worked for"
    assert len(hw2.fewest(two["sample"])) == 3 == len(hw2.fewest(hw2.USUAL["sample"]))
    lived, k, _ = hw2.survivor(two["digit"], two["stream"])
    assert sorted(lived)[-2] < lived[k] and k < len(lived) - 1
    assert len({tuple(x) for x in three["seven_points"][0]}) == 7, "no two points coincide"
    first, second = hw3.of_length_R(three["twelve_points"])
    rest = [i for i in range(12) if i not in (first, second)]
    assert hw3.changed(three["twelve_points"], rest)
    assert not hw3.changed(three["twelve_points"], sorted([first, *rest]))
    assert three["linear"] != hw3.USUAL["linear"]


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_same_data_each_time(name):
    assert release.handed_out(name, 7) == release.handed_out(name, 7) != release.handed_out(name, 8)
    assert set(hidden_checks(name).USUAL) <= set(release.handed_out(name, 7))
