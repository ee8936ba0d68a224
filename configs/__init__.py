"""Benchmark recipes as YAML files; ``polyrouge.recipes`` reads them."""
