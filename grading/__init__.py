"""Homework: cut the students' notebooks from the solved ones, and grade what comes back.

- `submissions`: what was handed in, whose it is, and what of it is graded
- `reader`: a process that opens students' notebooks and zips, under limits
- `table`: the rows of grades, and files for learning platforms
- `course`: an nbgrader course, from the solved notebooks to the pages that students get back
- `sandbox`: the grader's side, which takes plain data from a submission and nothing else
- `worker`: the student's side, a process behind limits
- `release`: what students get, on the usual data or on others, alone or with the collection
- `handout`: the checks that they have beside the notebook, without an answer in them
- `checks`: the hidden checks, which compute what is right and give the points
- `feedback`: the page that a student gets back

It works from a clone (`python -m grading`), and is no part of the library that is installed.
"""
