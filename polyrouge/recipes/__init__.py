"""Recipes of benchmark data sets: columns, conventions, published scores."""

from polyrouge.recipes.recipe import Recipe, load_recipe, recipe_names

__all__ = ["Recipe", "load_recipe", "recipe_names"]
