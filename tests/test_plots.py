"""Pictures say in words what they show, and the controls of an explorer change both."""

import inspect
import io

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from PIL import Image

import perceptron_lib as lib
from perceptron_lib import kernels, plots, widgets
from perceptron_lib.plots import style
from perceptron_lib.widgets import beyond, runs

X, y, _ = lib.five_points()
RUN, IRIS_RUN = lib.perceptron(X, y), lib.perceptron(*lib.iris()[:2])
NO_UPDATE, BACK_TO_0 = (lib.perceptron([[1, 1]], [1], start=[v, v]) for v in (1, -1))
KERNEL_RUN, LINEAR = lib.kernel_perceptron(X @ X.T, y), kernels.linear
MARGIN_RUN = lib.margin_perceptron(*lib.margin_stream()[:2], 1 / 8, max_passes=1)
A, s, u = lib.separable(14, 2, 0.125, seed=121)
BEST, IRIS_BEST = lib.separate(A, s), lib.separate(*lib.iris()[:2])
XOR, SIGNS, _ = lib.xor()
M, RATES, SPANS = [1, 2, 3], [0.9, 0.5, 0.1], [(0.8, 1), (0.4, 0.6), (0, 0.2)]
CURVES = {"H4, solved": [9, 8], "H4, relaxed": [9, 7], "H5": [5, 6]}


def bound(m):
    return 2 / m


PICTURES = [
    ("plane", (X, y), "Positive examples: 3, negative: 2."),
    ("plane", (X, y, RUN.w), "the line is 4 x1 = 0 and has 5 of 5"),
    ("plane", (X, y, [0, 0]), "there is no line yet (w = 0) and has 0 of 5"),
    ("steps", (RUN,), "update 4 adds example 4 and makes w = (4, 0)"),
    ("threshold", ([1, 2], [-1, 1], 2, -3), "the threshold is 1.5"),
    ("margins", (A, s, u, BEST), "Positive examples: 7, negative: 7"),
    ("squeeze", (RUN, [1, 0]), "they cross at t = 10. The run ends after 4"),
    ("angle", (RUN, [1, 0]), "and 0 after the last of 4; the proof"),
    ("spread", ([1, 3, 3, 4], 10, 4), "from 1 to 4 mistakes, 3 in the middle"),
    ("growth", ([2, 3], {"a": [27, 100]}), "a: from 27 to 100"),
    ("phases", (MARGIN_RUN, 1 / 8), "it passes R²/(εγ) ≈ 15.9 after 116 updates"),
    ("tradeoff", ([0.5, 0.1], [0.7, 0.95], [4, 9], [100, 9000]),
     "the updates from 4 to 9, and their bound from 100 to 9,000"),
    ("failure_rate", (M, RATES, SPANS, bound, 0.1, 3),
     "with 3 in 10.0%; the bound falls to δ = 0.1 at m = 3"),
    ("survivals", ([0, 3, 12], 10, 2),
     "3 hypotheses survived 0, 3, 12 examples; 10 were asked for; hypothesis 3 is put out"),
    ("moves", (A, -s, u, 0.25), "14 of them have to move to be 0.25 away"),
    ("sizes", (RUN,), "over 4 updates the length of w stays at most 4,"),
    ("bound_curves", ([0.1, 0.2], CURVES, 3),
     "3 mistakes were made. H4, solved is least, 8.0, at γ = 0.200"),
    ("gram", (X @ X.T, y), "5 by 5 inner products from −9 to 10"),
    ("regions", (X, y, KERNEL_RUN, LINEAR),
     "4 updates, outcome: converged; 3 examples have alpha above 0; 5 of 5 are right"),
    ("fitted_line", ([0, 1, 2], [0, 1, 5], [2, 0]),
     "the line with slope 2 and intercept 0; the mean squared residual is 0.667"),
    ("functions", ([-1, 1], {"f": [3, 4]}), "for x from −1 to 1, f goes from 3 to 4"),
    ("descent", (np.eye(2), [1, 1], {"walk": [[0, 0], [1, 1]]}),
     "walk ends after 1 steps with error 0"),
    ("lines", (X, y, {"a": ([1, 0], -2)}), "1 x1 − 2 = 0, at 90.0 degrees."),
    ("certificate", (XOR, SIGNS, [1, 1, 1, 1]), "are both the point (0.5, 0.5)"),
    ("certificate", ([[-1], [0], [1]], [-1, 1, -1], [1, 2, 1]),
     "the negative −1 and 1 are both the point 0"),
]  # fmt: skip


