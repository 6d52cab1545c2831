"""One Chromium, one built site and one JupyterLab for all browser tests.

Every page notes what a reader should never meet: an error on the console, and a request to
anywhere but this machine. The servers listen on 127.0.0.1 and end with the tests.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser import pyodide
from web import build, serve

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = [path.stem for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
LESSONS = [name for name in NAMES if name[0].isdigit()]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]


@pytest.fixture(scope="session")
def browser():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        pytest.exit("The browser tests need Chromium (on Debian: apt install chromium).", 1)
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=FLAGS)


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory, worker_id):
    """The site, with a Pyodide of its own; of several workers, the first one builds it."""
    folder, shared = ROOT / "build/site-test", tmp_path_factory.getbasetemp()
    building = (shared if worker_id == "master" else shared.parent) / "site"
    try:
        building.mkdir()
    except FileExistsError:
        for _ in range(600):
            if (building / "ready").exists():
                return folder
            time.sleep(1)
        raise TimeoutError("The site was not built within ten minutes.") from None
    if not os.environ.get("KEEP_SITE"):  # which saves a minute while one works at a test
        build.build(folder, pyodide.compose(ROOT / "build/pyodide-test"))
    (building / "ready").touch()
    return folder


@pytest.fixture(scope="session")
def site(site_folder):
    """Its address."""
    with serve.Server(site_folder, port=0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.address
        server.shutdown()


@pytest.fixture
def page(browser):
    """A fresh page, with `page.errors` and `page.strangers` to be empty at the end."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.errors, page.strangers = [], []
    page.on("console", lambda m: m.type == "error" and page.errors.append(m.text))
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    context.on("request", lambda request: note_stranger(page, request.url))
    yield page
    context.close()
    assert page.strangers == []


def note_stranger(page, url):
    if not re.match(r"(http://127\.0\.0\.1:|data:|blob:)", url):
        page.strangers.append(url)


@pytest.fixture(scope="session")
def jupyterlab(tmp_path_factory):
    """How to open a notebook in JupyterLab: a function of its name that gives an address."""
    home = tmp_path_factory.mktemp("jupyterlab")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    places = ("CONFIG_DIR", "RUNTIME_DIR", "DATA_DIR")
    environment = {f"JUPYTER_{place}": str(home / place) for place in places}
    environment |= {f"JUPYTERLAB_{p}_DIR": str(home / p) for p in ("SETTINGS", "WORKSPACES")}
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0",
        "--allow-root", f"--ServerApp.root_dir={home / 'notebooks'}",
        "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, env=os.environ | environment, stderr=log)
    try:
        facts = facts_of(server, home / "RUNTIME_DIR")

        def address(name):
            path = f"lab/workspaces/{name}/tree/{name}.ipynb"
            return f"{facts['url']}{path}?reset&token={facts['token']}"

        address.folder = home / "notebooks"
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def facts_of(server, folder):
    """What a started server writes down about itself."""
    path = folder / f"jpserver-{server.pid}.json"
    for _ in range(300):
        assert server.poll() is None, "JupyterLab did not start."
        if path.exists() and path.read_text():
            return json.loads(path.read_text())
        time.sleep(0.1)
    raise TimeoutError("JupyterLab did not start within 30 seconds.")
