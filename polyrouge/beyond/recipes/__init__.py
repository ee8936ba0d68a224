"""Recipes of benchmark data sets: columns, conventions, published scores."""

from polyrouge.beyond.recipes.loading import load_recipe, recipe_names
from polyrouge.beyond.recipes.recipe import Recipe

__all__ = ["Recipe", "load_recipe", "recipe_names"]
