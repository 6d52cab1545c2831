"""Pictures say in words what they show, and the controls of an explorer change both."""

import io
import logging
import time
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from PIL import Image

import perceptron_lib as lib
from perceptron_lib import plots
from perceptron_lib.lessons import algorithm, kernels, lines, margin, mistake_bound, noise, pac
from perceptron_lib.plots import parts, style
from tests.every_picture import figures
from tests.reference import refusals
from tests.rooms import PICTURES

X, y, _ = lib.five_points()
RUN, IRIS_RUN = lib.perceptron(X, y), lib.perceptron(*lib.iris()[:2])
NO_UPDATE, BACK_TO_0 = (lib.perceptron([[1, 1]], [1], start=[v, v]) for v in (1, -1))
KERNEL_RUN, LINEAR = kernels.kernel_perceptron(X @ X.T, y), kernels.linear
A, s, u = lib.separable(14, 2, 0.125, seed=121)
BEST, IRIS_BEST = lib.separate(A, s), lib.separate(*lib.iris()[:2])
XOR, SIGNS, _ = lib.xor()
GAMMAS = np.array([0.1, 0.2])
CURVES = {"sharp hinge bound": [9, 8], "simple hinge bound": [9, 7], "lift bound": [5, 6]}
CURVES = {name: np.array(bound) for name, bound in CURVES.items()}
LESSONS, NAMES = figures(), ("n", "M")
OTHERS = [  # what is not on the sheet, and words to look for (those of the lessons are stored)
    ("plane", (X, y, [0, 0]), "5 examples: 3 of class +, 2 of −: 3 positive and"),
    ("lines", (X, y, {"a": ([1, 0], -2)}), "a: the line is x1 − 2 = 0, with a margin of −1 for a."),
    ("weight_space", (lib.perceptron(XOR, SIGNS),), "4 updates, but no w gets every"),
    ("lift", (XOR, SIGNS, 1, [1, 1, -1]), "lifted all to height 1; "),
    ("chart", ([10, 12, 15, 400, 100000], {"a": [1, 2, 3, 4, 5]}, "Up"), "a: from 1 to 5"),
    ("chart", ([2, 60, 2000], {"a": [1, 2, 3]}, "Up", {}, ("d", "M"), False, True), "to 2,000, "),
    ("timeline", ([0, 3], 10), "None of 2 hypotheses passes its trial of 10: 2 hypotheses were"),
    ("bound_curves", (GAMMAS, CURVES, 3), "the sharp hinge bound is 8 at γ = 0.2"),
    ("bound_curves", (GAMMAS, CURVES, 3, 0.1), "the sharp hinge bound is 9 at γ = 0.1"),
    ("descent", (np.eye(2), [1, 1], {}), "The least error is 0: "),
]


@pytest.fixture(params=style.LOOKS)
def look(request):
    style.look(request.param)
    yield request.param
    style.look("page")


@pytest.mark.parametrize("name", LESSONS)
def test_pictures_of_the_lessons_can_be_read_in_every_look(name, look):
    """On a slide the smallest letters are 20 pixels high, even if a picture is made smaller by a
    fifth; a title is a sentence that one can take in."""
    picture = LESSONS[name]()
    look_at_all(picture)
    assert len(picture.alt.partition(": ")[0]) <= 60
    assert covered(picture.figure) == []
    points = min(t.get_fontsize() for t in picture.figure.findobj(Text) if t.get_text())
    assert points >= style.LOOK["points"]
    if look == "slide":
        assert points / 72 * style.LOOK["pixels"] >= 20 / 0.8


@pytest.mark.parametrize("name, data, words", OTHERS)
def test_other_pictures_have_them_too_and_are_drawn_alike_again(name, data, words):
    picture = PICTURES[name](*data)
    look_at_all(picture, words)
    assert PICTURES[name](*data).png == picture.png


def look_at_all(picture, words=""):
    """The pixels of a picture, its words, its axes and its texts are as they should be."""
    look_at(picture)
    pixels, ground = np.asarray(Image.open(io.BytesIO(picture.png)).convert("L")), card()
    assert pixels.shape[0] > 100 and 0.001 < (abs(pixels - ground[0]) > 55).mean() < 0.5
    assert words in picture.alt and picture.alt.endswith(".")
    bundle, metadata = picture._repr_mimebundle_()
    about = metadata["image/png"]
    assert about["alt"] == bundle["text/plain"] == picture.alt
    assert (2 * about["height"], 2 * about["width"]) == pixels.shape  # sharp on any screen
    assert min(map(contrast, colours(picture.figure))) >= 2.9


