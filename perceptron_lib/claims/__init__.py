"""The claims of a proof, checked on a run: every inequality, at every update, without tolerance.

A proof about a run is a chain of inequalities between sums.  The data are floats, so their sums and
products are fractions; and for a vector u along w*, of any length, z·w* >= γ becomes z·u >= γ||u||,
where γ||u|| = min_i z_i·u is a fraction, too.  So each line of the chain is decided exactly.  A
`Claim` is one such line for all t, a `Proof` the chain in its order; `claim` has them both, `line`
how a line is written, `quantities` the numbers it is about, `follows` whether it follows from those
before it, and the other modules a theorem each.

Update t adds z⁽ᵗ⁾ = y x of the example that was wrong: w⁽ᵗ⁺¹⁾ = w⁽ᵗ⁾ + z⁽ᵗ⁾.
"""

from perceptron_lib.claims.claim import Claim, Proof
from perceptron_lib.claims.mistakes import mistake_bound
