"""A class on a real JupyterHub: all follow the pulling link, open lesson 03 and run it at once.

    python -m tests.hub_trial build/hub [--users 12] [--browser]

`make hub-trial` first puts into that folder what a hub needs: `hub` (jupyterhub), `user` (the
library, JupyterLab, nbgitpuller) and `node_modules` (the proxy).  One user alone is measured first,
then all at once; with --browser the last of them is a Chromium, whose final screen is kept.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
import uuid
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import requests
import websocket

STUDENTS = Path("build/perceptron-students.zip")


class Hub:
    """A JupyterHub on 127.0.0.1 that ends, with all that it started, at the end of `with`."""

    lesson, password = "perceptron/notebooks/03_mistake_bound.ipynb", uuid.uuid4().hex

    def __init__(self, folder):
        self.folder, self.work = folder.resolve(), tempfile.mkdtemp(prefix="hub-")
        work = Path(self.work)
        zipfile.ZipFile(STUDENTS).extractall(work)
        course = work / STUDENTS.stem
        who = "-c user.name=course -c user.email=course@example.org"
        make = f"git init -q -b students && git add . && git {who} commit -q -m Lessons"
        subprocess.run(make, shell=True, check=True, cwd=course)
        self.link = {"repo": course.as_uri(), "branch": "students", "targetpath": "perceptron"}
        free = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
        self.url, inner, proxy = (f"http://127.0.0.1:{s.getsockname()[1]}" for s in free)
        for one in free:
            one.close()
        options = {
            "JupyterHub.bind_url": self.url, "JupyterHub.hub_bind_url": inner,
            "ConfigurableHTTPProxy.api_url": proxy, "Authenticator.allow_all": True,
            "JupyterHub.authenticator_class": "shared-password",
            "SharedPasswordAuthenticator.user_password": self.password,
            "JupyterHub.spawner_class": "simple", "JupyterHub.concurrent_spawn_limit": 0,
            "SimpleLocalProcessSpawner.home_dir_template": work / "{username}",
            "Spawner.cmd": self.folder / "user/bin/jupyterhub-singleuser",
            # Users of one machine share its ports, and two kernels that start at once may choose
            # the same: hence sockets in the users' own folders.
            "Spawner.args": ["--KernelManager.transport=ipc", "--allow-root",
                             "--LabApp.expose_app_in_browser=True"],
            "Spawner.start_timeout": 180, "Spawner.http_timeout": 180,
        }  # fmt: skip
        command = [self.folder / "hub/bin/python", "-m", "jupyterhub"]
        command += [f"--{name}={value}" for name, value in options.items()]
        own = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        own["PATH"] = f"{self.folder}/node_modules/.bin:{self.folder}/user/bin:{own['PATH']}"
        with (self.folder / "log").open("w") as log:
            self.process = psutil.Popen(command, cwd=work, env=own, stdout=log, stderr=log)

    def __enter__(self):
        while self.process.poll() is None:
            try:
                requests.get(f"{self.url}/hub/api", timeout=5).raise_for_status()
                return self
            except requests.RequestException:
                time.sleep(0.2)
        raise SystemExit(f"JupyterHub did not start; {self.folder}/log says why.")

    def __exit__(self, *_):
        family = [self.process, *self.process.children(recursive=True)]
        self.process.terminate()  # it ends its users' servers and its proxy
        for process in psutil.wait_procs(family, timeout=30)[1]:
            process.kill()
        shutil.rmtree(self.work)

    def needs(self):
        """Of each user's server, then of its kernel: megabytes, and CPU seconds so far."""
        for server in self.process.children():
            if server.environ().get("JUPYTERHUB_USER"):
                (kernel,) = (p for p in server.children() if "ipykernel_launcher" in p.cmdline())
                for process in (server, kernel):
                    yield process.memory_full_info().pss / 1e6, sum(process.cpu_times()[:2])


