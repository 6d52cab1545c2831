"""What `make notebooks` and the tests share: how a notebook is run, stored, guarded and compared.

refresh     runs notebooks and stores them in one normal form
guard       says why a stored notebook cannot be trusted
pictures    compares what nbval leaves out: pixels, words beside them, order and kinds of outputs
teaching    reads the question bank and the worked solutions
bank        exports the questions for Moodle and Canvas
solutions   makes the lecturer's page of worked solutions
figures     draws every figure of the lessons for slides, for dark pages, or as SVG and PDF
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INLINE = re.compile("data:image/png;base64,([^\"']*)")  # a picture in HTML; as in nbval.cfg