def test_every_public_picture_is_on_the_contact_sheet():
    assert PICTURES.keys() == {name.split(",")[0] for name in LESSONS}


def colours(figure):
    """The colours of the lines and texts to be seen in a figure."""
    artists = [artist for kind in (Line2D, Text) for artist in figure.findobj(kind)]
    return {to_rgb(artist.get_color()) for artist in artists if artist.get_visible()}


def card():
    """The ground that pictures are drawn on, from 0 to 255."""
    return np.round(255 * np.array(to_rgb(style.CARD)))


def contrast(colour):
    """The contrast ratio of WCAG 2 between a colour and the ground that it is drawn on."""
    high, low = sorted(map(luminance, (colour, card() / 255)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour]
    return np.dot([0.2126, 0.7152, 0.0722], linear)


def test_a_line_in_the_palest_colour_would_be_found():
    figure = Figure()
    figure.subplots().plot([0, 1], color=style.SKY)
    assert sorted(map(contrast, colours(figure)))[0] < 2.9


def test_a_look_that_there_is_not_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r'look must be "page", "slide" or "dark"; got \'night\'$'):
        plots.look("night")


@style.letters()
def covered(figure):
    """The texts beside something that lie over a dot."""
    figure.draw_without_rendering()
    under = []
    for ax in figure.axes:
        boxes = [(t.get_text(), t.get_window_extent().padded(-3)) for t in ax.texts if t.get_text()]
        dots = [marks.get_offsets() for marks in ax.collections]
        dots += [line.get_xydata() for line in ax.lines if line.get_marker() in tuple("osD*")]
        dots = [x for some in dots if len(some) <= 60 for x in ax.transData.transform(some)]
        under += [text for text, box in boxes if any(box.contains(*x) for x in dots)]
    return under


def test_a_text_over_a_dot_would_be_found():
    figure = style.card(3)
    ax = figure.subplots()
    ax.plot([0.5], [0.5], "o")
    ax.text(0.5, 0.5, "over it", ha="center", va="center")
    assert covered(figure) == ["over it"]


# --- axes and texts -------------------------------------------------------------------------

SIZES = {
    "one example": ([[1, 2]], [1]),
    "one class": ([[1, 2], [2, 1], [3, 3]], [-1, -1, -1]),
    "large": lib.separable(300, 2, 0.02, seed=1)[:2],
    "on a line": ([[1, 0], [2, 0], [-3, 0], [-1, 0]], [1, 1, -1, -1]),
    "inseparable": noise.flip_labels(lib.separable(60, 2, 0.1, seed=2), 7)[:2],
    "huge numbers, far from 0": (1e9 * (A + np.array([100, 50])), s),
    "tiny numbers": (1e-9 * A, s),
}


def of_examples(X, y):
    """Every picture that can be made of any examples in the plane."""
    X, y = np.array(X, dtype=float), np.array(y)
    run, answer = lib.perceptron(X, y, max_passes=3), lib.separate(X, y)
    yield from (plots.plane(X, y), plots.plane(X, y, run.w, 0.5), algorithm.steps(run))
    yield from (plots.lines(X, y, {"w": (run.w, 0), "other": ([1, 2], 1)}), lines.nearest(X, y))
    yield from (pac.disagreement(X, [1, 2], run.w), noise.votes(run, [1, 2]), plots.update(run, 1))
    yield from (mistake_bound.obtuse(run, run.mistakes), plots.weight_space(run), noise.sizes(run))
    yield from (noise.moves(X, y, run.w, 1), lines.lift(X, y, 1, [1, 1, 1]))
    yield noise.ruled_by_one(X, y, run.w, [1, 2])
    if len(X) <= 100:
        kernel_run = kernels.kernel_perceptron(kernels.linear(X, X), y, max_passes=3)
        yield kernels.regions(X, y, kernel_run, kernels.linear)
        yield kernels.gram(kernels.linear(X, X), y)
    if isinstance(answer, lib.Separator):
        yield plots.margins(X, y, run.w, answer, 0)
        yield mistake_bound.progress(run, answer.w, run.mistakes)
        yield from (plots.squeeze(run, answer.w), plots.squeeze(run, answer.w, log=True))
        yield mistake_bound.wandering(run)
        if not np.array_equal(X, 1e9 * (A + np.array([100, 50]))):  # whose walls meet too late
            yield margin.walls(lib.margin_perceptron(X, y), answer.w, answer.margin)
    elif isinstance(proof := lib.separate(lib.with_bias(X), y), lib.Inseparable):
        yield lines.certificate(X, y, proof.multipliers)


