"""What holds for all tests, those in notebooks included."""

from hypothesis import settings

pytest_plugins = ["tools.pictures", "tools.unchecked"]

# Property tests draw the same examples in every run: what is green stays green.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
