"""Print every page and every deck of the built site to PDF, with the Chromium at hand."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading

from tools import ROOT
from web import serve

SITE, PRINTED = ROOT / "build/site", ROOT / "build/handouts"
FLAGS = [
    "--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=20000",
]  # fmt: skip


def papers(site):
    """The addresses to print, by the name of the PDF; decks with the slides that have a star."""
    decks = {path.stem: path.name for path in sorted(site.glob("slides/*.html"))}
    found = {f"{path.stem}.pdf": f"read/{path.name}" for path in sorted(site.glob("read/*.html"))}
    found |= {f"teach-{path.stem}.pdf": f"teach/{path.name}" for path in site.glob("teach/*.html")}
    return found | {f"{stem}-slides.pdf": f"slides/{name}?print-pdf&long&theme=light"
                    for stem, name in decks.items()}  # fmt: skip


def print_all(site=SITE, folder=PRINTED, names=None):
    """Print the papers that are named, or all, into a folder; tell how each went."""
    known = ("chromium", "chromium-browser", "google-chrome")
    if not (chromium := next(filter(None, map(shutil.which, known)), None)):
        sys.exit("Handouts need Chromium (on Debian or Ubuntu: apt install chromium).")
    if not (site / "index.html").exists():
        sys.exit(f"{site} has no pages: `make site` builds them.")
    folder.mkdir(parents=True, exist_ok=True)
    root = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    with serve.Server(site, port=0) as server, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, address in papers(site).items():
            if names is None or name in names:
                place = (folder / name).resolve()
                command = [chromium, *FLAGS, *root, f"--user-data-dir={profile}",
                           f"--print-to-pdf={place}", server.address + address]  # fmt: skip
                done = subprocess.run(command, capture_output=True, text=True, timeout=120)
                if done.returncode or not place.exists():
                    sys.exit(f"{done.stderr}{name} could not be printed.")
                print(f"{name}: {place.stat().st_size / 1e6:.1f} MB", flush=True)
        server.shutdown()


if __name__ == "__main__":
    print_all()
