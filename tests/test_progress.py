"""Long work says how far it is; short work says nothing."""

import io

from perceptron_lib.progress import Progress


def test_short_work_says_nothing():
    stream = io.StringIO()
    with Progress(stream=stream) as progress:
        progress("1 of 2")
    assert stream.getvalue() == ""


def test_long_work_writes_one_line_and_takes_it_away():
    stream = io.StringIO()
    with Progress(wait=0, every=0, stream=stream) as progress:
        progress("pass 10")
        progress("pass 9")
    assert stream.getvalue() == "\rpass 10\rpass 9 \r" + " " * 6 + "\r"


def test_it_does_not_speak_at_every_call():
    stream = io.StringIO()
    with Progress(wait=0, every=60, stream=stream) as progress:
        for k in range(100):
            progress(f"pass {k}")
    assert stream.getvalue().count("pass") == 1
