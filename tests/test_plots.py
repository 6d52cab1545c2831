"""Pictures say in words what they show, and the controls of an explorer change both."""

import inspect
import io
import logging
import re
import time
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from PIL import Image

import perceptron_lib as lib
from perceptron_lib import kernels, plots, widgets
from perceptron_lib.plots import parts, style
from perceptron_lib.widgets import beyond, runs
from tools.sheet import figures, sheet

X, y, _ = lib.five_points()
RUN, IRIS_RUN = lib.perceptron(X, y), lib.perceptron(*lib.iris()[:2])
NO_UPDATE, BACK_TO_0 = (lib.perceptron([[1, 1]], [1], start=[v, v]) for v in (1, -1))
KERNEL_RUN, LINEAR = lib.kernel_perceptron(X @ X.T, y), kernels.linear
A, s, u = lib.separable(14, 2, 0.125, seed=121)
BEST, IRIS_BEST = lib.separate(A, s), lib.separate(*lib.iris()[:2])
XOR, SIGNS, _ = lib.xor()
M, RATES, SPANS = [1, 2, 3], [0.9, 0.5, 0.1], [(0.8, 1), (0.4, 0.6), (0, 0.2)]
CURVES = {"sharp hinge bound": [9, 8], "simple hinge bound": [9, 7], "lift bound": [5, 6]}


def bound(m):
    return 2 / m


def square(v):
    return v * v


