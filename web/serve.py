"""Show the built site: python -m web.serve [folder] [--port PORT]"""

import argparse
import functools
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript", ".wasm": "application/wasm"}  # fmt: skip

    def log_message(self, *args):
        """Say nothing about each request."""


class Server(ThreadingHTTPServer):
    """Serves a folder to this machine only; port 0 is any free one."""

    def __init__(self, folder, port):
        super().__init__(("127.0.0.1", port), functools.partial(Handler, directory=folder))
        self.address = f"http://127.0.0.1:{self.server_port}/"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m web.serve", description="Show the site.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/site"))
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if not (options.folder / "index.html").exists():
        sys.exit(f"There is no site in {options.folder}; `make site` builds it.")
    try:
        server = Server(options.folder, options.port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "0 to 65535 can"
        sys.exit(f"Port {options.port} cannot be used ({reason}); try make serve PORT=8080.")
    print(f"The site is at {server.address} until you press Ctrl+C.", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
