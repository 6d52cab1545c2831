"""What is asked of the answers, a module for each assignment.

A student gets this package beside the notebook, with the one module that it needs; so it imports
`perceptron_lib` and its own modules, and nothing else of the grader's.
"""
