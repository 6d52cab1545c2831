"""JupyterLab, or JupyterLite, driven as a reader drives it: menus, and keys on the controls."""


import nbformat

from tools.refresh import normalise

NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
CELLS = f"{NOTEBOOK}.model.toJSON().cells.filter(c => c.cell_type == 'code' && c.source.trim())"
KERNEL = "window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel"
FAILED = "c => c.outputs.some(out => out.output_type == 'error')"


NAME = "control => control.labels[0].innerText.split('\\n')[0]"
# JupyterLab keeps the arrows for itself on a closed dropdown; the space bar opens it.
KEYS = {"slider": ["ArrowRight"], "dropdown": ["Space", "ArrowDown", "Enter"]}


class Lab:
    """A notebook in a page; `seconds` is how long anything may take."""

    def __init__(self, page, address, seconds):
        self.page, self.limit = page, 1000 * seconds
        page.goto(address)
        self.wait_until_idle()

    def wait_until_idle(self):
        self.page.wait_for_function(f"{KERNEL}?.status == 'idle'", timeout=self.limit)

    def run_all(self):
        """Run all cells from a clean state; return the notebook as it then is."""
        self.page.evaluate("jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        self.page.wait_for_function(
            f"{CELLS}.every(c => c.execution_count) || {CELLS}.some({FAILED})", timeout=self.limit
        )
        self.wait_until_idle()
        made = self.page.evaluate(f"{NOTEBOOK}.model.toJSON()")
        return normalise(nbformat.from_dict(made))

    def explorer(self):
        """The widget of the notebook, scrolled into view, or None."""
        shown = r"c => /^\w+\.explorer\(/.test(c.source)"
        index = self.page.evaluate(f"{NOTEBOOK}.model.toJSON().cells.findIndex({shown})")
        if index < 0:
            return None
        self.page.evaluate(
            f"async i => {{ {NOTEBOOK}.activeCellIndex = i; await {NOTEBOOK}.scrollToItem(i) }}",
            index,
        )
        return Explorer(self.page, self.limit)


class Explorer:
    """A picture, and beside it controls and words; see `perceptron_lib.widgets`."""

    def __init__(self, page, limit):
        self.page, self.limit = page, limit
        self.box = page.locator(".jp-OutputArea-output :is(.widget-box:has(img), .pg)").first
        self.box.locator("img, .pg-plane").first.wait_for(timeout=limit)

    def state(self):
        """What can be seen: the words, and the picture's address, a new one for each picture; of a
        scene that a script draws, numbers and picture in one."""
        if scene := self.box.locator(".pg-plane").all():
            return (self.box.inner_text() + scene[0].inner_html(),) * 2
        words = self.box.locator("[role=status]").first.inner_text()
        return words, self.box.locator("img").first.get_attribute("src")

    def labels(self):
        return [control.evaluate(NAME) for control in self.box.locator("select, input").all()]

    def size(self):
        """Width and height in pixels, on a screen that shows the notebook alone."""
        self.page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
        self.page.wait_for_timeout(500)
        box = self.box.bounding_box()
        return box["width"], box["height"]

    def handles(self, kind):
        """What takes the keys in the controls of a kind, by the control's label."""
        role = {"slider": "slider", "dropdown": "combobox"}[kind]
        controls = self.box.get_by_role(role, disabled=False).all()
        return {control.evaluate(NAME): control for control in controls}

    def move_all(self):
        """Move each control by keyboard; return the labels of those that were moved.

        Sliders first, then the dropdowns one by one, since a choice can set other sliders free;
        the data last, since a widget begins anew with new data.
        """
        moved = []
        while todo := self.first_left(moved):
            label, handle, keys = todo
            before = self.state()
            handle.focus()
            for key in keys:
                self.page.keyboard.press(key)
            self.wait_for_change(label, before)
            moved.append(label)
        return moved

    def first_left(self, moved):
        """A control not moved yet: its label, its handle, and keys that move it."""
        for kind in ("slider", "dropdown"):
            for label, handle in reversed(self.handles(kind).items()):
                if label not in moved:
                    return label, handle, KEYS[kind]
        return None

    def play(self):
        """Start the animation, see one step of it, and stop it; False if there is none."""
        button = self.box.locator(".widget-play button").first
        if not button.count():
            return False
        before = self.state()
        button.focus()
        self.page.keyboard.press("Space")
        self.wait_for_change("play", before)
        self.page.keyboard.press("Space")
        return True

    def wait_for_change(self, label, before):
        """Wait until words and picture are both new."""
        for _ in range(10_000 // 50):
            now = self.state()
            if all(new != old for new, old in zip(now, before, strict=True)):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"The control {label!r} moved, and the widget stayed: {before[0]}")
