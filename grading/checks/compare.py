"""What several hidden checks share: how two numbers, and two runs, are compared."""

from grading.handout.answers import NotYet, example_numbers, require
from perceptron_lib.show import count


def exactly(mine, right, otherwise):
    """Go on if two numbers are equal, and tell rounding from other reasons if they are not."""
    near = abs(mine - right) * 10**9 <= 1 + abs(right)
    rounding = "right up to rounding, but it can be exact: use whole numbers or fractions only"
    require(mine == right, f"{rounding} (no roots, no floats)" if near else otherwise)


def same_updates(mine, run, standing):
    """The updates that the student's loop returned must be the run's; else the first difference is
    explained, where `standing(w, i)` says how example i stands to the weights w."""
    n, right = len(run.y), run.updates.tolist()
    mine = example_numbers(mine, n)
    if mine == right:
        return
    k = [*(a == b for a, b in zip(mine, right, strict=False)), False].index(False)
    w, where = run.weights[k], f"after {count(k, 'right update')}"
    if k == len(right):
        ended = "a whole pass had no mistake" if run.outcome == "converged" else "max_passes ended"
        raise NotYet(
            f"{where} {ended}, and yet your run goes on with example {mine[k]}, "
            f"where {standing(w, mine[k])}"
        )
    last = right[k - 1] if k else -1
    if k < len(mine) and (mine[k] - last - 1) % n < (right[k] - last - 1) % n:
        i, what = mine[k], "your run updates on"
    else:
        i, what = right[k], "your run passes over"
    raise NotYet(f"{where} {what} example {i}, where {standing(w, i)}")
