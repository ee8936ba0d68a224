"""docs/api.md: every public name with a line on it and its source.

Run as a script it writes the page. As a hook of MkDocs it refuses an old one, and puts signatures, arguments and source
code below the tables, which only a site can show.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "api.md"
HOME = "https://huggingface.co/spaces/polyrouge/rouge_metric/blob/main"
HEAD = """# API reference

The public names of the package, each with the file that defines it. Everything else may move between versions.
Arguments, errors and source code are in the docstrings, which editors show, and on the site that `make docs` builds.

Words used throughout: an *example* is one prediction with its references; a *pair* is a prediction with one reference;
scores are fractions in [0, 1], times `scale`; `float64[n_samples]` is a numpy array of that type and shape.
"""
MODULES = {
    "polyrouge": "The metric, its settings and conventions, comparisons. The defaults of the settings are in the"
    " [table of settings](settings.md).",
    "polyrouge.training": "`Rouge.for_trainer` and `Rouge.as_reward` make these objects: see [training](training.md).",
    "polyrouge.report": "See [the report](report_and_page.md#the-report).",
    "polyrouge.beyond.pairs": "[Texts against each other](pairs.md).",
    "polyrouge.beyond.arrow": "Arrow tables, on [clusters](clusters.md) and elsewhere.",
    "polyrouge.beyond.recipes": "[Recipes](papers.md#recipes).",
    "polyrouge.compat.rouge155": "ROUGE-1.5.5 as the script computes it: see [ROUGE-1.5.5](rouge155.md).",
}
PARTS = {  # of what the names before give
    "polyrouge": (
        "explaining.explanation.TypeExplanation explaining.explanation.Match comparing.settings_search.SettingsGroup"
        " comparing.convention_table.ConventionRow beyond.error_analysis.examination.ExaminedSystem"
        " beyond.error_analysis.missed_units.UnitTotals beyond.error_analysis.missed_units.UnitCount"
        " beyond.error_analysis.missed_units.FrequencyBucket beyond.error_analysis.faults.Fault"
        " beyond.error_analysis.score_differences.MovedHits beyond.error_analysis.score_differences.MovedUnit"
        " beyond.error_analysis.score_differences.LengthPart beyond.error_analysis.score_differences.MovedSample"
        " comparing.checkpoints.CheckpointChange comparing.checkpoints.ChangedSample"
    ),
    "polyrouge.beyond.recipes": "recipe.RecipeData recipe.RecipeConvention recipe.PublishedRow recipe.Lead",
}
_ATTRIBUTES = "    options:\n      merge_init_into_class: false\n      show_docstring_attributes: true\n"
OPTIONS = dict.fromkeys(("polyrouge.RougeSettings", "polyrouge.ToolRules"), _ATTRIBUTES)


def documented_names() -> Iterator[tuple[str, str]]:
    """Each module with each of its documented names, both with dots."""
    package = griffe.load("polyrouge", search_paths=[str(ROOT)])
    for module in MODULES:
        exports = package[module.partition(".")[2]].exports if "." in module else package.exports
        for name in [*sorted(map(str, exports), key=str.lower), *PARTS.get(module, "").split()]:
            yield module, f"{module}.{name}"


def api_page() -> str:
    """The page as Markdown."""
    package = griffe.load("polyrouge", search_paths=[str(ROOT)], resolve_aliases=True)
    lines, last = [HEAD.rstrip()], ""
    for module, name in documented_names():
        if module != last:
            lines += ["", f"## {module}", "", MODULES[module], "", "| name | what it is |", "|---|---|"]
            last = module
        value = package[name.partition(".")[2]]
        value = value.final_target if value.is_alias else value
        path = Path(value.filepath).relative_to(ROOT).as_posix()
        words = value.docstring.value.split("\n\n")[0].replace("\n", " ") if value.docstring else ""
        (summary,) = re.findall(r"^.*?\.(?= |$)|^.*$", words)[:1]
        summary = summary.replace("``", "`").replace("|", "\\|") or "The version, as signatures have it."
        lines.append(f'| <a id="{name}"></a>[`{name.rpartition(".")[2]}`]({HOME}/{path}) | {summary} |')
    return "\n".join(lines) + "\n"


def on_page_markdown(markdown: str, *, page: Any, **_context: Any) -> str:
    """What MkDocs calls for each page."""
    if page.file.src_path != PAGE.name:
        return markdown
    if PAGE.read_text(encoding="utf-8") != api_page():
        raise SystemExit("docs/api.md is not what the docstrings say: python .ci/api_reference.py writes it anew.")
    tables = re.sub(r'<a id="[^"]+"></a>\[(`\w+`)\]\([^)]+\)', r"\1", markdown)
    sections = [tables, "## Signatures and arguments"]
    for _, name in documented_names():
        is_value = name.rpartition(".")[2].isupper() or name.endswith("__version__")
        hidden = "    options:\n      show_attribute_values: false\n" if is_value else ""
        sections.append(f"::: {name}\n{OPTIONS.get(name, hidden)}")
    return "\n\n".join(sections)


if __name__ == "__main__":
    sys.exit(PAGE.write_text(api_page(), encoding="utf-8") and None)