LESSONS = figures()
WORDS = {  # of the pictures on the contact sheet
    "legend": "blue circles are class +, vermilion squares class −",
    "plane": "the line is 4 x1 = 0, with 5 of 5 on the correct side.",
    "plane, no line": "3 positive and 2 negative examples; there is no line yet (w = 0).",
    "steps": "update 4 adds z = y x of example 4, giving w = (4, 0)",
    "threshold": "the threshold is 2.5",
    "margins": "example 7 has 0.087, the solid line 0.040, the best line 0.243: ",
    "lines": "the line is −421 x1 − 3,544 x2 = 0, at 173.2 degrees, margin 0.243.",
    "outlier": "up to 64.4, the others within 0.997",
    "disagreement": "Error: 10 of 60 examples lie where w and u disagree",
    "votes": "Wrong examples: last 23, averaged 4, voted 4: ",
    "update": "their sum w_4 has length 3.61",
    "progress": "w·u = 4; promised: at least 4γ = 4: ",
    "obtuse": "‖w + z‖² = 13 < 5 + 10: update 3 of 4",
    "obtuse, first": "At the start: ‖w + z‖² = 2 = 0 + 2",
    "squeeze": "15 mistakes; 248 allowed: The margin γ is 0.0634",
    "squeeze, log": "γt and R√t cross at t ≈ 248.6. The run ends after 15",
    "angle": "and 3 after the last of 15; the proof",
    "weight_space": "4 updates, into the cone where all 5 are right: ",
    "nearest": "the point nearest to 0 is (−0.0287, −0.241)",
    "nearest, inseparable": "0 is in the hull: no separator; 3 of 200 examples have λ > 0: ",
    "certificate": "are the same point, (0.5, 0.5), marked",
    "certificate, line": "one of the negative examples (−1 and 1) are the same point, 0,",
    "shatter": "3 points: 8 of 8 labellings by a line, shattered: ",
    "shatter, radon": "4 points: 14 of 16 labellings by a line, not shattered: ",
    "lift, xor": "a plane gets 4 of 4 examples right",
    "lift, noise": ", lifted to heights from 0 to 1; ",
    "increments": "the length passes R²/(εγ), about 16, after 116 updates",
    "tradeoff": "the updates from 112 to 2,500, and their bound from 1,848 to 1,119,279",
    "moves": "48 of them have to move to be 0.3 away",
    "sizes": "over 214 updates the length of w stays at most 2.07,",
    "bound_curves": "13 mistakes were made. The sharp hinge bound is least, 34.9, at γ = 0.280",
    "gram": "60 by 60 inner products from 6.25e−10 to 1",
    "regions": "8 updates, outcome: converged; 8 examples have alpha above 0, the largest 1; 60 of",
    "chart": "as n goes from 2 to 6, (R/γ)²: from 27 to 2,919",
    "chart, degree": "Test: least at degree = 3, errors 9: ",
    "bars": "Fewest test errors: voted, 18; most: last, 34: ",
    "spread": "with a median of 23; the given order made",
    "failure_rate": "with 80 in 0.0%; the bound falls to δ = 0.1 at m = 93",
    "survivals": "survived 0, 3, 12, 40, 7, 500 examples; 88 were asked for; hypothesis 6 is",
    "chain": "The best path has 7 of 8 right; each place alone, 6: 8 places, 10 labels; the",
    "chain, few": "the best path is sun rain rain rain, with sum 9; by its own scores each place",
    "chain, no truth": "The best path: 2 2 1, with sum 7: 3 places, 3 labels; ",
    "functions": "for x from −1.5 to 1.5, f goes from −1.88 to 1.88",
    "losses": "the hinge max(0, 1 − s) is 1 at s = 0 and 0 from s = 1 on",
    "chord": "At x = 0.2: f = 0.04 ≤ 2.2 on the chord",
    "fitted_line": "the line with slope 53.8 and intercept 156; the mean squared residual is 4,225",
    "descent": "gradient descent ends after 15 steps with error 4,225",
}
OTHERS = [  # what is not on the sheet
    ("plane", (X, y, [0, 0]), "5 examples: 3 of class +, 2 of −: 3 positive and"),
    ("lines", (X, y, {"a": ([1, 0], -2)}), "the line is x1 − 2 = 0, at 90.0 degrees, margin −1."),
    ("weight_space", (lib.perceptron(XOR, SIGNS),), "4 updates, but no w gets every"),
    ("lift", (XOR, SIGNS, 1, [1, 1, -1]), "all lifted to height 1; "),
    ("chart", ([10, 12, 15, 400, 100000], {"a": [1, 2, 3, 4, 5]}), "a: from 1 to 5"),
    ("chart", ([2, 60, 2000], {"a": [1, 2, 3]}, {}, ("d", "M"), False, True), "3 at d = 2,000: "),
    ("tradeoff", ([0.5, 0.1], [0.7, 0.95], [4, 9], [100, 9000]), "from 4 to 9, and their bound"),
    ("failure_rate", (M, RATES, SPANS, bound, 0.1, 3), "with 3 in 10.0%; the bound falls to δ"),
    ("survivals", ([0, 3], 10), "asked for: none survived: 2 hypotheses survived 0, 3 examples"),
    ("bound_curves", ([0.1, 0.2], CURVES, 3), "The sharp hinge bound is least, 8.0, at γ = 0.200"),
    ("gram", (X @ X.T, y), "5 by 5 inner products from −9 to 10"),
    ("regions", (X, y, KERNEL_RUN, LINEAR), "3 examples have alpha above 0, the largest 2; 5 of 5"),
    ("chord", (square, -1, 1), "At x = 0: f = 0 ≤ 1 on the chord"),
    ("fitted_line", ([0, 1, 2], [0, 1, 5], [2, 0]), "the mean squared residual is 0.667"),
    ("descent", (np.eye(2), [1, 1], {}), "The least error is 0: "),
]


@pytest.mark.parametrize("name", LESSONS)
def test_pictures_of_the_lessons_have_pixels_names_and_words(name, monkeypatch):
    checked(LESSONS[name], WORDS.get(name, ""), monkeypatch)


@pytest.mark.parametrize("name, data, words", OTHERS)
def test_other_pictures_have_them_too_and_are_drawn_alike_again(name, data, words, monkeypatch):
    picture = checked(lambda: getattr(plots, name)(*data), words, monkeypatch)
    assert getattr(plots, name)(*data).png == picture.png


