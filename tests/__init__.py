"""The checks of the library, of the notebooks and of the project's own files."""
