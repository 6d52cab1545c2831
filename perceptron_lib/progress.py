"""Work of more than two seconds says how far it is, on one line that goes away at the end.

The seconds are those of this process, so that a busy machine does not make quick work speak.
"""

import sys
import time


class Progress:
    """Call it with a text as often as you like; use it as a context manager.

    A text may have places for numbers, which are filled in only when it is shown.
    """

    def __init__(self, wait=2.0, every=0.25, stream=None):
        self.next, self.worked = time.monotonic() + wait, time.process_time() + wait
        self.every, self.stream, self.shown = every, stream, 0

    def __enter__(self):
        return self

    def __call__(self, text, *numbers):
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + self.every
        if time.process_time() >= self.worked:
            text = text.format(*numbers) if numbers else text
            self._write(f"\r{text:<{self.shown}}")
            self.shown = len(text)

    def __exit__(self, *exception):
        if self.shown:
            self._write("\r" + " " * self.shown + "\r")

    def _write(self, text):
        stream = self.stream or sys.stderr
        stream.write(text)
        stream.flush()