def checked(draw, words, monkeypatch):
    """The picture, after a look at its pixels, its words, its axes and its texts."""
    figure, picture = drawn(draw, monkeypatch)
    looked_at(figure, picture)
    pixels = np.asarray(Image.open(io.BytesIO(picture.png)).convert("L"))
    assert pixels.shape[0] > 100 and 0.001 < (pixels < 200).mean() < 0.5
    assert words in picture.alt and picture.alt.endswith(".")
    bundle, metadata = picture._repr_mimebundle_()
    about = metadata["image/png"]
    assert about["alt"] == bundle["text/plain"] == picture.alt
    assert (2 * about["height"], 2 * about["width"]) == pixels.shape  # sharp on any screen
    assert min(map(contrast_with_white, colours(figure))) >= 3
    return picture


def test_every_public_picture_is_on_the_contact_sheet_with_words_to_look_for():
    public = {name for name in plots.__all__ if hasattr(getattr(plots, name), "__wrapped__")}
    assert public == {name.split(",")[0] for name in LESSONS} == {n.split(",")[0] for n in WORDS}
    assert set(WORDS) <= set(LESSONS)


def test_a_title_of_ones_own_takes_the_place_of_the_finding():
    own, titled = plots.losses(), plots.losses(title="A title")
    assert titled.alt.startswith("A title: ") and titled.png != own.png
    assert own.alt.endswith(titled.alt.removeprefix("A title: "))
    public = [getattr(plots, name.split(",")[0]) for name in LESSONS]
    untitled = {f.__name__ for f in public if "title" not in inspect.signature(f).parameters}
    assert untitled == {"legend", "steps", "margins"}


def drawn(draw, monkeypatch):
    """The figure of a picture, as it was when it was stored, and the picture."""
    found, png = [], style.png
    monkeypatch.setattr(style, "png", lambda figure: found.append(figure) or png(figure))
    picture = draw()
    monkeypatch.undo()
    return found[0], picture


# --- light on a card ------------------------------------------------------------------------


def colours(figure):
    """The colours of the lines and texts to be seen in a figure."""
    artists = [artist for kind in (Line2D, Text) for artist in figure.findobj(kind)]
    return {to_hex(artist.get_color()) for artist in artists if artist.get_visible()} - {"#bbbbbb"}


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


def test_the_card_is_opaque_and_light_but_for_its_corners():
    pixels = np.asarray(Image.open(io.BytesIO(plots.losses().png)))
    assert (pixels[0, 0, 3], pixels[30, 30, 3]) == (0, 255) and pixels[30, 30, :3].min() > 240


def test_the_contact_sheet_has_each_picture_on_both_pages():
    image = sheet([plots.losses()] * 2)
    assert image.size[0] == 3 * 2 * 672 and image.getpixel((2, 2)) != image.getpixel((680, 2))


# --- axes and texts -------------------------------------------------------------------------

SIZES = {  # small, large, one class, one dimension, nothing between the classes, far away
    "one example": ([[1, 2]], [1]),
    "one class": ([[1, 2], [2, 1], [3, 3]], [-1, -1, -1]),
    "large": lib.separable(300, 2, 0.02, seed=1)[:2],
    "on a line": ([[1, 0], [2, 0], [-3, 0], [-1, 0]], [1, 1, -1, -1]),
    "inseparable": lib.flip_labels(lib.separable(60, 2, 0.1, seed=2), 7)[:2],
    "huge numbers, far from 0": (1e9 * (A + np.array([100, 50])), s),
    "tiny numbers": (1e-9 * A, s),
}


