"""How Sphinx builds the pages; `web.build` makes their sources, in which all is as it needs it."""

import json
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
sys.path.insert(0, str(WEB.parent))

from docutils.nodes import SkipNode  # noqa: E402

from web import glossary, reference  # noqa: E402

project, author, language = "The Perceptron", "the authors of the collection", "en"
copyright = "the authors; text and figures CC BY 4.0, code MIT"
extensions = ["myst_nb", "sphinx_copybutton", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme, html_title, html_favicon = "furo", "The Perceptron", "assets/icon.svg"
html_css_files = ["katex/katex.min.css", "site.css", "explorer.css", "scenes.css"]
html_js_files = ["site.js", "explorer.js"]
templates_path = ["templates"]
html_show_sourcelink = html_copy_source = html_show_sphinx = False
ACCENT = {"light": "#005a8f", "dark": "#7cc4f5"}
html_theme_options = {
    f"{look}_css_variables": {
        "color-brand-primary": colour, "color-brand-content": colour, "color-link": colour,
        "color-link--visited": colour, "font-stack": "'Source Sans', sans-serif",
        "font-stack--monospace": "'Source Code', monospace",
    } for look, colour in ACCENT.items()
}  # fmt: skip
html_theme_options |= {"light_logo": "icon.svg", "dark_logo": "icon.svg"}
html_static_path = [str(WEB.parent / "build/cache/static")]  # web.build puts it there
html_sidebars = {"**": [f"sidebar/{part}.html" for part in (
    "brand", "search", "ways", "scroll-start", "navigation", "scroll-end")]}  # fmt: skip
nb_execution_mode = "off"
myst_dmath_double_inline = True
myst_enable_extensions = ["dollarmath", "amsmath", "attrs_block"]
myst_heading_anchors, myst_heading_slug_func = 4, "web.render.slug"
myst_url_schemes = {"http": None, "https": None, "mailto": None, "to": "../{{path}}"}
copybutton_selector = "div.cell_input div.highlight pre"
default_role = "code"
autodoc_preserve_defaults = True


def set_math(translator, node):
    """Leave a formula as TeX, which `web.build` sets, with those of decks and outputs."""
    display = " display" * (type(node).__name__ == "math_block")
    tex = translator.encode(node.astext())
    made = f'<span class="tex{display}">{tex}</span>'
    translator.body.append(f"<div>{made}</div>\n" if display else made)
    raise SkipNode


PRINT = '<p class="ways print-it"><button onclick="print()">Print this sheet</button></p>'


def finish(app, page, template, context, doctree):
    """Terms of the glossary in a page, and the ways to a lesson at its side."""
    body = context.get("body", "")
    if page == "read/glossary":
        context["body"] = glossary.anchors(body)
    elif page == "read/summary":
        context["body"] = f'<div class="sheet">{PRINT}{body}</div>'
    elif page.startswith("read/") and body:
        context["body"] = glossary.page(app.config.terms, body)
    context["ways"] = app.config.ways.get(page, "")


def setup(app):
    known = json.loads((Path(app.srcdir) / "about.json").read_text(encoding="utf-8"))
    app.add_config_value("terms", None, "")
    app.config.terms = glossary.Glossary(known["glossary"])
    app.add_config_value("ways", known["ways"], "env")
    app.add_html_math_renderer("later", (set_math, None), (set_math, None))
    app.connect("autodoc-process-docstring", reference.plain, priority=400)
    app.connect("html-page-context", finish)
    app.config.html_math_renderer_name = "later"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
