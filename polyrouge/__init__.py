"""polyrouge: one ROUGE for every language and every published convention."""

from polyrouge.comparing.checkpoints import CheckpointCurves, trace_checkpoints
from polyrouge.comparing.comparison import Comparison, PairedDifference
from polyrouge.comparing.conventions import ConventionComparison, compare_conventions
from polyrouge.comparing.sliced_scores import SlicedDifference, SlicedScores, SliceMeans
from polyrouge.comparing.slices import compare_slices, score_slices
from polyrouge.comparing.systems import compare_systems
from polyrouge.conventions.convention import Convention
from polyrouge.conventions.registry import CONVENTIONS
from polyrouge.conventions.suggestion import Suggestion, suggest
from polyrouge.counting.compiled.compiling import CompiledKernels, compile_kernels
from polyrouge.counting.pair_counts import PairCounts
from polyrouge.errors import RougeWarning
from polyrouge.explaining.explanation import Explanation
from polyrouge.inputs import Inputs, ReferenceKind, check_inputs
from polyrouge.metric import Rouge
from polyrouge.outputs.examination import Examination, examine_systems
from polyrouge.settings.quirks import QUIRKS, REFUSALS
from polyrouge.settings.rouge_settings import RougeSettings
from polyrouge.sources.measures import SourceMeasures, measure_sources
from polyrouge.sources.unsupported import Unsupported, unsupported_parts
from polyrouge.texts.sentences import SENTENCE_SPLITS, register_sentence_split
from polyrouge.texts.tokenizers import TokenizerOptions, register_tokenizer
from polyrouge.tools.tokenizers import TOKENIZERS
from polyrouge.version import VERSION

__version__ = VERSION

__all__ = [
    "CONVENTIONS",
    "QUIRKS",
    "REFUSALS",
    "SENTENCE_SPLITS",
    "TOKENIZERS",
    "CheckpointCurves",
    "Comparison",
    "CompiledKernels",
    "Convention",
    "ConventionComparison",
    "Examination",
    "Explanation",
    "Inputs",
    "PairCounts",
    "PairedDifference",
    "ReferenceKind",
    "Rouge",
    "RougeSettings",
    "RougeWarning",
    "SliceMeans",
    "SlicedDifference",
    "SlicedScores",
    "SourceMeasures",
    "Suggestion",
    "TokenizerOptions",
    "Unsupported",
    "__version__",
    "check_inputs",
    "compare_conventions",
    "compare_slices",
    "compare_systems",
    "compile_kernels",
    "examine_systems",
    "measure_sources",
    "register_sentence_split",
    "register_tokenizer",
    "score_slices",
    "suggest",
    "trace_checkpoints",
    "unsupported_parts",
]