def of_examples(X, y):
    """Every picture that can be made of any examples in the plane."""
    X, y = np.array(X, dtype=float), np.array(y)
    run, found = lib.perceptron(X, y, max_passes=3), lib.separate(X, y)
    u = getattr(found, "w", None)
    yield from (lambda: plots.plane(X, y), lambda: plots.plane(X, y, run.w, 0.5))
    yield from (lambda: plots.steps(run), lambda: plots.nearest(X, y))
    yield from (lambda: plots.lines(X, y, {"w": (run.w, 0), "other": ([1, 2], 1)}),)
    yield from (lambda: plots.disagreement(X, [1, 2], run.w), lambda: plots.votes(run))
    yield from (lambda: plots.update(run, 1), lambda: plots.obtuse(run, run.mistakes))
    yield from (lambda: plots.weight_space(run), lambda: plots.sizes(run))
    yield from (lambda: plots.moves(X, y, run.w, 1), lambda: plots.lift(X, y, 1, [1, 1, 1]))
    yield from (lambda: plots.outlier(X, y, run.w, [1, 2]),)
    if len(X) <= 100:
        kernel_run = lib.kernel_perceptron(kernels.linear(X, X), y, max_passes=3)
        yield lambda: plots.regions(X, y, kernel_run, kernels.linear)
        yield lambda: plots.gram(kernels.linear(X, X), y)
    if u is not None:
        yield from (lambda: plots.margins(X, y, run.w, found), lambda: plots.angle(run, u))
        yield from (lambda: plots.progress(run, u, run.mistakes), lambda: plots.squeeze(run, u))
        yield from (lambda: plots.squeeze(run, u, log=True),)
        yield lambda: plots.increments(run, found.margin)
    else:
        lifted = lib.separate(lib.with_bias(X), y)
        if isinstance(lifted, lib.Inseparable):
            yield lambda: plots.certificate(X, y, lifted.multipliers)


@pytest.mark.parametrize("size", SIZES)
def test_examples_of_any_size_are_drawn_with_names_and_clear_texts(size, monkeypatch, caplog):
    with caplog.at_level(logging.WARNING):
        for draw in of_examples(*SIZES[size]):
            looked_at(*drawn(draw, monkeypatch))
    assert not caplog.records  # matplotlib has nothing to complain of


def looked_at(figure, picture):
    """Axes have names, the alternative text has a number, and each text can be read."""
    for ax in (ax for ax in figure.axes if ax.get_visible() and ax.axison):
        for axis in (ax.xaxis, ax.yaxis):
            if axis.get_visible() and len(axis.get_ticklocs()) and ax.get_label() != "<colorbar>":
                assert axis.get_label().get_text(), picture.alt
    assert any(c.isdigit() for c in picture.alt)
    assert troubles(figure) == [], picture.alt


def troubles(figure):
    """The texts that leave a figure, or that lie over another text (in three dimensions, numbers
    at the axes may), where they were when it was stored: with 200 dots an inch."""
    flat = [ax for ax in figure.axes if ax.get_visible() and ax.name != "3d"]
    texts = [text for part in (*flat, figure) for text in part.findobj(Text, include_self=False)
             if part is not figure or text in figure.texts or text is figure._suptitle]  # fmt: skip
    unused, usual, figure.dpi = unused_numbers(flat), figure.dpi, 200
    boxes = {text: text.get_window_extent() for text in texts
             if text.get_visible() and text.get_text() and text not in unused}  # fmt: skip
    outside = [t.get_text() for t, box in boxes.items()
               if (box.min < -2).any() or (box.max > figure.bbox.max + 2).any()]  # fmt: skip
    inner = [(text.get_text(), box.padded(-3)) for text, box in boxes.items()]
    over = [(a, b) for (a, one), (b, other) in combinations(inner, 2) if one.overlaps(other)]
    figure.dpi = usual
    return outside + over


def unused_numbers(axes):
    """The numbers at ticks beyond the limits, which are not drawn."""
    found = set()
    for axis in (axis for ax in axes for axis in (ax.xaxis, ax.yaxis)):
        (low, high), ticks = sorted(axis.get_view_interval()), axis.get_major_ticks()
        room = 1e-9 * (high - low)
        hidden = [tick for tick in ticks if not low - room <= tick.get_loc() <= high + room]
        hidden += [] if axis.get_visible() else ticks
        found.update(label for tick in hidden for label in (tick.label1, tick.label2))
    return found


