"""A room for each lesson: its own functions, theorem, pictures, explorer and exercises.

A room imports what is shared, never the reverse: `from perceptron_lib.lessons import margin`.
"""

ROOMS = (
    "algorithm", "lines", "mistake_bound", "adversary", "margin", "pac", "survivors", "noise",
    "kernels", "bridge", "structured",
)  # in the order of the lessons
