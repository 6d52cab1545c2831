"""Print every page and every deck of the built site to PDF, with the Chromium at hand.

    python -m web.handouts [--site FOLDER] [--output FOLDER]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from web import serve

ROOT = Path(__file__).resolve().parent.parent
FLAGS = [
    "--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=20000",
]  # fmt: skip


def papers(site):
    """The addresses to print, by the name of the PDF; decks with the slides that have a star."""
    found = {f"{path.stem}.pdf": f"read/{path.name}" for path in sorted(site.glob("read/*.html"))}
    for path in sorted(site.glob("teach/*.html")):
        found[f"teach-{path.stem}.pdf"] = f"teach/{path.name}"
    for path in sorted(site.glob("slides/*.html")):
        found[f"{path.stem}-slides.pdf"] = f"slides/{path.name}?print-pdf&long&theme=light"
    return found


def print_all(site, output, names=None):
    """Print the papers that are named, or all, into a folder; tell how each went."""
    known = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, known)), None)
    if not chromium:
        sys.exit("Handouts need Chromium (on Debian or Ubuntu: apt install chromium).")
    if not (site / "index.html").exists():
        sys.exit(f"{site} has no pages: `make site` builds them.")
    output.mkdir(parents=True, exist_ok=True)
    with serve.Server(site, port=0) as server, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, address in papers(site).items():
            if names is None or name in names:
                flags = [*FLAGS, f"--user-data-dir={profile}"]
                flags += ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
                place = (output / name).resolve()
                done = subprocess.run(
                    [chromium, *flags, f"--print-to-pdf={place}", server.address + address],
                    capture_output=True, text=True, timeout=120,
                )
                if done.returncode or not place.exists():
                    sys.exit(f"{done.stderr}{name} could not be printed.")
                print(f"{name}: {place.stat().st_size / 1e6:.1f} MB", flush=True)
        server.shutdown()


def main():
    parser = argparse.ArgumentParser(prog="python -m web.handouts", description="Print the site.")
    parser.add_argument("--site", type=Path, default=ROOT / "build/site")
    parser.add_argument("--output", type=Path, default=ROOT / "build/handouts")
    options = parser.parse_args()
    print_all(options.site, options.output)


if __name__ == "__main__":
    main()
