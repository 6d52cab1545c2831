"""Homework: cut the students' notebooks from the solved ones, and grade what comes back.

- `course`: an nbgrader course, from the solved notebooks to what is stored of a submission
- `supervisor`: grades all that was handed in, with one budget for everything about a submission
- `one`: the process that grades one submission, in the outer cage
- `frame`: from the file that was handed in to a notebook that can be graded and shown
- `sandbox`: the tests' side, which takes plain data from a submission and nothing else
- `worker`: the student's side, a process behind limits, in the inner cage
- `cage`: what a process can see and do, by bubblewrap
- `checks`: what is asked of the answers; a student has a copy of it beside the notebook

It works from a clone (`python -m grading`), and is no part of the library that is installed.
"""
