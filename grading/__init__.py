"""Homework: cut the students' notebooks from the solved ones, and grade what comes back.

- `release`: what students get, on the usual data or on others, alone or with the collection
- `handout`: the checks that they have beside the notebook, without an answer in them
- `submissions`: what was handed in, whose it is, and what of it is graded
- `reader`: a process that opens students' notebooks and zips, under limits
- `limits`: what a submission may use
- `supervisor`: grades all that was handed in, with one budget for everything about a submission
- `one`: the process that grades one submission, in the outer cage: it runs the tests
- `frame`: from the file that was handed in to a notebook that can be graded and shown
- `sandbox`: takes plain data from the student's process, and nothing else
- `worker`: the student's process, behind limits, in the inner cage
- `cage`: what a process can see and do, by bubblewrap
- `checks`: the hidden checks, which compute what is right and give the points
- `course`: an nbgrader course, in which all of this is stored, and marked by hand
- `feedback`: the page that a student gets back
- `table`: the rows of grades, and files for learning platforms

It works from a clone (`python -m grading`), and is no part of the library that is installed.
"""