@pytest.mark.parametrize("size", SIZES)
def test_examples_of_any_size_are_drawn_with_names_and_clear_texts(size, caplog):
    with caplog.at_level(logging.WARNING):
        for picture in of_examples(*SIZES[size]):
            look_at(picture)
    assert not caplog.records  # matplotlib has nothing to complain of


def look_at(picture):
    """Axes have names, the alternative text has a number, and each text can be read."""
    for ax in (ax for ax in picture.figure.axes if ax.get_visible() and ax.axison):
        for axis in (ax.xaxis, ax.yaxis):
            named = axis.get_visible() and axis.label.get_visible()
            if named and len(axis.get_ticklocs()) and ax.get_label() != "<colorbar>":
                assert axis.get_label().get_text(), picture.alt
    assert any(c.isdigit() for c in picture.alt)
    assert troubles(picture.figure) == [], picture.alt


@style.letters()
def troubles(figure):
    """The texts that leave a figure, or that lie over another text, where they were when it was
    stored."""
    flat = [ax for ax in figure.axes if ax.get_visible()]
    texts = [text for part in (*flat, figure) for text in part.findobj(Text, include_self=False)
             if part is not figure or text in figure.texts]  # fmt: skip
    unused, usual, figure.dpi = unused_numbers(flat), figure.dpi, 2 * style.LOOK["pixels"]
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
    unused = set()
    for axis in (axis for ax in axes for axis in (ax.xaxis, ax.yaxis)):
        (low, high), ticks = sorted(axis.get_view_interval()), axis.get_major_ticks()
        room = 1e-9 * (high - low)
        hidden = [tick for tick in ticks if not low - room <= tick.get_loc() <= high + room]
        hidden += [] if axis.get_visible() else ticks
        unused.update(label for tick in hidden for label in (tick.label1, tick.label2))
    return unused


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
        figure = style.card(3, layout="constrained")
        parts.label(figure.subplots(), names)
        look_at(plots.Picture(figure, alt))

    look(("x", "y"), "1 line.")
    for names, alt in ((("x", ""), "1 line."), (("x", "y"), "A line.")):
        with pytest.raises(AssertionError):
            look(names, alt)


def test_a_note_moves_away_from_marks_and_texts():
    figure = style.card(3)
    ax = figure.subplots()
    ax.set(xticks=[], yticks=[])
    parts.marks(ax, np.array([[0.5, 0.5], [0.53, 0.53]]), np.array([1, 1]))
    notes = [parts.note(ax, "a note", (0.5, 0.5)) for _ in range(3)]
    plots.png(figure)
    assert troubles(figure) == [] and len({note.get_position() for note in notes}) == 3


def test_equal_axes_are_equal_and_fill_the_picture():
    for data in ((X, y), (A, s), (lib.iris().X[:, 2:], lib.iris().y)):
        figure = plots.plane(*data).figure
        (ax,) = figure.axes
        (left, low), (right, high) = ax.transData.transform([[0, 0], [1, 1]])
        assert right - left == pytest.approx(high - low)
        box = ax.get_window_extent()
        assert box.width * box.height > 0.5 * figure.bbox.width * figure.bbox.height


test_what_cannot_be_drawn_is_refused_in_one_sentence = refusals({
    "this picture needs examples with two features; got [134]$": [
        ("plane", lib.with_bias(X), y), ("weight_space", IRIS_RUN), ("nearest", [[1]], [1])],
    "w must be 2 finite numbers": [("plane", X, y, [1, 2, 3])],
    "w cannot be drawn: its size is beyond": [("plane", X, y, [1e200, 0])],
    "the run must be on two features": [("steps", IRIS_RUN)],
    "w must be a finite number other than 0; got 0": [("threshold", [1, 2], [-1, 1], 0, 1)],
    "[uw] is the zero vector": [
        ("margins", A, s, [0, 0], BEST, 0), ("disagreement", X, [0, 0], [1, 0])],
    "best must be a Separator; got": [("margins", A, s, u, u, 0)],
    "best.w must be 2 finite numbers": [("margins", A, s, u, IRIS_BEST, 0)],
    "multipliers must be whole λ_i >= 0 with": [("certificate", XOR, SIGNS, [1, 1, 1, 2])],
    "u (does not|must) separate the examples": [
        ("squeeze", RUN, [-1, 0]), ("progress", RUN, [-1, 0], 1)],
    "the run must begin at w = 0": [("wandering", BACK_TO_0), ("squeeze", NO_UPDATE, [1, 1])],
    "t must be a whole number from 1 to 4, the number of updates; got": [
        ("update", RUN, 5), ("obtuse", RUN, 0)],
    "there is nothing to draw: the run made no update": [
        ("update", NO_UPDATE, 1), ("votes", NO_UPDATE, [1, 2])],
    "height must be a finite number, or a text": [("lift", XOR, SIGNS, "high", [0, 0, 1])],
    "a must be 2 finite numbers above 0": [("chart", [2, 3], {"a": [0, 1]}, "", {}, NAMES, True)],
    "x must be finite numbers": [("chart", [0, 3], {"a": [1, 1]}, "", {}, NAMES, False, True)],
    "series must be a dict from 1 to 4 names": [("chart", [2], {c: [1] for c in "abcde"}, "")],
    "names must be two texts, one for each axis": [("chart", [2], {"a": [1]}, "", {}, ("n",))],
    "title must be a text; got 1": [("bars", {"a": 1}, 1)],
    "X must be 1 to 4 points in the plane, for 2 to 16 labellings": [("shatter", A)],
    "a kernel run has no weights": [("sizes", KERNEL_RUN)],
    r"moves must have shape \(2, 2\), a row and a column": [("best_path", [[1, 2]], [[1]])],
}, act=lambda call: PICTURES[call[0]](*call[1:]))  # fmt: skip


