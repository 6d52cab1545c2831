"""A page that looks like those of the site and stands alone, with styles, fonts and pictures."""

import base64
import html
import re

from web import build, render

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="columns">
<details class="toc" open>
<summary>On this page</summary>
<nav aria-label="On this page">
{toc}
</nav>
</details>
<main id="content">
<h1>{title}</h1>
{content}
</main>
</div>
</body>
</html>
"""


def page(title, content):
    """The page with that title; `content` is made by `web.render`."""
    katex = build.npm_packages() / "katex" / "dist"

    def font(found):
        return f"src:url({address('font/woff2', (katex / found[1]).read_bytes())})"

    style = (katex / "katex.min.css").read_text(encoding="utf-8")
    style = re.sub(r"src:url\((fonts/[^)]*\.woff2)\)[^}]*", font, style)
    style += (build.WEB / "assets" / "page.css").read_text(encoding="utf-8")
    made = PAGE.format(title=html.escape(title), style=style, toc=render.toc(content),
                       content=content)  # fmt: skip
    return render.set_formulas({"": made}, katex / "katex.mjs")[""]


def address(kind, data):
    """Bytes as an address that has them in it."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
