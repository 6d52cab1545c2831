"""What one can touch: explorers of a few controls, one picture and its words, and the playground.

Thin on purpose: a control changes the state, `plots` draws it.  The explorers themselves are in the
rooms of their lessons.  The playground, where one puts the points down oneself, is drawn by its own
script, and so works on pages and slides as well.
"""

from perceptron_lib.widgets.playground import playground
