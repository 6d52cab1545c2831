"""The claims of a proof, checked on a run: every inequality, at every update, without tolerance.

A proof about a run is a chain of inequalities between sums.  The sums are whole numbers once the
data are scaled by a power of two and u is a vector of whole numbers along w* (so that z·w* >= γ
becomes z·u >= γ||u||, and γ||u|| = min_i z_i·u is a whole number).  So each line of the chain is
decided exactly.  A `Claim` is one such line for all t, a `Proof` the chain in its order; `claim`
has them both, `quantities` the numbers they are about, and the other modules a theorem each.

Notation: the t-th update adds z_t = y x of the example that was wrong, w_{t+1} = w_t + z_t.
"""

from perceptron_lib.claims.claim import Claim, Proof
from perceptron_lib.claims.dual import dual, kernel_bound
from perceptron_lib.claims.margin import margin_bound
from perceptron_lib.claims.mistakes import (
    bias_bound,
    lengths_bound,
    mistake_bound,
    normalised_bound,
)
from perceptron_lib.claims.noise import deviation_bound, hinge_bound

__all__ = ["Claim", "Proof", "bias_bound", "deviation_bound", "dual", "hinge_bound",
           "kernel_bound", "lengths_bound", "margin_bound", "mistake_bound", "normalised_bound"]
