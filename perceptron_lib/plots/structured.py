"""Rows of labels: a chain, and the best path through it."""

import numpy as np

from perceptron_lib import checks, structured
from perceptron_lib.plots import parts, style
from perceptron_lib.plots.style import AID, CARD, GREY, INK, OBSERVED, TEXT, W
from perceptron_lib.show import count, number

BOX = {"boxstyle": "square,pad=0.05", "fc": CARD, "lw": 0}  # behind the worth of a move
FEW = 3  # up to so many labels, all moves are drawn, and the scores are written down


@style.picture(7.2, 4.6)
def chain(ax, scores, moves, truth=None, images=None, labels=None, title=""):
    """The labels for each place of a row, and the path of the highest sum through them (S2).

    `scores` has a row for each place and a column for each label (high: a large disc), `moves`
    what going from one label to the next is worth; `truth` are the right labels, `images` square
    pictures of the places, and `labels` the names of the labels, if they are not 0, 1, ….

    >>> chain([[3, 0], [1, 2], [1, 2]], moves=[[2, 0], [0, 2]])
    The best path: 0 0 0, with sum 9: 3 places, 2 labels; the best path is 0 0 0, with ...
    """
    path = structured.viterbi(scores, moves)
    scores = style.drawable(checks.table(scores), "scores")
    moves = style.drawable(checks.table(moves), "moves")
    T, K = scores.shape
    if max(T, K) > 20:
        raise ValueError(f"scores cannot be drawn beyond 20 places and 20 labels; got {T} and {K}")
    labels = checks.answers(range(K) if labels is None else labels)
    if len(labels) != K:
        raise ValueError(f"labels must be {count(K, 'name')}, one for each column of scores")
    alone, places, names = scores.argmax(axis=1), np.arange(1, T + 1), list(map(str, labels))
    ax.set(xlim=(0.5, T + 0.5), ylim=(K - 0.6, -0.6), xlabel="place in the row", ylabel="label")
    ax.set_xticks(places)
    ax.set_yticks(range(K), names)
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    if images is not None:
        _images(ax, images, T, K)
    _nodes(ax, scores, moves)
    total = number(_sum(path, scores, moves))
    ends = [(f"best: {total}", path[-1], INK)]
    ax.plot(places, path, **W | {"lw": 2.2}, zorder=3)
    told = [f"the best path is {_spelled(path, names)}, with sum {total}"]
    if (alone != path).any():
        look = AID | {"lw": 1.2, "ls": ":", "marker": "s", "mfc": "none", "ms": 15, "zorder": 2}
        ax.plot(places, alone, **look)
        ends.append(("each alone", alone[-1], GREY))
        told.append(f"by its own scores each place would be {_spelled(alone, names)}")
    finding = f"The best path: {_spelled(path, names)}, with sum {total}"
    if truth is not None:
        right = _truth(truth, labels, T)
        ax.plot(places, right, **OBSERVED | {"lw": 0, "ms": 9}, zorder=4)
        ends.append(("right (dots)", right[-1], INK))
        told.append(f"the right labels are {_spelled(right, names)}")
        by_path, by_itself = (int((np.array(p) == right).sum()) for p in (path, alone))
        finding = f"The best path has {by_path} of {T} right; each place alone, {by_itself}"
    parts.at_ends(ax, ends)
    return finding, f"{count(T, 'place')}, {count(K, 'label')}; {'; '.join(told)}."


def _sum(path, scores, moves):
    return scores[np.arange(len(path)), path].sum() + moves[path[:-1], path[1:]].sum()


def _nodes(ax, scores, moves):
    """A disc for each label at each place, the larger the higher its score there; if labels are
    few, all moves between them, too, and what they and the labels are worth."""
    T, K = scores.shape
    low, span = scores.min(axis=1, keepdims=True), np.ptp(scores, axis=1, keepdims=True)
    share = (scores - low) / np.where(span, span, 1)
    at = [(t, k) for t in range(1, T + 1) for k in range(K)]
    size = 420 if K <= FEW else 14 + 120 * share.ravel() ** 3
    ax.scatter(*np.array(at).T, s=size, color="#C9C9C4", alpha=0.5 if K <= FEW else 1, lw=0)
    if K > FEW:
        return
    if ax.figure.get_layout_engine():
        style.resize(ax.figure, 7.2, 1.6 + 0.75 * K)
    for t, k in at:
        ax.text(t, k - 0.17, number(scores[t - 1, k]), **TEXT | {"ha": "center"})
        for after in range(K if t < T else 0):
            ax.plot([t, t + 1], [k, after], **AID, zorder=0)
            look = {"fontsize": 9, "color": GREY, "zorder": 5, "bbox": BOX}
            place = t + 0.23, k + 0.23 * (after - k)
            ax.text(*place, number(moves[k, after]), **TEXT | look)


def _images(ax, images, T, K):
    """The picture of each place, below it."""
    images = checks.table(images, "images")
    side = round(images.shape[1] ** 0.5)
    if images.shape != (T, side**2):
        raise checks.refusal("images", f"{T} squares, a row of pixels each", images)
    tall = 0.19 * K
    ax.set_ylim(K - 0.4 + tall, -0.5)
    squares = np.full((side, T, side + 3), np.nan)  # with gaps between them
    squares[:, :, 1:-2] = images.reshape(T, side, side).swapaxes(0, 1)
    box = (0.5, T + 0.5, K - 0.45 + tall, K - 0.45)
    ax.imshow(squares.reshape(side, -1), cmap="gray_r", extent=box, aspect="auto", zorder=1)


def _truth(truth, labels, T):
    """The numbers of the right labels."""
    given = checks.listed(truth, "truth")
    if len(given) != T or not all(label in labels for label in given):
        raise checks.refusal("truth", f"{count(T, 'label')}, one for each place", truth)
    return np.array([labels.index(label) for label in given])


def _spelled(path, names):
    return " ".join(names[k] for k in path)


class Chain(style.redrawn(chain)):
    """`chain` on axes that stay.

    >>> Chain(style.card(6, 4).subplots()).show([[3, 0], [1, 2], [1, 2]], [[2, 0], [0, 2]])[0]
    'The best path: 0 0 0, with sum 9'
    """
