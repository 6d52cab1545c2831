"""What one can touch: explorers of a few controls, and scenes that scripts draw.

Thin on purpose: a control changes the state, `plots` draws it.  The explorers themselves are in the
rooms of their lessons.  The playground, where one puts the points down oneself, the game of
labellings and three explorers are drawn by scripts, and so work on pages and slides as well.
"""

from perceptron_lib.widgets.playground import Scene, playground, shatter
