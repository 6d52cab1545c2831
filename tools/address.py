"""The repository's address, the one setting of pyproject.toml, and the links made from it.

    [tool.perceptron]
    repository = "https://github.com/someone/perceptron"

Whatever students open is the branch `students`, which `make student-branch` makes: the collection
without solutions.  While the setting is empty there is no link: every function returns None.  A
code host that Colab, Binder or Codespaces does not know has no link there either.
"""

import json
import re
import tomllib
from urllib.parse import quote

from tools import ROOT

BRANCH = "students"
PLACEHOLDER = "<repository>"  # what texts say for the address
NOT_INSTALLED = re.compile(r"# Not installed\? Run .*")  # how the first cell of a lesson begins
INSTALL = """\
try:
    import perceptron_lib
except ImportError:  # as on Colab: install the library
    %pip install --quiet git+{repository}@{branch}
"""


def repository(given=None):
    """The address as git clones it, or None; `given` stands for the setting."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    address = project["tool"]["perceptron"]["repository"] if given is None else given
    if not re.fullmatch(r"|https://[\w.-]+(:\d+)?(/[\w.~-]+)+/?|file:///\S+", address):
        raise SystemExit(
            "[tool.perceptron] repository in pyproject.toml must be empty or an address such as "
            f"https://github.com/someone/perceptron, not {address!r}"
        )
    return address.rstrip("/") or None


def colab(lesson, given=None):
    """A lesson on Colab.

    >>> colab("03_mistake_bound", "https://github.com/ada/perceptron.git")
    'https://colab.research.google.com/github/ada/perceptron/blob/students/notebooks/03_mistake_bound.ipynb'
    """
    if path := on_github(given):
        file = f"{path}/blob/{BRANCH}/notebooks/{lesson}.ipynb"
        return f"https://colab.research.google.com/github/{file}"


def binder(lesson, given=None):
    """A lesson on Binder, which builds what .binder says from any public repository.

    >>> binder("03_mistake_bound", "https://git.example.org/ada/perceptron").split("?")[0]
    'https://mybinder.org/v2/git/https%3A%2F%2Fgit.example.org%2Fada%2Fperceptron/students'
    """
    if (address := repository(given)) and address.startswith("https:"):
        path = on_github(given)
        where = f"gh/{path}" if path else f"git/{quote(address, safe='')}"
        opened = quote(f"lab/tree/notebooks/{lesson}.ipynb", safe="")
        return f"https://mybinder.org/v2/{where}/{BRANCH}?urlpath={opened}"


def codespaces(given=None):
    """A machine at the code host, set up by .devcontainer, with an editor in the browser.

    >>> codespaces("https://github.com/ada/perceptron")
    'https://codespaces.new/ada/perceptron/tree/students'
    """
    if path := on_github(given):
        return f"https://codespaces.new/{path}/tree/{BRANCH}"


def hub(host, lesson, given=None):
    """A lesson on a JupyterHub with nbgitpuller, which fetches the newest copy for each user.

    >>> hub("https://hub.example.org/", "03_mistake_bound", "https://github.com/ada/p")[:66]
    'https://hub.example.org/hub/user-redirect/git-pull?repo=https%3A%2'
    """
    if address := repository(given):
        opened = quote(f"lab/tree/perceptron/notebooks/{lesson}.ipynb", safe="")
        query = f"repo={quote(address, safe='')}&branch={BRANCH}&targetPath=perceptron"
        return f"{host.rstrip('/')}/hub/user-redirect/git-pull?{query}&urlpath={opened}"


def on_github(given=None):
    """The owner and the name of a repository on GitHub, or None."""
    match = re.fullmatch(r"https://github\.com/([^/]+/[^/]+?)(\.git)?", repository(given) or "")
    return match and match[1]


def ways(lesson, given=None):
    """Where else a lesson can be opened: pairs of a name and a link, and none that is dead."""
    links = {"Colab": colab(lesson, given), "Binder": binder(lesson, given)}
    return [(name, link) for name, link in links.items() if link]


def filled(text, given=None):
    """A text for students, with the address in the place of <repository> if there is one.

    >>> filled("git clone <repository> here", "https://github.com/ada/p")
    'git clone --branch students https://github.com/ada/p here'
    """
    if not (address := repository(given)):
        return text
    text = text.replace(f"clone {PLACEHOLDER}", f"clone --branch {BRANCH} {PLACEHOLDER}")
    return text.replace(PLACEHOLDER, address)


def lesson(path, given=None):
    """The text of a notebook's file, with a first cell that installs the library if need be."""
    text = path.read_text(encoding="utf-8")
    if not (address := repository(given)):
        return text
    notebook = json.loads(text)
    first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    install = INSTALL.format(repository=address, branch=BRANCH)
    source = NOT_INSTALLED.sub(lambda _: install, "".join(first["source"]), count=1)
    first["source"] = source.splitlines(keepends=True)
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
