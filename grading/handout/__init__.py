"""What a student gets beside the notebook, as the package `checks`: no answer is in it.

A module for each assignment has the data of its questions and a check of every question, which says
what can be said before the grade: whether an answer has the right form, whether a certificate (a
separator, an order, a data set) does what it has to do, and whether a function is right on a few
small examples.  `python -m checks` tries a whole notebook.  The package imports `perceptron_lib`
and its own modules, and nothing else.
"""
