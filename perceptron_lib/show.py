"""How things are shown: numbers in tables, titles and sentences, and what was given to a function.

One way for all: a minus sign is a minus sign (−), a rounded number of an exact table has a ~ before
it, and "=" is only written before a number that is exactly that.
"""

import math
import re
from fractions import Fraction

import numpy as np


def plain(value):
    """A scalar of NumPy as what it is in Python; anything else, a masked one included, as it is."""
    numpy = isinstance(value, (np.generic, np.ndarray)) and not hasattr(value, "filled")
    return value.item() if numpy and value.ndim == 0 and value.dtype.kind not in "mM" else value


def shown(value):
    """What was given, for a sentence: on one line, and short."""
    value, kind = plain(value), type(value).__name__
    kind = f"{'an' if kind[0] in 'aeioAEIO' or kind == 'ndarray' else 'a'} {kind}"
    if isinstance(getattr(value, "shape", None), tuple) and value.shape:
        return f"{kind} of shape {value.shape}"
    if isinstance(value, (list, tuple, set, dict)) and len(value) > 20:
        return f"{kind} of {len(value):,} entries"
    try:
        text = " ".join(repr(value[:80] if isinstance(value, (str, bytes)) else value).split())
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of thousands of digits"
    return kind if " at 0x" in text else text if len(text) <= 60 else text[:59] + "…"


def refusal(name, expected, given):
    """The error for an argument that is refused."""
    return ValueError(f"{name} must be {expected}; got {shown(given)}")


def count(n, noun):
    """A number of things: "1 pass", "2 passes", "1,000 mistakes"."""
    return f"{n:,} {noun}{'' if n == 1 else 'es' if noun.endswith('s') else 's'}"


def number(value):
    """A number as a person writes it, to three digits or, from a thousand on, to the whole number.

    >>> number(2.0), number(-1 / 3), number(999.6)
    ('2', '−0.333', '1,000')
    """
    value = as_float(value) + 0.0  # which makes 0 of -0
    whole = value.is_integer() and abs(value) < 10**15
    text = f"{value:,.0f}" if whole or 999.5 <= abs(value) < 10**7 else f"{value:.3g}"
    return text.replace("-", "−")


def numbers(values):
    """A vector as a person writes it.

    >>> numbers([1.0, -0.5])
    '(1, −0.5)'
    """
    return "(" + ", ".join(number(v) for v in values) + ")"


def equals(value):
    """The text "= 25" for a whole number; for another Fraction one decimal, rounded down (a bound
    on a number of things must not be shown too large): "≈ 902.6"."""
    if value == int(value):
        return f"= {int(value):,}"
    return f"≈ {math.floor(10 * value) / 10:,.1f}"


def short(value):
    """An exact number (a Fraction, or a `Surd`) for a table: whole or as a short decimal such as
    0.25, marked by ~ if it was rounded: ~0.3333."""
    roots = getattr(value, "roots", {})  # of a Surd
    value = value if roots else getattr(value, "rational", value)
    if not roots and value == int(value) and abs(value) < 10**7:
        return str(int(value)).replace("-", "−")
    text = f"{as_float(value):.4g}"
    if "inf" in text:
        digits = 308 if roots else int(math.log10(abs(int(value))))
        text = text.replace("inf", f"1e{digits}")
    exact = not roots and Fraction(text) == value
    return ("" if exact else "~") + text.replace("-", "−")


def as_float(value):
    """An exact number as the nearest float, infinite if it is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


TEX = r"""α\alpha β\beta γ\gamma δ\delta ε\varepsilon η\eta θ\theta κ\kappa λ\lambda π\pi ρ\rho
    σ\sigma τ\tau φ\phi ω\omega Δ\Delta Φ\Phi ‖\Vert ·\cdot √\sqrt ∞\infty"""
SIGNS = dict(re.findall(r"(\S)(\\\w+\s)", TEX + " ")) | {"−": "-", "′": "'", "″": "''"}
HIGH, LOW = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵗᵐ", "₀₁₂₃₄₅₆₇₈₉ᵢₙₜ"
SCRIPTS = str.maketrans(HIGH + LOW, "0123456789+-tm0123456789int")
LONE = re.compile(r"(?<![A-Za-z])([B-HJ-Zb-z]|TD|ln)(?![A-Za-z])|[αβγδεηθκλπρστφωΔΦ‖√]")
WORD = re.compile(r"(?<![A-Za-z])(?!(?:TD|ln)(?![A-Za-z]))[A-Za-z]{2,}")


def indexed(name, t):
    """A vector of update t.

    >>> indexed("w", 13)
    'w⁽¹³⁾'
    """
    return name + "⁽" + "".join(HIGH[int(digit)] for digit in str(t)) + "⁾"


def symbols(text):
    """A text with its symbols in mathematical italics, as in the lessons: a word is a formula if it
    has single letters, lengths or roots, and no others.

    >>> print(symbols("After 3 updates ‖w⁽⁴⁾‖² ≤ 3R²."))
    After 3 updates $\\Vert w^{(4)}\\Vert ^{2}$ ≤ $3R^{2}$.
    """
    if "$" in text:
        return text
    text = re.sub("‖[^‖]*‖", lambda length: length[0].replace(" ", ""), text)
    return re.sub(r"(\S*?)([.,:;]*)(?=\s|$)", _formula, text)


def _formula(match):
    """A word in TeX, if it is a formula."""
    word, stop = match.groups()
    if WORD.search(word) or not LONE.search(word):
        return match[0]
    word = re.sub("⁽(.*?)⁾", lambda f: f"^{{({f[1].translate(SCRIPTS)})}}", word)
    for sign, scripts in ("^", HIGH), ("_", LOW):
        word = re.sub(f"[{scripts}]+", lambda f, s=sign: f"{s}{{{f[0].translate(SCRIPTS)}}}", word)
    word = re.sub("√(.)", r"√{\1}", word).replace("TD", r"\mathrm{TD}").replace("ln", r"\ln ")
    return f"${''.join(SIGNS.get(c, c) for c in word)}${stop}"
