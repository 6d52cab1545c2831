"""The Perceptron in ten lines of exact fractions: what the library is held against."""

from fractions import Fraction


def perceptron_in_fractions(X, y, tie="mistake", start=None, order=None, max_passes=1000):
    """The list of updates and the number of passes."""
    X = [[Fraction(float(v)) for v in row] for row in X]
    w = [Fraction(float(v)) for v in (start if start is not None else [0] * len(X[0]))]
    updates, says = [], {"mistake": 0, "negative": -1, "positive": 1}[tie]
    passes = clean = 0
    while passes < max_passes and not clean:
        passes, before = passes + 1, len(updates)
        for i in range(len(X)) if order is None else order:
            score = sum(a * b for a, b in zip(w, X[i], strict=True))
            if ((score > 0) - (score < 0) or says) != y[i]:
                w = [a + int(y[i]) * b for a, b in zip(w, X[i], strict=True)]
                updates.append(i)
        clean = len(updates) == before
    return updates, passes


def signed_sum_is_zero(weights, X, y):
    """Whether sum_i weights_i y_i x_i = 0, in fractions."""
    factors = [int(c) * int(s) for c, s in zip(weights, y, strict=True)]
    columns = zip(*X, strict=True)
    return all(
        sum(f * Fraction(float(x)) for f, x in zip(factors, column, strict=True)) == 0
        for column in columns
    )
