"""Exercises: each checker says right or wrong, and why, but never the answer.

`exercises.hint("04.2")` gives a hint for exercise 2 of lesson 4, and then another.
"""

from perceptron_lib.exercises.checker import Wrong, hint
from perceptron_lib.exercises.lesson_01 import *  # noqa: F403
from perceptron_lib.exercises.lesson_02 import *  # noqa: F403
from perceptron_lib.exercises.lesson_03 import *  # noqa: F403
from perceptron_lib.exercises.lesson_04 import *  # noqa: F403
from perceptron_lib.exercises.lesson_05 import *  # noqa: F403
from perceptron_lib.exercises.lesson_06 import *  # noqa: F403
from perceptron_lib.exercises.lesson_07 import *  # noqa: F403
from perceptron_lib.exercises.lesson_08 import *  # noqa: F403
from perceptron_lib.exercises.lesson_09 import *  # noqa: F403
from perceptron_lib.exercises.lesson_10 import *  # noqa: F403
from perceptron_lib.exercises.lesson_11 import *  # noqa: F403

__all__ = ["Wrong", "hint", *(name for name, it in globals().items() if hasattr(it, "exercise"))]