class User:
    """A user who logs in, then talks to the own server through the proxy, as JupyterLab does."""

    def __init__(self, hub, name):
        self.hub, self.name, self.http, self.key = hub, name, requests.Session(), {}
        self.http.get(login := f"{hub.url}/hub/login")
        form = {"username": name, "password": hub.password, "_xsrf": self.http.cookies["_xsrf"]}
        self.http.post(login, data=form, allow_redirects=False).raise_for_status()
        xsrf = {"_xsrf": self.http.cookies["_xsrf"]}
        token = self.call("POST", f"hub/api/users/{name}/tokens", params=xsrf).json()["token"]
        self.http, self.key = requests.Session(), {"Authorization": f"token {token}"}

    def call(self, how, path, **more):
        url = f"{self.hub.url}/{path}"
        answer = self.http.request(how, url, timeout=180, headers=self.key, **more)
        answer.raise_for_status()
        return answer

    def server(self):
        mine = f"hub/api/users/{self.name}/server"
        self.call("POST", mine)
        said = self.call("GET", f"{mine}/progress").text
        assert '"ready": true' in said, said

    def pull(self):
        said = self.call("GET", f"user/{self.name}/git-pull/api", params=self.hub.link).text
        assert '"phase": "finished"' in said, said

    def kernel(self):
        api, path = f"user/{self.name}/api", self.hub.lesson
        self.cells = self.call("GET", f"{api}/contents/{path}").json()["content"]["cells"]
        new = {"path": path, "name": "", "type": "notebook", "kernel": {"name": "python3"}}
        kernel = self.call("POST", f"{api}/sessions", json=new).json()["kernel"]["id"]
        self.channels = f"ws{self.hub.url[4:]}/{api}/kernels/{kernel}/channels"
        self.run(["0"])

    def lesson(self):
        self.run("".join(c["source"]) for c in self.cells if c["cell_type"] == "code")

    def run(self, sources):
        """Send all cells, and read to the last reply; an error or a warning ends the trial."""
        channel = websocket.create_connection(self.channels, timeout=180, header=self.key)
        for code in sources:
            last = uuid.uuid4().hex
            header = {"msg_id": last, "msg_type": "execute_request", "version": "5.3"}
            message = {"header": header, "content": {"code": code}, "parent_header": {}}
            channel.send(json.dumps(message | {"metadata": {}, "channel": "shell"}))
        reply = None
        while reply != last:
            message = json.loads(channel.recv())
            kind, content = message["header"]["msg_type"], message["content"]
            assert kind != "error" and content.get("name") != "stderr", (self.name, content)
            if kind == "execute_reply":
                assert content["status"] == "ok", (self.name, content)
                reply = message["parent_header"]["msg_id"]
        channel.close()


def trial(folder, users, browser=False):
    """Let so many users work at once; print what each step took, and what each user needs."""
    print(f"users: {users}; median and largest of")
    with Hub(folder) as hub:
        people = [User(hub, f"user{k}") for k in range(1, users + 1 - browser)]
        if browser:
            from tests.browser.hub_user import Chromium

            people.append(Chromium(hub, "chromium"))
        threads = [ThreadPoolExecutor(1) for _ in people]
        for step in ("server", "pull", "kernel", "lesson"):
            steps = [getattr(person, step) for person in people]
            begun = [t.submit(timed, job) for t, job in zip(threads, steps, strict=True)]
            tell(f"{step}, seconds", [one.result() for one in begun])
        needs = list(hub.needs())
        assert len(needs) == 2 * users, "Not every user has a kernel of the own server."
        for name, what in (("server", needs[::2]), ("kernel", needs[1::2])):
            tell(f"{name}, megabytes", [memory for memory, _ in what])
            tell(f"{name}, CPU seconds", [seconds for _, seconds in what])


def timed(step):
    begin = time.monotonic()
    step()
    return time.monotonic() - begin


def tell(name, numbers):
    print(f"  {name:20}{statistics.median(numbers):7.1f}{max(numbers):7.1f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--users", type=int, default=12)
    parser.add_argument("--browser", action="store_true")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    trial(options.folder, 1)
    trial(options.folder, options.users, options.browser)
