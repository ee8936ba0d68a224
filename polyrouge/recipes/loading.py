"""Read benchmark recipes, those that come with the package and others.

An unknown key, a missing one or a value of the wrong kind is refused, with the place in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from polyrouge.errors import unknown_value
from polyrouge.recipes.checks import checked_recipe
from polyrouge.recipes.recipe import Recipe
from polyrouge.shipped_files import shipped_file


def recipe_names() -> list[str]:
    """Names of the recipes that come with the package."""
    files = shipped_file("configs").iterdir()
    return sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml"))


def load_recipe(name_or_path: str) -> Recipe:
    """Read a recipe.

    Args:
        name_or_path: a name of ``recipe_names()``, or the path of a YAML file.

    Returns:
        The recipe, checked: every key known, every row with its source.

    Raises:
        ValueError: there is no such recipe, or it is not as it must be; the message names the place.
        ModuleNotFoundError: PyYAML is not installed.
    """
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return parse_recipe(path.read_text(encoding="utf-8"), name_or_path)
    name = path.name.removesuffix(".yaml")
    if name not in recipe_names():
        raise unknown_value(name_or_path, [*recipe_names(), "a .yaml file"], "recipe")
    text = shipped_file("configs", f"{name}.yaml").read_text(encoding="utf-8")
    return parse_recipe(text, f"{name}.yaml")


def parse_recipe(text: str, name: str) -> Recipe:
    """Check the text of a recipe; ``name`` is the file's, for messages."""
    return checked_recipe(_yaml(text, name), name)


def write_template(path: str) -> str:
    """Write a recipe to fill in, with comments, to a new ``.yaml`` file; it can be read as it is. Returns the path.

    Raises:
        ValueError: the file is there already, or has another suffix.
        FileNotFoundError: there is no such folder.
    """
    target = Path(path)
    if target.suffix not in (".yaml", ".yml"):
        raise ValueError(f"--new is {path!r}; give a name that ends in .yaml.")
    if target.exists():
        raise ValueError(f"{path!r} is there already; give another name.")
    target.write_bytes((resources.files("polyrouge.recipes") / "new_recipe.yaml").read_bytes())
    return path


def _yaml(text: str, name: str) -> Any:
    """What the text holds, by PyYAML."""
    import yaml

    with _naming_places(name):
        node = yaml.compose(text, yaml.SafeLoader)
    _refuse_repeats(node, name, set())
    with _naming_places(name):
        return yaml.safe_load(text)


@contextmanager
def _naming_places(name: str) -> Iterator[None]:
    """Raise what PyYAML raises as a ``ValueError`` with the file's name and the line."""
    import yaml

    try:
        yield
    except RecursionError:
        raise ValueError(f"{name}: values are nested too deep; a recipe has four levels.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        raise ValueError(f"{name}{place}: this is no YAML: {getattr(error, 'problem', None) or error}.") from None
    except (ArithmeticError, AttributeError, LookupError, ValueError) as error:  # PyYAML's own, at odd tags and escapes
        raise ValueError(f"{name}: this is no YAML: a value can't be read ({error}).") from None


def _refuse_repeats(node: Any, name: str, known: set[int]) -> None:
    """Raise where a key stands twice, as YAML would silently take the last one; and at an alias of a list or of keys.

    Aliases can make a few lines as large as the memory, and a list that holds itself.
    """
    children = getattr(node, "value", None)
    if not isinstance(children, list):
        return
    if id(node) in known:
        raise ValueError(
            f"{name}, line {node.start_mark.line + 1}: what begins here is used again by an alias (*); write it out."
        )
    known.add(id(node))
    seen = set()
    for child in children:
        if isinstance(child, tuple):
            key = child[0].value
            if str(key) in seen:
                raise ValueError(f"{name}, line {child[0].start_mark.line + 1}: the key {key!r} is there twice.")
            seen.add(str(key))
            _refuse_repeats(child[1], name, known)
        else:
            _refuse_repeats(child, name, known)
