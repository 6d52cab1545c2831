"""Long work says how far it is; short work says nothing."""

import io

import pytest

from perceptron_lib.progress import Progress

SAID = [
    ({}, ""),
    ({"wait": 0, "every": 0}, "\rpass 10\rpass 9 \r" + " " * 6 + "\r"),
    ({"wait": 0, "every": 60}, "\rpass 10\r" + " " * 7 + "\r"),  # not at every call
]


@pytest.mark.parametrize(("settings", "said"), SAID)
def test_long_work_writes_one_line_and_takes_it_away(settings, said):
    stream = io.StringIO()
    with Progress(**settings, stream=stream) as progress:
        progress("pass 10")
        progress("pass 9")
    assert stream.getvalue() == said
