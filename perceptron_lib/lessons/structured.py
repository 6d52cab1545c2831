"""Lesson 11, more than two labels.

w = 0
    again and again, for each example x with its right answer y*:
        ŷ = the answer with the highest score w·φ(x, y)
        if ŷ is not y*:  w = w + φ(x, y*) - φ(x, ŷ)

The answer given had the highest score, so w·z <= 0 for the difference z that is added: a mistake
like any other, and the mistake bound holds as it stands, with the differences for examples (S3).

A model says what the answers are, what φ is, and how the best answer is found: `Answers` tries all
of a list, `Classes` does so with a block of weights for each (S1), `Chain` finds the best of all
rows of labels by dynamic programming (S2).  Of several best answers the first in the list is given.

All is decided in whole numbers.  A model reads an example as a table of floats, of which φ is made
by adding and placing; scaled by a power of two, tables, features and w are whole.
"""

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise, product

import numpy as np

from perceptron_lib import averages, checks, exact
from perceptron_lib.examples import Examples, from_scikit_learn, random_bits, random_whole
from perceptron_lib.exercises import checker, require, small_coordinates, value_of, whole_list
from perceptron_lib.plots import parts, style
from perceptron_lib.progress import Progress
from perceptron_lib.run import Run
from perceptron_lib.show import count, number, numbers, plain, refusal, shown
from perceptron_lib.widgets.explorer import Explorer, Redrawn, axes, slider

model_door = partial(  # the model reads X and y, and it knows how long u must be
    checks.door,
    **dict.fromkeys("Xyu", lambda value, *_: value),
    model=lambda v, *_: checks.instance(v, Answers, "model", "a model, such as Classes('abc')"),
)


