"""What `make notebooks` and the tests share: how a notebook is run, stored, guarded and compared.

refresh     runs notebooks and stores them in one normal form
manifest    the cells of every notebook and the kinds of their outputs, written down
guard       says why a stored notebook cannot be trusted
pictures    compares what nbval leaves out: pixels, words beside them, order and kinds of outputs
sheet       draws every picture on one sheet, on a light and on a dark page
teaching    reads the question bank and the worked solutions
bank        exports the questions for Moodle and Canvas
solutions   makes the lecturer's page of worked solutions
figures     draws every figure of the lessons as SVG and PDF
alone       makes a page of the site's look that needs no other file
unchecked   names, at the end of the tests, what this machine could not check
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
