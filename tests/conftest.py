"""What several test modules share."""

import math

import pytest

from perceptron_lib import fast
from tests.reference import engine, lookahead


@pytest.fixture(scope="module", params=["plainly", "numpy", "compiled"])
def each_way(request):
    """The tests that use this run once with each engine, from the first pass on."""
    found = fast if request.param == "compiled" else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookahead, "machine_code", lambda *_: found)
        patch.setattr(engine, "FEW", math.inf if request.param == "plainly" else 0)
        yield request.param
