"""The student's side of grading: run the cells of one submission behind limits.

It answers requests, a line of JSON each, on the pipes it was started with.  What leaves it is plain
data (numbers, texts, lists, arrays …), so nothing a submission does to its own process can reach
the tests.  It stands alone: the cage (cage.py) shows it no other file of the grader's.

    python worker.py '{"AS": bytes of memory, "FSIZE": bytes in a file, "CPU": seconds, …}'
"""

import array
import builtins
import contextlib
import ctypes
import json
import os
import re
import resource
import signal
import sys
from decimal import Decimal
from fractions import Fraction

MOST_BITS = 10_000  # of a whole number
LONGEST_ANSWER = 2**20  # characters, as JSON

# --- plain data, there and back --------------------------------------------------------------


def encode(value):
    """`value` as JSON can hold it; TypeError if it is not plain data."""
    import numpy as np

    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if value.bit_length() > MOST_BITS:
            raise TypeError("a number of thousands of digits")
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, (Decimal, np.longdouble)):  # their digits may be more than a float's
        exact = np.isfinite(float(value))
        return encode(Fraction(*value.as_integer_ratio()) if exact else float(value))
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, Fraction):  # its parts may be NumPy's
        return {"fraction": [encode(int(value.numerator)), encode(int(value.denominator))]}
    like_array = hasattr(value, "__array__") and not callable(value)
    if like_array or isinstance(value, (array.array, memoryview)):
        value = np.asarray(value)  # of a subclass, the rows of np.matrix would stay rows
        return {"array": [encode(v) for v in value.ravel().tolist()],
                "shape": value.shape, "dtype": value.dtype.name}  # fmt: skip
    if isinstance(value, tuple):
        return {"tuple": [encode(v) for v in value]}
    if isinstance(value, (list, range, set, frozenset)):
        return {"list": [encode(v) for v in value]}
    raise TypeError(f"a value of type {type(value).__name__}")


def decode(value):
    """What `encode` was given, built of Python's own types only; ValueError if it is malformed."""
    import numpy as np

    if isinstance(value, str):
        return clean(value, 1000)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if not isinstance(value, dict):
        raise ValueError("not in the form that encode gives")
    if value.keys() == {"fraction"}:
        p, q = value["fraction"]
        if not type(p) is type(q) is int:  # a text such as "1e999999999" would take hours
            raise ValueError("not in the form that encode gives")
        return Fraction(p, q)
    if value.keys() == {"array", "shape", "dtype"}:
        kind = value["dtype"] if value["dtype"] in ("bool", "int64", "float64") else "object"
        flat = np.empty(len(value["array"]), dtype=kind)
        flat[:] = [decode(v) for v in value["array"]]
        return flat.reshape([int(k) for k in value["shape"]])
    for tag, kind in (("list", list), ("tuple", tuple)):
        if value.keys() == {tag}:
            return kind(decode(v) for v in value[tag])
    raise ValueError("not in the form that encode gives")


COMMANDS = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*\x07?)")  # colours and the like
# Controls that a terminal would obey, halves of characters, changes of the direction of writing.
CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def clean(text, longest):
    """The beginning of a text, of characters that can be written to any file and terminal."""
    text = re.sub("\r\n?|[\x0b\x0c]", "\n", COMMANDS.sub("", str(text)[:longest]))
    return CONTROLS.sub("\ufffd", text)


def one_line(text, longest=80):
    """The same in one line, for terminals and tables; "…" stands for what is too much."""
    seen = "".join(c if c.isprintable() else " " for c in clean(text, 2 * longest))
    seen = " ".join(seen.split())
    return seen if len(seen) <= longest else seen[: longest - 1] + "…"


# --- limits ----------------------------------------------------------------------------------


def limit(**most):
    """Limits of the kernel for this process and all that it starts: limit(AS=2**30, CORE=0)."""
    for name, value in most.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def end_with_parent():
    """Let the kernel end this process when the one that started it ends, however that ends."""
    with contextlib.suppress(AttributeError):  # Linux has it
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)


# --- answering -------------------------------------------------------------------------------


class Worker:
    """The submission's namespace, and what may be asked about it."""

    def __init__(self):
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        class Shell(InteractiveShell):
            def enable_gui(self, gui=None):  # for %matplotlib
                pass

        quiet = Config()
        quiet.HistoryManager.enabled = False
        quiet.InteractiveShell.colors = "NoColor"
        self.shell = Shell.instance(config=quiet)
        builtins.input = nobody_types

    def run(self, source):
        """Run a cell; return the name of the error it ended in, or None."""
        outcome = self.shell.run_cell(source, store_history=False)
        error = outcome.error_before_exec or outcome.error_in_exec
        return None if error is None else clean(type(error).__name__, 80)

    def get(self, names):
        """The values of those of the names that exist; what is no plain data, by its kind."""
        found = {}
        for name in names:
            if name in self.shell.user_ns:
                value = self.shell.user_ns[name]
                try:
                    found[name] = {"value": encode(value)}
                    if len(json.dumps(found[name])) > LONGEST_ANSWER:
                        raise TypeError("an answer of more than a megabyte")
                except Exception:
                    kind = "function" if callable(value) else type(value).__name__
                    found[name] = {"kind": kind}
        return found

    def call(self, name, arguments, options):
        """The value of one call of a function of the submission."""
        function = self.shell.user_ns[name]
        options = {key: decode(value) for key, value in options.items()}
        return encode(function(*decode(arguments), **options))


def serve(worker, requests, replies):
    print(json.dumps({"value": None}), file=replies, flush=True)
    for line in requests:
        what, *given = json.loads(line)
        try:
            line = json.dumps({"value": getattr(worker, what)(*given)})
        except BaseException as error:  # whatever a submission raises, SystemExit included
            line = json.dumps({"error": describe(error)})
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # too much output, or a stream that was replaced
                stream.flush()
        replies.write(line + "\n")  # `print` may be the submission's by now
        replies.flush()


def describe(error):
    try:
        return clean(f"{type(error).__name__}: {error}", 500)
    except BaseException:
        return "an error that cannot be shown"


def nobody_types(prompt=""):
    print(prompt)
    return ""


def main(settings):
    requests, replies = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # from here on, printing goes where errors go: into the output file
    end_with_parent()
    limit(**settings)
    sys.modules["numba"] = None  # a cage keeps no machine code, and to make it takes three seconds
    serve(Worker(), requests, replies)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
