"""The cage: bubblewrap (`bwrap`) shows a process Python and its packages, and no more.

A process in it has no network, sees no other process, finds every file read-only but those it makes
in a /tmp of bounded size, and ends with the process that started it.  What Linux does not keep
apart (keys, memory that belongs to no process) is refused by a filter that libseccomp makes.

A submission is graded in two cages, one within the other: the outer one reads, grades and renders,
the inner one runs the student's code and knows neither tests nor solutions.
"""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"]
SETTINGS = ["/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/fonts"]
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]

KEYS = ["add_key", "keyctl", "request_key"]
HIDDEN_MEMORY = ["memfd_create", "memfd_secret", "shmget", "msgget", "semget"]
ODD = ["bpf", "io_uring_setup", "perf_event_open", "userfaultfd"]
OUTER = [*KEYS, *HIDDEN_MEMORY, *ODD]
OTHERS = ["ptrace", "process_vm_readv", "process_vm_writev", "sched_setaffinity"]
MOUNTS = {"statmount": 457, "listmount": 458}  # where things lie outside; libseccomp may be older
INNER = [*OUTER, *OTHERS, *MOUNTS, "socket", "setsockopt", "mmap"]  # of mmap only some, see ONLY

GET_IT = (
    "to get it, on Debian or Ubuntu: sudo apt install bubblewrap libseccomp2; "
    "on Fedora: sudo dnf install bubblewrap libseccomp"
)


def start(command, see, room, refuse, inner=False, isolate=True, fds=(), core=None, **options):
    """Start a process in a cage that shows `see` ({inside: outside}); a `subprocess.Popen`.

    `room` bytes are there for files; the system calls in `refuse` fail.  Without isolation it is a
    process like any other.  It stays on its `core`, with all that it starts."""
    stay = ["taskset", "--cpu-list", str(core)] if core is not None else []
    with compiled(refuse) if isolate else contextlib.nullcontext() as rules:
        if isolate:
            fds = (*fds, rules.fileno())
            stay += bubblewrap(see, room, inner, ["--seccomp", str(rules.fileno())])
        line = [*stay, *command]
        return subprocess.Popen(line, pass_fds=fds, start_new_session=True, **options)


def bubblewrap(see, room, inner, more=(), root=None):
    """The command that builds a cage; what is named later lies over what was named before."""
    root = os.geteuid() == 0 if root is None else root
    line = [shutil.which("bwrap") or "bwrap", "--die-with-parent", "--new-session"]
    line += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    line += ["--unshare-cgroup-try", "--hostname", "cage"]
    if root:  # no limit of processes holds for root, so it changes to nobody
        line += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        line += ["--unshare-user", "--uid", "1000", "--gid", "1000"]
    line += ["--perms", "1777", "--size", str(room), "--tmpfs", "/tmp", "--chdir", "/tmp"]
    for path in SYSTEM:
        if os.path.islink(path):
            line += ["--symlink", os.readlink(path), path]
        else:
            line += ["--ro-bind-try", path, path]
    if ROOT.is_relative_to("/usr"):  # a clone there, with its solutions, is no part of the system
        line += ["--tmpfs", str(ROOT)]
    shown = {path: path for path in SETTINGS + python() if os.path.exists(path)} | dict(see)
    for folder in sorted({parent for inside in shown for parent in Path(inside).parents}):
        if not folder.is_relative_to("/usr"):
            line += ["--perms", "0755", "--dir", str(folder)]
    for inside, outside in shown.items():
        line += ["--ro-bind", str(outside), str(inside)]
    line += ["--dev", "/dev", "--perms", "1777", "--size", str(2**26), "--tmpfs", "/dev/shm"]
    line += ["--dev-bind", "/dev/null", "/dev/zero"]  # which gives memory that is no process's
    if not inner:  # this /proc is needed to build the inner cage, which has none
        line += ["--proc", "/proc"]
    elif not root:
        line += ["--disable-userns"]
    line += ["--remount-ro", "/dev", "--remount-ro", "/", *more, "--"]
    return line + (NOBODY if root else [])


def python():
    """The folders of Python and its packages, where they are not the system's."""
    found = {sys.prefix, sys.base_prefix}
    found |= {os.path.realpath(path) for path in found}
    return sorted(path for path in found if not Path(path).is_relative_to("/usr"))


class Comparison(ctypes.Structure):
    """What libseccomp compares an argument of a call with."""

    _fields_ = [("argument", ctypes.c_uint), ("how", ctypes.c_int),
                ("mask", ctypes.c_uint64), ("value", ctypes.c_uint64)]  # fmt: skip


# Of all calls of mmap those whose flags have MAP_SHARED and MAP_ANONYMOUS (7: equal under a mask):
# that memory stays when it is given back but for a page, and is then counted nowhere.
ONLY = {"mmap": Comparison(3, 7, 0x21, 0x21)}


def compiled(refuse):
    """A filter for the kernel, in a file: the calls in `refuse` fail with "not permitted"."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(0x7FFF0000)))  # all is allowed
    for name in refuse:
        call = seccomp.seccomp_syscall_resolve_name(name.encode())
        call = MOUNTS.get(name, call) if call < 0 else call
        not_permitted, only = ctypes.c_uint32(0x00050001), ONLY.get(name)
        rule = rules, not_permitted, call, int(only is not None), only and ctypes.byref(only)
        # What a machine does not have (a negative number) need not be refused.
        if call >= 0 and seccomp.seccomp_rule_add_array(*rule):
            raise OSError(f"libseccomp cannot refuse {name}")
    file = tempfile.TemporaryFile()  # noqa: SIM115
    if seccomp.seccomp_export_bpf(rules, file.fileno()):
        raise OSError("libseccomp made no filter")
    seccomp.seccomp_release(rules)
    file.seek(0)
    return file


def why_none(*secret):
    """Why there can be no cage here and what to do about it, in a sentence; None if there can.

    The clone and the `secret` folders must not lie where Python is, which every cage shows."""
    for folder in (ROOT, *secret):
        if any(Path(folder).resolve().is_relative_to(shown) for shown in python()):
            return f"{folder} is in a folder of Python's, which submissions see; move one of them"
    if not shutil.which("bwrap"):
        return f"the program bwrap is missing, which keeps submissions from your files ({GET_IT})"
    try:
        compiled(INNER).close()
    except OSError as error:
        return f"libseccomp is missing or too old ({error}; {GET_IT})"
    inner = bubblewrap({}, 2**20, inner=True, root=False)
    trial = [*bubblewrap({}, 2**20, inner=False), *inner, sys.executable, "-c", ""]
    done = subprocess.run(trial, capture_output=True, text=True, errors="replace")
    if done.returncode:
        return (
            f"this system lets bwrap build no cage ({done.stderr.strip()[:200]}); in a container "
            "it takes what notebooks/homework/README.md says, on Ubuntu 24.04 or newer "
            "`sysctl kernel.apparmor_restrict_unprivileged_userns=0` as root"
        )
    return None
