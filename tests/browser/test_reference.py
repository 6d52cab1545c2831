"""The page of licences names every package of the site."""

from tests.browser.conftest import ROOT
from tests.browser.test_pages import visit
from web import build, live

SITE = ROOT / "build/site-test"


def test_the_licences_name_every_package_of_the_site(site, page):
    visit(page, site + "licences.html")
    told = page.locator("article").text_content()
    wheels = [path.name.split("-")[0] for path in (SITE / "live/pyodide").glob("*.whl")]
    assert wheels
    for name in [*build.FROM_NPM, *map(live.canonical, wheels), "jupyterlite-core", "furo"]:
        assert name in told, name
    lists = [p.relative_to(SITE) for p in (SITE / "live").rglob("third-party-licenses.json")]
    assert lists and all(page.locator(f'a[href="{p.as_posix()}"]').count() for p in lists)
