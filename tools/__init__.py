"""What `make notebooks` and the tests share: how a notebook is run, stored, guarded and compared.

refresh     runs notebooks and stores them in one normal form
manifest    the cells of every notebook and the kinds of their outputs, written down
guard       says why a stored notebook cannot be trusted
pictures    compares what nbval leaves out: pixels, words beside them, order and kinds of outputs
sheet       draws every picture on one sheet, on a light and on a dark page
unchecked   names, at the end of the tests, what this machine could not check
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
