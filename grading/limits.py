"""What a submission may use, all in one place.

`EACH` holds for the student's own process, `ALL` for everything about a submission together:
reading its file, starting, running, answering, rendering its page.
"""

LARGEST = 20 * 2**20  # bytes of a file that is handed in
READING = {"memory": 2**29, "seconds": 30}  # to find out what a file is
A_ZIP = {"entries": 2_000, "size": 100 * 2**20, "seconds": 30}  # of a student's; the size of all
A_CLASS = {"entries": 100_000, "size": 20 * 2**30, "seconds": 1800}  # of a platform's

EACH = {
    "seconds": 20,  # for a cell or a call
    "memory": 2**31,
    "file": 10 * 2**20,  # bytes in one file, and of what is printed
    "room": 2**27,  # bytes in all files
    "processes": 64,
    "deaths": 4,  # so often it is started again
}
CALLS = 10  # times the seconds of a cell are there for all cells and calls

ALL = {
    "own_seconds": 120,  # of the grader's own work, beside the student's
    "all_memory": 3 * 2**30,
    "tasks": 200,  # processes and threads
    "files": 20_000,
    "sockets": 1000,  # what is sent and not read is memory of no process
    "disk": 2**29,
}
A_PROCESS = 2**32  # bytes of memory for any process of the grader's
RESULTS = 2**27  # bytes in any file of the grader's, the results included


def too_large(size):
    return (
        f"the file has {size / 2**20:.0f} MB, and {LARGEST / 2**20:.0f} MB are allowed; "
        "clear the outputs and hand it in again"
    )