def test_texts_outside_and_over_others_would_be_found():
    figure = Figure()
    ax = figure.subplots()
    ax.set(xticks=[], yticks=[])
    for at, text in (((0.5, 0.5), "one"), ((0.51, 0.5), "two"), ((0.5, 1.5), "three")):
        ax.text(*at, text)
    plots.png(figure)
    assert troubles(figure) == ["three", ("one", "two")]


def test_axes_without_a_name_and_words_without_a_number_would_be_found():
    def look(names, alt):
        figure = style.card(3, 3, layout="constrained")
        parts.label(figure.subplots(), names)
        looked_at(figure, plots.Picture(figure, alt))

    look(("x", "y"), "1 line.")
    for names, alt in ((("x", ""), "1 line."), (("x", "y"), "A line.")):
        with pytest.raises(AssertionError):
            look(names, alt)


def test_a_note_moves_away_from_marks_and_texts():
    figure = style.card(3, 3)
    ax = figure.subplots()
    ax.set(xticks=[], yticks=[])
    parts.marks(ax, np.array([[0.5, 0.5], [0.53, 0.53]]), np.array([1, 1]))
    notes = [parts.note(ax, "a note", (0.5, 0.5)) for _ in range(3)]
    plots.png(figure)
    assert troubles(figure) == [] and len({note.get_position() for note in notes}) == 3


def test_equal_axes_are_equal_and_fill_the_picture(monkeypatch):
    for data in ((X, y), (A, s), (lib.iris().X[:, 2:], lib.iris().y)):
        figure, _ = drawn(lambda data=data: plots.plane(*data), monkeypatch)
        (ax,) = figure.axes
        (left, low), (right, high) = ax.transData.transform([[0, 0], [1, 1]])
        assert right - left == pytest.approx(high - low)
        box = ax.get_window_extent()
        assert box.width * box.height > 0.5 * figure.bbox.width * figure.bbox.height


