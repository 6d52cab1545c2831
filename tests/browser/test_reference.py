"""The reference of the library and the page of licences, as a browser shows them."""

import json

import pytest

from tests.browser.conftest import ROOT
from tests.browser.test_pages import violations, visit
from web import build, live

SITE = ROOT / "build/site-test"
SOME = "bounds", "plots", "lessons/structured"
PAGES = ["licences.html", "reference/perceptron_lib.html",
         *(f"reference/perceptron_lib/{name}.html" for name in SOME)]


@pytest.mark.parametrize("name", PAGES)
def test_page_is_quiet_fits_and_passes_axe_in_light_and_dark(name, site, page):
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        visit(page, site + name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == [] and page.errors == []


def test_search_in_the_reference_works_and_leads_back(site, page):
    visit(page, site + "reference/perceptron_lib/bounds.html")
    page.get_by_label("search").fill("kernel_perceptron")
    page.locator(".search-result a").first.click()
    page.wait_for_url("**/kernels.html#kernel_perceptron")
    page.get_by_role("link", name="All lessons").click()
    page.wait_for_url("**/index.html")


def test_on_a_phone_the_contents_open_by_keyboard(site, page):
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, site + "reference/perceptron_lib.html")
    contents = page.get_by_role("link", name="survivors", exact=True)
    assert not contents.is_visible()
    page.get_by_label("Show the contents").press("Space")
    assert contents.is_visible()


def test_the_licences_name_every_package_of_the_site(site, page):
    visit(page, site + "licences.html")
    told = page.locator("main").text_content()
    wheels = [path.name.split("-")[0] for path in (SITE / "live/pyodide").glob("*.whl")]
    assert wheels
    for name in [*build.FROM_NPM, *map(live.canonical, wheels), "jupyterlite-core"]:
        assert name in told, name
    for path in (SITE / "live").rglob("third-party-licenses.json"):
        for package in json.loads(path.read_text(encoding="utf-8"))["packages"]:
            assert package["name"] in told, package["name"]
