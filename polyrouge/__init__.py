"""polyrouge: one ROUGE for every language and every published convention."""

import importlib
from typing import TYPE_CHECKING, Any

from polyrouge.version import VERSION

if TYPE_CHECKING:
    from polyrouge.beyond.agreement import Agreement, Correlation, agreement
    from polyrouge.beyond.error_analysis.examination import Examination, examine_systems
    from polyrouge.beyond.reference_points import ScoreContext, score_context
    from polyrouge.beyond.source_overlap.measures import SourceMeasures, measure_sources
    from polyrouge.comparing.checkpoints import CheckpointCurves, trace_checkpoints
    from polyrouge.comparing.comparison import Comparison
    from polyrouge.comparing.convention_table import ConventionComparison, compare_conventions
    from polyrouge.comparing.difference import Difference
    from polyrouge.comparing.gate import ScoreCheck, ScoreRule, assert_not_worse, check_scores
    from polyrouge.comparing.settings_search import SettingsSearch, find_settings
    from polyrouge.comparing.sliced_scores import SlicedScores, SliceMeans
    from polyrouge.comparing.slices import compare_slices, score_slices
    from polyrouge.comparing.systems import compare_systems
    from polyrouge.conventions.common import Convention
    from polyrouge.conventions.registry import CONVENTIONS, Suggestion, suggest
    from polyrouge.counting.counts import Counts
    from polyrouge.counting.loop import engine
    from polyrouge.errors import RougeWarning
    from polyrouge.explaining.explanation import Explanation
    from polyrouge.inputs import Inputs, ReferenceKind, check_inputs
    from polyrouge.metric import Rouge, rouge
    from polyrouge.metric_card import metric_path
    from polyrouge.settings.rouge_settings import RougeSettings, RunOptions, ToolRules
    from polyrouge.settings.rules import QUIRKS, REFUSALS
    from polyrouge.texts.sentences import SENTENCE_SPLITS, register_sentence_split
    from polyrouge.texts.tokenizers import TOKENIZERS, TokenizerOptions, register_tokenizer

__version__ = VERSION

# Each is imported when it is first used, so that a process that scores starts quickly.
_MODULES = {
    "beyond.agreement": ("Agreement", "Correlation", "agreement"),
    "beyond.error_analysis.examination": ("Examination", "examine_systems"),
    "beyond.reference_points": ("ScoreContext", "score_context"),
    "beyond.source_overlap.measures": ("SourceMeasures", "measure_sources"),
    "comparing.checkpoints": ("CheckpointCurves", "trace_checkpoints"),
    "comparing.comparison": ("Comparison",),
    "comparing.convention_table": ("ConventionComparison", "compare_conventions"),
    "comparing.difference": ("Difference",),
    "comparing.gate": ("ScoreCheck", "ScoreRule", "assert_not_worse", "check_scores"),
    "comparing.settings_search": ("SettingsSearch", "find_settings"),
    "comparing.sliced_scores": ("SliceMeans", "SlicedScores"),
    "comparing.slices": ("compare_slices", "score_slices"),
    "comparing.systems": ("compare_systems",),
    "conventions.common": ("Convention",),
    "conventions.registry": ("CONVENTIONS", "Suggestion", "suggest"),
    "counting.loop": ("engine",),
    "counting.counts": ("Counts",),
    "errors": ("RougeWarning",),
    "explaining.explanation": ("Explanation",),
    "inputs": ("Inputs", "ReferenceKind", "check_inputs"),
    "metric": ("Rouge", "rouge"),
    "metric_card": ("metric_path",),
    "settings.rouge_settings": ("RougeSettings", "RunOptions", "ToolRules"),
    "settings.rules": ("QUIRKS", "REFUSALS"),
    "texts.sentences": ("SENTENCE_SPLITS", "register_sentence_split"),
    "texts.tokenizers": ("TOKENIZERS", "TokenizerOptions", "register_tokenizer"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "CONVENTIONS",
    "QUIRKS",
    "REFUSALS",
    "SENTENCE_SPLITS",
    "TOKENIZERS",
    "Agreement",
    "CheckpointCurves",
    "Comparison",
    "Convention",
    "ConventionComparison",
    "Correlation",
    "Counts",
    "Difference",
    "Examination",
    "Explanation",
    "Inputs",
    "ReferenceKind",
    "Rouge",
    "RougeSettings",
    "RougeWarning",
    "RunOptions",
    "ScoreCheck",
    "ScoreContext",
    "ScoreRule",
    "SettingsSearch",
    "SliceMeans",
    "SlicedScores",
    "SourceMeasures",
    "Suggestion",
    "TokenizerOptions",
    "ToolRules",
    "__version__",
    "agreement",
    "assert_not_worse",
    "check_inputs",
    "check_scores",
    "compare_conventions",
    "compare_slices",
    "compare_systems",
    "engine",
    "examine_systems",
    "find_settings",
    "measure_sources",
    "metric_path",
    "register_sentence_split",
    "register_tokenizer",
    "rouge",
    "score_context",
    "score_slices",
    "suggest",
    "trace_checkpoints",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'polyrouge' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"polyrouge.{module}"), name)
    return value


def __dir__() -> list[str]:
    """Return all public names, imported or not."""
    return sorted({*globals(), *__all__})