# --- numbers, refusals ----------------------------------------------------------------------


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
    ("certificate", (XOR, SIGNS, [1, 1, 1, 2]), "multipliers must be whole λ_i >= 0 with"),
    ("certificate", (XOR, SIGNS, None), "multipliers must be a list of finite numbers; got None"),
    ("squeeze", (RUN, [1, 0, 0]), "u must be 2 finite numbers"),
    ("angle", (RUN, [-1, 0]), "u must separate the examples"),
    ("angle", (BACK_TO_0, [1, 0]), "the run must begin at w = 0"),
    ("update", (RUN, 5), "t must be a whole number from 1 to 4, the number of updates; got 5"),
    ("update", (NO_UPDATE, 1), "there is nothing to draw: the run made no update"),
    ("progress", (RUN, [-1, 0], 1), "u must separate the examples"),
    ("obtuse", (RUN, 0), "t must be a whole number from 1 to 4"),
    ("squeeze", (NO_UPDATE, [1, 1]), "the run must begin at w = 0"),
    ("squeeze", (RUN, [1, 0], 2), "log must be True or False; got 2"),
    ("weight_space", (IRIS_RUN,), "this picture needs examples with two features; got 4"),
    ("votes", (NO_UPDATE,), "there is nothing to draw: the run made no update"),
    ("nearest", ([[1], [2]], [1, 1]), "this picture needs examples with two features; got 1"),
    ("shatter", (A,), "X must be 1 to 4 points in the plane, for 2 to 16 labellings"),
    ("disagreement", (X, [0, 0], [1, 0]), "u is the zero vector"),
    ("lift", (XOR, SIGNS, [1], [0, 0, 1]), "heights must be 4 finite numbers"),
    ("lift", (XOR, SIGNS, 1, [0, 0, 0]), "w is the zero vector"),
    ("chord", (square, 1, 0), "a, b and t must be numbers with a < b and t from 0 to 1"),
    ("chord", (3, 0, 1), "f must be a function; got 3"),
    ("spread", ([1, 2.5], 10, 1), "counts must be whole numbers, 0 or more; got [1, 2.5]"),
    ("spread", ([1, 2], None, 1), "bound must be a finite number above 0; got None"),
    ("spread", ([1, 2], 10, "1"), "given must be a whole number"),
    ("chart", ([2, 3], {"a": [0, 1]}, {}, ("n", "M"), True), "a must be 2 finite numbers above 0"),
    ("chart", ([0, 3], {"a": [1, 1]}, {}, ("n", "M"), False, True), "x must be finite numbers"),
    ("chart", ([2], {c: [1] for c in "abcde"}), "series must be a dict from 1 to 4 names"),
    ("chart", ([2], {"a": [1]}, {}, ("n",)), "names must be two texts, one for each axis"),
    ("bars", ([1, 2],), "named must be a dict from 1 to 12 names"),
    ("increments", (NO_UPDATE, 1), "there is nothing to draw: the run made no update"),
    ("tradeoff", ([1, 2], [1], [1, 2], [1, 2]), "reached must be 2 finite numbers above 0"),
    ("lines", (X, y, {"a": [1, 2, 3]}), "the line 'a' must be a pair (w, b); got [1, 2, 3]"),
    ("failure_rate", (M, [1], SPANS, bound, 0.1, 3), "rates must be 3 finite numbers; got [1]"),
    ("failure_rate", (M, RATES, X, bound, 0.1, 3), "intervals must be 3 pairs (low, high)"),
    ("failure_rate", (M, RATES, SPANS, 0.1, 0.1, 3), "bound must be a function of m; got 0.1"),
    ("failure_rate", (M, RATES, SPANS, bound, 1.5, 3), "delta must be a number strictly between"),
    ("sizes", (KERNEL_RUN,), "a kernel run has no weights"),
    ("bound_curves", ([0, 1], CURVES, 3), "gammas must be finite numbers above 0; got [0, 1]"),
    ("bound_curves", ([1, 2], {**CURVES, "lift bound": None}, 3), "'lift bound' must be 2 finite"),
    ("gram", (X, y), "K must be square"),
    ("regions", (X, y, RUN, LINEAR), "run must be a KernelRun"),
    ("regions", (X, -y, KERNEL_RUN, LINEAR), "the run must be one on these examples"),
    ("regions", (X, y, KERNEL_RUN, "linear"), "kernel must be a function of two tables"),
    ("fitted_line", (X, y, [1, 0]), "x must be a list of numbers, or a table with one column"),
    ("chain", ([[1, 2]], [[1]]), "moves must have shape (2, 2), a row and a column for each label"),
    ("chain", ([[1, 2]] * 21, [[1, 2]] * 2), "scores cannot be drawn beyond 20 places and 20"),
    ("chain", ([[1, 2]], [[1, 2]] * 2, [2]), "truth must be 1 label, one for each place; got [2]"),
    ("chain", ([[1, 2]], [[1, 2]] * 2, [0], [[1, 2]]), "images must be 1 squares, a row of pixels"),
    ("chain", ([[1, 2]], [[1, 2]] * 2, [0], None, "abc"), "labels must be 2 names, one for each"),
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


# --- explorers ------------------------------------------------------------------------------


def states(explorer, moves):
    """The words of an explorer, at first and after each move of a control (its number, a value);
    words and picture together must be new each time, and no text may lie on another."""
    seen = []
    for control, value in [(0, explorer.controls[0].value), *moves]:
        explorer.controls[control].value = value
        assert troubles(explorer.picture.ax.figure) == [], (control, value)
        seen.append((explorer.words + explorer.more.value, explorer.png))
    assert len(set(seen)) == len(seen)
    return [words for words, _ in seen]


@pytest.mark.parametrize("data", runs.STEPPER_DATA)
def test_the_stepper_walks_through_the_whole_run(data):
    explorer, examples = widgets.stepper(), runs.STEPPER_DATA[data]()
    choose, tie, step, play = explorer.controls
    choose.value, step.value, run = data, 0, lib.perceptron(*examples)
    assert len(step.options) - 1 == play.max == run.mistakes
    start, *told = states(explorer, [(2, t) for t in range(1, run.mistakes + 1)])
    assert "Start" in start
    if data != "XOR, with a bias":
        assert "last update" in told[-1]
        assert all(f"Update {t} of {run.mistakes}" in words for t, words in enumerate(told, 1))
    tie.value = "negative"
    run = lib.perceptron(*examples, tie="negative", max_passes=200)
    assert step.value == 0 and play.max == run.mistakes and "Start" in explorer.words