@pytest.mark.parametrize("name, data, words", PICTURES)
def test_pictures_have_pixels_and_words_from_the_data(name, data, words, monkeypatch):
    figures, png, draw = [], style.png, getattr(plots, name)
    monkeypatch.setattr(style, "png", lambda figure: figures.append(figure) or png(figure))
    picture = draw(*data)
    pixels = np.asarray(Image.open(io.BytesIO(picture.png)).convert("L"))
    assert pixels.shape[0] > 100 and 0.001 < (pixels < 200).mean() < 0.5
    assert words in picture.alt and picture.alt.endswith(".")
    bundle, metadata = picture._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == bundle["text/plain"] == picture.alt
    assert min(map(contrast_with_white, colours(figures[0]))) >= 3
    assert draw(*data).png == picture.png
    if "title" in inspect.signature(draw).parameters:
        titled = draw(*data, title="A title")
        assert titled.alt == f"A title: {picture.alt}" and titled.png != picture.png


def colours(figure):
    """The colours of the lines and texts to be seen in a figure."""
    artists = [artist for kind in (Line2D, Text) for artist in figure.findobj(kind)]
    return {to_hex(artist.get_color()) for artist in artists if artist.get_visible()}


def contrast_with_white(colour):
    """The contrast ratio of WCAG 2 between a colour and the white it is drawn on."""
    shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares]
    return 1.05 / (np.dot([0.2126, 0.7152, 0.0722], linear) + 0.05)


def test_a_line_in_the_palest_colour_would_be_found():
    figure = Figure()
    figure.subplots().plot([0, 1], color=style.SKY)
    found = sorted(map(contrast_with_white, colours(figure)))
    assert found[0] < 3 and found[-1] == 21


def test_numbers_and_vectors_as_people_write_them():
    assert [plots.number(v) for v in (0, -3.0, 1720.0, 1 / 3)] == ["0", "−3", "1,720", "0.333"]
    assert plots.vector([1, -0.5]) == "(1, −0.5)"


REFUSED = [
    ("plane", (lib.with_bias(X), y), "this picture needs examples with two features; got 3"),
    ("plane", (X, y, [1, 2, 3]), "w must be 2 finite numbers; got [1, 2, 3]"),
    ("plane", (X, y, [1e200, 0]), "w cannot be drawn: its size is beyond"),
    ("steps", (IRIS_RUN,), "the run must be on two features"),
    ("threshold", (range(5), [1], 1, 0), "y must be one label for each of the 5 examples"),
    ("threshold", ([1, 2], [-1, 1], 0, 1), "w must be a finite number other than 0; got 0"),
    ("margins", (A, s, [0, 0], BEST), "w is the zero vector"),
    ("margins", (A, s, u, IRIS_BEST), "best.w must be 2 finite numbers"),
    ("certificate", (XOR, SIGNS, [1, 1, 1, 2]), "weights must be whole numbers λ_i >= 0 with"),
    ("certificate", (XOR, SIGNS, None), "weights must be a list of finite numbers; got None"),
    ("squeeze", (RUN, [1, 0, 0]), "u must be 2 finite numbers"),
    ("angle", (RUN, [-1, 0]), "u must separate the examples"),
    ("angle", (BACK_TO_0, [1, 0]), "the weights of this run come back to 0"),
    ("spread", ([1, 2.5], 10, 1), "counts must be whole numbers, 0 or more; got [1, 2.5]"),
    ("spread", ([1, 2], None, 1), "bound must be a finite number above 0; got None"),
    ("spread", ([1, 2], 10, "1"), "given must be a whole number"),
    ("growth", ([2, 3], {"a": [0, 1]}), "a must be 2 finite numbers above 0; got [0, 1]"),
    ("growth", ([2], {c: [1] for c in "abcd"}), "series must be a dict from 1 to 3 names"),
    ("phases", (NO_UPDATE, 1), "there is nothing to draw: the run made no update"),
    ("tradeoff", ([1, 2], [1], [1, 2], [1, 2]), "reached must be 2 finite numbers above 0"),
    ("lines", (X, y, {"a": [1, 2, 3]}), "the line 'a' must be a pair (w, b); got [1, 2, 3]"),
    ("failure_rate", (M, [1], SPANS, bound, 0.1, 3), "rates must be 3 finite numbers; got [1]"),
    ("failure_rate", (M, RATES, X, bound, 0.1, 3), "intervals must be 3 pairs (low, high)"),
    ("failure_rate", (M, RATES, SPANS, 0.1, 0.1, 3), "bound must be a function of m; got 0.1"),
    ("failure_rate", (M, RATES, SPANS, bound, 1.5, 3), "delta must be a number strictly between"),
    ("sizes", (KERNEL_RUN,), "a kernel run has no weights"),
    ("bound_curves", ([0, 1], CURVES, 3), "gammas must be finite numbers above 0; got [0, 1]"),
    ("bound_curves", ([1, 2], {**CURVES, "H5": None}, 3), "the curve 'H5' must be a list"),
    ("gram", (X, y), "K must be square"),
    ("regions", (X, y, RUN, LINEAR), "run must be a KernelRun"),
    ("regions", (X, -y, KERNEL_RUN, LINEAR), "the run must be one on these examples"),
    ("regions", (X, y, KERNEL_RUN, "linear"), "kernel must be a function of two tables"),
    ("fitted_line", (X, y, [1, 0]), "x must be a list of numbers, or a table with one column"),
    ("functions", ([0, 1], [[1, 2]]), "series must be a dict"),
    ("functions", ([1, 1], {"f": [1, 2]}), "x must be numbers from left to right"),
    ("descent", (lib.with_bias(X), y, {}), "X must be a table of two features, not all 0"),
    ("descent", (X, y, {"a": [[1, 2, 3]]}), "w must be 2 finite numbers"),
]


