"""Answers to the homework that are wrong in a known way.

WRONG[assignment][question] is a list of wrong answers, each with a part of the sentence that the
grade must give for it, and the points that it is worth all the same if it is right in part.  The
answer is code, or the solution with one piece replaced by another.
"""

BREAK = "X_break, y_break, u_break, b_break ="
SQUARE = "X_line, y_line = [[0, 0], [0, 1], [1, 0], [1, 1]]"

WRONG = {
    "hw1_algorithm_and_proof": {
        "q1": [
            (("<= 0", "< 0"), "passes over example 0, where y w·x = 0"),
            (("y[i] * (w @ X[i]) <= 0", "True"), "updates on example 1, where y w·x = 2"),
            (("w + y[i] * X[i]", "w + X[i]"), "updates on example 1, where y w·x = 7"),
        ],
        "q2": [
            (("R2 - (", "X[i] @ X[i] - ("), "R is the longest length of all"),
            (("R2 - (", "("), "number 0 (the first is 0) is too small"),
            (("w + y[i] * X[i]", "w + X[i]"), "(the first is 0) is too"),
        ],
        "q3": [
            ("order = [0, 1, 2, 3, 4, 5]", "mistakes in this order: 1; another order makes more"),
            ("order = [5, 4, 3, 2, 1, 0]", "mistakes in this order: 10; another order makes more"),
            ("order = [0, 1, 2, 3, 4, 4]", "each number from 0 to 5 once"),
        ],
        "q4": [
            ("X_tight, y_tight = np.eye(4), [1, -1, 1, -1]", "a coordinate is zero"),
            ("X_tight, y_tight = [[1, 1], [1, -1]], [1, -1]", "at least 4 mistakes"),
            ("X_tight, y_tight = [[3, 1], [-1, 2]], [1, -1]", "M = 1, while (R/γ)² = "),
        ],
        "q5": [
            (("+ 2 * theta", ""), "for R² = 9 and θ = 1: 9; that can be exceeded"),
            (("2 * theta", "3 * theta"), "θ = 1: 12; that is more than is ever needed"),
            (("/ gamma2", "/ gamma2**2"), "θ = 0, γ² = 2: 2; more updates are possible", 1),
        ],
        "q6": [
            (f"{BREAK} [[1, 0], [0, 1]], [1, -1], [1, -1], 0", "do not exceed it"),
            (f"{BREAK} [[1, 0], [0, 1]], [-1, -1], [1, 0], 1", "u and b do not separate"),
            (f"{BREAK} [[1, 0]], [-1], [0.01, 0], -1", "two different examples"),
        ],
        "q7": [
            (("separate(with_bias(X), y).multipliers", "[0] * 100"), "all λ are zero", 1),
            ("w_setosa = [1] * 5\nproof = [1] * 100", "sums of the two classes differ"),
            (("y).w\n", "y, max_passes=1).w\n"), "of the 100 flowers", 1),
        ],
    },
    "hw2_margin_and_pac": {
        "q1": [
            (("gamma / 2", "gamma"), "below γ/2 = 0.25"),
            (("< gamma / 2", "<= gamma / 2"), "y w·x/‖w‖ = 1 (it is", 2),
            (("/ np.sqrt(w @ w)", ""), "passes over example"),
        ],
        "q2": [
            ("w_roomy = perceptron(*homework.EIGHT_POINTS).w", "0.1561 of the largest"),
            (("eps=0.1", "eps=0.5"), "0.5148 of the largest"),
            ("w_roomy = [1, -1]", "w does not separate"),
        ],
        "q3": [
            (("2 * (1 - s) * ", "4 * "), "the bound is still too large"),
            (("2 * ", ""), "a shorter w would do"),
            (("(1 - s)", "s"), "ε = "),
        ],
        "q4": [
            (('return "none fits"', "pass"), "no monotone conjunction fits"),
            (("if all(x[stay] == 1)", "if stay and all(x[stay] == 1)"), "and you return a list", 1),
            (("all(X[y > 0, j] == 1)", "any(X[y > 0, j] == 1)"), "was kept"),
        ],
        "q5": [
            (f"{SQUARE}, [1, -1, -1, 1]", "no linear threshold"),
            (f"{SQUARE}, [-1, -1, -1, 1]", "fits them"),
            ("X_line, y_line = [[0, 2], [1, 0]], [-1, 1]", "must be 0 or 1"),
        ],
        "q6": [
            ("kept = [10, 2, 4, 20]", "examples kept: 4; fewer are enough", 1),
            ("kept = range(30)", "these are 30, and at most 8 are allowed"),
            ("kept = [0, 1, 3]", "alone, 5 variables would stay that must be dropped"),
        ],
        "q7": [
            ("stream = [0, 1, 2, 3] * 15", "hypothesis 4 (0 is the first) survives 56 examples"),
            ("stream = [0] * 14 + [1] * 15 + [2] * 15 + [3] * 16", "survives 15 examples, and", 1),
            ("stream = [0] * 15 + [1] * 15", "must be 60 numbers, these are 30"),
        ],
        "q8": [
            (("int(np.argmax(lived))", "run.mistakes"), "longest survival"),
            (("[k, int(", "[k + 1, int("), "did not survive", 1),
            (("errors[0]]", "errors[1]]"), "another number of errors", 1),
        ],
    },
    "hw3_noise_and_dual": {
        "q1": [
            (("<= 0", "< 0"), "makes too few updates: 0"),
            (("range(max_passes)", "range(100)"), "max_passes = 2 your loop makes too many", 2),
            (("y[i] * (G[i] @ (alpha * y)) <= 0", "True"), "too many updates: 500"),
        ],
        "q2": [
            (("R2 * u2", "u2"), "R is missing"),
            (("R2 * u2", "R2"), "‖u‖ is missing"),
            (("2 * short", "short"), "TD/γ counts twice"),
        ],
        "q3": [
            ("proof = [1] * 7", "do not have the same total λ"),
            ("proof = [1, -1, 0, 0, 0, 0, 0]", "a λ is negative"),
            ("proof = [0] * 7", "all λ are zero"),
        ],
        "q4": [
            ("X_worse, y_worse = np.eye(3), [1, -1, 1]", "after two on 0"),
            ("X_worse, y_worse = [[1, 0], [1, 0]], [1, -1]", "no w separates these"),
            ("X_worse, y_worse = [[1, 0]], [1, 1]", "y must"),
        ],
        "q5": [
            (("a * b, b * a", "a * b"), "but K(x, z) ="),
            ((", root * a, root * b]", "]"), "φ(x)·φ(z) is about 25"),
            (("a * a, a * b, b * a, b * b, ", ""), "φ(x)·φ(z) is about 5"),
        ],
        "q6": [
            ("alpha = [1] * 500", "of the 500 digits"),
            (
                "alpha = perceptron(*homework.digits_to_tell_apart(), max_passes=20).alpha",
                "of the 500 digits",
            ),
            ("alpha = [-1] + [1] * 499", "an alpha is negative"),
        ],
        "q7": [
            ((", either[0]]", "]"), "these alone have other counts than all 12", 1),
            ((", either[0]]", ", *either]"), "examples kept: 7; fewer are enough", 1),
            ("either = [9, 10]\nkept = range(12)", "without both, the counts stay as they are"),
        ],
    },
}

# A feature map made up as it is asked: a new point is placed by its kernel values with those before
# it.  In one process all its inner products are right.
REMEMBERS = """
asked, images = [], []


def phi(x):
    if x not in asked:
        product = np.array([float(np.dot(x, z)) for z in [*asked, x]])
        kernel, image = product**2 + product, np.zeros(9)
        if images:
            image = np.linalg.lstsq(np.array(images), kernel[:-1], rcond=None)[0]
        rest = kernel[-1] - image @ image
        image[len(asked)] += np.sqrt(rest) if rest > 1e-9 else 0
        asked.append(x)
        images.append(image)
    return images[asked.index(x)].tolist()
"""