def test_the_stepper_says_of_xor_that_there_is_no_end():
    explorer = widgets.stepper()
    explorer.controls[0].value = "XOR, with a bias"
    _, first, *_, last = states(explorer, [(2, t) for t in range(1, 5)])
    assert "w becomes (0, 0, 1)" in first and "no line: every point is predicted +" in first
    assert "Now w is what it was at the start: the same 4 updates come again, for ever." in last
    explorer.controls[1].value = "negative"
    _, last = states(explorer, [(2, 14)])
    assert "what it was after update 10: the same 4 updates come again, for ever." in last
    every = explorer.picture.run.weights
    assert (every[10] == every[14]).all() and "last update" not in last


def test_the_stored_page_shows_the_stepper_as_a_picture_with_words():
    data, metadata = widgets.stepper()._repr_mimebundle_()
    assert data["image/png"] and "Update 2 of 4" in metadata["image/png"]["alt"]
    assert "application/vnd.jupyter.widget-view+json" in data


MOVES = [
    ("proof", [(1, 1 / 64), (2, 3), (3, True), (0, "unit vectors, n = 16"), (2, 1)],
     "at 16 of 16 updates", "margin"),
    ("margin", [(1, 0.9), (1, 0.7), (1, 0.01), *((0, d) for d in list(runs.MARGIN_DATA)[1:]),
                (1, 0.05)],
     "50 positive and 100 negative examples. From the solid line the nearest positive", ""),
    ("reduction", [(0, 0.3), (1, 0.01), (2, 1 / 4)], "of at most 16", ""),
    ("noise", [(0, 20), (1, 3), (2, 0.05), (2, 0.8)], "20 of 100 labels were flipped", ""),
    ("noise", [(2, 0.1), (0, 0)], "0 of 100 labels were flipped", "which ones"),
    ("kernel", [(3, 1), (1, "polynomial"), (2, 1), *((0, d) for d in list(beyond.KERNEL_DATA)[1:])],
     "40 of 40 are right", "width"),
    ("kernel", [(0, "XOR"), (3, 0.5)], "Gaussian kernel of width 0.5", "degree"),
    ("descent", [(0, 1.05), (1, 30)], "The path diverges: after 30 steps the error is", ""),
    ("chain", [(1, 0), (1, 4), (0, 9), (2, 5), (2, 20)], "over 20 examples, converged", ""),
]  # fmt: skip


@pytest.mark.parametrize("name, moves, words, disabled", MOVES)
def test_explorers_follow_their_controls(name, moves, words, disabled):
    explorer = getattr(widgets, name)()
    told = states(explorer, moves)
    assert words in told[-1]
    assert disabled == "".join(c.description for c in explorer.controls if c.disabled)


def test_the_margin_explorer_keeps_the_promise():
    explorer = widgets.margin()
    data, eps = explorer.controls
    for data.value in runs.MARGIN_DATA:
        for eps.value in (0.9, 0.3, 0.01):
            share = float(re.search(r"([\d.]+)% of the largest\.", explorer.words)[1])
            assert 100 >= share >= 100 * (1 - eps.value)


def test_the_proof_explorer_shows_a_proof_that_holds_on_all_data():
    for told in states(widgets.proof(), [(0, data) for data in list(runs.PROOF_DATA)[1:]]):
        assert told.count("✓") == 18 and "✗" not in told


@pytest.mark.parametrize("name", sorted({name for name, *_ in MOVES} | {"stepper"}))
def test_an_explorer_draws_at_once(name):
    explorer, seconds = getattr(widgets, name)(), []
    for _ in range(5):
        start = time.process_time()
        explorer.refresh()
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.2  # half of it on a machine that does nothing else
