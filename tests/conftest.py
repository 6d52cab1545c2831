"""What several test modules share."""

import math

import pytest

from perceptron_lib import scan


@pytest.fixture(scope="module", params=["blocks", "compiled"])
def each_way(request):
    """The tests that use this run once with each of the two scans."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "patience", {"blocks": math.inf, "compiled": 0.0}[request.param])
        yield request.param
