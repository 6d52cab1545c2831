"""An explorer of rows: the best path through a chain, with more or less weight on the moves."""

from perceptron_lib import plots, structured
from perceptron_lib.examples import digit_rows
from perceptron_lib.widgets.explorer import Explorer, axes, slider


def chain():
    """Choose a row of digits that was held out, how many rows to learn from, and how much the
    moves count; the best path follows (S2).  At 0 each digit is read by itself.

    >>> print(chain().words)
    The best path has 7 of 8 right; each place alone, 6. Row 3 of those held out; Run: ...
    """
    row = slider("row", [3, 9, 20, 33], 3)
    weight = slider("moves count", [0, 0.5, 1, 4], 1)
    rows = slider("learn from", [5, 20, 60, 100], 60, "{} rows".format)
    X, y, _ = digit_rows(100, held_out=True, seed=2)

    def load():
        data = digit_rows(rows.value, seed=1)
        learned = structured.perceptron(data.X, data.y, structured.Chain(range(10)))
        return plots.Chain(*axes(7.2, 4.6, (0.09, 0.12, 0.75, 0.82))), learned

    def draw(picture, learned):
        scores, moves = learned.scores(X[row.value])
        finding, words = picture.show(scores, weight.value * moves, y[row.value], X[row.value])
        return finding, f"Row {row.value} of those held out; {learned}. {words}", ""

    return Explorer([row, weight, rows], load, draw, [rows])
