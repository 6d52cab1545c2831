"""Weights made of a whole run: how long each hypothesis was in use, averages and votes (O5, H8;
Freund and Schapire 1999)."""

import numpy as np

from perceptron_lib import exact
from perceptron_lib.checks import door


@door
def survivals(run):
    """How many examples each hypothesis w_1 … w_{M+1} got right in a row before it erred (or the
    stream ended), for a run over a stream.

    >>> from perceptron_lib import perceptron
    >>> survivals(perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1))
    array([0, 1, 1])
    """
    steps = max(run.passes * run.examples_per_pass, *run.steps[-1:] + 1, 0)  # a pass may be cut
    return np.diff(np.append(run.steps, steps), prepend=-1) - 1


def in_use(run):
    """For how many examples each hypothesis was in use: those it got right, and its mistake.

    >>> from perceptron_lib import perceptron
    >>> in_use(perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1))
    array([1, 2, 1])
    """
    used = survivals(run)
    used[:-1] += 1
    return used


@door
def averaged_weights(run):
    """The sum of all weights, each as often as it was in use: a multiple of their average.

    >>> from perceptron_lib import perceptron
    >>> averaged_weights(perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1))
    array([ 3., -1.])
    """
    W, exponent = run.exact_weights
    return exact.floats(exact.dot(in_use(run), W), exponent)


@door
def voted_labels(run, X):
    """The labels of X by the vote of all hypotheses, each with a vote for every example it was in
    use for; 0 if the vote is tied.

    >>> from perceptron_lib import perceptron
    >>> run = perceptron([[1, 0], [1, 0], [0, 1], [1, 0]], [1, 1, -1, 1], max_passes=1)
    >>> voted_labels(run, [[1, 0], [0, 1], [1, 1]]).tolist()
    [1, -1, 1]
    """
    W, used = run.exact_weights[0], in_use(run)
    if X.shape[1] != W.shape[1]:
        raise ValueError(f"X must have {W.shape[1]} columns, one for each weight")
    return np.sign(exact.signs(X, W) @ used)


def fewest_wrong(run, Z):
    """The number of the weights with z_i·w <= 0 for the fewest rows of Z (of the first of them)."""
    return int(np.argmin((exact.signs(Z, run.exact_weights[0]) <= 0).sum(axis=0)))
