"""The student's side of grading: run the cells of one submission behind limits.

The process shuts itself in before it runs anything: it may read Python, the library and the
checks, write into the folder it stands in, and nothing else.  Then it answers requests, a line of
JSON each, on the pipes it was started with.  What leaves it is plain data (numbers, texts, lists,
arrays …), so nothing a submission does to its own process can reach the tests.

    python worker.py '{"read": [folders], "memory": bytes, "file": bytes, "cpu": seconds,
                       "isolate": true}'
"""

import contextlib
import ctypes
import json
import os
import platform
import resource
import struct
import sys
from fractions import Fraction

# --- plain data, there and back --------------------------------------------------------------


def encode(value):
    """`value` as JSON can hold it; TypeError if it is not plain data."""
    import numpy as np

    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else float(value)
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, Fraction):  # its parts may be NumPy's
        return {"fraction": [int(value.numerator), int(value.denominator)]}
    if isinstance(value, np.ndarray):
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


def clean(text, longest):
    """The beginning of a text, of characters that can be written to any file."""
    return str(text)[:longest].encode("utf-8", "replace").decode()


# --- the cage --------------------------------------------------------------------------------

EXECUTE, WRITE, READ, LIST = 1, 2, 4, 8  # Landlock's rights; the higher bits make and remove
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights each version knows; 16 from version 5 on


def _syscall(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def landlock_version():
    """Which version of Landlock the kernel has, 0 for none: Linux's cage for any process."""
    try:
        return _syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except (OSError, AttributeError):
        return 0


def shut_in(readable, writable):
    """From now on read only below `readable`, write only below `writable`; no TCP, no signals to
    others, no look into other processes.  There is no way back."""
    version = landlock_version()
    everything = 2 ** RIGHTS.get(version, 16) - 1
    network, scope = (3 if version >= 4 else 0), (3 if version >= 6 else 0)
    words = (everything, network, scope)[: 1 + (version >= 4) + (version >= 6)]
    attributes = (ctypes.c_uint64 * len(words))(*words)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    rules = _syscall(444, attributes, size, ctypes.c_uint32(0))
    grants = [(path, EXECUTE | READ | LIST) for path in readable]
    grants += [(path, everything) for path in writable]
    for path, rights in grants:
        if not os.path.exists(path):
            continue
        if not os.path.isdir(path):
            rights &= EXECUTE | WRITE | READ
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
        _syscall(445, rules, 1, ctypes.c_char_p(rule), ctypes.c_uint32(0))
        os.close(place)
    ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # no new privileges, which Landlock asks for
    _syscall(446, rules, ctypes.c_uint32(0))
    os.close(rules)


# System calls refused, as numbered on each machine.  Landlock does not know them: socket, shmget,
# and those that change a file's mode, owner, times or attributes, or cut it off, by its name.
REFUSED = {
    "x86_64": (0xC000003E, [29, 41, 76, 90, 91, 92, 93, 94, 132, 188, 189, 190, 197, 198, 199,
                            235, 260, 261, 268, 280, 425, 452, 463, 466]),
    "aarch64": (0xC00000B7, [5, 6, 7, 14, 15, 16, 45, 52, 53, 54, 55, 88, 194, 198, 425, 452,
                             463, 466]),
}  # fmt: skip


def refuse_calls():
    """Make the calls above fail with "not permitted", by a filter in the kernel (seccomp)."""
    if platform.machine() not in REFUSED:
        return
    machine, calls = REFUSED[platform.machine()]
    load, equal, above, give = 0x20, 0x15, 0x35, 0x06  # the filter's four instructions
    program = [(load, 0, 0, 4), (equal, 1, 0, machine), (give, 0, 0, 0x80000000), (load, 0, 0, 0)]
    program += [(above, len(calls) + 1, 0, 0x40000000)]  # other numberings of the same calls
    program += [(equal, len(calls) - k, 0, call) for k, call in enumerate(calls)]
    program += [(give, 0, 0, 0x7FFF0000), (give, 0, 0, 0x00050001)]  # allowed; not permitted
    code = b"".join(struct.pack("HBBI", *line) for line in program)
    buffer = ctypes.create_string_buffer(code)
    header = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    if ctypes.CDLL(None).prctl(22, 2, ctypes.c_char_p(header), 0, 0):
        raise OSError("the filter of system calls was refused")


def limit(memory, file, cpu):
    """At most that many bytes of memory and in a file, so much time, no core dumps."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if os.getpid() == 1:  # in a world of its own, where only its own processes count
        resource.setrlimit(resource.RLIMIT_NPROC, (64, 64))


# --- answering -------------------------------------------------------------------------------


class Worker:
    """The submission's namespace, and what may be asked about it."""

    def __init__(self):
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        quiet = Config()
        quiet.HistoryManager.enabled = False
        quiet.InteractiveShell.colors = "NoColor"
        self.shell = InteractiveShell.instance(config=quiet)

    def run(self, source):
        """Run a cell; return the name of the error it ended in, or None."""
        outcome = self.shell.run_cell(source, store_history=False)
        error = outcome.error_before_exec or outcome.error_in_exec
        return None if error is None else type(error).__name__

    def get(self, names):
        """The values of those of the names that exist; what is no plain data, by its kind."""
        found = {}
        for name in names:
            if name in self.shell.user_ns:
                value = self.shell.user_ns[name]
                try:
                    found[name] = {"value": encode(value)}
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
    reply(replies, json.dumps({"value": None}))
    for line in requests:
        request = json.loads(line)
        try:
            answer = {"value": getattr(worker, request["ask"])(*request["with"])}
            line = json.dumps(answer)
        except BaseException as error:  # whatever a submission raises, SystemExit included
            line = json.dumps({"error": describe(error)})
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # too much output, or a stream that was replaced
                stream.flush()
        reply(replies, line)


def describe(error):
    try:
        return clean(f"{type(error).__name__}: {error}", 500)
    except BaseException:
        return "an error that cannot be shown"


def reply(replies, line):
    replies.write(line + "\n")
    replies.flush()


def main(settings):
    requests, replies = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # from here on, printing goes where errors go: into the output file
    limit(settings["memory"], settings["file"], settings["cpu"])
    if settings["isolate"]:
        shut_in(settings["read"], [os.getcwd(), os.devnull, "/dev/urandom"])
    worker = Worker()  # which sets up its folder by calls that are refused from then on
    if settings["isolate"]:
        refuse_calls()
    serve(worker, requests, replies)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
