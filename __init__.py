"""polyrouge: one ROUGE for every language and every published convention."""

from .comparison import Comparison, PairedDifference, compare_systems
from .convention_comparison import ConventionComparison, compare_conventions
from .conventions import CONVENTIONS, Convention
from .errors import RougeWarning
from .explanation import Explanation
from .metric import Rouge
from .quirks import QUIRKS, REFUSALS
from .scores import PairCounts
from .settings import VERSION, RougeSettings
from .tokenization import TokenizerOptions, register_tokenizer
from .tool_tokenizers import TOKENIZERS

__version__ = VERSION

__all__ = [
    "CONVENTIONS",
    "QUIRKS",
    "REFUSALS",
    "TOKENIZERS",
    "Comparison",
    "Convention",
    "ConventionComparison",
    "Explanation",
    "PairCounts",
    "PairedDifference",
    "Rouge",
    "RougeSettings",
    "RougeWarning",
    "TokenizerOptions",
    "__version__",
    "compare_conventions",
    "compare_systems",
    "register_tokenizer",
]