@model_door
def perceptron(X, y, model, max_passes=1000):
    """The `Run` of the Perceptron over the examples (Collins 2002), on the differences it added.

    A row of its Z is φ(x, y*) - φ(x, ŷ) for a pair of an example and a wrong answer, in the order
    in which these were first met; `pairs` names them, and `updates` are the numbers of such rows.

    >>> perceptron([[2, 0], [0, 1], [-1, -1]], ["a", "b", "c"], Classes("abc"))
    Run: 2 mistakes in 2 passes over 3 examples, converged
    """
    examples, right, exponent = _whole(X, y, model)
    room = max(map(_room, examples))
    w = 0 * model.phi(examples[0], right[0])
    pairs, updates, steps, passed, before = {}, [], [], 0, -1
    with Progress() as progress:
        while passed < max_passes and len(updates) > before:
            before = len(updates)
            for i, x in enumerate(examples):
                answer = model.best(w, x)
                if answer != right[i]:
                    w = _roomy(w + model.phi(x, right[i]) - model.phi(x, answer), room)
                    updates.append(pairs.setdefault((i, answer), len(pairs)))
                    steps.append(passed * len(examples) + i)
            passed += 1
            progress("pass {:,} of at most {:,}: {:,} updates", passed, max_passes, len(updates))
    Z = [model.phi(examples[i], right[i]) - model.phi(examples[i], wrong) for i, wrong in pairs]
    Z = np.array(Z, dtype=w.dtype).reshape(len(Z), len(w))
    rows = exact.floats(Z, exponent)
    if not np.isfinite(rows).all() or not (exact.integers(rows, exponent)[0] == Z).all():
        raise ValueError("X must have fewer digits: floats cannot hold all sums of its features")
    # At a tie the answer that is first is given: it is the right one (+1) or the wrong one.
    signs = np.array([1 if right[i] < wrong else -1 for i, wrong in pairs], dtype=np.int64)
    return StructuredRun(
        signs[:, None] * rows, signs, np.zeros(len(w)), "positive", "pairs",
        np.array(updates, dtype=np.int64), np.array(steps, dtype=np.int64), passed,
        "converged" if len(updates) == before else "stopped",
        pairs=[(i, model.named(wrong)) for i, wrong in pairs], model=model, examples=examples,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class StructuredRun(Run):
    """A run whose Z are differences φ(x, y*) - φ(x, ŷ), one for each pair that was met.

    pairs : for each row of Z the number of the example, and the wrong answer
    y : +1 for a pair whose right answer would win a tie, -1 for the others
    model, examples : what answers there are, and the examples as the model reads them

    >>> run = perceptron([[2, 0], [0, 1], [-1, -1]], ["a", "b", "c"], Classes("abc"))
    >>> run.pairs, run.predict([[1, 0]]), run.scores([1, 0]).tolist()
    ([(1, 'a'), (2, 'a')], ['a'], [1.0, 0.0, -1.0])
    """

    pairs: list = ()
    model: object = None
    examples: list = ()

    @property
    def examples_per_pass(self):
        return len(self.examples)

    def predict(self, X, w=None):
        """The answer with the highest score for each example, by the last weights or by others,
        such as `averages.averaged_weights(run)` (S5)."""
        W = self.exact_w[0] if w is None else exact.ray(checks.fractions(w, len(self.w), "w"))
        W, examples = exact.integers(W)[0], [exact.integers(x)[0] for x in self.model.read(X)]
        return [self.model.named(self.model.best(_roomy(W, _room(x)), x)) for x in examples]

    def scores(self, x):
        """What the last weights say of one example, in floats: the score of each answer; for a
        chain, that of each label in each place, and of each move from one label to the next."""
        return self.model.scores(self.w, self.model.read([x])[0])


@model_door
def least_score(X, y, model, u):
    """γ_u||u||: the least u·(φ(x, y*) - φ(x, y)) over all examples and all wrong answers, exactly.

    >>> least_score([[2, 0], [0, 1]], ["a", "b"], Classes("ab"), [1, 0, 0, 1])
    Fraction(1, 1)
    """
    examples, right, exponent = _whole(X, y, model)
    U, unit = exact.rational(checks.fractions(u, len(model.phi(examples[0], right[0]))))
    U = _roomy(exact.integers(U)[0], max(map(_room, examples)))
    leads = [exact.dot(model.phi(x, answer), U) - model.runner_up(U, x, answer)
             for x, answer in zip(examples, right, strict=True)]  # fmt: skip
    return int(min(leads)) * unit * Fraction(2) ** exponent


@checks.door
def viterbi(scores, moves):
    """The row of labels 0 … K-1 with the highest sum (Viterbi 1967): of scores[t, y_t] over all
    places t, and of moves[y_t, y_{t+1}] from each place to the next.

    >>> viterbi([[3, 0], [1, 2], [1, 2]], [[2, 0], [0, 2]])
    (0, 0, 0)
    """
    if moves.shape != (square := 2 * scores.shape[1:]):
        raise ValueError(f"moves must have shape {square}, a row and a column for each label")
    whole = exact.integers(np.vstack([scores, moves]))[0].astype(object)
    return _path(whole[: len(scores)], whole[len(scores) :])


def _path(scores, moves):
    onwards = _onwards(scores, moves)
    path = [int(onwards[0].argmax())]
    for ahead in onwards[1:]:
        path.append(int((moves[path[-1]] + ahead).argmax()))  # the first, if there are several
    return tuple(path)


def _onwards(scores, moves):
    """For each place and label the highest sum from there to the end, found from the end back."""
    sums = [scores[-1]]
    for here in scores[-2::-1]:
        sums.append(here + (moves + sums[-1]).max(axis=1))
    return sums[::-1]


def _listed(values, name):
    """Things in a list, one at least."""
    entries = values.to_numpy() if hasattr(values, "to_numpy") else values
    if not isinstance(entries, (list, tuple, str, range, np.ndarray)) or not len(entries):
        raise refusal(name, "a list with one entry or more", values)
    return list(entries)


class Answers:
    """One of a list of answers, by any features φ(x, y); the best is found by trying all.

    An answer goes by its number in the list here.  `read` and `numbered` are the way in, `named`
    is the way out.

    >>> halves = Answers([1, -1], lambda x, y: y * np.array(x) / 2)  # the binary Perceptron (S4)
    """

    def __init__(self, answers, features=None):
        self.answers, self.features = [plain(v) for v in _listed(answers, "answers")], features

    def __len__(self):
        return len(self.answers)

    def read(self, X):
        """For each example the table of φ(x, y), a row for each answer."""
        return [checks.table([self.features(x, y) for y in self.answers], "features(x, y)")
                for x in _listed(X, "X")]  # fmt: skip

    def numbered(self, answer, x, i):
        """The number of an answer to x, which is example i."""
        with suppress(TypeError, ValueError):  # of what is not among them, or cannot be compared
            return self.answers.index(plain(answer))
        some = ", ".join(map(shown, self.answers[:10])) + ", …" * (len(self) > 10)
        raise ValueError(f"y must have answers among {some}; example {i} has {shown(answer)}")

    def named(self, k):
        return self.answers[k]

    def every(self, x):
        return range(len(self))

    def phi(self, x, k):
        return x[k]

    def scores(self, w, x):
        return x @ w

    def best(self, w, x):
        return int(self.scores(w, x).argmax())  # the first, if there are several

    def runner_up(self, w, x, k):
        """The highest score of an answer other than k."""
        return np.delete(self.scores(w, x), k).max()


class Classes(Answers):
    """A vector of weights for each answer: φ(x, y) is x in block y, and 0 elsewhere (S1).

    >>> Classes("abc").phi(np.array([5, 7]), 1).tolist()
    [0, 0, 5, 7, 0, 0]
    """

    def read(self, X):
        return list(checks.table(X))

    def phi(self, x, k):
        blocks = np.zeros((len(self), len(x)), dtype=x.dtype)
        blocks[k] = x
        return blocks.ravel()

    def scores(self, w, x):
        return w.reshape(len(self), -1) @ x


class Chain(Classes):
    """A label for each place of a row x = (x_1, …, x_T).  The block of a label has the sum of the
    x_t with that label, and then, for each label, how often it comes next (S2).

    >>> run = perceptron([[[1], [-1]], [[-1], [-1]]], ["ab", "bb"], Chain("ab"))
    >>> run.pairs
    [(0, ('a', 'a'))]
    """

    def read(self, X):
        """The rows as tables; a last column of ones is what a move counts."""
        tables = [checks.table(x, f"X[{i}]") for i, x in enumerate(_listed(X, "X"))]
        return [np.hstack([x, np.ones((len(x), 1))]) for x in tables]

    def numbered(self, labels, x, i):
        labels = _listed(labels, f"y[{i}]")
        if len(labels) != len(x):
            raise ValueError(f"y[{i}] must be one label for each of the {len(x)} places of its row")
        return tuple(Classes.numbered(self, label, x, i) for label in labels)

    def named(self, path):
        return tuple(self.answers[k] for k in path)

    def every(self, x):
        return product(range(len(self)), repeat=len(x))

    def phi(self, x, path):
        d = x.shape[1] - 1
        blocks = np.zeros((len(self), d + len(self)), dtype=x.dtype)
        for place, k in zip(x, path, strict=True):
            blocks[k, :d] += place[:d]
        for k, after in pairwise(path):
            blocks[k, d + after] += x[0, d]
        return blocks.ravel()

    def scores(self, w, x):
        """The score of each label in each place, and of each move from a label to the next."""
        blocks, d = w.reshape(len(self), -1), x.shape[1] - 1
        return x[:, :d] @ blocks[:, :d].T, x[0, d] * blocks[:, d:]

    def best(self, w, x):
        return _path(*self.scores(w, x))

    def runner_up(self, w, x, path):
        """The best of the others leaves the path at some place, for another label there."""
        (scores, moves), others, so_far = self.scores(w, x), [], 0
        for t, (ahead, k) in enumerate(zip(_onwards(scores, moves), path, strict=True)):
            move = moves[path[t - 1]] if t else 0 * moves[0]
            others.append(so_far + np.delete(move + ahead, k).max())
            so_far += move[k] + scores[t, k]
        return max(others)


def _whole(X, y, model):
    """Examples and right answers as a model reads them, in whole numbers of 2**exponent."""
    tables, y = model.read(X), _listed(y, "y")
    if len(y) != (n := len(tables)):
        raise ValueError(f"y must be one answer for each of the {n} examples; got {len(y)}")
    right = [model.numbered(y[i], x, i) for i, x in enumerate(tables)]
    exponent = min((exact.lowest_bit(x) for x in tables if x.any()), default=0)
    tables = [exact.integers(x, exponent)[0] for x in tables]
    return [_roomy(x, x.size.bit_length() + 1) for x in tables], right, exponent


def _room(x):
    """How many bits a score may have beyond those of w."""
    return exact.bits(x) + x.size.bit_length()


def _roomy(w, room):
    """w (or an example), in Python's integers where int64 may be too short for sums with it."""
    return w.astype(object) if exact.bits(w) + room > 61 else w


def ten_digits():
    """1797 handwritten digits of 8 x 8 whole grey values, with what they show, 0 to 9 (S1).

    >>> ten_digits().y[:12].tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]
    """
    return Examples(*from_scikit_learn("digits.csv.gz"))


@checks.door(n=checks.limit(checks.whole, 1, 10**4), length=checks.limit(checks.whole, 1, 100))
def digit_rows(n=60, length=8, held_out=False, seed=0):
    """n rows of handwritten digits in which each is the last plus 0, 1 or 2, modulo 10 (S2).

    X[i, t] are the grey values of a digit in sixteenths, from 0 to 1, and y[i, t] is what it shows.
    The images are drawn, each time anew, from the first 900; those held out, from the other 897.

    >>> X, y, _ = digit_rows(n=2, length=5)
    >>> X.shape, y.tolist()
    ((2, 5, 64), [[6, 6, 6, 7, 7], [9, 0, 0, 0, 2]])
    """
    grey, digit = from_scikit_learn("digits.csv.gz")
    source, images = random_bits(seed), np.arange(900, len(digit)) if held_out else np.arange(900)
    steps = np.hstack([random_whole(source, (n, 1), 0, 9),
                       random_whole(source, (n, length - 1), 0, 2)])  # fmt: skip
    y, drawn = np.cumsum(steps, axis=1) % 10, random_whole(source, (n, length), 0, 10**9)
    chosen = np.empty_like(y)
    for k in range(10):
        own = images[digit[images] == k]
        chosen[y == k] = own[drawn[y == k] % len(own)]
    return Examples(grey[chosen] / 16, y)


# --- pictures -------------------------------------------------------------------------------------


@style.picture(4.8)
def best_path(ax, scores, moves, truth=None, images=None, labels=None, title=""):
    """The labels for each place of a row, and the path of the highest sum through them (S2).

    `scores` has a row for each place, and moves from label k to l are worth `moves`[k, l]; `truth`
    are the right labels, `images` square pictures of the places, `labels` the names of 0, 1, ….

    >>> best_path([[3, 0], [1, 2], [1, 2]], moves=[[2, 0], [0, 2]])
    The best path: 0 0 0, with sum 9: 3 places, 2 labels; scores (3, 0), (1, 2), (1, 2); moves ...
    """
    path, scores, moves = viterbi(scores, moves), np.array(scores), np.array(moves)
    T, K = scores.shape
    names = [str(name) for name in labels or range(K)]
    alone, places = scores.argmax(axis=1), np.arange(1, T + 1)
    ax.set(xlim=(0.5, T + 0.5), ylim=(K - 0.5, -0.5), xlabel="place in the row", ylabel="label")
    ax.set_xticks(places)
    ax.set_yticks(range(K), names)
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    if images is not None:
        _images(ax, images, T, K)
    _nodes(ax, scores, moves)
    ax.plot(places, path, **style.W | {"lw": 2.4}, zorder=3, label="best path")
    best, by_themselves = (" ".join(names[k] for k in p) for p in (path, alone))
    total = number(_path_sum(path, scores, moves))
    words = [f"{say} {', '.join(map(numbers, table))}"
             for say, table in (("scores", scores), ("moves", moves)) if K <= 3]  # fmt: skip
    words.append(f"the best path is {best}, with sum {total}")
    finding = f"The best path: {best}, with sum {total}"
    if (alone != path).any():
        look = {"lw": 1.4, "ls": ":", "marker": "s", "mfc": "none", "ms": 16, "zorder": 2}
        ax.plot(places, alone, **style.AID | look, label="each alone")
        words.append(f"by its own scores each place would be {by_themselves}")
    if truth is not None:
        look = style.OBSERVED | {"lw": 0, "ms": 10, "zorder": 4}
        ax.plot(places, truth, **look, label="right label")
        words.append(f"the right labels are {' '.join(names[k] for k in truth)}")
        hits, alone_hits = (int(np.equal(p, truth).sum()) for p in (path, alone))
        finding = f"The best path has {hits} of {T} right; each place alone, {alone_hits}"
    parts.key(ax)
    return finding, f"{count(T, 'place')}, {count(K, 'label')}; {'; '.join(words)}."


def _path_sum(path, scores, moves):
    return scores[np.arange(len(path)), path].sum() + moves[path[:-1], path[1:]].sum()


def _nodes(ax, scores, moves):
    """A disc for each label at each place, by its score; all moves and numbers, if few."""
    T, K = scores.shape
    low, span = scores.min(axis=1, keepdims=True), np.ptp(scores, axis=1, keepdims=True)
    share = (scores - low) / np.where(span, span, 1)
    at = [(t, k) for t in range(1, T + 1) for k in range(K)]
    few = K <= 3  # whose numbers have room
    size = 420 if few else 14 + 120 * share.ravel() ** 3
    ax.scatter(*np.array(at).T, s=size, color=style.GREY, alpha=0.25 if few else 0.4, lw=0)
    if not few:
        return
    style.resize(ax.figure, 1.8 + 1.1 * K)
    box = {"boxstyle": "square,pad=0.05", "fc": style.CARD, "lw": 0}
    worth = style.TEXT | {"color": style.GREY, "zorder": 5, "bbox": box}
    for t, k in at:
        ax.text(t, k + (0.27 if k == K - 1 else -0.24), number(scores[t - 1, k]), **style.TEXT)
        for after in range(K if t < T else 0):
            ax.plot([t, t + 1], [k, after], **style.AID, zorder=0)
            ax.text(t + 0.25, k + 0.25 * (after - k), number(moves[k, after]), **worth)


def _images(ax, images, T, K):
    """The picture of each place, below it."""
    side, tall = round(images.shape[1] ** 0.5), 0.19 * K
    ax.set_ylim(K - 0.4 + tall, -0.5)
    squares = np.full((side, T, side + 3), np.nan)  # with gaps between them
    squares[:, :, 1:-2] = images.reshape(T, side, side).swapaxes(0, 1)
    box = (0.5, T + 0.5, K - 0.45 + tall, K - 0.45)
    ax.imshow(squares.reshape(side, -1), cmap="gray_r", extent=box, aspect="auto", zorder=1)


# --- an explorer ----------------------------------------------------------------------------------


def explorer():
    """Choose a row of digits that was held out, how many rows to learn from, and how much the
    moves count; the best path follows (S2).  At 0 each digit is read by itself.

    >>> print(explorer().words)
    The best path has 7 of 8 right; each place alone, 6. Row 3 of those held out; Run: ...
    """
    row = slider("row", [3, 9, 20, 33], 3)
    weight = slider("moves count", [0, 0.5, 1, 8], 1)
    rows = slider("learn from", [5, 20, 60, 100], 60, "{} rows".format)
    X, y, _ = digit_rows(100, held_out=True, seed=2)

    def load():
        data = digit_rows(rows.value, seed=1)
        learned = perceptron(data.X, data.y, Chain(range(10)))
        return Redrawn(best_path, *axes(5, (0.09, 0.21, 0.88, 0.77))), learned

    def draw(picture, learned):
        scores, moves = learned.scores(X[row.value])
        finding, words = picture.show(
            scores=scores, moves=weight.value * moves, truth=y[row.value], images=X[row.value])
        return finding, f"Row {row.value} of those held out; {learned}. {words}", ""

    return Explorer([row, weight, rows], load, draw, [rows])


# --- the exercises --------------------------------------------------------------------------------


THREE_CLASSES = np.array([[1, 2], [2, 1], [-1, -1]]), np.arange(3)
SIX_EXAMPLES = np.array([[3, 0], [2, 1], [-1, 3], [-2, 2], [-1, -2], [0, -3]]), np.arange(6) // 2
FOUR_PLACES = (
    np.array([[3, 4, 2], [4, 3, 2], [0, 2, 1], [0, 4, 1]]),
    np.array([[2, 1, 1], [-2, -2, 2], [0, -2, -2]]),
)


@checker(
    "11.1",
    "Begin with the loop of the lesson. Where in it have the weights just given an answer?",
    "Add `W` to the sum before the `if`, at every example of every pass, the last one included.",
)
def averaged_classes(learn):
    """A function of X, y and K that returns the sum of the weights in use, a row a class (S5)."""
    for X, y in (THREE_CLASSES, SIX_EXAMPLES):
        run = perceptron(X, y, Classes(range(3)))
        given = checks.table(value_of(learn, X.copy(), y.copy(), 3), "what your function returns")
        require(given.shape == (3, 2), "a table is asked for, a row for each of the K classes")
        given, used = given.ravel(), averages.averaged_weights(run)
        require((given != run.w).any(), "these are the last weights, and not a sum")
        require((given != used + run.w).any(), "each table counts as it was when it answered")
        on = f"on the examples {', '.join(map(numbers, X))} it is {numbers(used)}, row after row"
        require((given == used).all(), f"your sum is {numbers(given)}; {on}")
    return "each table was added as often as it gave an answer."


@checker(
    "11.2",
    "The second-best path leaves the best one, drawn above, somewhere. Try each place in turn.",
    "Suppose the paths part at the first place. Take another label there, then the best "
    "continuation. Compare the sums that you get for the four places.",
)
def second_best_path(path):
    """The path of the second highest sum through `FOUR_PLACES` (S3)."""
    expected = "a path is a list of four labels, each 0, 1 or 2"
    path = tuple(whole_list(path, expected))
    require(len(path) == 4 and set(path) <= {0, 1, 2}, expected)
    sums = {p: _path_sum(p, *FOUR_PLACES) for p in product(range(3), repeat=4)}
    require(path != (best := viterbi(*FOUR_PLACES)), "this is the best path itself")
    higher = sum(value > sums[path] for value in sums.values()) - 1
    reached = f"its sum is {sums[path]}, and"
    more = f"besides the best, {count(higher, 'path')} with more can be found"
    require(not higher, f"{reached} {more}")
    return f"{reached} the best has {sums[best]}."


@checker(
    "11.3",
    "Greedy chooses the first label without looking at the moves. Make the label that scores "
    "lower at the first place pay off later.",
    "Let the first place prefer label 0 by a little, the second place prefer neither, and let "
    "one move from label 1 be worth a lot.",
)
def greedy_goes_astray(scores, moves):
    """Scores and moves for which reading from left to right misses the best path (S2)."""
    scores, moves = checks.table(scores, "scores"), checks.table(moves, "moves")
    require(scores.shape == moves.shape == (2, 2), "both tables must have 2 rows and 2 columns")
    small_coordinates(np.vstack([scores, moves]), 9)
    first = int(scores[0].argmax())
    require(np.ptp(scores[0]), "at the first place greedy has a tie, and might be lucky")
    greedy, best = (first, int((moves[first] + scores[1]).argmax())), viterbi(scores, moves)
    by_greedy, most = (int(_path_sum(path, scores, moves)) for path in (greedy, best))
    reads = f"greedy reads {list(greedy)} with sum {by_greedy}"
    require(by_greedy < most, f"{reads}, and no path has more")
    return f"{reads}, and {list(best)} has {most}."
