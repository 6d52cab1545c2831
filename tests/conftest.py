"""What several test modules share."""

import pytest

from perceptron_lib import fast
from tests.reference import engine


@pytest.fixture(scope="module", params=["numpy", "compiled"])
def each_way(request):
    """The tests that use this run once with each engine."""
    with pytest.MonkeyPatch.context() as patch:
        compiled = fast if request.param == "compiled" else None
        patch.setattr(engine, "machine_code", lambda *_: compiled)
        yield request.param
