"""Recipes of benchmark data sets: columns, conventions, published scores."""

from polyrouge.recipes.loading import load_recipe, recipe_names
from polyrouge.recipes.recipe import Recipe

__all__ = ["Recipe", "load_recipe", "recipe_names"]
