"""What several test modules share."""

import math

import pytest

from perceptron_lib import scan
from perceptron_lib.perceptron import _Arithmetic


@pytest.fixture(scope="module", params=["blocks", "scores", "compiled"])
def each_way(request):
    """The tests that use this run once with each of the three scans, from the first pass on."""

    def dual_form_pays(self, M):
        return request.param == "scores" and isinstance(self.scan, scan.Blocks) and not self.theta

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "patience", 0.0 if request.param == "compiled" else math.inf)
        patch.setattr(_Arithmetic, "dual_form_pays", dual_form_pays)
        yield request.param