@pytest.mark.parametrize("name, data, words", REFUSED)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(name, data, words):
    with pytest.raises(ValueError) as refused:
        getattr(plots, name)(*data)
    assert words in str(refused.value) and "\n" not in str(refused.value)


def states(explorer, moves):
    """The words of an explorer, at first and after each move of a control (its number, a value);
    words and picture together must be new each time."""
    seen = []
    for control, value in [(0, explorer.children[0].children[0].value), *moves]:
        explorer.children[0].children[control].value = value
        seen.append((explorer.text.value + explorer.more.value, bytes(explorer.image.value)))
    assert len(set(seen)) == len(seen)
    return [words for words, _ in seen]


@pytest.mark.parametrize("data", runs.STEPPER_DATA)
def test_the_stepper_walks_through_the_whole_run(data):
    explorer, examples = widgets.stepper(), runs.STEPPER_DATA[data]()
    choose, tie, play, step = explorer.children[0].children
    choose.value, step.value, run = data, 0, lib.perceptron(*examples)
    assert step.max == play.max == run.mistakes
    start, *told = states(explorer, [(3, t) for t in range(1, run.mistakes + 1)])
    assert "Start" in start and "last update" in told[-1]
    assert all(f"Update {t} of {run.mistakes}" in words for t, words in enumerate(told, 1))
    tie.value = "negative"
    run = lib.perceptron(*examples, tie="negative", max_passes=200)
    assert step.value == 0 and step.max == run.mistakes and "Start" in explorer.text.value


def test_the_stored_page_shows_the_stepper_as_a_picture_with_words():
    data, metadata = widgets.stepper()._repr_mimebundle_()
    assert data["image/png"] and "Update 2 of 4" in metadata["image/png"]["alt"]
    assert "application/vnd.jupyter.widget-view+json" in data


MOVES = [
    ("proof", [(1, 1 / 64), (2, 3), (0, "unit vectors, n = 16")], "at 16 of 16 updates", "margin"),
    ("margin", [(1, 0.9), (1, 0.1), (0, "margin ≥ 1/16"), (0, runs.PETALS), (1, 0.01)],
     "Positive examples: 50, negative: 100. Perceptron: the line is", ""),
    ("reduction", [(0, 0.3), (1, 0.01), (2, 1 / 4)], "M = 16", ""),
    ("noise", [(0, 20), (1, 3)], "20 of 100 labels flipped", ""),
    ("kernel", [(3, 1), (1, "polynomial"), (2, 1), *((0, d) for d in list(beyond.KERNEL_DATA)[1:])],
     "40 of 40 are right", "width"),
    ("descent", [(0, 1.05), (1, 30)], "Step 1.050", ""),
]  # fmt: skip


@pytest.mark.parametrize("name, moves, words, disabled", MOVES)
def test_explorers_follow_their_controls(name, moves, words, disabled):
    explorer = getattr(widgets, name)()
    told = states(explorer, moves)
    assert words in told[-1]
    controls = explorer.children[0].children
    assert disabled == "".join(c.description for c in controls if c.disabled)
    if name == "margin":
        assert "margin, ε = 0.9" in told[1] and "margin, ε = 0.01" in told[-1]


def test_the_proof_explorer_shows_a_proof_that_holds_on_all_data():
    for told in states(widgets.proof(), [(0, data) for data in list(runs.PROOF_DATA)[1:]]):
        assert told.count("✓") == 18 and "✗" not in told