# --- explorers ------------------------------------------------------------------------------


def states(explorer, moves):
    """The words of an explorer, at first and after each move of a control (its number, a value);
    words and picture together must be new each time, and no text may lie on another."""
    shown = []
    for control, value in [(0, explorer.controls[0].value), *moves]:
        explorer.controls[control].value = value
        assert troubles(explorer.picture.ax.figure) == [], (control, value)
        shown.append((explorer.words + explorer.more.value, explorer.png))
    assert len(set(shown)) == len(shown)
    return [words for words, _ in shown]


@pytest.mark.parametrize("data", lines.STEPPER_DATA)
def test_the_stepper_walks_through_the_whole_run(data):
    explorer, examples = lines.explorer(), lines.STEPPER_DATA[data]()
    choose, tie, step, play = explorer.controls
    choose.value, step.value, run = data, 0, lib.perceptron(*examples)
    assert len(step.options) - 1 == play.max == run.mistakes
    start, *updates = states(explorer, [(2, t) for t in range(1, run.mistakes + 1)])
    assert "Start" in start
    if data != "XOR, with a bias":
        assert "last update" in updates[-1]
        assert all(f"Update {t} of {run.mistakes}" in words for t, words in enumerate(updates, 1))
    tie.value = "negative"
    run = lib.perceptron(*examples, tie="negative", max_passes=200)
    assert step.value == 0 and play.max == run.mistakes and "Start" in explorer.words


def test_the_stepper_says_of_xor_that_there_is_no_end():
    explorer = lines.explorer()
    assert explorer.controls[0].value == "XOR, with a bias"
    explorer.controls[2].value = 0
    _, first, *_, last = states(explorer, [(2, t) for t in range(1, 5)])
    assert "w becomes (−1, −1, 1)" in first and "w becomes (0, 0, 0)" in last
    assert "Now w is what it was at the start: the same 4 updates come again, for ever." in last
    explorer.controls[1].value = "positive"
    _, last = states(explorer, [(2, 7)])
    assert "what it was after update 3: the same 4 updates come again, for ever." in last
    every = explorer.picture.kept["run"].weights
    assert (every[3] == every[7]).all() and "last update" not in last


MOVES = [
    ("survivors", [(0, 0.3), (1, 0.01), (2, 1 / 4)], "of at most 16", ""),
    ("kernels", [(3, 1), (1, "polynomial"), (2, 1),
                 *((0, d) for d in list(kernels.KERNEL_DATA)[1:])],
     "40 of 40 are right", "width"),
    ("kernels", [(0, "coin tosses"), (3, 0.05)], "60 of 60 are right", "degree"),
    ("bridge", [(0, 1.05), (1, 30)], "The path diverges: after 30 steps the error is", ""),
    ("structured", [(1, 0), (1, 8), (0, 9), (2, 5), (2, 20)], "over 20 examples, converged", ""),
]  # fmt: skip


@pytest.mark.parametrize("name, moves, words, disabled", MOVES)
def test_explorers_follow_their_controls(name, moves, words, disabled):
    explorer = import_module(f"perceptron_lib.lessons.{name}").explorer()
    assert words in states(explorer, moves)[-1]
    assert disabled == "".join(c.description for c in explorer.controls if c.disabled)


@pytest.mark.parametrize("name", sorted({name for name, *_ in MOVES} | {"lines"}))
def test_an_explorer_draws_at_once(name):
    explorer, seconds = import_module(f"perceptron_lib.lessons.{name}").explorer(), []
    for _ in range(5):
        start = time.process_time()
        explorer.refresh()
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.5  # a tenth of a second, on a machine that does nothing else
