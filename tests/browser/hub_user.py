"""A user of the trial JupyterHub who has a real Chromium, and does all as a student does."""

import shutil
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from tests.browser.lab import Lab
from tests.browser.outputs import errors


class Chromium:
    """See `tests.hub_trial.User`: the same steps, but one link leads through the first three."""

    def __init__(self, hub, name):
        self.hub, self.name = hub, name

    def server(self):
        self.playwright = sync_playwright().start()
        path, flags = shutil.which("chromium"), ["--no-sandbox", "--disable-gpu"]
        browser = self.playwright.chromium.launch(executable_path=path, args=flags)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        link = self.hub.link | {"urlpath": f"lab/tree/{self.hub.lesson}"}
        query = urlencode(link).replace("targetpath", "targetPath")  # as the page of links has it
        page.goto(f"{self.hub.url}/hub/user-redirect/git-pull?{query}")
        page.get_by_label("Username").fill(self.name)
        page.get_by_label("Password").fill(self.hub.password)
        page.get_by_role("button", name="Sign in").click(no_wait_after=True)
        page.wait_for_url("**/lab/tree/**", timeout=180_000)
        self.lab = Lab(page, page.url, seconds=180)

    def pull(self):
        """Done: the link has pulled."""

    def kernel(self):
        """Done: JupyterLab has started it with the lesson."""

    def lesson(self):
        assert errors(self.lab.run_all()) == []
        self.lab.explorer()
        self.lab.page.screenshot(path=self.hub.folder / "screen.png")
        self.playwright.stop()
