"""Pictures say in words what they show, and the controls of an explorer change both."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from perceptron_lib import (
    five_points,
    kernel_perceptron,
    kernels,
    margin_perceptron,
    margin_stream,
    perceptron,
    plots,
    separable,
    separate,
    widgets,
    xor,
)

X, y, _ = five_points()
RUN = perceptron(X, y)
DATA = separable(14, 2, 0.125, seed=121)

PICTURES = {
    "plane": (lambda: plots.plane(X, y, RUN.w), "the line is 4 x1 = 0 and has 5 of 5"),
    "steps": (lambda: plots.steps(RUN), "update 4 adds example 4 and makes w = (4, 0)"),
    "threshold": (lambda: plots.threshold([1, 2], [-1, 1], 2, -3), "the threshold is 1.5"),
    "margins": (
        lambda: plots.margins(DATA.X, DATA.y, DATA.u, separate(DATA.X, DATA.y)),
        "Positive examples: 7, negative: 7",
    ),
    "squeeze": (lambda: plots.squeeze(RUN, [1, 0]), "they cross at t = 10. The run ends after 4"),
    "angle": (lambda: plots.angle(RUN, [1, 0]), "and 0 after the last of 4; the proof"),
    "spread": (lambda: plots.spread([1, 3, 3, 4], 10, 4), "from 1 to 4 mistakes, 3 in the middle"),
    "growth": (lambda: plots.growth([2, 3], {"a": [27, 100]}), "a: from 27 to 100"),
    "phases": (
        lambda: plots.phases(margin_perceptron(*margin_stream()[:2], 1 / 8, max_passes=1), 1 / 8),
        "it passes R²/(εγ) ≈ 15.9 after 116 updates",
    ),
    "tradeoff": (
        lambda: plots.tradeoff([0.5, 0.1], [0.7, 0.95], [4, 9], [100, 9000]),
        "the updates from 4 to 9, and their bound from 100 to 9,000",
    ),
    "failure_rate": (
        lambda: plots.failure_rate(
            [1, 2, 3], [0.9, 0.5, 0.1], [(0.8, 1), (0.4, 0.6), (0, 0.2)], lambda m: 2 / m, 0.1, 3
        ),
        "with 3 in 10.0%; the bound falls to δ = 0.1 at m = 3",
    ),
    "survivals": (
        lambda: plots.survivals([0, 3, 12], 10, 2),
        "3 hypotheses survived 0, 3, 12 examples; 10 were asked for; hypothesis 3 is put out",
    ),
    "moves": (
        lambda: plots.moves(DATA.X, -DATA.y, DATA.u, 0.25),
        "14 of them have to move to be 0.25 away",
    ),
    "sizes": (lambda: plots.sizes(RUN), "over 4 updates the length of w stays at most 4,"),
    "bound_curves": (
        lambda: plots.bound_curves(
            [0.1, 0.2], {"H4, solved": [9, 8], "H4, relaxed": [9, 7], "H5": [5, 6]}, 3
        ),
        "3 mistakes were made. H4, solved is least, 8.0, at γ = 0.200",
    ),
    "gram": (lambda: plots.gram(X @ X.T, y), "5 by 5 inner products from −9 to 10"),
    "regions": (
        lambda: plots.regions(
            X, y, kernel_perceptron(kernels.linear(X, X), y), kernels.linear
        ),
        "4 updates, outcome: converged; 3 examples have alpha above 0; 5 of 5 are right",
    ),
    "fitted_line": (
        lambda: plots.fitted_line([0, 1, 2], [0, 1, 5], [2, 0]),
        "the line with slope 2 and intercept 0; the mean squared residual is 0.667",
    ),
    "functions": (
        lambda: plots.functions(np.array([-1.0, 1.0]), {"f": np.array([3.0, 4.0])}),
        "for x from −1 to 1, f goes from 3 to 4",
    ),
    "descent": (
        lambda: plots.descent(np.eye(2), np.ones(2), {"walk": np.array([[0.0, 0.0], [1.0, 1.0]])}),
        "walk ends after 1 steps with error 0",
    ),
    "lines": (lambda: plots.lines(X, y, {"a": ([1, 0], -2)}), "1 x1 − 2 = 0, at 90.0 degrees."),
    "certificate": (
        lambda: plots.certificate(xor().X, xor().y, [1, 1, 1, 1]),
        "are both the point (0.5, 0.5)",
    ),
    "certificate on a line": (
        lambda: plots.certificate([[-1], [0], [1]], [-1, 1, -1], [1, 2, 1]),
        "the negative −1 and 1 are both the point 0",
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_have_pixels_and_words_from_the_data(name):
    draw, words = PICTURES[name]
    picture = draw()
    pixels = np.asarray(Image.open(io.BytesIO(picture.png)).convert("L"))
    assert pixels.shape[0] > 100 and 0.001 < (pixels < 200).mean() < 0.5
    assert words in picture.alt and picture.alt.endswith(".")
    data, metadata = picture._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == data["text/plain"] == picture.alt


def test_drawing_twice_gives_the_same_bytes():
    assert plots.steps(RUN).png == plots.steps(RUN).png


def test_numbers_as_people_write_them():
    assert [plots.number(v) for v in (0, -3.0, 1720.0, 1 / 3)] == ["0", "−3", "1,720", "0.333"]


@pytest.mark.parametrize("data", widgets.STEPPER_DATA)
def test_the_stepper_walks_through_the_whole_run(data):
    explorer = widgets.stepper()
    choose, tie, play, step = explorer.children[0].children
    choose.value = data
    run = perceptron(*widgets.STEPPER_DATA[data]())
    assert step.max == play.max == run.mistakes
    seen = set()
    for t in range(run.mistakes + 1):
        step.value = t
        words, picture = explorer.text.value, explorer.image.value
        assert (f"Update {t} of {run.mistakes}" in words) if t else ("Start" in words)
        seen.add((words, picture))
    assert len(seen) == run.mistakes + 1
    assert "last update" in words
    tie.value = "negative"
    other = perceptron(*widgets.STEPPER_DATA[data](), tie="negative", max_passes=200)
    assert step.value == 0 and step.max == other.mistakes and "Start" in explorer.text.value


def test_the_stored_page_shows_the_stepper_as_a_picture_with_words():
    data, metadata = widgets.stepper()._repr_mimebundle_()
    assert data["image/png"] and "Update 2 of 4" in metadata["image/png"]["alt"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_the_proof_explorer_follows_data_margin_and_order():
    explorer = widgets.proof()
    data, margin, order = explorer.children[0].children
    seen = {(explorer.text.value, explorer.more.value, explorer.image.value)}
    for control, value in ((margin, 1 / 64), (order, 3), (data, "unit vectors, n = 16")):
        control.value = value
        seen.add((explorer.text.value, explorer.more.value, explorer.image.value))
    assert len(seen) == 4 and margin.disabled
    assert "16 of 16 updates" in explorer.text.value and explorer.more.value.count("✓") == 18
    for name in widgets.PROOF_DATA:
        data.value = name
        assert "✗" not in explorer.more.value


def test_the_margin_explorer_follows_data_and_eps():
    explorer = widgets.margin()
    data, eps = explorer.children[0].children
    seen = set()
    for value in (0.9, 0.1, 0.01):
        eps.value = value
        assert f"margin, ε = {value:g}" in explorer.text.value
        seen.add((explorer.text.value, explorer.image.value))
    data.value = "iris petals (mm), with a bias"
    assert "Positive examples: 50" in explorer.text.value and len(seen) == 3


def states(explorer, *moves):
    """What an explorer says and shows, at first and after each control was moved in turn."""
    seen = {(explorer.text.value, explorer.image.value)}
    for control, value in moves:
        control.value = value
        seen.add((explorer.text.value, explorer.image.value))
    return seen


def test_the_reduction_explorer_follows_its_sliders():
    explorer = widgets.reduction()
    moves = zip(explorer.children[0].children, (0.3, 0.01, 1 / 4), strict=True)
    assert len(states(explorer, *moves)) == 4 and "M = 16" in explorer.text.value


def test_the_noise_explorer_follows_its_sliders():
    explorer = widgets.noise()
    flipped, which = explorer.children[0].children
    assert len(states(explorer, (flipped, 20), (which, 3))) == 3
    assert "20 of 100 labels flipped" in explorer.text.value


def test_the_kernel_explorer_follows_its_controls():
    explorer = widgets.kernel()
    data, which, degree, width = explorer.children[0].children
    moves = (width, 1), (which, "polynomial"), (degree, 1), (data, "XOR")
    assert len(states(explorer, *moves)) == 5 and width.disabled and not degree.disabled


def test_the_descent_explorer_follows_its_sliders():
    explorer = widgets.descent()
    share, condition = explorer.children[0].children
    assert len(states(explorer, (share, 1.05), (condition, 30))) == 3


def contrast_with_white(colour):
    """The contrast ratio of WCAG 2 between a colour and the white it is drawn on."""
    shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 1.05 / (np.dot([0.2126, 0.7152, 0.0722], linear) + 0.05)


def test_lines_and_marks_stand_out_from_white():
    assert contrast_with_white("#000000") == 21 and contrast_with_white("#cccccc") < 3
    for colour in (plots.BLUE, plots.ORANGE, plots.GREEN, plots.PURPLE, plots.INK, plots.GREY):
        assert contrast_with_white(colour) >= 3, colour


def test_the_palest_colour_only_fills_areas():
    lines = Path(plots.__file__).read_text(encoding="utf-8").splitlines()
    uses = [line for line in lines if "SKY" in line and not line.startswith("BLUE,")]
    assert uses and all("fill" in line or "edgecolor=BLUE" in line for line in uses)
