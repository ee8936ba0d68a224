"""polyrouge: one ROUGE for every language and every published convention."""

from .comparison import Comparison, PairedDifference, compare_systems
from .conventions import CONVENTIONS, Convention
from .errors import RougeWarning
from .metric import Rouge
from .scores import PairCounts
from .settings import VERSION, RougeSettings
from .tokenization import TOKENIZERS, TokenizerOptions, register_tokenizer

__version__ = VERSION

__all__ = [
    "CONVENTIONS",
    "TOKENIZERS",
    "Comparison",
    "Convention",
    "PairCounts",
    "PairedDifference",
    "Rouge",
    "RougeSettings",
    "RougeWarning",
    "TokenizerOptions",
    "__version__",
    "compare_systems",
    "register_tokenizer",
]
