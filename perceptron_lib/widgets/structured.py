"""An explorer of rows: the best path through a chain, with more or less weight on the moves."""

from perceptron_lib import plots, structured
from perceptron_lib.examples import digit_rows
from perceptron_lib.widgets.explorer import Explorer, axes, counter, slider, told


def chain():
    """Choose a row of digits that was held out, how many rows to learn from, and how much the
    moves count; the best path follows (S2).  At 0 each digit is read by itself."""
    row, weight = counter("row", 3, 99), slider("moves count", [0, 0.25, 0.5, 1, 2, 4], 1)
    rows = slider("learn from", [5, 10, 20, 40, 60, 100], 60, "{} rows".format)
    X, y, _ = digit_rows(100, held_out=True, seed=2)

    def load():
        data = digit_rows(rows.value, seed=1)
        learned = structured.perceptron(data.X, data.y, structured.Chain(range(10)))
        return plots.Chain(axes(7.2, 4.6, (0.09, 0.12, 0.75, 0.86))), learned

    def draw(picture, learned):
        scores, moves = learned.scores(X[row.value])
        words = told(*picture.show(scores, weight.value * moves, y[row.value], X[row.value]))
        return f"Row {row.value} of those held out; {learned}. {words}", ""

    return Explorer([row, weight, rows], load, draw, [rows], "720px")
