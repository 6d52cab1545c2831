"""The site: pages, slides and live notebooks, made from the notebooks."""
