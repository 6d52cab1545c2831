"""What several test modules share."""

import sys

import pytest

from perceptron_lib import fast


@pytest.fixture(scope="module", params=["numpy", "compiled"])
def each_way(request):
    """The tests that use this run once with each engine, from the first pass on."""
    found = fast if request.param == "compiled" else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["perceptron_lib.perceptron"], "machine_code", lambda work: found)
        yield request.param
