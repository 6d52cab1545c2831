"""More than two answers: the Perceptron on features φ(x, y) of an example and an answer to it.

    w = 0
    again and again, for each example x with its right answer y*:
        ŷ = the answer with the highest score w·φ(x, y)
        if ŷ is not y*:  w = w + φ(x, y*) - φ(x, ŷ)

The answer given had the highest score, so w·z <= 0 for the difference z that is added: a mistake
like any other, and the mistake bound holds as it stands, with the differences for examples (S3).

A model says what the answers are, what φ is, and how the best answer is found: `Answers` tries all
of a list, `Classes` does so with a block of weights for each (S1), `Chain` finds the best of all
rows of labels by dynamic programming (S2).  A tie goes to the answer that is first in the list; of
rows of labels, to the first in a dictionary.

All is decided in whole numbers.  A model reads an example as a table of floats, of which φ is made
by adding and placing; scaled by a power of two, tables, features and w are whole.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from perceptron_lib import checks
from perceptron_lib.exact import bits, dot, floats, integers, lowest_bit, rational
from perceptron_lib.progress import Progress
from perceptron_lib.run import Run

MOST = 20_000  # wrong answers that `radius2` goes through


def perceptron(X, y, model, max_passes=1000):
    """Run the Perceptron over the examples; the result is a `Run` on the differences it added.

    A row of its Z is φ(x, y*) - φ(x, ŷ) for a pair of an example and a wrong answer, in the order
    in which these were first met; `pairs` names them, and `updates` are the numbers of such rows.

    >>> perceptron([[2, 0], [0, 1], [-1, -1]], ["a", "b", "c"], Classes("abc"))
    Run: 2 mistakes in 2 passes over 3 examples, converged
    """
    examples, right, exponent = _whole(X, y, model)
    max_passes = checks.whole(max_passes, "max_passes")
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
    Z = _held(np.array(Z, dtype=w.dtype).reshape(len(Z), len(w)), exponent)
    # At a tie the answer that is first is given: it is the right one (+1) or the wrong one.
    signs = np.array([1 if right[i] < wrong else -1 for i, wrong in pairs], dtype=np.int64)
    return StructuredRun(
        signs[:, None] * Z, signs,
        np.zeros(len(w)), "positive", "pairs", np.array(updates, dtype=np.int64),
        np.array(steps, dtype=np.int64), passed,
        "converged" if len(updates) == before else "stopped", last_w=floats(w, exponent),
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
    def seen(self):
        return len(self.examples)

    def predict(self, X):
        """The answer with the highest score for each example."""
        W, examples = self.exact_w[0], [integers(x)[0] for x in self._read(X)]
        return [self.model.named(self.model.best(_roomy(W, _room(x)), x)) for x in examples]

    def scores(self, x):
        """What the last weights say of one example, in floats: the score of each answer; for a
        chain, that of each label in each place, and of each move from one label to the next."""
        return self.model.scores(self.w, self._read([x])[0])

    def _read(self, X):
        examples, columns = self.model.read(X), self.examples[0].shape[-1]
        if examples[0].shape[-1] != columns:
            raise ValueError("X must have as many features as the examples of the run")
        return examples


def least_score(X, y, model, u):
    """γ_u||u||: the least u·(φ(x, y*) - φ(x, y)) over all examples and all wrong answers, exactly.

    >>> least_score([[2, 0], [0, 1]], ["a", "b"], Classes("ab"), [1, 0, 0, 1])
    Fraction(1, 1)
    """
    examples, right, exponent = _whole(X, y, model)
    U, unit = rational(checks.fractions(u, len(model.phi(examples[0], right[0]))))
    U = _roomy(integers(U)[0], max(map(_room, examples)))
    least = min(dot(model.phi(x, answer), U) - model.runner_up(U, x, answer)
                for x, answer in zip(examples, right, strict=True))  # fmt: skip
    return int(least) * unit * Fraction(2) ** exponent


def radius2(X, y, model):
    """R²: the largest ||φ(x, y*) - φ(x, y)||² over all examples and all wrong answers, exactly.

    >>> radius2([[2, 0], [0, 1]], ["a", "b"], Classes("ab"))
    Fraction(8, 1)
    """
    examples, right, exponent = _whole(X, y, model)
    squares = []
    for x, answer in zip(examples, right, strict=True):
        for wrong in (other for other in model.every(x) if other != answer):
            z = model.phi(x, answer) - model.phi(x, wrong)
            squares.append(int(dot(z, z)))
            if len(squares) > MOST:
                raise ValueError(f"X must have at most {MOST:,} wrong answers to go through; "
                                 "it has more")  # fmt: skip
    return max(squares) * Fraction(4) ** exponent


def viterbi(scores, moves):
    """The row of labels 0 … K-1 with the highest sum: of scores[t, y_t] over all places t, and of
    moves[y_t, y_{t+1}] from each place to the next.

    >>> viterbi([[3, 0], [1, 2], [1, 2]], [[2, 0], [0, 2]])
    (0, 0, 0)
    """
    scores, moves = checks.table(scores, "scores"), checks.table(moves, "moves")
    if moves.shape != 2 * scores.shape[1:]:
        raise ValueError(f"moves must have shape {2 * scores.shape[1:]}, a row and a column for "
                         f"each label; got {moves.shape}")  # fmt: skip
    whole = integers(np.vstack([scores, moves]))[0].astype(object)
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


# --- models ----------------------------------------------------------------------------------


class Answers:
    """One of a list of answers, by any features φ(x, y); the best is found by trying all.

    An answer goes by its number in the list here.  `read` and `numbered` are the way in, `named`
    is the way out.

    >>> halves = Answers([1, -1], lambda x, y: y * np.array(x) / 2)  # the binary Perceptron (S4)
    """

    def __init__(self, answers, features):
        self.answers = checks.answers(answers)
        self.features = checks.instance(features, Callable, "features", "a function of x and y")

    def __len__(self):
        return len(self.answers)

    def read(self, X):
        """For each example the table of φ(x, y), a row for each answer."""
        name = "features(x, y)"
        tables = [[checks.vector(self.features(x, y), None, name) for y in self.answers]
                  for x in checks.listed(X, "X")]  # fmt: skip
        lengths = sorted({len(phi) for table in tables for phi in table})
        if len(lengths) > 1:
            raise ValueError(f"{name} must have one length for all x and y; got {lengths}")
        return [np.array(table) for table in tables]

    def numbered(self, answer, x, i):
        """The number of an answer to x, which is example i."""
        return checks.one_answer(answer, self.answers, i)

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

    def __init__(self, answers):
        self.answers = checks.answers(answers)

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
        tables = []
        for i, x in enumerate(checks.listed(X, "X")):
            if np.shape(x)[:1] == (0,):
                raise ValueError(f"X must have rows of length 1 or more; row {i} has length 0")
            x = checks.table(x, f"X[{i}]")
            tables.append(np.hstack([x, np.ones((len(x), 1))]))
            if len(tables[0].T) != len(tables[i].T):
                raise ValueError(f"X must have as many features in row {i} as in row 0")
        return tables

    def numbered(self, labels, x, i):
        labels = checks.listed(labels, f"y[{i}]")
        if len(labels) != len(x):
            raise ValueError(f"y[{i}] must be one label for each of the {len(x)} places of its "
                             f"row; got {len(labels)}")  # fmt: skip
        return tuple(checks.one_answer(label, self.answers, i) for label in labels)

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
        (scores, moves), found, so_far = self.scores(w, x), [], 0
        for t, (ahead, k) in enumerate(zip(_onwards(scores, moves), path, strict=True)):
            move = moves[path[t - 1]] if t else 0 * moves[0]
            found.append(so_far + np.delete(move + ahead, k).max())
            so_far += move[k] + scores[t, k]
        return max(found)


# --- whole numbers ---------------------------------------------------------------------------


def _whole(X, y, model):
    """Examples and right answers as a model reads them, in whole numbers of 2**exponent."""
    checks.instance(model, Answers, "model", "a model, such as structured.Classes(range(10))")
    tables, y = model.read(X), checks.listed(y, "y")
    if len(y) != len(tables):
        raise ValueError(f"y must be one answer for each of the {len(tables)} examples; "
                         f"got {len(y)}")  # fmt: skip
    right = [model.numbered(y[i], x, i) for i, x in enumerate(tables)]
    exponent = min((lowest_bit(x) for x in tables if x.any()), default=0)
    tables = [integers(x, exponent)[0] for x in tables]
    return [_roomy(x, x.size.bit_length() + 1) for x in tables], right, exponent


def _room(x):
    """How many bits a score may have beyond those of w."""
    return bits(x) + x.size.bit_length()


def _roomy(w, room):
    """w (or an example), in Python's integers where int64 may be too short for sums with it."""
    return w.astype(object) if bits(w) + room > 61 else w


def _held(Z, exponent):
    """Differences as floats, if floats can hold them."""
    found = floats(Z, exponent)
    if not np.isfinite(found).all() or not (integers(found, exponent)[0] == Z).all():
        raise ValueError("X must have fewer digits: floats cannot hold all sums of its features "
                         "exactly (whole numbers are safe)")  # fmt: skip
    return found
