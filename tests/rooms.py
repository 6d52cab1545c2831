"""All rooms of the lessons, and what is in them."""

from importlib import import_module

from perceptron_lib import lessons, plots

ROOMS = [import_module(f"perceptron_lib.lessons.{name}") for name in lessons.ROOMS]
CHECKERS = {f.exercise: f for room in ROOMS for f in vars(room).values() if hasattr(f, "exercise")}
PICTURES = {  # by their names: the functions that draw them
    name: thing
    for module in (plots, *ROOMS)
    for name, thing in vars(module).items()
    if hasattr(thing, "on_axes")
}
